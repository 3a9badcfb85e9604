"""What is asked of blocks is answered as the engine answers it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.render.engine.weasyprint.fastpath import fast
from builder.render.engine.weasyprint.patches.blocks import collapsed
from builder.render.engine.weasyprint.patches.nodes import forget

pytestmark = pytest.mark.slow


@given(st.lists(st.one_of(st.integers(-9, 9), st.floats(-1e9, 1e9))))
def test_margins_collapse_alike(margins):
    from weasyprint.layout.block import collapse_margin

    with fast(False):
        found, wanted = collapsed(collapse_margin)(margins), collapse_margin(margins)
    assert (repr(found), type(found)) == (repr(wanted), type(wanted))


BODIES = [
    "<p>one</p><p>one</p>",
    "<p>one</p><div><p class=wide>two</p></div><p>three</p>",
    "<p>one</p><p class=before>two</p>",
    "<div class=wide><p class=wide>one</p></div><p class=narrow>two</p>",
]
CSS = """
@page { size: 80mm 60mm } @page wide { size: 99mm 60mm } .wide { page: wide } .narrow { page: narrow }
.before::before { content: "x"; page: wide; display: block; break-before: page }
"""


@pytest.mark.parametrize("body", BODIES)
def test_pages_end_where_elements_ask_for_others(body):
    """Whether any document before it named a page or not."""
    import weasyprint

    sheet = weasyprint.CSS(string=CSS)

    def widths(text, *, short):
        with fast(short):
            pages = weasyprint.HTML(string=text).render(stylesheets=[sheet]).pages
            return [page.width for page in pages]

    forget()
    for text in (body, *BODIES, body):
        assert widths(text, short=True) == widths(text, short=False)
