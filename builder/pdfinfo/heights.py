"""How high and how deep the letters of a string really reach, from the font program inside the file."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from pikepdf import Dictionary, Object

from builder.pdfinfo.malformed import MALFORMED


@dataclass
class Heights:
    """The letters of one TrueType font whose codes are glyph ids; the program is opened when first asked."""

    program: Object
    _glyphs: Any = None
    _known: dict[int, tuple[float, float] | None] = field(default_factory=dict)

    def of(self, codes: Sequence[int]) -> tuple[float, float] | None:
        """Lowest and highest ink in thousandths of the type size; None where the program does not tell."""
        found = [one for code in codes if (one := self._one(code)) is not None]
        return (min(low for low, _ in found), max(high for _, high in found)) if found else None

    def _one(self, code: int) -> tuple[float, float] | None:
        if code not in self._known:
            self._known[code] = self._read(code)
        return self._known[code]

    def _read(self, code: int) -> tuple[float, float] | None:
        from fontTools.ttLib import TTFont, TTLibError

        try:
            if self._glyphs is None:
                font = TTFont(BytesIO(self.program.read_bytes()), lazy=True)
                self._glyphs = font["glyf"], font.getGlyphOrder(), 1000 / font["head"].unitsPerEm
            table, names, unit = self._glyphs
            glyph = table[names[code]]
            return (glyph.yMin * unit, glyph.yMax * unit) if glyph.numberOfContours else None
        except (*MALFORMED, TTLibError, struct.error, AssertionError, ZeroDivisionError):
            return None


def heights(resource: Object, inner: Object) -> Heights | None:
    """For a composite font and the one inside it; None for fonts of another make, whose codes name no glyph."""
    program = inner.get("/FontDescriptor", Dictionary()).get("/FontFile2")
    identity = str(resource.get("/Encoding")) == "/Identity-H" and str(inner.get("/CIDToGIDMap", "/Identity"))
    return Heights(program) if program is not None and identity == "/Identity" else None
