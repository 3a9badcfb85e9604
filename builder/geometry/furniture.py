"""What stands on a sheet besides cards: the check line and the label, in the widest free strip. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.imposition import Grid, Line
from builder.model.profile import Paper, Profile

NEAR = 1.2
"""The least distance in mm between the check line and a card."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A free strip along one edge of the paper: text and line run along it from `start`, on the line `across`.

    Lying at the foot of the sheet, or standing at its left (then read upwards).
    """

    standing: bool
    start: float
    across: float
    length: float

    def line(self, offset: float, length: float) -> Line:
        """A piece of the strip's line, by its distance from the start."""
        if self.standing:
            return Line(self.across, self.start - offset, self.across, self.start - offset - length)
        return Line(self.start + offset, self.across, self.start + offset + length, self.across)

    def ticks(self, offset: float, length: float, size: float = 2.0) -> tuple[Line, Line]:
        """Short strokes across both ends of a piece."""
        body = self.line(offset, length)
        ends = ((body.x1, body.y1), (body.x2, body.y2))
        half = size / 2
        if self.standing:
            first, second = (Line(x - half, y, x + half, y) for x, y in ends)
        else:
            first, second = (Line(x, y - half, x, y + half) for x, y in ends)
        return first, second


def strip(paper: Paper, grid: Grid, profile: Profile) -> Strip | None:
    """The strip for check line and label; None where the cards leave no room."""
    edge = max(profile.margin, 3.0)
    foot = paper.height - edge - 1
    if foot - (grid.top + grid.rows * (grid.cell_height + grid.gap) - grid.gap) >= NEAR:
        return Strip(False, edge, foot, paper.width - 2 * edge)
    side = edge + 1
    if grid.left - side >= NEAR:
        return Strip(True, paper.height - edge, side, paper.height - 2 * edge)
    return None


def mark_room(paper: Paper, place: Strip | None, edge: float = 3.0, apart: float = 2.0) -> Box:
    """Where cut marks may be drawn: off the paper's very edge and off the strip."""
    left, foot = edge, paper.height - edge
    if place is not None and place.standing:
        left = place.across + apart
    elif place is not None:
        foot = place.across - apart
    return Box(left, edge, paper.width - edge - left, foot - edge)
