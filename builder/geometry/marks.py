"""Printer's marks: lines on a sheet for cutting by hand or machine, and for alignment.

Pure; mm from the top left corner of the sheet.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.boxes import Point
from builder.geometry.imposition import Grid, Stroke
from builder.model.profile import Marks, Paper, Profile

MIN_STRIP_DISTANCE_MM = 1.2
"""The smallest distance between the check line and a card."""
EDGE_DISTANCE_MM = 3.0
STRIP_DISTANCE_MM = 2.0
"""How far cut marks keep from the paper's edge and from the strip."""
MIN_MARK_LENGTH_MM = 0.3
REGISTRATION_MARK_MM = 6.0
REGISTRATION_INSET_MM = 9.0
SILHOUETTE_INSET_MM = 10.0
SILHOUETTE_SQUARE_MM = 5.0
SILHOUETTE_ARM_MM = 20.0
SILHOUETTE_LINE_MM = 0.3
"""Silhouette's marks of type 1, as inkscape-silhouette draws them: distance from the paper's edges,
side of the square, length and width of the arms."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A free strip at the lower or left edge of the paper, for the check line and the label.

    They run along it from `start`, at the distance `across`. On the left they read upwards.
    """

    is_vertical: bool
    start: float
    across: float
    length: float

    def make_line(self, offset: float, length: float) -> Stroke:
        """Return a line along the strip. It begins `offset` mm from the strip's start."""
        if self.is_vertical:
            y = self.start - offset
            return Stroke(self.across, y, self.across, y - length)
        x = self.start + offset
        return Stroke(x, self.across, x + length, self.across)

    def make_ticks(
        self, offset: float, length: float, size: float = 2.0
    ) -> tuple[Stroke, Stroke]:
        """Return short lines across both ends of the line that `make_line` returns."""
        line = self.make_line(offset, length)
        half = size / 2
        if self.is_vertical:
            return (
                Stroke(line.x1 - half, line.y1, line.x1 + half, line.y1),
                Stroke(line.x2 - half, line.y2, line.x2 + half, line.y2),
            )
        return (
            Stroke(line.x1, line.y1 - half, line.x1, line.y1 + half),
            Stroke(line.x2, line.y2 - half, line.x2, line.y2 + half),
        )


def find_strip(paper: Paper, grid: Grid, profile: Profile) -> Strip | None:
    """Return the strip for the check line and the label. None if the cards leave no room."""
    # Printers may not reach the edge, also if the profile has no margin.
    edge = max(profile.margin, 3.0)
    y = paper.height - edge - 1
    if y - (grid.y + grid.height) >= MIN_STRIP_DISTANCE_MM:
        return Strip(False, edge, y, paper.width - 2 * edge)
    x = edge + 1
    if grid.x - x >= MIN_STRIP_DISTANCE_MM:
        return Strip(True, paper.height - edge, x, paper.height - 2 * edge)
    return None


def make_cut_marks(
    grid: Grid, marks: Marks, *, bleed: float, area: Box
) -> tuple[Stroke, ...]:
    """Return cut marks around the grid, which continue the edges of the cards.

    They stay within `area`, which can be printed.
    """
    distance = max(marks.offset, bleed)
    lines: list[Stroke] = []
    ends_by_x, ends_by_y = _find_cut_ends(grid)
    for x in sorted(ends_by_x):
        # The inner ends of the marks above and below the grid.
        upper_y = grid.y - distance
        lower_y = ends_by_x[x] + distance
        highest_y = max(area.y, upper_y - marks.length)
        lowest_y = min(area.bottom, lower_y + marks.length)
        lines.append(Stroke(x, highest_y, x, upper_y))
        lines.append(Stroke(x, lower_y, x, lowest_y))
    for y in sorted(ends_by_y):
        left_x = grid.x - distance
        right_x = ends_by_y[y] + distance
        first_x = max(area.x, left_x - marks.length)
        last_x = min(area.right, right_x + marks.length)
        lines.append(Stroke(first_x, y, left_x, y))
        lines.append(Stroke(right_x, y, last_x, y))
    return tuple(line for line in lines if _measure_length(line) > MIN_MARK_LENGTH_MM)


