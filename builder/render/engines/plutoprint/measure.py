"""Measurements from the drawing of a face's marked copy.

Its fixed boxes, and the extent of all its lines.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.render.engines.measured import (
    ASCENT,
    DESCENT,
    Line,
    MeasuredCell,
    check_row,
    make_painted_block,
    measure_block,
    measure_ink,
    parse_class_names,
)
from builder.render.engines.plutoprint import marked
from builder.render.engines.plutoprint.marked import Element
from builder.render.engines.search import Block, PageMeasurements, TouchingCells

MARGIN = 4_000
"""Pixels around the copy of a face that are drawn, too, because letters may extend there."""

MAX_BASE_LINE_DIFFERENCE_EM = 0.6
"""Letters on one line have base lines that differ by less than this."""

RULE_THICKNESS_EM = 1 / 16
"""Thickness of the engine's rules above and below letters."""


class TextRun(NamedTuple):
    """A piece of text of one element on one baseline, in pixels.

    `ascent` is the extent of their font above it.
    """

    x_min: float
    x_max: float
    base: float
    size: float
    ascent: float
    icons: bool = False


@dataclass(slots=True)
class _Box:
    """The drawn parts of an element. The frame includes padding and borders."""

    content: Line | None = None
    frame: Line | None = None
    border: Line | None = None
    flags: int = 0
    runs: list[TextRun] = field(default_factory=list)


def measure_drawing(
    drawing: bytes,
    elements: Sequence[Element],
    metrics: Collection[tuple[float, float]],
) -> tuple[PageMeasurements, tuple[int, ...]]:
    """Measure a face from the drawing of its measuring copy, whose colors identify the elements.

    The copy begins at `MARGIN` from the corner of the page. Also return the numbers of elements
    that should be italic, but whose family has no italic. `metrics` are the extents of each
    font above and below the base line, in type sizes.
    """
    boxes = [_Box() for _ in elements]
    _DrawingReader(boxes).read_drawing(drawing)
    upright = tuple(
        number
        for number, box in enumerate(boxes)
        if box.runs and box.flags & marked.UPRIGHT
    )
    return _Face(elements, boxes, metrics).measure_face(), upright


_N = rb"([-\d.]++)\s++"
_CORNER = rb"[-\d.]++\s++[-\d.]++\s++l\s++"
_DRAWING_OPERATORS = re.compile(
    rb"(?<!\S)" + _N + b"(?:w|" + _N + b"(?:"
    rb"m\s"
    + _N * 2
    + rb"l\s+(?:S|"
    + _CORNER * 2
    + rb"h\s+"
    + _N * 2
    + rb"m\s+"
    + _CORNER
    + _N * 2
    + b"l)|"
    + _N
    + b"(?:(rg|RG)|"
    + _N
    + rb"re\s+(W\*?\sn|f))))"
)
"""A width, a rule, an outline (its inner side begins at groups 5 and 6 and ends at 7 and 8), a
colour, a rectangle.
"""
_WIDTH, _RULE, _OUTLINE, _COLOUR = 1, 4, 8, 10
"""The last group of each operator."""


@lru_cache(maxsize=5000)
def _parse_element_number(red: bytes, green: bytes, blue: bytes) -> int:
    """Return the number of the element that this color identifies."""
    number = 0
    for part in (red, green, blue):
        number = number * 256 + round(float(part) * 255)
    return number


