"""A pack's SVG icons as outlines in a unit square."""

from __future__ import annotations

import re
from pathlib import Path

from builder.errors import InputUnreadable
from builder.geometry.gauges.art import Point, Segment
from builder.messages import gettext as _

NUMBER = re.compile(rb"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
VIEW_BOX = re.compile(rb"viewBox\s*=\s*[\"']([^\"']+)[\"']")
EVEN_ODD = re.compile(rb"fill-rule\s*[=:]\s*[\"']?\s*evenodd")


class Outline:
    """An icon: segments in a square from (-0.5, -0.5) to (0.5, 0.5); `even` where it fills by the even-odd rule."""

    def __init__(self, segments: tuple[Segment, ...], *, even: bool) -> None:
        self.segments = segments
        self.even = even


def outline(path: Path) -> Outline:
    """Read one SVG file of filled paths. Raises InputUnreadable."""
    try:
        data = path.read_bytes()
        segments = _segments(data)
    except Exception as error:
        message = _("{file}: not an SVG icon: {reason}", file=path, reason=_(str(error)))
        raise InputUnreadable(message, _("Use filled paths in a square viewBox.")) from None
    return Outline(segments, even=bool(EVEN_ODD.search(data)))


def _view(data: bytes) -> tuple[float, float, float, float]:
    found = VIEW_BOX.search(data)
    values = [float(number) for number in NUMBER.findall(found[1])] if found else []
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:
        raise ValueError(_("it states no viewBox of four numbers"))
    return (values[0], values[1], values[2], values[3])


def _segments(data: bytes) -> tuple[Segment, ...]:
    from fontTools.pens.basePen import decomposeQuadraticSegment
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib import SVGPath

    left, top, width, height = _view(data)
    scale = 1 / max(width, height)

    def place(*points: Point) -> tuple[float, ...]:
        spots = (((x - left - width / 2) * scale, (y - top - height / 2) * scale) for x, y in points)
        return tuple(value for spot in spots for value in spot)

    pen = RecordingPen()
    SVGPath.fromstring(data).draw(pen)
    found: list[Segment] = []
    last: Point = (0.0, 0.0)
    for operator, points in pen.value:
        if operator == "moveTo":
            found.append(("M", place(*points)))
        elif operator == "lineTo":
            found.append(("L", place(*points)))
        elif operator == "curveTo":
            found.append(("C", place(*points)))
        elif operator == "qCurveTo":
            for guide, end in decomposeQuadraticSegment(points):
                found.append(("C", place(_third(last, guide), _third(end, guide), end)))
                last = end
        elif operator == "closePath":
            found.append(("Z", ()))
        last = points[-1] if points else last
    return tuple(found)


def _third(end: Point, guide: Point) -> Point:
    """A quadratic curve's guide point as a cubic one: two thirds of the way from the end."""
    return (end[0] + (guide[0] - end[0]) * 2 / 3, end[1] + (guide[1] - end[1]) * 2 / 3)
