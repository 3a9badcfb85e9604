"""Imposition: which face goes where on which side of which sheet.

Pure; mm from the sheet's top left corner. A card's back lies behind its front once the printer has
turned the paper. Over the long edge of an upright sheet the columns are mirrored. Over the short
edge the rows are mirrored, and the back is printed upside down.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Generic, Literal, TypeAlias, TypeVar

from builder.findings import Box
from builder.model.profile import Paper

Duplex = Literal["long-edge", "short-edge", "none"]
T = TypeVar("T")
TOLERANCE_MM = 1e-6


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of cells on a sheet, one for each card.

    `last_row_cells` is None for a full last row.
    """

    columns: int
    rows: int
    cell_width: float
    cell_height: float
    gap: float
    x: float
    y: float
    last_row_cells: int | None = None

    @property
    def cells(self) -> int:
        """The number of cards on one side of a sheet."""
        return self.columns * self.rows

    @property
    def width(self) -> float:
        """The width of the grid in mm."""
        return self.columns * (self.cell_width + self.gap) - self.gap

    @property
    def height(self) -> float:
        """The height of the grid in mm."""
        return self.rows * (self.cell_height + self.gap) - self.gap

    def centre_on(self, paper: Paper) -> "Grid":
        """Return the grid moved to the middle of the paper."""
        x = (paper.width - self.width) / 2
        y = (paper.height - self.height) / 2
        return replace(self, x=x, y=y)

    def limit_to(self, cards: int) -> "Grid":
        """Return the grid with only its first `cards` cells, at the same position."""
        if cards >= self.cells:
            return self
        rows = ceil(cards / self.columns)
        last_row_cells = cards - (rows - 1) * self.columns
        columns = min(cards, self.columns)
        return replace(self, columns=columns, rows=rows, last_row_cells=last_row_cells)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of the cells, row by row."""
        count = self.cells
        if self.last_row_cells is not None:
            count -= self.columns - self.last_row_cells
        return tuple(self.get_cell_box(place) for place in range(count))

    def get_cell_box(self, cell_index: int) -> Box:
        """Return the trim box of a cell. Its index counts row by row from 0."""
        return self.find_cell_box(cell_index % self.columns, cell_index // self.columns)

    def find_cell_box(self, column: int, row: int) -> Box:
        """Return the trim box of the cell in this column and row."""
        x = self.x + column * (self.cell_width + self.gap)
        y = self.y + row * (self.cell_height + self.gap)
        return Box(x, y, self.cell_width, self.cell_height)


@dataclass(frozen=True, slots=True)
class PlacedFace(Generic[T]):
    """A face at its position on a sheet. `upside_down` turns it by 180 degrees."""

    item: T
    box: Box
    upside_down: bool = False


@dataclass(frozen=True, slots=True)
class SheetSide(Generic[T]):
    """One printed side of a sheet.

    `sheet` counts from 1. `cut_boxes` are the pieces cut out, given with fronts. `place_count` is
    the number of places up to the last that holds a card.
    """

    sheet: int
    is_back: bool
    faces: tuple[PlacedFace[T], ...]
    cut_boxes: tuple[Box, ...] = ()
    place_count: int = 0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line, in mm."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """The two sides of a card. `back` is None if nothing is printed on it."""

    front: T
    back: T | None = None


@dataclass(frozen=True, slots=True)
class Spacing:
    """The free space on a sheet, in mm. `bleed` is printed around the outer cards."""

    margin: float
    gap: float
    bleed: float = 0


def fit_grid(
    paper: Paper, width: float, height: float, spacing: Spacing
) -> Grid | None:
    """Return the largest grid of upright cards in the middle of the paper. None if no card fits."""
    gap = spacing.gap
    edges = 2 * (spacing.margin + spacing.bleed)
    # There is one gap less than there are cards: one more than the free length counts.
    free_width = paper.width - edges + gap + TOLERANCE_MM
    free_height = paper.height - edges + gap + TOLERANCE_MM
    columns = int(free_width // (width + gap))
    rows = int(free_height // (height + gap))
    if columns < 1 or rows < 1:
        return None
    return Grid(columns, rows, width, height, gap, 0, 0).centre_on(paper)


def turn_paper(paper: Paper) -> Paper:
    """Return the paper turned by 90 degrees."""
    return Paper(width=paper.height, height=paper.width)


def choose_grid(
    paper: Paper,
    width: float,
    height: float,
    spacing: Spacing,
    *,
    to_edge: bool = False,
) -> tuple[Paper, Grid] | None:
    """Return the paper turned so that more cards fit, and the grid of cards on it.

    A card too large for the margins is placed without them. With `to_edge` so is every card of
    which the paper then holds more. None if the card is larger than the paper.
    """
    candidates: list[tuple[Paper, Grid]] = []
    for margin in dict.fromkeys((spacing.margin, 0.0)):
        for turned_paper in (paper, turn_paper(paper)):
            grid = fit_grid(
                turned_paper, width, height, replace(spacing, margin=margin)
            )
            if grid is not None:
                candidates.append((turned_paper, grid))
        # Without margins only if no card fits with them.
        if candidates and not to_edge:
            break
    # The first is taken if several hold as many: upright, and with margins.
    return max(candidates, key=lambda candidate: candidate[1].cells, default=None)


PlacedPairs: TypeAlias = list[tuple[Pair[T], int]]
"""Pairs with their places on a sheet, counted from 0 row by row."""


def assign_cells(
    pairs: Sequence[Pair[T]], grid: Grid, skipped_cells: Collection[int] = ()
) -> Iterator[tuple[int, PlacedPairs[T]]]:
    """Divide cards among the cells of sheets. Yield the index of each sheet with its cards.

    `skipped_cells`, counted from 1, stay empty on the first sheet.
    """
    free_places = [
        place for place in range(grid.cells) if place + 1 not in skipped_cells
    ]
    start = 0
    sheet = 0
    while start < len(pairs):
        end = start + len(free_places)
        # The last sheet may have more places than pairs.
        yield sheet, list(zip(pairs[start:end], free_places, strict=False))
        start = end
        sheet += 1
        # From the second sheet on nothing is skipped.
        free_places = list(range(grid.cells))


def impose(
    pairs: Sequence[Pair[T]],
    grid: Grid,
    duplex: Duplex,
    *,
    is_landscape: bool = False,
    skipped_cells: Collection[int] = (),
) -> Iterator[SheetSide[T]]:
    """Yield the printed sides of all sheets: each front, and then its back if any card has one.

    `is_landscape` is True if the long edge is level. A turn over that edge then mirrors the rows.
    """
    # Over its short edge landscape paper is turned like upright paper over its long edge.
    mirrors_rows = (duplex == "short-edge") != is_landscape
    for number, placed_pairs in assign_cells(pairs, grid, skipped_cells):
        sheet = number + 1
        place_count = placed_pairs[-1][1] + 1
        fronts: list[PlacedFace[T]] = []
        backs: list[PlacedFace[T]] = []
        for pair, place in placed_pairs:
            column = place % grid.columns
            row = place // grid.columns
            fronts.append(PlacedFace(pair.front, grid.find_cell_box(column, row)))
            if pair.back is None:
                continue
            # The grid is centred, so mirroring keeps its edges.
            if mirrors_rows:
                row = grid.rows - 1 - row
            else:
                column = grid.columns - 1 - column
            backs.append(
                PlacedFace(pair.back, grid.find_cell_box(column, row), mirrors_rows)
            )
        cut_boxes = tuple(face.box for face in fronts)
        yield SheetSide(sheet, False, tuple(fronts), cut_boxes, place_count)
        if backs and duplex != "none":
            yield SheetSide(sheet, True, tuple(backs), (), place_count)


def impose_folded(
    pairs: Sequence[Pair[T]], grid: Grid, skipped_cells: Collection[int] = ()
) -> Iterator[SheetSide[T]]:
    """Yield sides to be folded, on which each cell has a front and its back side by side."""
    for number, placed_pairs in assign_cells(pairs, grid, skipped_cells):
        faces: list[PlacedFace[T]] = []
        cut_boxes: list[Box] = []
        for pair, place in placed_pairs:
            cell = grid.get_cell_box(place)
            half = cell.width / 2
            front_box = Box(cell.x, cell.y, half, cell.height)
            faces.append(PlacedFace(pair.front, front_box))
            if pair.back is None:
                cut_boxes.append(front_box)
            else:
                back_box = Box(cell.x + half, cell.y, half, cell.height)
                faces.append(PlacedFace(pair.back, back_box))
                cut_boxes.append(cell)
        place_count = placed_pairs[-1][1] + 1
        yield SheetSide(number + 1, False, tuple(faces), tuple(cut_boxes), place_count)
