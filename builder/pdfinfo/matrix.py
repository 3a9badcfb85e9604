"""Plane transforms as PDF writes them, and the exact bounding box of lines and curves. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, copysign, cos, degrees, hypot, radians, sin, sqrt
from typing import NamedTuple

from builder.findings import Box
from builder.model.pdf import Point


class Matrix(NamedTuple):
    """`x' = a x + c y + e`, `y' = b x + d y + f`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, after: Matrix) -> Matrix:
        """First this transform, then another."""
        return Matrix(
            self.a * after.a + self.b * after.c,
            self.a * after.b + self.b * after.d,
            self.c * after.a + self.d * after.c,
            self.c * after.b + self.d * after.d,
            self.e * after.a + self.f * after.c + after.e,
            self.e * after.b + self.f * after.d + after.f,
        )

    def apply(self, x: float, y: float) -> Point:
        """The image of a point."""
        return (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    @property
    def scale(self) -> float:
        """The mean enlargement: how a stroke's width grows."""
        return sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def scale_x(self) -> float:
        """How long a unit along x becomes."""
        return hypot(self.a, self.b)

    @property
    def scale_y(self) -> float:
        """How long a unit along y becomes."""
        return hypot(self.c, self.d)

    @property
    def angle(self) -> float:
        """The direction of the x axis in degrees, clockwise on a page whose y grows downwards."""
        return degrees(atan2(self.b, self.a))

    @property
    def inverse(self) -> Matrix | None:
        """The transform that undoes this one; None where nothing can."""
        area = self.a * self.d - self.b * self.c
        if not area:
            return None
        a, b, c, d = self.d / area, -self.b / area, -self.c / area, self.a / area
        return Matrix(a, b, c, d, -(self.e * a + self.f * c), -(self.e * b + self.f * d))

    def turned(self, angle: float) -> float:
        """The image of a direction in degrees."""
        x, y = cos(radians(angle)), sin(radians(angle))
        return degrees(atan2(self.b * x + self.d * y, self.a * x + self.c * y))

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """The bounding box of a transformed rectangle."""
        corners = ((x, y), (x + width, y), (x, y + height), (x + width, y + height))
        return bounds([self.apply(*corner) for corner in corners])


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box around points (an empty one around none)."""
    found = list(points)
    if not found:
        return Box(0, 0, 0, 0)
    xs, ys = [point[0] for point in found], [point[1] for point in found]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def extremes(p0: Point, p1: Point, p2: Point, p3: Point) -> list[Point]:
    """The points of a cubic curve where it turns back in x or y: with its ends they give its exact box."""
    found = []
    for axis in (0, 1):
        a = -p0[axis] + 3 * p1[axis] - 3 * p2[axis] + p3[axis]
        b = 2 * (p0[axis] - 2 * p1[axis] + p2[axis])
        c = p1[axis] - p0[axis]
        found += [between(p0, p1, p2, p3, t) for t in _roots(a, b, c) if 0 < t < 1]
    return found


def _roots(a: float, b: float, c: float) -> list[float]:
    """The real roots of ax² + bx + c, in the form that keeps its digits where `a` is small beside `b`."""
    under = b * b - 4 * a * c
    if under < 0:
        return []
    half = -(b + copysign(sqrt(under), b)) / 2
    return [top / bottom for top, bottom in ((half, a), (c, half)) if bottom]


def between(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    """The point of a cubic curve at `t` of its way."""
    u = 1 - t
    x, y = (u**3 * p0[i] + 3 * u * u * t * p1[i] + 3 * u * t * t * p2[i] + t**3 * p3[i] for i in (0, 1))
    return (x, y)
