"""What transforms do to lengths and boxes, paths as exact boxes, and how thin the areas are that paths fill. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from fontTools.misc.bezierTools import calcCubicBounds, cubicPointAtT

from builder.findings import Box
from builder.model.pdf import Point
from builder.pdf import Matrix


def scale(matrix: Matrix) -> float:
    """The mean enlargement: how a stroke's width grows."""
    return sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


def stroke_width(matrix: Matrix, width: float, outlines: "Sequence[Sequence[Point]]") -> float:
    """How thick a stroke of these outlines is where it is thinnest, if the matrix enlarges unequally."""
    mean = width * scale(matrix)
    if abs(hypot(matrix.a, matrix.b) - hypot(matrix.c, matrix.d)) < 1e-3 * (
        hypot(matrix.a, matrix.b) + 1e-9
    ):
        return mean
    found = []
    for points in outlines:
        for (x0, y0), (x1, y1) in pairwise(points):
            across, down = x1 - x0, y1 - y0
            if (far := hypot(across, down)) > LONG:
                turned = matrix.d * across - matrix.c * down, matrix.a * down - matrix.b * across
                found.append(width * hypot(*turned) / far)
    return min(found, default=mean)


def direction(matrix: Matrix, angle: float = 0.0) -> float:
    """The image of a direction in degrees, clockwise on a page whose y grows downwards."""
    x, y = cos(radians(angle)), sin(radians(angle))
    return degrees(atan2(matrix.b * x + matrix.d * y, matrix.a * x + matrix.c * y))


