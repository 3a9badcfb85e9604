"""Icons and fonts of gauges: outlines read from SVG files, and one font for each weight."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.render.glyphpen import CubicPen
from builder.render.sheets.marks import TextStamp

NUMBER = re.compile(rb"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
VIEW_BOX = re.compile(rb"viewBox\s*=\s*[\"']([^\"']+)[\"']")
EVEN_ODD = re.compile(rb"fill-rule\s*[=:]\s*[\"']?\s*evenodd")
WEIGHTS = ("regular", "bold", "black")

Operators: TypeAlias = tuple[tuple[tuple[float, ...], str], ...]
"""Operands and operator of each part of a PDF path."""


@dataclass(frozen=True, slots=True)
class IconOutline:
    """The outline of an icon, in a square from (-0.5, -0.5) to (0.5, 0.5).

    `even_odd` fills by the even-odd rule.
    """

    path: Operators
    even_odd: bool


def read_icon(path: Path) -> IconOutline:
    """Read the outline of an SVG icon. Raise InputUnreadable if it cannot be used."""
    try:
        data = path.read_bytes()
        return IconOutline(_read_path(data), bool(EVEN_ODD.search(data)))
    except (
        Exception
    ) as error:  # whatever the library meets in a file that is no drawing
        message = _(
            "{file}: not an SVG icon: {reason}", file=path, reason=_(str(error))
        )
        raise InputUnreadable(
            message, _("Use filled paths in a square viewBox.")
        ) from None


def _read_path(data: bytes) -> Operators:
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib import SVGPath

    match = VIEW_BOX.search(data)
    view_box: list[float] = []
    if match:
        view_box = [float(number) for number in NUMBER.findall(match[1])]
    if len(view_box) != 4 or min(view_box[2:]) <= 0:
        raise ValueError(_("its viewBox is not four numbers"))
    x, y, width, height = view_box
    scale = 1 / max(width, height)
    # The middle of the viewBox becomes the origin.
    dx = -(x + width / 2) * scale
    dy = -(y + height / 2) * scale
    matrix = (scale, 0, 0, scale, dx, dy)
    pen = CubicPen()
    SVGPath.fromstring(data).draw(TransformPen(pen, matrix))
    operators: list[tuple[tuple[float, ...], str]] = []
    for points, operator in pen.path:
        coordinates: list[float] = []
        for point in points:
            coordinates += point
        operators.append((tuple(coordinates), operator))
    return tuple(operators)


class Typefaces:
    """The fonts of all weights. An instance can be called to measure a text."""

    def __init__(self) -> None:
        self.faces = {weight: TextStamp(weight) for weight in WEIGHTS}

    def __call__(self, text: str, size: float, weight: str) -> float:
        """Return the width of a line in mm."""
        return self.faces[weight].measure(text, size)

    @property
    def missing_characters(self) -> tuple[str, ...]:
        """The characters that were drawn although no font has them."""
        characters: set[str] = set()
        for face in self.faces.values():
            characters |= face.missing_characters
        return tuple(sorted(characters))
