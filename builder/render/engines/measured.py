"""Measure the lines in a box, for every engine that knows the positions of both."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from builder.findings import Box
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
    r"""<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>""", re.DOTALL
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
    """The extent of a line of text or a box, in pixels."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float

    @property
    def mm(self) -> Box:
        """The same in mm."""
        return Box(
            self.x_min * PX,
            self.y_min * PX,
            (self.x_max - self.x_min) * PX,
            (self.y_max - self.y_min) * PX,
        )


class ClassNames(NamedTuple):
    """The meaning of an element's classes: its name in findings, and its role in the layout."""

    name: str
    fit: bool
    face: bool


@lru_cache(maxsize=1000)
def parse_class_names(text: str) -> ClassNames:
    """Return the meaning of a `class` attribute."""
    classes = text.split()
    fit = [name.removeprefix("fit-") for name in classes if name.startswith("fit-")]
    name = fit[0] if fit else " ".join(name for name in classes if not name.startswith("step-"))
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
    """A cell of a table: its text, its border box, and its lines, if it holds any."""

    text: str
    border: Line
    lines: tuple[Line, ...]

    @property
    def x_min(self) -> float:
        """The left edge of the text."""
        return min(line.x_min for line in self.lines)

    @property
    def x_max(self) -> float:
        """The right edge of the text."""
        return max(line.x_max for line in self.lines)

    @property
    def aside(self) -> float:
        """By how many pixels its text sticks out sideways; negative if it stays inside."""
        return max(self.x_max - self.border.x_max, self.border.x_min - self.x_min)


class CellProblems(NamedTuple):
    """Problems of a table row: cells that overflow, by index, and pairs of cells that touch."""

    overflows: Mapping[int, Block]
    touching: tuple[TouchingCells, ...]


def check_row(row: Sequence[MeasuredCell]) -> CellProblems:
    """Find cells whose text leaves the table or covers a neighbour, and neighbours that touch.

    Text that only sticks out over an empty cell, or a little over a neighbour's padding, harms
    nothing.
    """
    ordered = sorted((cell.border.x_min, index) for index, cell in enumerate(row) if cell.lines)
    left_edge = min((cell.border.x_min for cell in row), default=0.0) - TOLERANCE
    right_edge = max((cell.border.x_max for cell in row), default=0.0) + TOLERANCE
    overflowing = {
        index
        for _left, index in ordered
        if row[index].aside > TOLERANCE
        and (row[index].x_min < left_edge or row[index].x_max > right_edge)
    }
    touching = []
    for (_left, index), (_next_left, next_index) in pairwise(ordered):
        first = row[index]
        second = row[next_index]
        if first.x_max - second.border.x_min > _limit_sticking_out(first):
            overflowing.add(index)
        if first.border.x_max - second.x_min > _limit_sticking_out(second):
            overflowing.add(next_index)
        gap = _measure_gap(first, second)
        if gap is None:
            continue
        sticking_out = {number for number in (index, next_index) if row[number].aside > TOLERANCE}
        overflowing |= sticking_out
        if not sticking_out:
            touching.append(
                TouchingCells(
                    _shorten_text(first),
                    _shorten_text(second),
                    round(gap * PX, 2),
                    _surround_cells(first, second),
                )
            )
    overflows = {index: _make_overflow_block(row[index]) for index in sorted(overflowing)}
    return CellProblems(overflows, tuple(touching))


def _limit_sticking_out(cell: MeasuredCell) -> float:
    """Return how far, in pixels, a cell's text may enter a neighbour: half of its type size."""
    line = cell.lines[0]
    return MAX_STICKING_OUT_EM * (line.y_max - line.y_min) / (ASCENT + DESCENT)


def _make_overflow_block(cell: MeasuredCell) -> Block:
    """Return the block of a cell whose text sticks out."""
    aside = round(cell.aside * PX, 2)
    return Block(
        "", False, 0.0, aside, 0, 1.0, cell.border.mm, len(cell.lines), cell=_shorten_text(cell)
    )


def _shorten_text(cell: MeasuredCell) -> str:
    return cell.text[:MAX_CELL_TEXT_LENGTH]


def _surround_cells(first: MeasuredCell, second: MeasuredCell) -> Box:
    """Return the box of two neighbouring cells."""
    top = min(first.border.y_min, second.border.y_min)
    bottom = max(first.border.y_max, second.border.y_max)
    return Line(first.border.x_min, top, second.border.x_max, bottom).mm


def _measure_gap(first: MeasuredCell, second: MeasuredCell) -> float | None:
    """Return how many pixels lie between the texts of two cells.

    None where they are far enough apart.
    """
    # Only lines at one height can touch; the nearest pair decides.
    gaps = [(math.inf, 0.0)]
    for left_line, right_line in product(first.lines, second.lines):
        if _is_beside(left_line, right_line):
            gaps.append((right_line.x_min - left_line.x_max, right_line.y_max - right_line.y_min))
    gap, height = min(gaps)
    return gap if gap < MIN_CELL_GAP_EM * height / (ASCENT + DESCENT) else None


def _is_beside(first: Line, second: Line) -> bool:
    """Return True if two lines are at one height."""
    shared = min(first.y_max, second.y_max) - max(first.y_min, second.y_min)
    return shared > MIN_SHARED_HEIGHT * min(first.y_max - first.y_min, second.y_max - second.y_min)


def make_painted_block(name: str, panel: str, parts: Iterable[Line]) -> PaintedBlock:
    """Return a block with the extent of its painted parts. There is at least one part."""
    lefts, tops, rights, bottoms = zip(*parts, strict=True)
    return PaintedBlock(name, panel, Line(min(lefts), min(tops), max(rights), max(bottoms)).mm)


def measure_ink(left: float, right: float, base: float, size: float, *, icon: bool) -> Line:
    """Return the extent of the ink of letters of one size on one base line."""
    ascent, descent = ICON if icon else INK
    return Line(left, base - ascent * size, right, base + descent * size)


def measure_block(names: ClassNames, content: Line, lines: Sequence[Line]) -> Block:
    """Return the measurements of a box with at least one line."""
    used = max(line.y_max for line in lines)
    aside = max(
        max(line.x_max for line in lines) - content.x_max,
        content.x_min - min(line.x_min for line in lines),
    )
    over = max(used - content.y_max, content.y_min - min(line.y_min for line in lines))
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
