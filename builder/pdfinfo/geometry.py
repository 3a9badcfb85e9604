"""Transformed lengths and boxes, exact boxes of paths, and the thickness of filled areas. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from fontTools.misc.bezierTools import calcCubicBounds, cubicPointAtT

from builder.findings import Box
from builder.model.pdf import Point
from builder.pdf import Matrix

FILL_OPERATORS = {"f", "F", "f*", "B", "B*", "b", "b*"}
STROKE_OPERATORS = {"S", "s", "B", "B*", "b", "b*"}
PAINT_OPERATORS = FILL_OPERATORS | STROKE_OPERATORS | {"n"}
PATH_OPERATORS = {"m", "l", "c", "v", "y", "h", "re"}
CURVE_SAMPLES = (0.25, 0.5, 0.75)
"""The parameters at which a curve is sampled for its polygon."""
MAX_DOT_MM = 1.0
"""The maximum length of a dot. Anything longer is a line."""
MAX_PARTS_WITH_HOLES = 200
"""A path with more parts is a pattern, whose parts are measured without looking for holes."""
MIN_BOX_SHARE = 0.97
"""The share of its bounding box that a rectangle fills, with rounded corners."""
MIN_AREA_MM2 = 1e-6
TOUCH_DISTANCE_MM = 0.002
"""Edges nearer than this coincide."""


def find_scale(matrix: Matrix) -> float:
    """Return the mean scale of a matrix, by which it widens lines."""
    return sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


def measure_stroke(
    matrix: Matrix, width: float, outlines: Sequence[Sequence[Point]]
) -> float:
    """Return the smallest width of a line along these outlines after the transformation."""
    mean = width * find_scale(matrix)
    across = hypot(matrix.a, matrix.b)
    up = hypot(matrix.c, matrix.d)
    if abs(across - up) < 1e-3 * (across + 1e-9):
        return mean
    # The matrix enlarges unequally: each line is as thick as its direction makes it.
    widths: list[float] = []
    for points in outlines:
        for (x0, y0), (x1, y1) in pairwise(points):
            dx = x1 - x0
            dy = y1 - y0
            length = hypot(dx, dy)
            if length > MAX_DOT_MM:
                # The determinant enlarges the area of a stroke. Area by length is the thickness.
                scaled_x = matrix.d * dx - matrix.c * dy
                scaled_y = matrix.a * dy - matrix.b * dx
                widths.append(width * hypot(scaled_x, scaled_y) / length)
    return min(widths, default=mean)


def find_direction(matrix: Matrix, angle: float = 0.0) -> float:
    """Return a direction after the transformation, in degrees clockwise."""
    x = cos(radians(angle))
    y = sin(radians(angle))
    # A direction has no position, so the offsets of the matrix are left out.
    image_x = matrix.a * x + matrix.c * y
    image_y = matrix.b * x + matrix.d * y
    return degrees(atan2(image_y, image_x))


def transform_box(matrix: Matrix, box: Box) -> Box:
    """Return the bounding box of a rectangle after the transformation."""
    return find_bounds(map(matrix.transform, _list_corners(box)))


def transform_sides(matrix: Matrix, sides: Sequence[float]) -> Box:
    """Return the bounding box of a PDF rectangle (two corners) after the transformation."""
    x_min, y_min, x_max, y_max = sides
    return transform_box(matrix, Box(x_min, y_min, x_max - x_min, y_max - y_min))


def _list_corners(box: Box) -> tuple[Point, Point, Point, Point]:
    return (
        (box.x, box.y),
        (box.right, box.y),
        (box.right, box.bottom),
        (box.x, box.bottom),
    )


def find_bounds(points: Iterable[Point]) -> Box:
    """Return the smallest box that contains these points. It is empty without points."""
    xs: list[float] = []
    ys: list[float] = []
    for x, y in points:
        xs.append(x)
        ys.append(y)
    if not xs:
        return Box(0, 0, 0, 0)
    x_min = min(xs)
    y_min = min(ys)
    return Box(x_min, y_min, max(xs) - x_min, max(ys) - y_min)


@dataclass(slots=True)
class PathBuilder:
    """Collects the points of a path, and the boxes around its curves, on the page.

    `outlines` are its parts, each as a polygon with samples of its curves.
    """

    points: list[Point] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)
    outlines: list[list[Point]] = field(default_factory=list)
    is_clip: bool = False

    @property
    def box(self) -> Box:
        """The exact bounding box of the path."""
        return find_bounds([*self.points, *self.corners])

    def add(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        """Apply a PDF operator that extends the path.

        One with too few operands is ignored, as viewers do.
        """
        if operator == "re" and len(values) >= 4:
            corners = [
                ctm.transform(corner) for corner in _list_corners(Box(*values[:4]))
            ]
            self.points += corners
            self.outlines.append(corners)
        elif operator in ("m", "l") and len(values) >= 2:
            point = ctm.transform((values[0], values[1]))
            self.points.append(point)
            if operator == "m" or not self.outlines:
                self.outlines.append([])
            self.outlines[-1].append(point)
        elif operator in ("c", "v", "y"):
            self._add_curve(operator, values, ctm)

    def _add_curve(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        min_count = 6 if operator == "c" else 4
        if len(values) < min_count or not self.points:
            return
        pairs = zip(values[::2], values[1::2], strict=False)
        points = [ctm.transform(point) for point in pairs]
        start = self.points[-1]
        # `v` has its first control point at the start, `y` its second one at the end.
        if operator == "v":
            points.insert(0, start)
        elif operator == "y":
            points.append(points[1])
        first, second, end = points[:3]
        x_min, y_min, x_max, y_max = calcCubicBounds(start, first, second, end)
        # The control points may lie far outside of the curve, so its own bounds count.
        self.corners += [(x_min, y_min), (x_max, y_max)]
        self.points.append(end)
        samples = [
            cubicPointAtT(start, first, second, end, share) for share in CURVE_SAMPLES
        ]
        self.outlines[-1] += [*samples, end]


@dataclass(slots=True)
class OutlinePart:
    """A closed outline with its points, signed area, perimeter and bounding box, in mm."""

    points: Sequence[Point]
    area: float
    edge: float
    box: Box

    @property
    def is_rectangle(self) -> bool:
        """True for an upright rectangle."""
        return abs(self.area) > MIN_BOX_SHARE * self.box.width * self.box.height

    def contains(self, part: "OutlinePart") -> bool:
        """Return True if another outline lies inside this one.

        Its box, and its first point if that is not enough.
        """
        if min(part.box.measure_margins(self.box)) < -TOUCH_DISTANCE_MM:
            return False
        return self.is_rectangle or self.contains_point(*part.points[0])

    def contains_point(self, x: float, y: float) -> bool:
        """Return True if a point lies inside the outline."""
        is_inside = False
        x0, y0 = self.points[-1]
        for x1, y1 in self.points:
            # Each edge that a ray to the right crosses changes the side.
            if (y0 > y) != (y1 > y):
                crossing_x = x0 + (y - y0) * (x1 - x0) / (y1 - y0)
                if x < crossing_x:
                    is_inside = not is_inside
            x0, y0 = x1, y1
        return is_inside


def find_min_thickness(
    outlines: Sequence[Sequence[Point]], *, even_odd: bool
) -> float | None:
    """Return the thickness in mm of the thinnest painted part. None if all parts are dots."""
    parts = [_measure_part(outline) for outline in outlines]
    parts = [
        part for part in parts if max(part.box.width, part.box.height) > MAX_DOT_MM
    ]
    # An outline without area is only seen by itself: at the edge of another part it is hidden.
    filled_parts = [part for part in parts if part.area]
    parts = [part for part in parts if part.area or not _is_covered(part, filled_parts)]
    if 2 <= len(parts) <= MAX_PARTS_WITH_HOLES:
        thicknesses = _measure_thickness_without_holes(parts, even_odd)
    else:
        thicknesses = [_measure_thickness(part, ()) for part in parts]
    return min(thicknesses, default=None)


def _is_covered(part: OutlinePart, filled_parts: Sequence[OutlinePart]) -> bool:
    return any(filled_part.contains(part) for filled_part in filled_parts)


def _measure_thickness_without_holes(
    parts: Sequence[OutlinePart], even_odd: bool
) -> list[float]:
    """Return the thickness in mm of each painted part. Holes do not count as painted."""
    # The largest part is first, so that all parts around another are before it.
    parts = sorted(parts, key=lambda part: -part.box.width * part.box.height)
    outer_parts: list[list[OutlinePart]] = []
    holes_by_part: dict[int, list[OutlinePart]] = {}
    for index, part in enumerate(parts):
        enclosing = [larger for larger in parts[:index] if larger.contains(part)]
        outer_parts.append(enclosing)
        if enclosing and not _has_ink([*enclosing, part], even_odd):
            holes_by_part.setdefault(id(enclosing[-1]), []).append(part)
    thicknesses: list[float] = []
    for part, enclosing in zip(parts, outer_parts, strict=True):
        has_ink = _has_ink([*enclosing, part], even_odd)
        # Ink on ink has no edge of its own.
        is_visible = has_ink and not _has_ink(enclosing, even_odd)
        if is_visible or not part.area:
            thicknesses.append(
                _measure_thickness(part, holes_by_part.get(id(part), ()))
            )
    return thicknesses


def _measure_part(points: Sequence[Point]) -> OutlinePart:
    area = edge = 0.0
    x0, y0 = points[-1]
    for x, y in points:
        area += x0 * y - x * y0
        edge += hypot(x - x0, y - y0)
        x0, y0 = x, y
    # The sum is twice the area. Its sign is the direction of the outline.
    area = area / 2 if abs(area) > MIN_AREA_MM2 else 0.0
    return OutlinePart(points, area, edge, find_bounds(points))


def _has_ink(parts: Sequence[OutlinePart], even_odd: bool) -> bool:
    """Return True if the area inside all of these outlines is painted."""
    if even_odd:
        return len(parts) % 2 == 1
    # The nonzero winding rule: outlines in opposite directions cancel each other.
    return sum(1 if part.area > 0 else -1 for part in parts) != 0


def _measure_thickness(part: OutlinePart, holes: Sequence[OutlinePart]) -> float:
    """Return the thickness of a part between its outline and its holes."""
    if len(holes) == 1 and part.is_rectangle and holes[0].is_rectangle:
        margins = holes[0].box.measure_margins(part.box)
        return min((gap for gap in margins if gap > TOUCH_DISTANCE_MM), default=0.0)
    if part.is_rectangle and not holes:
        return min(part.box.width, part.box.height)
    edge = part.edge + sum(hole.edge for hole in holes)
    area = abs(part.area) - sum(abs(hole.area) for hole in holes)
    if area < 0:
        # Outlines that cross one another are no holes.
        return 2 * abs(part.area) / part.edge
    # A long strip has two edges of its length, and its length times its thickness as area.
    return 2 * area / edge if edge else 0.0
