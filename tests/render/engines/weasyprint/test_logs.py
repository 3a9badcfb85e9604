"""What the engine complains of arrives whole, also from the process that set the face."""

import logging
import pickle

from builder.findings import Location
from builder.render.engines.weasyprint.fetcher import collect_complaints


def test_a_complaint_keeps_its_words_on_the_way_from_a_worker() -> None:
    with collect_complaints() as heard:
        logging.getLogger("weasyprint").warning("no glyph for %r", "\U0001f680")
    found = heard[0].finding(Location(file="a.css"))
    assert found.message == "message of the engine: no glyph for '\U0001f680'"
    assert pickle.loads(pickle.dumps(found)) == found
