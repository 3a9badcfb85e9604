"""Measure the lines in a box, for every engine that knows the positions of both."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from builder.findings import Box
from builder.geometry.boxes import unite_boxes
from builder.geometry.spacing import PaintedBlock
from builder.render.engines.search import Block, TouchingCells
from builder.units import MM_PER_INCH

PX = MM_PER_INCH / 96
TOLERANCE = 0.6
"""Pixels a line may stick out before it counts: rounding, not overflow."""

ASCENT, DESCENT = 0.95, 0.25
"""How far letters of a line reach from their base line, in em: the line's own height may be larger.
"""


INK = 0.74, 0.2
"""The extent of letters' ink from the base line, in em. Few letters extend further."""
ICON = 0.88, 0.12
"""The same of a letter of the icon font."""
MARKUP = re.compile(
    r"""<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>""",
    re.DOTALL,
)
"""A comment, or a tag: its slash, name and attributes."""
VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    }
)
DECLARED = re.compile(r"""\sdata-(block|in)=["']([^"']*)["']""")
"""The attributes of an element that declare its block and its panel."""


class Line(NamedTuple):
    """The extent of a line of text or of a box, in pixels."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float

    @property
    def mm(self) -> Box:
        """The extent in mm."""
        return Box(
            self.x_min * PX,
            self.y_min * PX,
            (self.x_max - self.x_min) * PX,
            (self.y_max - self.y_min) * PX,
        )


class ClassNames(NamedTuple):
    """What the CSS classes of an element mean: its name, and its role in the layout."""

    name: str
    fit: bool
    face: bool


@lru_cache(maxsize=1000)
def parse_class_names(text: str) -> ClassNames:
    """Return what a `class` attribute means for the layout."""
    classes = text.split()
    # Steps change while a face is fitted: they are no part of a name.
    name = " ".join(name for name in classes if not name.startswith("step-"))
    for class_name in classes:
        if class_name.startswith("fit-"):
            name = class_name.removeprefix("fit-")
            break
    return ClassNames(name, "fit" in classes, "face" in classes)


MIN_CELL_GAP_EM = 0.12
"""The smallest distance between texts of neighbouring cells: half a space. Closer texts read as one
word.
"""
MAX_STICKING_OUT_EM = 0.5
"""The maximum overlap with a neighbouring cell whose own text is elsewhere."""
MIN_SHARED_HEIGHT = 0.4
"""The part of the lower of two lines that must be beside the other line: only such lines can run
together.
"""
MAX_CELL_TEXT_LENGTH = 40
"""Characters of a cell's text that a finding quotes."""


class MeasuredCell(NamedTuple):
    """A table cell: its text, its box, and its lines of text."""

    text: str
    border: Line
    lines: tuple[Line, ...]

    @property
    def x_min(self) -> float:
        """The left edge of the cell's text in pixels."""
        return min(line.x_min for line in self.lines)

    @property
    def x_max(self) -> float:
        """The right edge of the cell's text in pixels."""
        return max(line.x_max for line in self.lines)

    @property
    def aside(self) -> float:
        """How many pixels the text extends outside the cell. Negative if it is inside."""
        return max(self.x_max - self.border.x_max, self.border.x_min - self.x_min)


class CellProblems(NamedTuple):
    """The problems in a table row: cells whose text overflows, and pairs of cells that touch."""

    overflows: Mapping[int, Block]
    touching: tuple[TouchingCells, ...]


def check_row(row: Sequence[MeasuredCell]) -> CellProblems:
    """Find cells whose text overflows or touches the text of a neighbouring cell.

    Text that only sticks out over an empty cell, or a little over a neighbour's padding, harms
    nothing.
    """
    # From left to right, which may not be the order of the document.
    ordered = [index for index, cell in enumerate(row) if cell.lines]
    ordered.sort(key=lambda index: row[index].border.x_min)
    overflowing = {index for index in ordered if _is_leaving_row(row[index], row)}
    touching = []
    for index, next_index in pairwise(ordered):
        first = row[index]
        second = row[next_index]
        if first.x_max - second.border.x_min > _get_max_overhang(first):
            overflowing.add(index)
        if first.border.x_max - second.x_min > _get_max_overhang(second):
            overflowing.add(next_index)
        gap = _measure_gap(first, second)
        if gap is None:
            continue
        sticking_out = {
            number for number in (index, next_index) if row[number].aside > TOLERANCE
        }
        overflowing |= sticking_out
        if not sticking_out:
            texts = (
                first.text[:MAX_CELL_TEXT_LENGTH],
                second.text[:MAX_CELL_TEXT_LENGTH],
            )
            box = unite_boxes(first.border.mm, second.border.mm)
            touching.append(TouchingCells(*texts, round(gap * PX, 2), box))
    overflows = {
        index: _make_overflow_block(row[index]) for index in sorted(overflowing)
    }
    return CellProblems(overflows, tuple(touching))


