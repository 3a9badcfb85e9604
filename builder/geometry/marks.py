"""Printer's marks: lines on a sheet for cutting by hand or machine, and for alignment.

Pure; mm from the top left corner of the sheet.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.imposition import Grid, Stroke
from builder.model.profile import Marks, Paper, Profile

MIN_STRIP_DISTANCE_MM = 1.2
"""The smallest distance between the check line and a card."""
EDGE_DISTANCE_MM, STRIP_DISTANCE_MM = 3.0, 2.0
"""How far cut marks keep from the paper's edge and from the strip."""
MIN_MARK_LENGTH_MM = 0.3
REGISTRATION_MARK_MM, REGISTRATION_INSET_MM = 6.0, 9.0
SILHOUETTE_INSET_MM, SILHOUETTE_SQUARE_MM = 10.0, 5.0
SILHOUETTE_ARM_MM, SILHOUETTE_LINE_MM = 20.0, 0.3
"""Silhouette's marks of type 1, as inkscape-silhouette draws them: distance from the paper's edges,
side of the square, length and width of the arms."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A free strip along the lower or left edge of the paper, for check line and label.

    They run along it from `start`, at the distance `across`. On the left they read upwards.
    """

    is_vertical: bool
    start: float
    across: float
    length: float

    def make_line(self, offset: float, length: float) -> Stroke:
        """Return a part of the strip's line, `offset` mm from its start."""
        if self.is_vertical:
            y = self.start - offset
            return Stroke(self.across, y, self.across, y - length)
        x = self.start + offset
        return Stroke(x, self.across, x + length, self.across)

    def make_ticks(self, offset: float, length: float, size: float = 2.0) -> tuple[Stroke, Stroke]:
        """Return short strokes across both ends of a part."""
        line = self.make_line(offset, length)
        across, down = (size / 2, 0.0) if self.is_vertical else (0.0, size / 2)
        return (
            Stroke(line.x1 - across, line.y1 - down, line.x1 + across, line.y1 + down),
            Stroke(line.x2 - across, line.y2 - down, line.x2 + across, line.y2 + down),
        )


def find_strip(paper: Paper, grid: Grid, profile: Profile) -> Strip | None:
    """Return the strip for check line and label. None if the cards leave no room."""
    edge = max(profile.margin, 3.0)
    y = paper.height - edge - 1
    if y - (grid.top + grid.height) >= MIN_STRIP_DISTANCE_MM:
        return Strip(False, edge, y, paper.width - 2 * edge)
    x = edge + 1
    if grid.left - x >= MIN_STRIP_DISTANCE_MM:
        return Strip(True, paper.height - edge, x, paper.height - 2 * edge)
    return None


def make_cut_marks(grid: Grid, marks: Marks, *, bleed: float, area: Box) -> tuple[Stroke, ...]:
    """Return marks that continue every cut around the grid, outside all cards.

    They stay within `area`, which can be printed.
    """
    distance = max(marks.offset, bleed)
    lines: list[Stroke] = []
    ends_by_x, ends_by_y = _find_cut_ends(grid)
    for x in sorted(ends_by_x):
        top = grid.top - distance
        bottom = ends_by_x[x] + distance
        lines.append(Stroke(x, max(area.y, top - marks.length), x, top))
        lines.append(Stroke(x, bottom, x, min(area.bottom, bottom + marks.length)))
    for y in sorted(ends_by_y):
        left = grid.left - distance
        right = ends_by_y[y] + distance
        lines.append(Stroke(max(area.x, left - marks.length), y, left, y))
        lines.append(Stroke(right, y, min(area.right, right + marks.length), y))
    lengths = [max(line.x2 - line.x1, line.y2 - line.y1) for line in lines]
    pairs = zip(lines, lengths, strict=True)
    return tuple(line for line, length in pairs if length > MIN_MARK_LENGTH_MM)


