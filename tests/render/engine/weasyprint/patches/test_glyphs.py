"""Lines of text drawn the shorter way are drawn as the engine draws them, and tell which glyphs they show."""

from __future__ import annotations

from typing import Any

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.engine.weasyprint.exact import install
from builder.render.engine.weasyprint.fastpath import fast
from builder.render.engine.weasyprint.patches import glyphs
from builder.render.sheets.cutting import glyphs_of

pytestmark = pytest.mark.slow

PLAIN = [
    "<p>AVAST, To Ty. Fi ffi. <b>Bold</b> <i>To</i> <b>bold</b></p><p>AVAST again</p>",
    "<p style='letter-spacing:2px; word-spacing:3px'>Wide and wider</p><p> </p>",
    "<p style='width:5cm; text-align:justify'>A text of several lines, with some long words, evenly spread.</p>",
    "<p style='direction:rtl; unicode-bidi:bidi-override'>Right to left</p><p dir='rtl'>and once more</p>",
    "<p style='text-decoration:underline overline line-through'>Under</p><p style='opacity:.5'>faint</p>",
    "<p style='color:rgba(9, 8, 7, 0.5)'>Half <b style='color:hsl(90 50% 40%)'>green</b> and half <b>again</b></p>",
    "<p style='color:red'>red <i style='visibility:hidden'>unseen</i> <b style='color:lab(50% 40 30)'>other</b></p>",
    "<svg viewBox='0 0 90 9' width='90mm'><text x='1' y='8' font-size='6'>In a drawing</text></svg>",
]
OTHER = [
    "<p style='width:3cm; hyphens:manual' lang='en'>extra&shy;ordinarily un&shy;believable</p>",
    "<p style='width:1cm; overflow:hidden; white-space:nowrap; text-overflow:ellipsis'>Never ends</p>",
    "<p style='width:2cm; max-lines:1; block-ellipsis:auto'>One line of several lines</p>",
    "<p>x\u0301\u0323 q\u0301 e\u0301\u0302\u0303</p>",
    "<p>None has \U0001f9ff or \ue9f1</p>",
]


def painted(body: str, *, short: bool) -> tuple[list[bytes], dict[str, Any], list[Any]]:
    """What the pages of a document hold, the document's fonts, and the streams that hold it."""
    import weasyprint

    install()
    with fast(short):
        pdf = drawn.paint(document := weasyprint.HTML(string=body).render())
    pages = [pdf.objects[number] for number in pdf.pages["Kids"][::3]]
    streams = [pdf.objects[int(page["Contents"].split()[0])] for page in pages]
    fonts = {font.hash: (dict(font.widths), font.to_unicode) for font in document.fonts.values()}
    return [stream.data for stream in streams], fonts, streams


@pytest.mark.parametrize("body", [*PLAIN, *OTHER, "".join(PLAIN), "".join(PLAIN + OTHER), "".join(OTHER + PLAIN)])
def test_pages_and_fonts_are_the_same(body):
    assert painted(body, short=True)[:2] == painted(body, short=False)[:2]


@pytest.mark.parametrize("body", PLAIN)
def test_glyphs_are_those_of_the_drawing(body):
    for stream in painted(body, short=True)[2]:
        assert stream.shown.whole
        assert stream.shown.glyphs == glyphs_of(b"\n".join(stream.stream))


@pytest.mark.parametrize("body", OTHER[:3])
def test_what_is_not_plain_is_drawn_by_the_engine(body):
    assert not any(stream.shown.whole for stream in painted(body, short=True)[2])


def test_more_sizes_than_are_kept(monkeypatch):
    monkeypatch.setattr(glyphs, "SIZES", 2)
    body = "".join(f"<p style='font-size:{size}px'>Size {size}</p>" for size in range(9, 15))
    assert painted(body, short=True)[:2] == painted(body, short=False)[:2]
    assert len(glyphs._PIECES) <= 2
