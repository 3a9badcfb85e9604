"""What the engine complains of arrives whole, also from the process that set the face."""

from __future__ import annotations

import logging
import pickle

from builder.findings import Location
from builder.render.engine.weasyprint.logs import listen, log_finding


def test_a_complaint_keeps_its_words_on_the_way_from_a_worker() -> None:
    with listen() as heard:
        logging.getLogger("weasyprint").warning("no glyph for %r", "\U0001f680")
    found = log_finding(pickle.loads(pickle.dumps(heard.messages[0])), Location(file="a.css"))
    assert found.message == "the engine says: no glyph for '\U0001f680'"
    assert pickle.loads(pickle.dumps(found)) == found
