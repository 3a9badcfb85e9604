"""Short texts on sheets, set without the engine: glyph by glyph from one of our fonts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from builder.render.fonts import font_files, font_hash
from builder.render.sheets.pdfwriter import number, pt
from builder.render.sheets.record import FontUse
from builder.units import points

NAME = "SHEETS"
FILE = "Roboto-Regular.ttf"


class Stamp:
    """Collects the glyphs it has drawn, so that the document can embed them."""

    def __init__(self) -> None:
        self.widths: dict[int, float] = {}
        self.letters: dict[int, str] = {}

    def width(self, text: str, size: float) -> float:
        """The length of a text in mm at a type size in pt."""
        return points(sum(_glyph(letter)[1] for letter in text) * size / 1000)

    def draw(self, text: str, size: float, x: float, y: float, *, standing: bool = False) -> bytes:
        """Drawing operators for a text; x, y in mm from the page's bottom left. `standing` reads upwards."""
        shown = b""
        for letter in text:
            glyph, width = _glyph(letter)
            self.widths[glyph], self.letters[glyph] = width, letter
            shown += b"%04x" % glyph
        matrix = b"0 1 -1 0" if standing else b"1 0 0 1"
        return b"BT /%s %s Tf %s %s %s Tm <%s> Tj ET\n" % (NAME.encode(), number(size), matrix, pt(x), pt(y), shown)

    def use(self) -> FontUse:
        """The font as it was used."""
        metrics = _font()["hhea"]
        scale = 1000 / _font()["head"].unitsPerEm
        ascent, descent = round(metrics.ascent * scale), round(metrics.descent * scale)
        return FontUse(font_hash(_path().read_bytes()), self.widths, self.letters, "Roboto", ascent, descent)


def _path() -> Path:
    return next(path for path in font_files() if path.name == FILE)


@cache
def _font() -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(_path(), lazy=True)


@cache
def _glyph(letter: str) -> tuple[int, float]:
    """Glyph id and width (thousandths of the size) of a letter; an empty box for an unknown one."""
    font = _font()
    name = font.getBestCmap().get(ord(letter), ".notdef")
    return font.getGlyphID(name), round(font["hmtx"][name][0] * 1000 / font["head"].unitsPerEm, 3)
