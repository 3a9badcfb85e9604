"""Path construction and painting operators."""

from __future__ import annotations

from dataclasses import dataclass, field

from builder.findings import Box
from builder.model.pdf import Point
from builder.pdfinfo.matrix import Matrix, between, bounds, extremes

FILLS = {"f", "F", "f*", "B", "B*", "b", "b*"}
STROKES = {"S", "s", "B", "B*", "b", "b*"}
PAINTS = FILLS | STROKES | {"n"}
ON_CURVE = (0.25, 0.5, 0.75)
"""Where a curve is taken as a polygon."""

BUILDS = {"m", "l", "c", "v", "y", "h", "re"}


@dataclass(slots=True)
class PathBuilder:
    """Collects one path in page coordinates: on-curve points, and the extreme points of curves.

    `outlines` are its parts, each as a polygon with some points of its curves.
    """

    points: list[Point] = field(default_factory=list)
    turns: list[Point] = field(default_factory=list)
    outlines: list[list[Point]] = field(default_factory=list)
    start: Point = (0.0, 0.0)
    clipping: bool = False

    @property
    def box(self) -> Box:
        """The exact bounding box."""
        return bounds([*self.points, *self.turns])

    def add(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        """One construction operator; a short operand list is ignored, as viewers do."""
        if operator == "re" and len(values) >= 4:
            x, y, width, height = values[:4]
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            placed = [ctm.apply(*corner) for corner in corners]
            self.points += placed
            self.outlines.append(placed)
            self.start = self.points[-4]
        elif operator in ("m", "l") and len(values) >= 2:
            self.points.append(ctm.apply(values[0], values[1]))
            if operator == "m" or not self.outlines:
                self.outlines.append([])
            self.outlines[-1].append(self.points[-1])
            self.start = self.points[-1] if operator == "m" else self.start
        elif operator in ("c", "v", "y"):
            self._curve(operator, values, ctm)

    def _curve(self, operator: str, values: tuple[float, ...], ctm: Matrix) -> None:
        if len(values) < (6 if operator == "c" else 4) or not self.points:
            return
        placed = [ctm.apply(values[i], values[i + 1]) for i in range(0, len(values) - 1, 2)]
        last = self.points[-1]
        if operator == "c":
            one, two, end = placed[:3]
        elif operator == "v":
            one, two, end = last, placed[0], placed[1]
        else:
            one, two, end = placed[0], placed[1], placed[1]
        self.turns += extremes(last, one, two, end)
        self.points.append(end)
        self.outlines[-1] += [*(between(last, one, two, end, t) for t in ON_CURVE), end]