def _measure_length(line: Stroke) -> float:
    """Return the length of a horizontal or vertical line, negative if its ends are swapped."""
    return max(line.x2 - line.x1, line.y2 - line.y1)


def _find_cut_ends(grid: Grid) -> tuple[dict[float, float], dict[float, float]]:
    """Return where each cut through the grid ends: at the last card along it."""
    ends_by_x: dict[float, float] = {}
    ends_by_y: dict[float, float] = {}
    for box in grid.boxes:
        # Rounded, so that the shared edge of two neighbours is one cut.
        for x in (round(box.x, 6), round(box.right, 6)):
            ends_by_x[x] = max(ends_by_x.get(x, 0.0), box.bottom)
        for y in (round(box.y, 6), round(box.bottom, 6)):
            ends_by_y[y] = max(ends_by_y.get(y, 0.0), box.right)
    return ends_by_x, ends_by_y


def make_trim_marks(
    profile: Profile, paper: Paper, grid: Grid, bleed: float, strip: Strip | None
) -> tuple[Stroke, ...]:
    """Return the cut marks of a profile: lines around the grid, or crosses on every corner.

    Empty for outlines, which are no straight lines.
    """
    marks = profile.marks
    if marks is None or marks.style == "outline":
        return ()
    if marks.style == "ticks":
        area = _find_marks_area(paper, strip)
        return make_cut_marks(grid, marks, bleed=bleed, area=area)
    # Neighbours share corners: a set draws each cross only once.
    corners: set[Point] = set()
    for box in grid.boxes:
        for x in (round(box.x, 4), round(box.right, 4)):
            corners.add((x, round(box.y, 4)))
            corners.add((x, round(box.bottom, 4)))
    lines: list[Stroke] = []
    for x, y in sorted(corners):
        lines += make_cross(x, y, marks.length)
    return tuple(lines)


def _find_marks_area(paper: Paper, strip: Strip | None) -> Box:
    """Return the area in which cut marks may be drawn."""
    x = EDGE_DISTANCE_MM
    bottom = paper.height - EDGE_DISTANCE_MM
    if strip is not None and strip.is_vertical:
        x = strip.across + STRIP_DISTANCE_MM
    elif strip is not None:
        bottom = strip.across - STRIP_DISTANCE_MM
    width = paper.width - EDGE_DISTANCE_MM - x
    return Box(x, EDGE_DISTANCE_MM, width, bottom - EDGE_DISTANCE_MM)


def make_cross(x: float, y: float, length: float) -> tuple[Stroke, Stroke]:
    """Return a cross of two lines of this length."""
    half = length / 2
    level_line = Stroke(x - half, y, x + half, y)
    upright_line = Stroke(x, y - half, x, y + half)
    return level_line, upright_line


def find_registration_marks(paper: Paper) -> tuple[Point, ...]:
    """Return the centres of the marks by which a cutting machine finds the sheet.

    Three marks make every rotation of the sheet different. The lower left corner stays free for the
    check line.
    """
    inset = REGISTRATION_INSET_MM
    x_max = paper.width - inset
    y_max = paper.height - inset
    return ((inset, inset), (x_max, inset), (x_max, y_max))


def make_silhouette_marks(paper: Paper) -> tuple[Box, tuple[Stroke, ...]]:
    """Return the marks for Silhouette machines: a square, and two angles."""
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
    square = Box(inset, inset, SILHOUETTE_SQUARE_MM, SILHOUETTE_SQUARE_MM)
    return square, arms


def make_fold_lines(grid: Grid) -> Iterator[Stroke]:
    """Yield short lines above and below each column, where its cards are folded."""
    for column in range(grid.columns):
        x = grid.find_cell_box(column, 0).x + grid.cell_width / 2
        last_row = grid.rows - 1
        if grid.last_row_cells is not None and column >= grid.last_row_cells:
            # The last row is not full: this column has no card in it.
            last_row -= 1
        bottom = grid.find_cell_box(column, last_row).bottom
        yield Stroke(x, grid.y - 4, x, grid.y - 1)
        yield Stroke(x, bottom + 1, x, bottom + 4)