def _is_leaving_row(cell: MeasuredCell, row: Sequence[MeasuredCell]) -> bool:
    """Return True if the text of a cell extends outside the table row."""
    row_start = min(cell.border.x_min for cell in row) - TOLERANCE
    row_end = max(cell.border.x_max for cell in row) + TOLERANCE
    is_outside = cell.x_min < row_start or cell.x_max > row_end
    return is_outside and cell.aside > TOLERANCE


def _get_max_overhang(cell: MeasuredCell) -> float:
    """Return how many pixels the text of a cell may extend into a neighbouring cell."""
    line = cell.lines[0]
    return MAX_STICKING_OUT_EM * (line.y_max - line.y_min) / (ASCENT + DESCENT)


def _make_overflow_block(cell: MeasuredCell) -> Block:
    """Return a cell whose text overflows as a block."""
    return Block(
        name="",
        fit=False,
        over=0.0,
        aside=round(cell.aside * PX, 2),
        lines=0,
        fill=1.0,
        box=cell.border.mm,
        count=len(cell.lines),
        cell=cell.text[:MAX_CELL_TEXT_LENGTH],
    )


def _measure_gap(first: MeasuredCell, second: MeasuredCell) -> float | None:
    """Return the horizontal gap in pixels between the texts of two cells.

    None where they are far enough apart.
    """
    # Only lines at one height can touch; the nearest pair decides.
    gaps = [(math.inf, 0.0)]
    for first_line, second_line in product(first.lines, second.lines):
        if _is_beside(first_line, second_line):
            line_gap = second_line.x_min - first_line.x_max
            gaps.append((line_gap, second_line.y_max - second_line.y_min))
    gap, height = min(gaps)
    type_size = height / (ASCENT + DESCENT)
    return gap if gap < MIN_CELL_GAP_EM * type_size else None


def _is_beside(first: Line, second: Line) -> bool:
    """Return True if two lines are at the same height."""
    shared_height = min(first.y_max, second.y_max) - max(first.y_min, second.y_min)
    lower_height = min(first.y_max - first.y_min, second.y_max - second.y_min)
    return shared_height > MIN_SHARED_HEIGHT * lower_height


def make_painted_block(name: str, panel: str, parts: Iterable[Line]) -> PaintedBlock:
    """Return a block whose extent covers all its painted parts, of which there is at least one."""
    x_mins, y_mins, x_maxs, y_maxs = zip(*parts, strict=True)
    extent = Line(min(x_mins), min(y_mins), max(x_maxs), max(y_maxs))
    return PaintedBlock(name, panel, extent.mm)


def measure_ink(
    x_min: float, x_max: float, base: float, size: float, *, icon: bool
) -> Line:
    """Return the extent of the letters on one baseline, estimated from their type size."""
    ascent, descent = ICON if icon else INK
    return Line(x_min, base - ascent * size, x_max, base + descent * size)


def measure_block(names: ClassNames, content: Line, lines: Sequence[Line]) -> Block:
    """Return the measurements of a box with at least one line of text."""
    x_mins, y_mins, x_maxs, y_maxs = zip(*lines, strict=True)
    used = max(y_maxs)
    aside = max(max(x_maxs) - content.x_max, content.x_min - min(x_mins))
    # Text that is aligned at the bottom or in the middle overflows upwards.
    over = max(used - content.y_max, content.y_min - min(y_mins))
    height = content.y_max - content.y_min
    return Block(
        name=names.name,
        fit=names.fit,
        over=round(over * PX, 2) if over > TOLERANCE else 0.0,
        aside=round(aside * PX, 2) if aside > TOLERANCE else 0.0,
        lines=sum(line.y_max > content.y_max + TOLERANCE for line in lines),
        fill=round((used - content.y_min) / height, 4) if height else 1.0,
        box=content.mm,
        count=len(lines),
    )
