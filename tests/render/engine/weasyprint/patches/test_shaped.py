"""Lines drawn as they were shaped to be broken look as if they were shaped once more."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.engine.weasyprint.exact import install
from builder.render.engine.weasyprint.fastpath import fast

pytestmark = pytest.mark.slow

LINES = "Words of all lengths, AVAST, extraordinarily long or as short as a, run over the ends of lines. "
KEPT = {
    "one line": "<p>AVAST, To Ty. Fi ffi</p>",
    "lines": f"<p style='width:4cm'>{LINES}<b>{LINES}</b></p>",
    "spaced": f"<p style='width:4cm; letter-spacing:1px; word-spacing:2px'>{LINES}<b> </b>a</p>",
    "broken": f"<p style='width:1cm; overflow-wrap:anywhere'>{LINES}</p>",
    "hyphens": f"<p style='width:2cm; hyphens:auto' lang=en>{LINES}</p>",
    "no wrap": f"<p style='width:2cm; white-space:nowrap'>{LINES}</p>",
    "features": f"<p style='width:4cm; font-variant:small-caps; font-feature-settings:\"tnum\"'>{LINES}1234</p>",
    "right to left": "<p style='width:2cm; direction:rtl; unicode-bidi:bidi-override'>right to left and once more</p>",
    "drawing": "<svg viewBox='0 0 90 9' width='90mm'><text x='1' y='8' dx='1 2 3'>AVAST</text></svg>",
}
ANEW = {
    "spread": f"<p style='width:4cm; text-align:justify'>{LINES}</p>",
    "cut": f"<p style='width:2cm; overflow:hidden; white-space:nowrap; text-overflow:ellipsis'>{LINES}</p>",
    "cut lines": f"<p style='width:3cm; max-lines:2; block-ellipsis:auto'>{LINES}</p>",
    "separators": "<pre>one\n\ntwo\u2028three\u2029four</pre>",
    "first": f"<style>p::first-line {{ color: red }} p::first-letter {{ font-size: 2em }}</style><p>{LINES}</p>",
    "without a glyph": "<pre>a\tb\tc  </pre><p style='width:2cm'>very extra&shy;ordinarily</p>",
    "lifted": "<p>q\u0301 x\u0301\u0323</p>" * 2,
}
BOTH = KEPT | ANEW


def pages(body: str, *, short: bool) -> tuple[list[bytes], int]:
    """What the pages of a document hold, and how many texts were shaped to draw them."""
    import weasyprint
    from weasyprint.text.line_break import Layout

    install()
    shaped = 0
    set_text = Layout.set_text

    def count(*arguments: object, **options: object) -> None:
        nonlocal shaped
        shaped += 1
        set_text(*arguments, **options)

    with fast(short):
        document = weasyprint.HTML(string=body).render()
        Layout.set_text = count
        try:
            pdf = drawn.paint(document)
        finally:
            Layout.set_text = set_text
    kids = [pdf.objects[number] for number in pdf.pages["Kids"][::3]]
    return [pdf.objects[int(page["Contents"].split()[0])].data for page in kids], shaped


@pytest.mark.parametrize("name", BOTH)
def test_lines_look_the_same(name):
    assert pages(BOTH[name], short=True)[0] == pages(BOTH[name], short=False)[0]


def test_all_of_them_on_one_page_look_the_same():
    body = "".join([*BOTH.values(), *BOTH.values()])
    assert pages(body, short=True)[0] == pages(body, short=False)[0]


@pytest.mark.parametrize("name", [name for name in KEPT if name != "drawing"])
def test_lines_are_shaped_but_once(name):
    assert pages(KEPT[name], short=False)[1]
    assert not pages(KEPT[name], short=True)[1]
