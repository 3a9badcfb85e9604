"""Outlines by name and by data, as segments in mm. Pure."""

from collections.abc import Callable
from math import asin, cos, degrees, pi, sin

from builder.geometry.gauges.art import Segment, arc, circle, extent, polygon, rect, shift
from builder.model.gauge import Figure
from builder.model.outline import Circle, Drop, Outline, Polygon, Rectangle, Regular, Sector

Segments = tuple[Segment, ...]


def figure(name: Figure, size: float) -> Segments:
    """A simple sign `size` mm across, its box starting at (0, 0)."""
    return at_origin(FIGURES[name](size))


def figure_by_side(name: Figure, side: float) -> Segments:
    """The same sign whose sides (a circle: its diameter) measure `side` mm, its box starting at (0, 0)."""
    corners = {"triangle": 3, "pentagon": 5, "hex": 6}
    if name in corners:
        return at_origin(regular(corners[name], side))
    return figure(name, side * 2**0.5 if name == "diamond" else side)


def at_origin(segments: Segments) -> Segments:
    """Moved so that its box starts at (0, 0)."""
    left, top, _, _ = extent(segments)
    return shift(segments, -left, -top)


def regular(sides: int, side: float) -> Segments:
    """A regular polygon around the origin, standing on a side."""
    r = side / (2 * sin(pi / sides))
    first = pi / 2 + pi / sides
    return polygon(
        [
            (r * cos(first + 2 * pi * i / sides), r * sin(first + 2 * pi * i / sides))
            for i in range(sides)
        ]
    )


def _across(sides: int, size: float) -> Segments:
    left, _, right, _ = extent(regular(sides, 1.0))
    return regular(sides, size / (right - left))


def _shield(size: float) -> Segments:
    half, tall = size / 2, size * 1.18
    return (
        ("M", (-half, 0.0)),
        ("L", (half, 0.0)),
        ("L", (half, tall * 0.5)),
        ("C", (half, tall * 0.78, half * 0.35, tall * 0.92, 0.0, tall)),
        ("C", (-half * 0.35, tall * 0.92, -half, tall * 0.78, -half, tall * 0.5)),
        ("Z", ()),
    )


FIGURES: dict[str, Callable[[float], Segments]] = {
    "circle": lambda size: circle(size / 2, size / 2, size / 2),
    "square": lambda size: rect(0, 0, size, size),
    "triangle": lambda size: _across(3, size),
    "diamond": lambda size: polygon(
        [(size / 2, 0), (size, size / 2), (size / 2, size), (0, size / 2)]
    ),
    "pentagon": lambda size: _across(5, size),
    "hex": lambda size: _across(6, size),
    "shield": _shield,
}


def segments(outline: Outline) -> Segments:
    """An outline around its own origin."""
    if isinstance(outline, Circle):
        return circle(0, 0, outline.diameter / 2)
    if isinstance(outline, Rectangle):
        return rect(
            -outline.width / 2, -outline.height / 2, outline.width, outline.height, outline.corner
        )
    if isinstance(outline, Polygon):
        return polygon(list(outline.points))
    if isinstance(outline, Regular):
        return regular(outline.sides, outline.side)
    return _drop(outline) if isinstance(outline, Drop) else _sector(outline)


def _drop(drop: Drop) -> Segments:
    """Two circles and their outer tangents; the tangents touch where the normals tilt by the difference of radii."""
    narrow, wide = drop.narrow / 2, drop.wide / 2
    apart = max(drop.length - narrow - wide, abs(wide - narrow) + 1e-6)
    tilt = degrees(asin((wide - narrow) / apart))
    broad = arc(0, wide - drop.length, wide, 180 - tilt, 360 + tilt, joined=True)
    return (*arc(0, -narrow, narrow, tilt, 180 - tilt), *broad, ("Z", ()))


def _sector(sector: Sector) -> Segments:
    first, last = -90 - sector.angle / 2, -90 + sector.angle / 2
    back = (
        arc(0, 0, sector.inner, last, first, joined=True)
        if sector.inner > 0
        else (("L", (0.0, 0.0)),)
    )
    return (*arc(0, 0, sector.radius, first, last), *back, ("Z", ()))
