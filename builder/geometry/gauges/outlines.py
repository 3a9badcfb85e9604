"""Outlines by name and by data, as segments in mm. Pure."""

from collections.abc import Callable
from math import asin, cos, degrees, pi, sin

from builder.geometry.gauges.art import (
    Segments,
    find_bounds,
    make_arc,
    make_circle,
    make_polygon,
    make_rect,
    transform,
)
from builder.model.gauge import Figure
from builder.model.outline import (
    Circle,
    Drop,
    Outline,
    Polygon,
    Rectangle,
    Regular,
    Sector,
)

CORNERS_BY_FIGURE = {"triangle": 3, "pentagon": 5, "hex": 6}


def make_figure(name: Figure, size: float) -> Segments:
    """Return the outline of a named figure, `size` mm across, from (0, 0)."""
    return _move_to_origin(FIGURES[name](size))


def make_figure_by_side(name: Figure, side: float) -> Segments:
    """Return the outline of a named shape with sides of `side` mm, from (0, 0)."""
    if name in CORNERS_BY_FIGURE:
        return _move_to_origin(make_regular_polygon(CORNERS_BY_FIGURE[name], side))
    # A diamond is a square on its corner: its width is the diagonal.
    size = side * 2**0.5 if name == "diamond" else side
    return make_figure(name, size)


def _move_to_origin(segments: Segments) -> Segments:
    box = find_bounds(segments)
    return transform(segments, -box.x, -box.y)


def make_regular_polygon(corners: int, side: float) -> Segments:
    """Return a regular polygon around the origin that stands on one side."""
    radius = side / (2 * sin(pi / corners))
    points = []
    # Downwards is pi / 2: half a corner's angle beside it, the lowest side lies level.
    first_angle = pi / 2 + pi / corners
    for index in range(corners):
        angle = first_angle + 2 * pi * index / corners
        points.append((radius * cos(angle), radius * sin(angle)))
    return make_polygon(points)


def _make_polygon_across(corners: int, size: float) -> Segments:
    unit_width = find_bounds(make_regular_polygon(corners, 1.0)).width
    return make_regular_polygon(corners, size / unit_width)


def _make_shield(size: float) -> Segments:
    half = size / 2
    height = size * 1.18
    shoulder = height * 0.5
    x = half * 0.35
    upper = height * 0.78
    lower = height * 0.92
    return (
        ("M", (-half, 0.0)),
        ("L", (half, 0.0)),
        ("L", (half, shoulder)),
        ("C", (half, upper, x, lower, 0.0, height)),
        ("C", (-x, lower, -half, upper, -half, shoulder)),
        ("Z", ()),
    )


def _make_diamond(size: float) -> Segments:
    half = size / 2
    corners = [
        (half, 0),
        (size, half),
        (half, size),
        (0, half),
    ]
    return make_polygon(corners)


FIGURES: dict[str, Callable[[float], Segments]] = {
    "circle": lambda size: make_circle(size / 2, size / 2, size / 2),
    "square": lambda size: make_rect(0, 0, size, size),
    "triangle": lambda size: _make_polygon_across(3, size),
    "diamond": _make_diamond,
    "pentagon": lambda size: _make_polygon_across(5, size),
    "hex": lambda size: _make_polygon_across(6, size),
    "shield": _make_shield,
}


def make_outline(outline: Outline) -> Segments:
    """Return an outline of a gauges file as drawing segments."""
    match outline:
        case Circle():
            return make_circle(0, 0, outline.diameter / 2)
        case Rectangle(width=width, height=height):
            return make_rect(-width / 2, -height / 2, width, height, outline.corner)
        case Polygon():
            return make_polygon(outline.points)
        case Regular():
            return make_regular_polygon(outline.sides, outline.side)
        case Drop():
            return _make_drop(outline)
        case Sector():
            return _make_sector(outline)


def _make_drop(drop: Drop) -> Segments:
    """Return the outline of two circles joined by their outer tangents."""
    narrow = drop.narrow / 2
    wide = drop.wide / 2
    # Were one circle inside the other, there would be no tangents.
    distance = max(drop.length - narrow - wide, abs(wide - narrow) + 1e-6)
    # The tangents touch where the normals tilt by the difference of the radii.
    tilt = degrees(asin((wide - narrow) / distance))
    narrow_end = make_arc(0, -narrow, narrow, tilt, 180 - tilt)
    wide_end = make_arc(
        0, wide - drop.length, wide, 180 - tilt, 360 + tilt, joined=True
    )
    return (*narrow_end, *wide_end, ("Z", ()))


def _make_sector(sector: Sector) -> Segments:
    start = -90 - sector.angle / 2
    end = -90 + sector.angle / 2
    inner_edge: Segments = (("L", (0.0, 0.0)),)
    if sector.inner > 0:
        inner_edge = make_arc(0, 0, sector.inner, end, start, joined=True)
    outer_edge = make_arc(0, 0, sector.radius, start, end)
    return (*outer_edge, *inner_edge, ("Z", ()))
