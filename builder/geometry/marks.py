"""Printer's marks: what stands on a sheet besides cards, for scissors, machines and the eye; the calibration sheet.

Pure; mm, the top left is 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.imposition import Grid, Stroke
from builder.model.profile import Marks, Paper, Profile

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

    def line(self, offset: float, length: float) -> Stroke:
        """A piece of the strip's line, by its distance from the start."""
        if self.standing:
            return Stroke(
                self.across, self.start - offset, self.across, self.start - offset - length
            )
        return Stroke(self.start + offset, self.across, self.start + offset + length, self.across)

    def ticks(self, offset: float, length: float, size: float = 2.0) -> tuple[Stroke, Stroke]:
        """Short strokes across both ends of a piece."""
        body, half = self.line(offset, length), size / 2
        across, down = (half, 0.0) if self.standing else (0.0, half)
        first, second = (
            Stroke(x - across, y - down, x + across, y + down)
            for x, y in ((body.x1, body.y1), (body.x2, body.y2))
        )
        return first, second


def strip(paper: Paper, grid: Grid, profile: Profile) -> Strip | None:
    """The strip for check line and label; None where the cards leave no room."""
    edge = max(profile.margin, 3.0)
    foot = paper.height - edge - 1
    if foot - (grid.top + grid.height) >= NEAR:
        return Strip(False, edge, foot, paper.width - 2 * edge)
    side = edge + 1
    if grid.left - side >= NEAR:
        return Strip(True, paper.height - edge, side, paper.height - 2 * edge)
    return None


def cut_marks(grid: Grid, marks: Marks, *, bleed: float, edge: Box) -> tuple[Stroke, ...]:
    """Marks that continue every cut around the grid, outside all cards and within `edge` (what can be printed)."""
    away = max(marks.offset, bleed)
    lines: list[Stroke] = []
    foot, right = _far_ends(grid)
    for x in sorted(foot):
        lines.append(Stroke(x, max(edge.y, grid.top - away - marks.length), x, grid.top - away))
        bottom = foot[x] + away
        lines.append(Stroke(x, bottom, x, min(edge.bottom, bottom + marks.length)))
    for y in sorted(right):
        lines.append(Stroke(max(edge.x, grid.left - away - marks.length), y, grid.left - away, y))
        end = right[y] + away
        lines.append(Stroke(end, y, min(edge.right, end + marks.length), y))
    return tuple(line for line in lines if line.x2 - line.x1 > 0.3 or line.y2 - line.y1 > 0.3)


def _far_ends(grid: Grid) -> tuple[dict[float, float], dict[float, float]]:
    """For each upright cut where the lowest card along it ends, and for each level one where the rightmost does."""
    foot: dict[float, float] = {}
    right: dict[float, float] = {}
    for box in grid.boxes:
        for x in (round(box.x, 6), round(box.right, 6)):
            foot[x] = max(foot.get(x, 0.0), box.bottom)
        for y in (round(box.y, 6), round(box.bottom, 6)):
            right[y] = max(right.get(y, 0.0), box.right)
    return foot, right


EDGE, APART = 3.0, 2.0
"""How far cut marks keep from the paper's very edge and from the strip, in mm."""
MARK = 6.0
"""How wide a registration mark is, in mm."""


def trim_marks(
    profile: Profile, paper: Paper, grid: Grid, bleed: float, place: Strip | None
) -> tuple[Stroke, ...]:
    """Ticks around the grid, or crosses on every corner; outlines are no straight lines."""
    marks = profile.marks
    if marks is None or marks.style == "outline":
        return ()
    if marks.style == "ticks":
        left, foot = EDGE, paper.height - EDGE
        if place is not None and place.standing:
            left = place.across + APART
        elif place is not None:
            foot = place.across - APART
        return cut_marks(
            grid, marks, bleed=bleed, edge=Box(left, EDGE, paper.width - EDGE - left, foot - EDGE)
        )
    corners = (
        (x, y) for cell in grid.boxes for x in (cell.x, cell.right) for y in (cell.y, cell.bottom)
    )
    spots = sorted({(round(x, 4), round(y, 4)) for x, y in corners})
    return tuple(line for x, y in spots for line in cross(x, y, marks.length))


def cross(x: float, y: float, length: float) -> tuple[Stroke, Stroke]:
    """A cross of two lines of this length."""
    half = length / 2
    return Stroke(x - half, y, x + half, y), Stroke(x, y - half, x, y + half)


def registration(paper: Paper, away: float = 9.0) -> tuple[tuple[float, float], ...]:
    """The middles of the marks by which a cutting machine finds the sheet: three corners, so none is mistaken.

    The lower left corner stays free for the check line.
    """
    return ((away, away), (paper.width - away, away), (paper.width - away, paper.height - away))


INSET, SQUARE, ARM, LINE = 10.0, 5.0, 20.0, 0.3
"""Of Silhouette's marks (type 1, as inkscape-silhouette draws them): their distance from the paper's edges, the side of
the square, the arms of both angles and how thick these are, in mm."""


def silhouette(paper: Paper) -> tuple[Box, tuple[Stroke, ...]]:
    """The black square at the top left, and the angles at the top right and the lower left."""
    right, foot = paper.width - INSET, paper.height - INSET
    arms = (
        Stroke(right - ARM, INSET, right, INSET),
        Stroke(right, INSET, right, INSET + ARM),
        Stroke(INSET, foot - ARM, INSET, foot),
        Stroke(INSET, foot, INSET + ARM, foot),
    )
    return Box(INSET, INSET, SQUARE, SQUARE), arms


def folds(grid: Grid) -> Iterator[Stroke]:
    """Short lines above and below each column where its cards are folded."""
    for column in range(grid.columns):
        x = grid.cell(column, 0).x + grid.cell_width / 2
        rows = grid.rows - (grid.last is not None and column >= grid.last)
        end = grid.cell(column, rows - 1).y + grid.cell_height
        yield from (Stroke(x, grid.top - 4, x, grid.top - 1), Stroke(x, end + 1, x, end + 4))