class _DrawingReader:
    """Assigns the parts of a drawing to elements, by their colors."""

    def __init__(self, boxes: Sequence[_Box]) -> None:
        self.boxes = boxes
        self.filled_box = self.stroked_box = boxes[0]
        """The boxes with the present colours."""
        self.type_size = 0.0
        self.lower_rule_y = math.nan
        """The position of a rule below letters, until the rule above them is read."""
        self.lower_rule_extent = (0.0, 0.0)
        self.clip: re.Match[bytes] | None = None

    def read_drawing(self, drawing: bytes) -> None:
        """Read all PDF operators of a drawing."""
        for operator in _DRAWING_OPERATORS.finditer(drawing):
            operator_type = operator.lastindex
            if operator_type == _COLOUR:
                self._read_colour(operator)
            elif operator_type == _WIDTH:
                self.type_size = float(operator[1]) / RULE_THICKNESS_EM
            elif operator_type == _OUTLINE:
                self._read_outline(operator)
            elif operator_type == _RULE:
                self._read_rule(operator)
            elif operator[12] == b"f":
                self._read_filled_rectangle(operator)
            else:
                self.clip = operator

    def _read_colour(self, operator: re.Match[bytes]) -> None:
        number = _parse_element_number(operator[1], operator[2], operator[9])
        box = self.boxes[number if number < len(self.boxes) else 0]
        if operator[10] == b"rg":
            self.filled_box = box
        else:
            self.stroked_box = box

    def _read_outline(self, operator: re.Match[bytes]) -> None:
        """Read the flags of an element from the width of its outline."""
        width = float(operator[5]) - float(operator[1])
        box = self.filled_box
        box.flags = round(width / marked.PIXELS_PER_FLAG_UNIT)
        if box.flags & marked.PAINT:
            edges = map(float, operator.group(5, 6, 7, 8))
            box.border = Line(*(edge - MARGIN for edge in edges))

    def _read_rule(self, operator: re.Match[bytes]) -> None:
        """Read an underline or overline, which shows the height of the text."""
        y = float(operator[2])
        start = float(operator[1])
        end = float(operator[3])
        # Columns are drawn clipped: of a line at the end of a column there may be only the rule
        # above it.
        is_lower_rule = math.isnan(self.lower_rule_y) or y >= self.lower_rule_y
        if is_lower_rule or (start, end) != self.lower_rule_extent:
            self.lower_rule_y = y
            self.lower_rule_extent = (start, end)
            return
        # The engine draws the lower rule half of its thickness below the base line.
        half_thickness = max(1, math.ceil(self.type_size * RULE_THICKNESS_EM / 2))
        base = self.lower_rule_y - half_thickness
        run = TextRun(
            x_min=start - MARGIN,
            x_max=max(start, end) - MARGIN,
            base=base - MARGIN,
            size=self.type_size,
            ascent=base - y,
        )
        self.stroked_box.runs.append(run)
        self.lower_rule_y = math.nan

    def _read_filled_rectangle(self, operator: re.Match[bytes]) -> None:
        """Read the content box of an element, which is drawn as a filled rectangle.

        If it has padding or borders, a clip to the box comes before.
        """
        box = self.filled_box
        if box.content is None:
            box.content = _parse_rectangle(self.clip or operator)
            box.frame = _parse_rectangle(operator)
        self.clip = None


def _parse_rectangle(operator: re.Match[bytes]) -> Line:
    x, y, width, height = map(float, operator.group(1, 2, 9, 11))
    x -= MARGIN
    y -= MARGIN
    return Line(x, y, x + width, y + height)


class _Lines(NamedTuple):
    """The lines of text in a box: all lines, and the lines with words and not only icons."""

    every: tuple[Line, ...]
    words: tuple[Line, ...]


