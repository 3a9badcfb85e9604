"""A drawing cut from the engine's own objects is the one its file holds."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.sheets.extract import extract_file
from builder.render.sheets.record import FontUse

pytestmark = pytest.mark.slow

PIXELS = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR4nGP8z8DwnwEImBigAAAfFwICgH3ifwAAAABJRU5ErkJggg=="
BODIES = {
    "text": "<p>One <b>bold</b> word</p><p style='opacity:0.4'>faint</p>",
    "shapes": "<svg viewBox='0 0 9 9' width='9mm'><path d='M0 0H9.5V9Z' fill='#abc' stroke='red' opacity='.3'/></svg>",
    "gradient": "<p style='background:linear-gradient(red, rgba(0, 0, 255, .2)); width:3cm'>On it</p>",
    "pattern": "<svg viewBox='0 0 9 9' width='9mm'><pattern id='p' width='2' height='2'><circle r='1'/></pattern>"
    "<rect width='9' height='9' fill='url(#p)'/></svg>",
    "mask": "<svg viewBox='0 0 9 9' width='9mm'><mask id='m'><rect width='5' height='9' fill='#fff'/></mask>"
    "<rect width='9' height='9' mask='url(#m)'/></svg>",
    "color space": "<p style='color:lab(50% 40 30)'>Other</p>",
    "link": "<p><a href='https://example.org/' id='a'>Away</a></p>",
}
PICTURE = f"<img src='data:image/png;base64,{PIXELS}' style='width:9mm'>"


def painted(body: str) -> tuple[Any, bytes, dict[str, FontUse]]:
    """A document painted, the same as a file, and its fonts."""
    import weasyprint

    document, file = weasyprint.HTML(string=body).render(), BytesIO()
    pdf = drawn.paint(document)
    pdf.write(file, None, None, True)
    return (
        pdf,
        file.getvalue(),
        {font.hash: FontUse("f", font.widths, font.to_unicode) for font in document.fonts.values()},
    )


@pytest.mark.parametrize("body", [*BODIES.values(), PICTURE, "".join(BODIES.values()) + PICTURE])
def test_it_is_the_one_of_the_file(body, monkeypatch):
    pdf, data, fonts = painted(body)
    wanted = extract_file(data, 100, fonts)
    monkeypatch.setattr(drawn, "extract_file", None)
    assert [record.dump() for record in drawn.extract_pages(pdf, 100, fonts)] == [record.dump() for record in wanted]


def test_what_is_not_known_is_read_from_the_file(monkeypatch):
    pdf, data, fonts = painted("".join(BODIES.values()))
    monkeypatch.setattr(drawn, "_WORD", re.compile(rb"(?!)"))
    assert drawn.extract_pages(pdf, 100, fonts) == extract_file(data, 100, fonts)
