"""Icons and letters of gauges: outlines read from SVG files, and one font file a weight, measured and subset."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable
from builder.geometry.gauges.art import Point
from builder.messages import gettext as _
from builder.render.fonts import font_file
from builder.render.glyphpen import CubicPen

NUMBER = re.compile(rb"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
VIEW_BOX = re.compile(rb"viewBox\s*=\s*[\"']([^\"']+)[\"']")
EVEN_ODD = re.compile(rb"fill-rule\s*[=:]\s*[\"']?\s*evenodd")


@dataclass(frozen=True, slots=True)
class IconOutline:
    """An icon in a square from (-0.5, -0.5) to (0.5, 0.5): numbers and the operator of a PDF that takes them.

    `even` where it fills by the even-odd rule.
    """

    path: tuple[tuple[tuple[float, ...], str], ...]
    even: bool


def outline(path: Path) -> IconOutline:
    """Read one SVG file of filled paths. Raises InputUnreadable."""
    try:
        data = path.read_bytes()
        drawn = _path(data)
    except Exception as error:
        message = _("{file}: not an SVG icon: {reason}", file=path, reason=_(str(error)))
        raise InputUnreadable(message, _("Use filled paths in a square viewBox.")) from None
    return IconOutline(drawn, bool(EVEN_ODD.search(data)))


def _path(data: bytes) -> tuple[tuple[tuple[float, ...], str], ...]:
    from fontTools.svgLib import SVGPath

    found = VIEW_BOX.search(data)
    view = [float(number) for number in NUMBER.findall(found[1])] if found else []
    if len(view) != 4 or min(view[2:]) <= 0:
        raise ValueError(_("it states no viewBox of four numbers"))
    left, top, width, height = view
    scale = 1 / max(width, height)

    def place(points: Iterable[Point]) -> tuple[float, ...]:
        spots = (((x - left - width / 2) * scale, (y - top - height / 2) * scale) for x, y in points)
        return tuple(value for spot in spots for value in spot)

    pen = CubicPen()
    SVGPath.fromstring(data).draw(pen)
    return tuple((place(points), operator) for points, operator in pen.path)


WEIGHTS = ("regular", "bold", "black")


class MeasuredFont:
    """One weight, loaded once; remembers which letters were shown."""

    def __init__(self, weight: str) -> None:
        from fontTools.ttLib import TTFont

        path = font_file(f"Roboto-{weight.title()}.ttf")
        self.weight = weight
        self.font: Any = TTFont(path, lazy=True, recalcTimestamp=False)
        self.cmap: dict[int, str] = self.font.getBestCmap()
        self.advance: Any = self.font["hmtx"].metrics
        self.unit = float(self.font["head"].unitsPerEm)
        self.shown: dict[int, str] = {}
        self.missing: set[str] = set()

    def glyph(self, letter: str) -> int:
        """The glyph id of a letter; letters without one are remembered as missing and shown as nothing."""
        name = self.cmap.get(ord(letter))
        if name is None:
            self.missing.add(letter)
            return 0
        index = int(self.font.getGlyphID(name))
        self.shown[index] = letter
        return index

    def width(self, text: str, size: float) -> float:
        """The width of a line in mm at a type size in mm."""
        names = (self.cmap.get(ord(letter), ".notdef") for letter in text)
        return sum(float(self.advance[name][0]) for name in names) * size / self.unit

    def advances(self) -> list[tuple[int, float]]:
        """Glyph id and advance in thousandths of every letter shown."""
        order = self.font.getGlyphOrder()
        return [(index, self.advance[order[index]][0] * 1000 / self.unit) for index in sorted(self.shown)]

    def subset(self) -> bytes:
        """A font file that holds the letters shown, under their old ids."""
        from fontTools import subset

        tables = ["GPOS", "GSUB", "GDEF"]
        options = subset.Options(
            retain_gids=True, hinting=False, layout_features=[], notdef_outline=True, drop_tables=tables
        )
        worker = subset.Subsetter(options)
        worker.populate(gids=sorted(self.shown))
        worker.subset(self.font)
        out = BytesIO()
        self.font.save(out)
        return out.getvalue()


class Typefaces:
    """All weights; also the measure that layout asks."""

    def __init__(self) -> None:
        self.faces = {weight: MeasuredFont(weight) for weight in WEIGHTS}

    def __call__(self, text: str, size: float, weight: str) -> float:
        """Width of a line in mm."""
        return self.faces[weight].width(text, size)

    @property
    def missing(self) -> tuple[str, ...]:
        """Letters that were shown and are in no font."""
        return tuple(sorted(set().union(*(face.missing for face in self.faces.values()))))
