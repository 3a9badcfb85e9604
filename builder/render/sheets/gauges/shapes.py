"""Icons and letters of gauges: outlines read from SVG files, and one font a weight, measured."""

import re
from dataclasses import dataclass
from pathlib import Path

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.render.glyphpen import CubicPen
from builder.render.sheets.marks import TextStamp

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
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib import SVGPath

    found = VIEW_BOX.search(data)
    view = [float(number) for number in NUMBER.findall(found[1])] if found else []
    if len(view) != 4 or min(view[2:]) <= 0:
        raise ValueError(_("it states no viewBox of four numbers"))
    left, top, width, height = view
    scale, pen = 1 / max(width, height), CubicPen()
    middle = (-(left + width / 2) * scale, -(top + height / 2) * scale)
    SVGPath.fromstring(data).draw(TransformPen(pen, (scale, 0, 0, scale, *middle)))
    return tuple(
        (tuple(value for point in points for value in point), operator)
        for points, operator in pen.path
    )


WEIGHTS = ("regular", "bold", "black")


class Typefaces:
    """All weights; also the measure that layout asks."""

    def __init__(self) -> None:
        self.faces = {weight: TextStamp(weight) for weight in WEIGHTS}

    def __call__(self, text: str, size: float, weight: str) -> float:
        """Width of a line in mm."""
        return self.faces[weight].width(text, size)

    @property
    def missing(self) -> tuple[str, ...]:
        """Letters that were shown and are in no font."""
        return tuple(sorted(set().union(*(face.missing for face in self.faces.values()))))