def transformed(matrix: Matrix, x: float, y: float, width: float, height: float) -> Box:
    """The bounding box of a transformed rectangle."""
    corners = ((x, y), (x + width, y), (x, y + height), (x + width, y + height))
    return bounds(map(matrix.transform, corners))


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box around points (an empty one around none)."""
    found = list(points)
    if not found:
        return Box(0, 0, 0, 0)
    xs, ys = [point[0] for point in found], [point[1] for point in found]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


FILLS = {"f", "F", "f*", "B", "B*", "b", "b*"}
STROKES = {"S", "s", "B", "B*", "b", "b*"}
PAINTS = FILLS | STROKES | {"n"}
ON_CURVE = (0.25, 0.5, 0.75)
"""Where a curve is taken as a polygon."""

BUILDS = {"m", "l", "c", "v", "y", "h", "re"}


@dataclass(slots=True)
class PathBuilder:
    """Collects one path in page coordinates: on-curve points, and the corners of the boxes around curves.

    `outlines` are its parts, each as a polygon with some points of its curves.
    """

    points: list[Point] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)
    outlines: list[list[Point]] = field(default_factory=list)
    clipping: bool = False

    @property
    def box(self) -> Box:
        """The exact bounding box."""
        return bounds([*self.points, *self.corners])

    def add(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        """One construction operator; a short operand list is ignored, as viewers do."""
        if operator == "re" and len(values) >= 4:
            x, y, width, height = values[:4]
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            placed = [ctm.transform(corner) for corner in corners]
            self.points += placed
            self.outlines.append(placed)
        elif operator in ("m", "l") and len(values) >= 2:
            self.points.append(ctm.transform((values[0], values[1])))
            if operator == "m" or not self.outlines:
                self.outlines.append([])
            self.outlines[-1].append(self.points[-1])
        elif operator in ("c", "v", "y"):
            self._curve(operator, values, ctm)

    def _curve(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        if len(values) < (6 if operator == "c" else 4) or not self.points:
            return
        placed = [ctm.transform((values[i], values[i + 1])) for i in range(0, len(values) - 1, 2)]
        last = self.points[-1]
        one, two, end = {"c": placed, "v": [last, *placed], "y": [*placed, placed[1]]}[operator][:3]
        left, top, right, bottom = calcCubicBounds(last, one, two, end)
        self.corners += [(left, top), (right, bottom)]
        self.points.append(end)
        self.outlines[-1] += [*(cubicPointAtT(last, one, two, end, t) for t in ON_CURVE), end]


LONG = 1.0
"""Mm: what is no longer than this is a dot and no line."""
MANY = 200
"""Parts of one path up to which holes are looked for: more are a pattern, whose parts are taken one by one."""
BOXY = 0.97
"""Share of its bounding box that a rectangle fills, rounded corners and all."""
NOTHING = 1e-6
"""Square mm that are none."""
TOUCHING = 0.002
"""Mm: edges nearer than this coincide."""


@dataclass(slots=True)
class OutlinePart:
    """One closed outline: its points, its signed area, the length of its edge, the box around it; mm."""

    points: Sequence[Point]
    area: float
    edge: float
    box: Box

    @property
    def boxy(self) -> bool:
        """True for a rectangle."""
        return abs(self.area) > BOXY * self.box.width * self.box.height

    def holds(self, other: "OutlinePart") -> bool:
        """True if another part lies within this one: by its box, and by its first point where that is not enough."""
        within = min(other.box.measure_margins(self.box)) >= -TOUCHING
        return within and (self.boxy or self.around(*other.points[0]))

    def around(self, x: float, y: float) -> bool:
        """True if a point lies inside the outline."""
        inside = False
        x0, y0 = self.points[-1]
        for x1, y1 in self.points:
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
                inside = not inside
            x0, y0 = x1, y1
        return inside


def thinnest(outlines: Sequence[Sequence[Point]], *, even_odd: bool) -> float | None:
    """The thickness in mm of the thinnest part longer than a dot; None where there is none."""
    found = [part for part in map(_part, outlines) if max(part.box.width, part.box.height) > LONG]
    if len(found) > 1:
        # A side of no width is drawn by itself alone: at the edge of another part nothing of it is seen.
        found = [
            part
            for part in found
            if part.area or not any(one.area and one.holds(part) for one in found)
        ]
    if len(found) < 2 or len(found) > MANY:
        return min((_thickness(part, ()) for part in found), default=None)
    found.sort(key=lambda part: -part.box.width * part.box.height)
    above = [[other for other in found[:at] if other.holds(part)] for at, part in enumerate(found)]
    inked = [_inked([*over, part], even_odd) for over, part in zip(above, found, strict=True)]
    widths = []
    for at, part in enumerate(found):
        if not part.area or (inked[at] and not _inked(above[at], even_odd)):
            inside = zip(found, above, inked, strict=True)
            holes = [hole for hole, over, ink in inside if not ink and over and over[-1] is part]
            widths.append(_thickness(part, holes))
    return min(widths, default=None)


def _part(points: Sequence[Point]) -> OutlinePart:
    area = edge = 0.0
    x0, y0 = points[-1]
    for x, y in points:
        area += x0 * y - x * y0
        edge += hypot(x - x0, y - y0)
        x0, y0 = x, y
    return OutlinePart(points, area / 2 if abs(area) > NOTHING else 0.0, edge, bounds(points))


def _inked(parts: Sequence[OutlinePart], even_odd: bool) -> bool:
    """True if there is ink inside all of these outlines."""
    if even_odd:
        return len(parts) % 2 == 1
    return sum(1 if part.area > 0 else -1 for part in parts) != 0


def _thickness(part: OutlinePart, holes: Sequence[OutlinePart]) -> float:
    """What is left of a part between its outline and its holes."""
    if len(holes) == 1 and part.boxy and holes[0].boxy:
        return min(
            (gap for gap in holes[0].box.measure_margins(part.box) if gap > TOUCHING), default=0.0
        )
    if part.boxy and not holes:
        return min(part.box.width, part.box.height)
    edge = part.edge + sum(hole.edge for hole in holes)
    area = abs(part.area) - sum(abs(hole.area) for hole in holes)
    if area < 0:
        # Outlines that cross one another are no holes.
        return 2 * abs(part.area) / part.edge
    return 2 * area / edge if edge else 0.0