def _find_cut_ends(grid: Grid) -> tuple[dict[float, float], dict[float, float]]:
    """Return where the last card along each vertical and each horizontal cut ends."""
    ends_by_x: dict[float, float] = {}
    ends_by_y: dict[float, float] = {}
    for box in grid.boxes:
        for x in (round(box.x, 6), round(box.right, 6)):
            ends_by_x[x] = max(ends_by_x.get(x, 0.0), box.bottom)
        for y in (round(box.y, 6), round(box.bottom, 6)):
            ends_by_y[y] = max(ends_by_y.get(y, 0.0), box.right)
    return ends_by_x, ends_by_y


def make_trim_marks(
    profile: Profile, paper: Paper, grid: Grid, bleed: float, strip: Strip | None
) -> tuple[Stroke, ...]:
    """Return cut marks: ticks around the grid, or crosses on every corner.

    Empty for outlines, which are no straight lines.
    """
    marks = profile.marks
    if marks is None or marks.style == "outline":
        return ()
    if marks.style == "ticks":
        left = EDGE_DISTANCE_MM
        bottom = paper.height - EDGE_DISTANCE_MM
        if strip is not None and strip.is_vertical:
            left = strip.across + STRIP_DISTANCE_MM
        elif strip is not None:
            bottom = strip.across - STRIP_DISTANCE_MM
        width = paper.width - EDGE_DISTANCE_MM - left
        height = bottom - EDGE_DISTANCE_MM
        area = Box(left, EDGE_DISTANCE_MM, width, height)
        return make_cut_marks(grid, marks, bleed=bleed, area=area)
    corners: set[tuple[float, float]] = set()
    for box in grid.boxes:
        for x in (round(box.x, 4), round(box.right, 4)):
            corners |= {(x, round(box.y, 4)), (x, round(box.bottom, 4))}
    lines: list[Stroke] = []
    for x, y in sorted(corners):
        lines += make_cross(x, y, marks.length)
    return tuple(lines)


def make_cross(x: float, y: float, length: float) -> tuple[Stroke, Stroke]:
    """Return a cross of two lines of this length."""
    half = length / 2
    return Stroke(x - half, y, x + half, y), Stroke(x, y - half, x, y + half)


def find_registration_marks(paper: Paper) -> tuple[tuple[float, float], ...]:
    """Return the centres of the marks by which a cutting machine finds the sheet.

    Three marks make every rotation of the sheet different. The lower left corner stays free for the
    check line.
    """
    inset = REGISTRATION_INSET_MM
    x_max = paper.width - inset
    y_max = paper.height - inset
    return (inset, inset), (x_max, inset), (x_max, y_max)


def make_silhouette_marks(paper: Paper) -> tuple[Box, tuple[Stroke, ...]]:
    """Return the black square at the top left, and the arms at the top right and the lower left."""
    inset = SILHOUETTE_INSET_MM
    arm = SILHOUETTE_ARM_MM
    x_max = paper.width - inset
    y_max = paper.height - inset
    arms = (
        Stroke(x_max - arm, inset, x_max, inset),
        Stroke(x_max, inset, x_max, inset + arm),
        Stroke(inset, y_max - arm, inset, y_max),
        Stroke(inset, y_max, inset + arm, y_max),
    )
    return Box(inset, inset, SILHOUETTE_SQUARE_MM, SILHOUETTE_SQUARE_MM), arms


def make_fold_lines(grid: Grid) -> Iterator[Stroke]:
    """Yield short lines above and below each column, where its cards are folded."""
    for column in range(grid.columns):
        x = grid.find_cell(column, 0).x + grid.cell_width / 2
        is_short = grid.last_row_cells is not None and column >= grid.last_row_cells
        bottom = grid.find_cell(column, grid.rows - 1 - is_short).bottom
        yield Stroke(x, grid.top - 4, x, grid.top - 1)
        yield Stroke(x, bottom + 1, x, bottom + 4)
