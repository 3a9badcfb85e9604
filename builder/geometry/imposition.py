"""Imposition: which face goes where on which side of which sheet. Pure geometry, mm from the sheet's top left corner.

A card's back lies behind its front once the printer has turned the paper: over the long edge of an upright sheet the
columns are mirrored; over the short edge the rows are, and the back is printed upside down.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from builder.findings import Box
from builder.model.profile import Paper

Duplex = Literal["long-edge", "short-edge", "none"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of one card each, centred on the paper; `last` is how many the last row holds (None: all)."""

    columns: int
    rows: int
    cell_width: float
    cell_height: float
    gap: float
    left: float
    top: float
    last: int | None = None

    @property
    def cells(self) -> int:
        """How many cards a side holds."""
        return self.columns * self.rows

    @property
    def width(self) -> float:
        """From the first column's left edge to the last one's right."""
        return self.columns * (self.cell_width + self.gap) - self.gap

    @property
    def height(self) -> float:
        """From the first row's upper edge to the last one's lower."""
        return self.rows * (self.cell_height + self.gap) - self.gap

    def centred(self, paper: Paper) -> "Grid":
        """The grid in the middle of the paper."""
        return replace(
            self, left=(paper.width - self.width) / 2, top=(paper.height - self.height) / 2
        )

    def holding(self, cards: int) -> "Grid":
        """The part of the grid that so many cards fill, row by row, at its place."""
        if cards >= self.cells:
            return self
        rows = -(-cards // self.columns)
        last = cards - (rows - 1) * self.columns
        return replace(self, columns=min(cards, self.columns), rows=rows, last=last)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The cells that hold cards, row by row."""
        empty = 0 if self.last is None else self.columns - self.last
        return tuple(
            self.cell(at % self.columns, at // self.columns) for at in range(self.cells - empty)
        )

    def cell(self, column: int, row: int) -> Box:
        """The trim box of one cell."""
        return Box(
            self.left + column * (self.cell_width + self.gap),
            self.top + row * (self.cell_height + self.gap),
            self.cell_width,
            self.cell_height,
        )


@dataclass(frozen=True, slots=True)
class PlacedFace(Generic[T]):
    """One face at its place: the trim box, and whether it is turned by 180 degrees."""

    item: T
    box: Box
    turned: bool = False


@dataclass(frozen=True, slots=True)
class SheetSide(Generic[T]):
    """One printed side of a sheet. `sheet` counts from 1; `pieces` are what is cut out of a front; `filled` are its
    places up to the last that holds a card."""

    sheet: int
    back: bool
    placed: tuple[PlacedFace[T], ...]
    pieces: tuple[Box, ...] = ()
    filled: int = 0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line in mm."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """What is printed on the two sides of one card; `back` is None where nothing is."""

    front: T
    back: T | None = None


def fit_grid(
    paper: Paper, width: float, height: float, *, margin: float, gap: float, bleed: float = 0
) -> Grid | None:
    """The largest grid of upright cards that fits the paper, centred; None where not even one card fits.

    `bleed` is shown around the outer cards, so it needs room too.
    """
    edges = 2 * (margin + bleed)
    columns = int((paper.width - edges + gap + 1e-6) // (width + gap))
    rows = int((paper.height - edges + gap + 1e-6) // (height + gap))
    return (
        None
        if columns < 1 or rows < 1
        else Grid(columns, rows, width, height, gap, 0, 0).centred(paper)
    )


def turned(paper: Paper) -> Paper:
    """The paper lying on its other edge."""
    return Paper(width=paper.height, height=paper.width)


def best_grid(
    paper: Paper,
    width: float,
    height: float,
    *,
    margin: float,
    gap: float,
    bleed: float = 0,
    to_edge: bool = False,
) -> tuple[Paper, Grid] | None:
    """The paper upright or lying, whichever holds more cards (upright where both hold as many), and its grid.

    A card as large as the paper itself is placed without a margin; with `to_edge` so is one of which the paper then
    holds more, as a half sheet. None where the card is larger than the paper.
    """
    forms = (paper, turned(paper))
    fitting: list[tuple[Paper, Grid]] = []
    for edge in dict.fromkeys((margin, 0.0)):
        grids = (
            (form, fit_grid(form, width, height, margin=edge, gap=gap, bleed=bleed))
            for form in forms
        )
        fitting += [(form, grid) for form, grid in grids if grid is not None]
        if fitting and not to_edge:
            break
    return max(fitting, key=lambda pair: pair[1].cells, default=None)


def filled(
    pairs: Sequence[Pair[T]], grid: Grid, skip: Collection[int] = ()
) -> Iterator[tuple[int, list[tuple[Pair[T], int]]]]:
    """Each sheet's number with its pairs and their places, both from 0 row by row; `skip` are places (from 1) of the
    first sheet that stay empty."""
    start = sheet = 0
    while start < len(pairs):
        free = [place for place in range(grid.cells) if sheet or place + 1 not in skip]
        yield sheet, list(zip(pairs[start : start + len(free)], free, strict=False))
        start, sheet = start + len(free), sheet + 1


def impose(
    pairs: Sequence[Pair[T]],
    grid: Grid,
    duplex: Duplex,
    *,
    lying: bool = False,
    skip: Collection[int] = (),
) -> Iterator[SheetSide[T]]:
    """The sides in printing order: each sheet's front, then its back where any card of it has one.

    `lying`: the paper lies on its long edge, so that turning over that edge mirrors the rows.
    """
    if lying and duplex != "none":
        duplex = "short-edge" if duplex == "long-edge" else "long-edge"
    for number, held in filled(pairs, grid, skip):
        chunk, sheet, last = [pair for pair, _place in held], number + 1, held[-1][1] + 1
        cells = [(place % grid.columns, place // grid.columns) for _pair, place in held]
        fronts = tuple(
            PlacedFace(pair.front, grid.cell(*cell))
            for pair, cell in zip(chunk, cells, strict=True)
        )
        yield SheetSide(sheet, False, fronts, tuple(face.box for face in fronts), last)
        if duplex == "none" or all(pair.back is None for pair in chunk):
            continue
        # The grid is centred, so that mirroring keeps its edges.
        mirrored = (
            (grid.columns - 1 - column, row)
            if duplex == "long-edge"
            else (column, grid.rows - 1 - row)
            for column, row in cells
        )
        backs = tuple(
            PlacedFace(pair.back, grid.cell(*cell), turned=duplex == "short-edge")
            for pair, cell in zip(chunk, mirrored, strict=True)
            if pair.back is not None
        )
        yield SheetSide(sheet, True, backs, (), last)


def folded(
    pairs: Sequence[Pair[T]], grid: Grid, skip: Collection[int] = ()
) -> Iterator[SheetSide[T]]:
    """Sides whose cells hold a front on the left and its back on the right, to be folded between them."""
    for number, held in filled(pairs, grid, skip):
        placed: list[PlacedFace[T]] = []
        pieces: list[Box] = []
        for pair, place in held:
            cell = grid.cell(place % grid.columns, place // grid.columns)
            half = cell.width / 2
            placed.append(PlacedFace(pair.front, Box(cell.x, cell.y, half, cell.height)))
            pieces.append(cell if pair.back is not None else placed[-1].box)
            if pair.back is not None:
                placed.append(PlacedFace(pair.back, Box(cell.x + half, cell.y, half, cell.height)))
        yield SheetSide(number + 1, False, tuple(placed), tuple(pieces), held[-1][1] + 1)
