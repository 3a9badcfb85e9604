"""Icons and letters of gauges: outlines read from SVG files, and one font file a weight, measured and subset."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable, ToolMissing
from builder.geometry.gauges.art import Point
from builder.messages import gettext as _

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


def _view(data: bytes) -> tuple[float, float, float, float]:
    found = VIEW_BOX.search(data)
    values = [float(number) for number in NUMBER.findall(found[1])] if found else []
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        raise ValueError(_("it states no viewBox of four numbers"))
    return (values[0], values[1], values[2], values[3])


def _path(data: bytes) -> tuple[tuple[tuple[float, ...], str], ...]:
    from fontTools.svgLib import SVGPath

    from builder.render.glyphpen import CubicPen

    left, top, width, height = _view(data)
    scale = 1 / max(width, height)

    def place(points: Iterable[Point]) -> tuple[float, ...]:
        spots = (((x - left - width / 2) * scale, (y - top - height / 2) * scale) for x, y in points)
        return tuple(value for spot in spots for value in spot)

    pen = CubicPen()
    SVGPath.fromstring(data).draw(pen)
    return tuple((place(points), operator) for points, operator in pen.path)


FILES = {"regular": "Roboto-Regular.ttf", "bold": "Roboto-Bold.ttf", "black": "Roboto-Black.ttf"}
PACKAGE = "font_roboto"


def folder() -> Path:
    """Where the font package keeps its files. Raises ToolMissing."""
    from importlib.util import find_spec

    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ToolMissing(_("the font Roboto is not installed"), _("Install it: pip install font-roboto"))
    return Path(spec.origin).parent / "files"


class MeasuredFont:
    """One weight, loaded once; remembers which letters were shown."""

    def __init__(self, weight: str) -> None:
        from fontTools.ttLib import TTFont

        path = folder() / FILES[weight]
        if not path.is_file():
            raise ToolMissing(
                _("the font file {file} is missing", file=path.name), _("Install it again: pip install font-roboto")
            )
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

        options = subset.Options(
            retain_gids=True,
            hinting=False,
            layout_features=[],
            notdef_outline=True,
            drop_tables=["GPOS", "GSUB", "GDEF"],
        )
        options.recalc_timestamp = False
        worker = subset.Subsetter(options)
        worker.populate(gids=sorted(self.shown))
        worker.subset(self.font)
        out = BytesIO()
        self.font.save(out)
        return out.getvalue()


class Typefaces:
    """All weights; also the measure that layout asks."""

    def __init__(self) -> None:
        self.faces = {weight: MeasuredFont(weight) for weight in FILES}

    def __call__(self, text: str, size: float, weight: str) -> float:
        """Width of a line in mm."""
        return self.faces[weight].width(text, size)

    @property
    def missing(self) -> tuple[str, ...]:
        """Letters that were shown and are in no font."""
        return tuple(sorted(set().union(*(face.missing for face in self.faces.values()))))
