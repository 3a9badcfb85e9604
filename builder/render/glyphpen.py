"""A pen that records outlines for a PDF. Quadratic curves become cubic ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from fontTools.pens.basePen import BasePen

if TYPE_CHECKING:
    from fontTools.ttLib.ttGlyphSet import _TTGlyphSet as GlyphSet

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = list[tuple[Sequence[Point], str]]
"""Points, and the operator that takes them: m, l, c or h."""


class CubicPen(BasePen):  # type: ignore[misc]
    """A pen of fontTools that collects the curves of a glyph as path segments.

    `glyphs` contains the parts of composed letters.
    """

    def __init__(self, glyphs: GlyphSet | None = None) -> None:
        super().__init__(glyphs)
        self.path: Outline = []

    def _moveTo(self, pt: Point) -> None:  # noqa: N802
        self.path.append(((pt,), "m"))

    def _lineTo(self, pt: Point) -> None:  # noqa: N802
        self.path.append(((pt,), "l"))

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
        self.path.append(((pt1, pt2, pt3), "c"))

    def _closePath(self) -> None:  # noqa: N802
        self.path.append(((), "h"))
