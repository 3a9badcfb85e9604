"""What a gauge is drawn with: paths, texts and icons in mm, x to the right, y downwards. Pure values."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, floor, radians, sin, tan
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[float, float]
Segment: TypeAlias = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
"""Move, line, curve (two guiding points and the end), close; coordinates in one flat tuple."""

Weight = Literal["regular", "bold", "black"]
Anchor = Literal["start", "middle", "end"]
CUT, MARK, FOLD, CHECK = "Cut", "Mark", "Fold", "Check"
"""Tags that a reader of the finished file can look for."""
CAP = 0.711
"""Height of capitals and numerals in parts of the type size (Roboto)."""


@dataclass(frozen=True, slots=True)
class Path:
    """An outline, filled, stroked (`width` in mm) or both; `even` fills by the even-odd rule (holes)."""

    segments: tuple[Segment, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.2
    dash: tuple[float, ...] = ()
    even: bool = False
    tag: str = ""


@dataclass(frozen=True, slots=True)
class ArtText:
    """One line of text; `size` is the type size in mm, `angle` clockwise degrees around (x, y) on the baseline."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    weight: Weight = "bold"
    anchor: Anchor = "middle"
    angle: float = 0.0
    limit: float | None = None
    """How wide it may be, in mm; what is wider even at its smallest size is a finding."""


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon of the pack in a square of `size` mm around (x, y)."""

    x: float
    y: float
    name: str
    size: float
    colour: str
    angle: float = 0.0


Art: TypeAlias = Path | ArtText | Icon


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to cut out: its box is `width` x `height` mm from (0, 0); art may not reach outside, but for backs.

    `back` None: printed on one side. `caption` is printed under it.
    """

    gauge: str
    width: float
    height: float
    front: tuple[Art, ...]
    back: tuple[Art, ...] | None = None
    caption: str = ""


def shift(
    segments: Iterable[Segment], dx: float, dy: float, sx: float = 1.0, sy: float = 1.0
) -> tuple[Segment, ...]:
    """Segments scaled, then moved by so many mm."""
    steps = ((sx, dx), (sy, dy))
    return tuple(
        (kind, tuple(value * steps[i % 2][0] + steps[i % 2][1] for i, value in enumerate(values)))
        for kind, values in segments
    )


def moved(art: Iterable[Art], dx: float, dy: float, *, turned: bool = False) -> tuple[Art, ...]:
    """Art moved by so many mm, before that `turned` by 180 degrees around the origin."""
    sign, angle = (-1, 180) if turned else (1, 0)
    return tuple(
        replace(item, segments=shift(item.segments, dx, dy, sign, sign))
        if isinstance(item, Path)
        else replace(item, x=sign * item.x + dx, y=sign * item.y + dy, angle=item.angle + angle)
        for item in art
    )


def extent(segments: Iterable[Segment]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom: arcs are split where they bend back, so that on-curve points give the exact box."""
    xs, ys = zip(*(values[-2:] for kind, values in segments if kind != "Z"), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def line(*points: Point) -> tuple[Segment, ...]:
    """An open line through points."""
    return tuple(("L" if i else "M", (float(x), float(y))) for i, (x, y) in enumerate(points))


def polygon(points: Sequence[Point]) -> tuple[Segment, ...]:
    """A closed line through points."""
    return (*line(*points), ("Z", ()))


def rect(
    x: float, y: float, width: float, height: float, corner: float = 0.0
) -> tuple[Segment, ...]:
    """A rectangle, its corners rounded on request."""
    if corner <= 0:
        return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    r = min(corner, width / 2, height / 2)
    right, low = x + width - r, y + height - r
    corners = ((right, y + r), (right, low), (x + r, low), (x + r, y + r))
    arcs = (
        arc(*centre, r, 90.0 * i - 90, 90.0 * i, joined=True) for i, centre in enumerate(corners)
    )
    return (*line((x + r, y)), *itertools.chain.from_iterable(arcs), ("Z", ()))


def circle(cx: float, cy: float, r: float) -> tuple[Segment, ...]:
    """A circle, off by less than 0.03 % of its radius."""
    return (*arc(cx, cy, r, 0, 360), ("Z", ()))


def arc(
    cx: float, cy: float, r: float, start: float, end: float, *, joined: bool = False
) -> tuple[Segment, ...]:
    """Part of a circle, clockwise from `start` to `end` degrees (0: to the right); counter-clockwise if end < start.

    `joined`: a line leads to its beginning, where else a path begins.
    """
    low, high = sorted((start, end))
    quarters = (90.0 * n for n in range(floor(low / 90) + 1, ceil(high / 90)))
    stops = sorted((start, *quarters, end), reverse=end < start)
    found: list[Segment] = [("L" if joined else "M", _on(cx, cy, r, start))]
    for a, b in itertools.pairwise(stops):
        k = 4 / 3 * tan(radians(b - a) / 4) * r
        (x0, y0), (x1, y1) = _on(cx, cy, r, a), _on(cx, cy, r, b)
        ta, tb = radians(a), radians(b)
        found.append(
            ("C", (x0 - k * sin(ta), y0 + k * cos(ta), x1 + k * sin(tb), y1 - k * cos(tb), x1, y1))
        )
    return tuple(found)


def _on(cx: float, cy: float, r: float, angle: float) -> Point:
    radian = radians(angle)
    return (cx + r * cos(radian), cy + r * sin(radian))
