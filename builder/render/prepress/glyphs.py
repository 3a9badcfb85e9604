"""Glyphs of the fonts embedded in a PDF as drawings: each glyph one form, filled as what draws it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from typing import Any

from builder.render.sheets.pdfwriter import number

Point = tuple[float, float]


class Typeface:
    """One font resource whose codes are glyph ids of two bytes, its program inside the file.

    `widths` are what the file says of them, in thousandths of the type size; `default` that of all others.
    """

    def __init__(self, program: bytes, widths: Mapping[int, float], default: float = 1000.0) -> None:
        from fontTools.ttLib import TTFont

        self._widths, self._default = widths, default
        self._font = TTFont(BytesIO(program), lazy=True)
        self._names = self._font.getGlyphOrder()
        self.units = int(self._font["head"].unitsPerEm)

    @cached_property
    def _set(self) -> Any:
        return self._font.getGlyphSet()

    def width(self, glyph: int) -> float:
        """How far a glyph moves on, as a part of the type size."""
        return self._widths.get(glyph, self._default) / 1000

    def path(self, glyph: int) -> list[tuple[Sequence[Point], bytes]]:
        """The outline in the font's units: points and operator; nothing for a space."""
        pen = _pen(self._set)
        if glyph < len(self._names):
            self._set[self._names[glyph]].draw(pen)
        found: list[tuple[Sequence[Point], bytes]] = pen.path
        return found


def typeface(resource: Any) -> Typeface | None:
    """The typeface of a font resource; None for a font of another make."""
    inner = resource.get("/DescendantFonts", [None])[0] if resource is not None else None
    if inner is None or str(resource.get("/Encoding")) != "/Identity-H":
        return None
    if str(inner.get("/CIDToGIDMap", "/Identity")) != "/Identity":
        return None
    program = inner.get("/FontDescriptor", {}).get("/FontFile2")
    if program is None:
        return None
    return Typeface(program.read_bytes(), _widths(list(inner.get("/W", []))), float(inner.get("/DW", 1000)))


def _widths(entries: list[Any]) -> dict[int, float]:
    """The W array: a first code and a list, or a first and a last code and one width for all."""
    import pikepdf

    found: dict[int, float] = {}
    while len(entries) > 1:
        first, second = int(entries[0]), entries[1]
        if isinstance(second, pikepdf.Array):
            found |= {first + index: float(width) for index, width in enumerate(list(second))}
            entries = entries[2:]
        else:
            found |= dict.fromkeys(range(first, int(second) + 1), float(entries[2]))
            entries = entries[3:]
    return found


def drawn(path: Sequence[tuple[Sequence[Point], bytes]]) -> bytes:
    """A path as operators."""
    return b"".join(
        b"%s %s\n" % (b" ".join(number(part) for point in points for part in point), name) if points else name + b"\n"
        for points, name in path
    )


def _pen(glyphs: Any) -> Any:
    """A pen that writes what it draws as operators; quadratic curves become cubic ones."""
    from fontTools.pens.basePen import BasePen

    class Pen(BasePen):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(glyphs)
            self.path: list[tuple[Sequence[Point], bytes]] = []

        def _moveTo(self, pt: Point) -> None:  # noqa: N802
            self.path.append(((pt,), b"m"))

        def _lineTo(self, pt: Point) -> None:  # noqa: N802
            self.path.append(((pt,), b"l"))

        def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
            self.path.append(((pt1, pt2, pt3), b"c"))

        def _closePath(self) -> None:  # noqa: N802
            self.path.append(((), b"h"))

        def _endPath(self) -> None:  # noqa: N802
            pass

    return Pen()
