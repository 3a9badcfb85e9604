"""What a gauge is drawn with: paths, texts and icons in mm, x to the right, y downwards.

Pure values.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, floor, radians, sin, tan
from typing import Literal, TypeAlias

from builder.findings import Box
from builder.geometry.boxes import Point, list_corners

Segment: TypeAlias = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
"""Move, line, curve (two control points and the end), close; coordinates in one flat tuple."""
Segments: TypeAlias = tuple[Segment, ...]

Weight = Literal["regular", "bold", "black"]
Anchor = Literal["start", "middle", "end"]
CUT_TAG = "Cut"
MARK_TAG = "Mark"
FOLD_TAG = "Fold"
CHECK_TAG = "Check"
"""Tags of marked content in the PDF, by which tests measure lines."""
CAPITAL_HEIGHT_EM = 0.711
"""Height of capitals and digits of Roboto, as a share of the type size."""


@dataclass(frozen=True, slots=True)
class Path:
    """An outline that is filled, drawn as a line (`width` in mm), or both.

    `even_odd` fills by the even-odd rule.
    """

    segments: Segments
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.2
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    tag: str = ""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a line of text: type size in mm, angle in degrees clockwise.

    A text wider than `max_width` mm is set smaller. If it is still too wide, that is a finding.
    """

    size: float
    colour: str
    max_width: float | None = None
    weight: Weight = "bold"
    anchor: Anchor = "middle"
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class ArtText:
    """One line of text. (x, y) is on its baseline."""

    x: float
    y: float
    text: str
    style: TextStyle


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon of the pack in a square of `size` mm, whose middle is (x, y)."""

    x: float
    y: float
    name: str
    size: float
    colour: str
    angle: float = 0.0


Art: TypeAlias = Path | ArtText | Icon


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a gauge that is cut out: its drawing in a box from (0, 0), in mm.

    Only the art of a back may reach outside. `back_art` is None for a piece printed on one side.
    `caption` is printed under it.
    """

    gauge: str
    width: float
    height: float
    front_art: tuple[Art, ...]
    back_art: tuple[Art, ...] | None = None
    caption: str = ""


def transform(
    segments: Iterable[Segment],
    dx: float,
    dy: float,
    scale_x: float = 1.0,
    scale_y: float = 1.0,
) -> Segments:
    """Return an outline scaled around the origin and then moved, in mm."""
    transformed: list[Segment] = []
    for kind, values in segments:
        # Coordinates alternate: x, y, x, y.
        coordinates: list[float] = []
        for x, y in zip(values[::2], values[1::2], strict=True):
            coordinates += (x * scale_x + dx, y * scale_y + dy)
        transformed.append((kind, tuple(coordinates)))
    return tuple(transformed)


def move_art(
    art: Iterable[Art], dx: float, dy: float, *, upside_down: bool = False
) -> tuple[Art, ...]:
    """Return a drawing moved by a distance in mm.

    `upside_down` first rotates it by 180 degrees around the origin.
    """
    factor = 1
    angle = 0
    if upside_down:
        # To turn by 180 degrees is to mirror both axes.
        factor = -1
        angle = 180
    moved_art: list[Art] = []
    for item in art:
        if isinstance(item, Path):
            segments = transform(item.segments, dx, dy, factor, factor)
            moved_art.append(replace(item, segments=segments))
            continue
        x = factor * item.x + dx
        y = factor * item.y + dy
        if isinstance(item, ArtText):
            style = replace(item.style, angle=item.style.angle + angle)
            moved_art.append(replace(item, x=x, y=y, style=style))
        else:
            moved_art.append(replace(item, x=x, y=y, angle=item.angle + angle))
    return tuple(moved_art)


def find_bounds(segments: Iterable[Segment]) -> Box:
    """Return the bounding box of an outline.

    Arcs are split at their extreme points, so the ends of segments give the exact box.
    """
    ends = [values[-2:] for kind, values in segments if kind != "Z"]
    xs, ys = zip(*ends, strict=True)
    width = max(xs) - min(xs)
    height = max(ys) - min(ys)
    return Box(min(xs), min(ys), width, height)


def make_line(*points: Point) -> Segments:
    """Return an open line through these points."""
    (x, y), *others = points
    segments: list[Segment] = [("M", (float(x), float(y)))]
    for x, y in others:
        segments.append(("L", (float(x), float(y))))
    return tuple(segments)


def make_polygon(points: Sequence[Point]) -> Segments:
    """Return a closed line through these points."""
    return (*make_line(*points), ("Z", ()))


def make_rect(
    x: float, y: float, width: float, height: float, corner: float = 0.0
) -> Segments:
    """Return the outline of a rectangle. `corner` is the radius of its corners."""
    x_max = x + width
    y_max = y + height
    if corner <= 0:
        return make_polygon(list_corners(x, y, x_max, y_max))
    radius = min(corner, width / 2, height / 2)
    # The centres of the four corners.
    x_min = x + radius
    y_min = y + radius
    x_max -= radius
    y_max -= radius
    return (
        *make_line((x_min, y)),
        *make_arc(x_max, y_min, radius, -90, 0, joined=True),
        *make_arc(x_max, y_max, radius, 0, 90, joined=True),
        *make_arc(x_min, y_max, radius, 90, 180, joined=True),
        *make_arc(x_min, y_min, radius, 180, 270, joined=True),
        ("Z", ()),
    )


def make_circle(cx: float, cy: float, radius: float) -> Segments:
    """Return the outline of a circle.

    It is exact to 0.03 % of the radius.
    """
    return (*make_arc(cx, cy, radius, 0, 360), ("Z", ()))


def make_arc(
    cx: float,
    cy: float,
    radius: float,
    start: float,
    end: float,
    *,
    joined: bool = False,
) -> Segments:
    """Return a part of a circle between two angles in degrees (0: to the right, 90: down).

    `joined` begins with a line to the arc instead of a move.
    """
    low, high = sorted((start, end))
    # Split at the extreme points of the circle, so that `find_bounds` needs no curves.
    quarter_numbers = range(floor(low / 90) + 1, ceil(high / 90))
    quarters = [90.0 * number for number in quarter_numbers]
    angles = sorted((start, *quarters, end), reverse=end < start)
    segments: list[Segment] = [
        ("L" if joined else "M", _find_on_circle(cx, cy, radius, start))
    ]
    for first, last in itertools.pairwise(angles):
        # The control points of the best cubic curve for an arc of at most 90 degrees.
        handle = 4 / 3 * tan(radians(last - first) / 4) * radius
        x0, y0 = _find_on_circle(cx, cy, radius, first)
        x3, y3 = _find_on_circle(cx, cy, radius, last)
        x1 = x0 - handle * sin(radians(first))
        y1 = y0 + handle * cos(radians(first))
        x2 = x3 + handle * sin(radians(last))
        y2 = y3 - handle * cos(radians(last))
        segments.append(("C", (x1, y1, x2, y2, x3, y3)))
    return tuple(segments)


def _find_on_circle(cx: float, cy: float, radius: float, degrees: float) -> Point:
    return cx + radius * cos(radians(degrees)), cy + radius * sin(radians(degrees))