@dataclass(slots=True)
class _Face:
    """The elements of a face and their drawn boxes, to be measured."""

    elements: Sequence[Element]
    boxes: Sequence[_Box]
    metrics: Collection[tuple[float, float]]

    def measure_face(self) -> PageMeasurements:
        """Return the boxes of fixed height and all lines of text."""
        runs_by_block: dict[int, list[TextRun]] = {}
        for number, box in enumerate(self.boxes[1:], 1):
            if box.runs:
                icons = bool(box.flags & marked.ICONS)
                runs = (run._replace(icons=icons) for run in box.runs)
                runs_by_block.setdefault(self._find_container(number), []).extend(runs)
        lines: dict[int, _Lines] = {}
        for number, block_runs in runs_by_block.items():
            lines[number] = self._measure_lines(number, block_runs)
        text: list[tuple[Box, str]] = []
        for number, own_lines in sorted(lines.items()):
            name = parse_class_names(self.elements[number].classes).name
            text += [(line.mm, name) for line in own_lines.words]
        overflows, touching = self._measure_rows(lines)
        blocks = tuple(self._find_fixed_boxes(lines, overflows))
        all_blocks = (*blocks, *overflows.values())
        painted = tuple(self._list_declared_blocks())
        return PageMeasurements(all_blocks, tuple(text), painted, touching)

    def _measure_rows(
        self, lines: Mapping[int, _Lines]
    ) -> tuple[dict[int, Block], tuple[TouchingCells, ...]]:
        """Return the table cells that overflow, by index, and the pairs of cells that touch."""
        rows: dict[int, dict[int, MeasuredCell]] = {}
        for number, cell_lines in self._list_cell_lines(lines).items():
            element = self.elements[number]
            frame = self.boxes[number].frame
            if frame is not None:
                text = element.text or parse_class_names(element.classes).name
                row = rows.setdefault(element.parent, {})
                row[number] = MeasuredCell(text, frame, tuple(cell_lines))
        overflows: dict[int, Block] = {}
        touching: list[TouchingCells] = []
        for row in rows.values():
            numbers = [*row]
            problems = check_row([*row.values()])
            for index, block in problems.overflows.items():
                overflows[numbers[index]] = block
            touching += problems.touching
        return overflows, tuple(touching)

    def _list_cell_lines(self, lines: Mapping[int, _Lines]) -> dict[int, list[Line]]:
        """Return the lines of text in each table cell, by the cell's number.

        Turned cells and empty ones have none.
        """
        lines_by_cell: dict[int, list[Line]] = {}
        for number, element in enumerate(self.elements):
            declared_display = self.boxes[number].flags // marked.DISPLAY
            if marked.CELL in (element.display, declared_display):
                lines_by_cell[number] = []
        if not lines_by_cell:
            return lines_by_cell
        turned_cells: set[int] = set()
        for number, block_lines in lines.items():
            surrounding = tuple(self._list_surrounding(number))
            # The place of turned letters is not known: the copy does not turn them.
            is_turned = any(
                self.boxes[part].flags & marked.TRANSFORM for part in surrounding
            )
            for outer in surrounding:
                if outer in lines_by_cell:
                    lines_by_cell[outer].extend(block_lines.every)
                    if is_turned:
                        turned_cells.add(outer)
        for number in turned_cells:
            lines_by_cell[number] = []
        return lines_by_cell

    def _find_fixed_boxes(
        self, lines: Mapping[int, _Lines], overflows: Mapping[int, Block]
    ) -> Iterator[Block]:
        """Return the boxes of fixed height that contain text.

        A block around a cell that overflows must shrink.
        """
        aside_by_number: dict[int, float] = {}
        for number, overflow in overflows.items():
            for outer in self._list_surrounding(number):
                aside_by_number[outer] = max(
                    aside_by_number.get(outer, 0.0), overflow.aside
                )
        for number, block in self._list_fixed_blocks(lines):
            aside = aside_by_number.get(number, 0.0) if block.fit else 0.0
            yield replace(block, aside=max(block.aside, aside))

    def _list_declared_blocks(self) -> Iterator[PaintedBlock]:
        """Yield the painted extent of each element that the template declares as a block."""
        names: dict[int, str] = {}
        parts_by_block: dict[int, list[Line]] = {}
        # The blocks around each element, itself included: a block contains what is painted of all
        # below it.
        blocks_around: list[tuple[int, ...]] = []
        for number, element in enumerate(self.elements):
            blocks = blocks_around[element.parent] if number else ()
            name = element.block
            if not name and "fit-" in element.classes:
                name = parse_class_names(element.classes).name
            if name:
                names[number] = name
                parts_by_block[number] = []
                blocks = (*blocks, number)
            blocks_around.append(blocks)
            if blocks:
                painted = tuple(self._list_painted_lines(number, element))
                for block in blocks:
                    parts_by_block[block].extend(painted)
        for number, parts in parts_by_block.items():
            if parts:
                yield make_painted_block(
                    names[number], self.elements[number].panel, parts
                )

    def _list_painted_lines(self, number: int, element: Element) -> Iterator[Line]:
        """Yield the extents of the painted parts of an element.

        Letters, a background or border, a picture.
        """
        box = self.boxes[number]
        is_icon = bool(box.flags & marked.ICONS)
        for run in box.runs:
            yield measure_ink(run.x_min, run.x_max, run.base, run.size, icon=is_icon)
        is_picture = element.tag in ("img", "svg")
        background = self.boxes[element.parent].content if is_picture else box.border
        if background is not None:
            yield background

    def _list_fixed_blocks(
        self, lines: Mapping[int, _Lines]
    ) -> Iterator[tuple[int, Block]]:
        """Yield the boxes of fixed height that contain text, with their element's number."""
        lines_by_box: dict[int, list[_Lines]] = {}
        for number, block_lines in sorted(lines.items()):
            for outer in self._list_surrounding(number):
                lines_by_box.setdefault(outer, []).append(block_lines)
        for number, inner_lines in sorted(lines_by_box.items()):
            names = parse_class_names(self.elements[number].classes)
            content = self.boxes[number].content
            is_measured = (
                bool(names.name) and not names.face and self._has_fixed_height(number)
            )
            all_lines: list[Line] = []
            for block_lines in inner_lines:
                all_lines += block_lines.every if names.fit else block_lines.words
            if content is not None and is_measured and all_lines:
                yield number, measure_block(names, content, all_lines)

    def _list_surrounding(self, number: int) -> Iterator[int]:
        """Yield an element and its parents, up to the first one with a CSS position."""
        while number:
            yield number
            if self.boxes[number].flags & marked.POSITION:
                return
            number = self.elements[number].parent

    def _get_display(self, number: int) -> int:
        return (
            self.boxes[number].flags // marked.DISPLAY or self.elements[number].display
        )

    def _is_block(self, number: int) -> bool:
        if self.boxes[number].flags & (marked.POSITION | marked.FLOAT):
            return True
        # The children of a flex box are blocks, whatever their own display.
        parent = self.elements[number].parent
        is_inline = self._get_display(number) == marked.INLINE
        return not is_inline or self._get_display(parent) == marked.FLEX

    def _find_container(self, number: int) -> int:
        """Return the block element that contains the text of an element."""
        while number and not self._is_block(number):
            number = self.elements[number].parent
        return number

    def _has_fixed_height(self, number: int) -> bool:
        """Return True if the style, not the content, decides the height."""
        flags = self.boxes[number].flags
        # A positioned box with both edges set is as high as they leave it.
        stretching_flags = marked.TOP | marked.BOTTOM | marked.POSITION
        is_stretched = flags & stretching_flags == stretching_flags
        if not (flags & (marked.HEIGHT | marked.LIMIT) or is_stretched):
            return False
        # Parts of a table grow with their text, also with a height.
        is_table_part = self._get_display(number) in (marked.TABLE, marked.CELL)
        return self._is_block(number) and not is_table_part

    def _find_descent(self, run: TextRun) -> float:
        """Return how far the font of a text reaches below the baseline, in pixels."""
        # The font is not known, only its ascent: the engine rounds it to pixels.
        for ascent, descent in self.metrics:
            if abs(round(ascent * run.size) - run.ascent) < 0.1:
                return round(descent * run.size)
        return round(DESCENT * run.size)

    def _measure_lines(self, number: int, runs: Sequence[TextRun]) -> _Lines:
        """Return the lines of text that a block contains itself."""
        groups = _group_by_line(runs)
        max_ascent = max_descent = math.inf
        content = self.boxes[number].content
        first = groups[0][0]
        if content is not None and first.base > content.y_min:
            max_ascent = first.base - content.y_min
            lead = max_ascent - first.ascent
            # Lines closer than the font's height: letters reach less far down, too.
            if lead <= 0:
                max_descent = self._find_descent(first) + lead
        every = tuple(_measure_ink(group, max_ascent, max_descent) for group in groups)
        if not any(run.icons for run in runs):
            return _Lines(every, every)
        words: list[Line] = []
        for group in groups:
            word_runs = [run for run in group if not run.icons]
            if word_runs:
                words.append(_measure_ink(word_runs, max_ascent, max_descent))
        return _Lines(every, tuple(words))


def _group_by_line(runs: Sequence[TextRun]) -> list[list[TextRun]]:
    """Group pieces of text by lines, from top to bottom."""
    groups: list[list[TextRun]] = []
    for run in runs:
        for group in groups:
            if abs(group[0].base - run.base) < MAX_BASE_LINE_DIFFERENCE_EM * run.size:
                group.append(run)
                break
        else:
            groups.append([run])
    return sorted(groups, key=lambda group: group[0].base)


def _measure_ink(
    runs: Sequence[TextRun], max_ascent: float, max_descent: float
) -> Line:
    """Return the extent of letters on one line, bounded above and below the first baseline."""
    base = runs[0].base
    y_min = min(run.base - ASCENT * run.size for run in runs)
    y_max = max(run.base + DESCENT * run.size for run in runs)
    return Line(
        x_min=min(run.x_min for run in runs),
        y_min=max(y_min, base - max_ascent),
        x_max=max(run.x_max for run in runs),
        y_max=min(y_max, base + max_descent),
    )
