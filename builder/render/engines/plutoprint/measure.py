"""What a face's marked copy tells: its fixed boxes, and the extent of all its lines."""

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
    TableCell,
    check_row,
    make_painted_block,
    measure_block,
    measure_ink,
    parse_class_names,
)
from builder.render.engines.plutoprint import marked
from builder.render.engines.plutoprint.marked import Element
from builder.render.engines.search import Block, Measured, TouchingCells

MARGIN = 4_000
"""Pixels around the copy of a face that are drawn too: letters may stick out anywhere."""

NEW_LINE = 0.6
"""Letters whose base lines are so much of their size apart stand on different lines."""

THICKNESS = 1 / 16
"""How thick the engine draws rules above and below letters, in type sizes."""


class TextRun(NamedTuple):
    """Letters of one element on one base line, in pixels; `ascent` is how far their font reaches above it."""

    left: float
    right: float
    base: float
    size: float
    ascent: float
    icons: bool = False


@dataclass(slots=True)
class _Box:
    """What is drawn of an element: its content box, its frame (padding and borders included), its border box where it
    has flags, these, its letters.
    """

    content: Line | None = None
    frame: Line | None = None
    border: Line | None = None
    flags: int = 0
    runs: list[TextRun] = field(default_factory=list)


def measure(
    drawing: bytes, elements: Sequence[Element], metrics: Collection[tuple[float, float]]
) -> tuple[Measured, tuple[int, ...]]:
    """What a drawing tells of the marked copy of a face, its corner `MARGIN` from the page's; and which elements have
    letters that should be italic, of a family without one.

    `metrics` are how far each font reaches above and below the base line, in type sizes.
    """
    boxes = [_Box() for _ in elements]
    _read(boxes, drawing)
    upright = tuple(
        number for number, box in enumerate(boxes) if box.runs and box.flags & marked.UPRIGHT
    )
    return _Face(elements, boxes, metrics).measured(), upright


_N = rb"([-\d.]++)\s++"
_CORNER = rb"[-\d.]++\s++[-\d.]++\s++l\s++"
_DRAWN = re.compile(
    rb"(?<!\S)" + _N + b"(?:w|" + _N + b"(?:"
    rb"m\s" + _N * 2 + rb"l\s+(?:S|" + _CORNER * 2 + rb"h\s+" + _N * 2 + rb"m\s+" + _CORNER + _N * 2 + b"l)|"
    + _N + b"(?:(rg|RG)|" + _N + rb"re\s+(W\*?\sn|f))))"
)  # fmt: skip
"""A width, a rule, an outline (its inner side begins at groups 5 and 6 and ends at 7 and 8), a colour, a rectangle."""
_WIDTH, _RULE, _OUTLINE, _COLOUR = 1, 4, 8, 10
"""The last group of each."""


@lru_cache(maxsize=5000)
def _number(red: bytes, green: bytes, blue: bytes) -> int:
    """The number of an element with this colour."""
    return round(float(red) * 255) << 16 | round(float(green) * 255) << 8 | round(float(blue) * 255)


def _read(boxes: Sequence[_Box], drawing: bytes) -> None:
    """Sort what is drawn by whose colour it has."""
    painted = drawn = boxes[0]
    clip: re.Match[bytes] | None = None
    size, below, extent = 0.0, math.nan, (0.0, 0.0)
    for found in _DRAWN.finditer(drawing):
        sort = found.lastindex
        if sort == _COLOUR:
            number = _number(found[1], found[2], found[9])
            whose = boxes[number if number < len(boxes) else 0]
            painted, drawn = (whose, drawn) if found[10] == b"rg" else (painted, whose)
        elif sort == _WIDTH:
            size = float(found[1]) / THICKNESS
        elif sort == _OUTLINE:  # as wide as its flags say
            painted.flags = round((float(found[5]) - float(found[1])) / marked.UNIT)
            if painted.flags & marked.PAINT:
                painted.border = Line(*(float(edge) - MARGIN for edge in found.group(5, 6, 7, 8)))
        elif sort == _RULE:  # below letters, then above them
            height, left, right = float(found[2]), float(found[1]), float(found[3])
            # Columns are drawn clipped: of a line at the end of a column there may be only the rule above it.
            if math.isnan(below) or height >= below or (left, right) != extent:
                below, extent = height, (left, right)
                continue
            base = below - max(1, math.ceil(size * THICKNESS / 2))
            drawn.runs.append(
                TextRun(
                    left - MARGIN, max(left, right) - MARGIN, base - MARGIN, size, base - height
                )
            )
            below = math.nan
        elif (
            found[12] != b"f"
        ):  # a box with its padding and borders is painted within its content box
            clip = found
        else:
            if painted.content is None:
                painted.content, painted.frame = _rectangle(clip or found), _rectangle(found)
            clip = None


def _rectangle(drawn: re.Match[bytes]) -> Line:
    """Return where a rectangle lies."""
    x, y, width, height = map(float, drawn.group(1, 2, 9, 11))
    return Line(x - MARGIN, y - MARGIN, x - MARGIN + width, y - MARGIN + height)


class _Lines(NamedTuple):
    """The lines of a box: with icons among its letters, and without (a line of nothing else is left out)."""

    every: tuple[Line, ...]
    words: tuple[Line, ...]


@dataclass(slots=True)
class _Face:
    """A face's elements and what is drawn of each."""

    elements: Sequence[Element]
    boxes: Sequence[_Box]
    metrics: Collection[tuple[float, float]]

    def measured(self) -> Measured:
        """Return the fixed boxes and all lines."""
        held: dict[int, list[TextRun]] = {}
        for number, box in enumerate(self.boxes[1:], 1):
            if box.runs:
                icons = bool(box.flags & marked.ICONS)
                runs = (run._replace(icons=icons) for run in box.runs)
                held.setdefault(self._container(number), []).extend(runs)
        lines = {number: self._lines(number, runs) for number, runs in held.items()}
        text: list[tuple[Box, str]] = []
        for number, own_lines in sorted(lines.items()):
            name = parse_class_names(self.elements[number].classes).name
            text += [(line.mm, name) for line in own_lines.words]
        overflows, touching = self._measure_rows(lines)
        blocks = tuple(self._find_fixed_boxes(lines, overflows))
        all_blocks = (*blocks, *overflows.values())
        return Measured(all_blocks, tuple(text), tuple(self._declared()), touching)

    def _measure_rows(
        self, lines: Mapping[int, _Lines]
    ) -> tuple[dict[int, Block], tuple[TouchingCells, ...]]:
        """Return the cells of tables that overflow by their numbers, and those that run together."""
        rows: dict[int, dict[int, TableCell]] = {}
        for number, held in self._lines_of_cells(lines).items():
            element, frame = self.elements[number], self.boxes[number].frame
            if frame is not None:
                text = element.text or parse_class_names(element.classes).name
                rows.setdefault(element.parent, {})[number] = TableCell(text, frame, tuple(held))
        overflows: dict[int, Block] = {}
        touching: list[TouchingCells] = []
        for row in rows.values():
            numbers = [*row]
            problems = check_row([*row.values()])
            overflows |= {numbers[index]: block for index, block in problems.overflows.items()}
            touching += problems.touching
        return overflows, tuple(touching)

    def _lines_of_cells(self, lines: Mapping[int, _Lines]) -> dict[int, list[Line]]:
        """Return the lines of each cell of a table by its number; turned cells and empty ones hold none."""
        within: dict[int, list[Line]] = {}
        for number, element in enumerate(self.elements):
            if (
                element.display == marked.CELL
                or self.boxes[number].flags // marked.DISPLAY == marked.CELL
            ):
                within[number] = []
        if not within:
            return within
        turned: set[int] = set()
        for number, those in lines.items():
            around = tuple(self._around(number))
            # The place of turned letters is not known: the copy does not turn them.
            is_turned = any(self.boxes[part].flags & marked.TRANSFORM for part in around)
            for outer in around:
                if outer in within:
                    within[outer].extend(those.every)
                    turned |= {outer} if is_turned else set()
        return {number: [] if number in turned else held for number, held in within.items()}

    def _find_fixed_boxes(
        self, lines: Mapping[int, _Lines], overflows: Mapping[int, Block]
    ) -> Iterator[Block]:
        """Find the boxes of fixed height that hold lines. A block around a cell that overflows must shrink."""
        aside_by_number: dict[int, float] = {}
        for number, overflow in overflows.items():
            for outer in self._around(number):
                aside_by_number[outer] = max(aside_by_number.get(outer, 0.0), overflow.aside)
        for number, block in self._blocks(lines):
            aside = aside_by_number.get(number, 0.0) if block.fit else 0.0
            yield replace(block, aside=max(block.aside, aside))

    def _declared(self) -> Iterator[PaintedBlock]:
        """What is painted of each element that is declared a block."""
        parts: dict[int, tuple[str, list[Line]]] = {}
        around: list[tuple[list[Line], ...]] = []
        for number, element in enumerate(self.elements):
            outer = around[element.parent] if number else ()
            name = element.block
            if not name and "fit-" in element.classes:
                name = parse_class_names(element.classes).name
            if name:
                parts[number] = name, list[Line]()
                outer = (*outer, parts[number][1])
            around.append(outer)
            if outer:
                found = tuple(self._painted(number, element))
                for each in outer:
                    each.extend(found)
        for number, (name, those) in parts.items():
            if those:
                yield make_painted_block(name, self.elements[number].panel, those)

    def _painted(self, number: int, element: Element) -> Iterator[Line]:
        """The extents of what is painted of one element: letters, a ground or border, a picture."""
        box = self.boxes[number]
        for run in box.runs:
            yield measure_ink(
                run.left, run.right, run.base, run.size, icon=bool(box.flags & marked.ICONS)
            )
        ground = (
            box.border if element.tag not in ("img", "svg") else self.boxes[element.parent].content
        )
        if ground is not None:
            yield ground

    def _blocks(self, lines: Mapping[int, _Lines]) -> Iterator[tuple[int, Block]]:
        """The boxes of fixed height that hold lines, by the numbers of their elements."""
        within: dict[int, list[_Lines]] = {}
        for number, those in sorted(lines.items()):
            for outer in self._around(number):
                within.setdefault(outer, []).append(those)
        for number, all_those in sorted(within.items()):
            names, content = (
                parse_class_names(self.elements[number].classes),
                self.boxes[number].content,
            )
            if content is None or not names.name or names.face or not self._fixed_height(number):
                continue
            own_lines: list[Line] = []
            for those in all_those:
                own_lines += those.every if names.fit else those.words
            if own_lines:
                yield number, measure_block(names, content, own_lines)

    def _around(self, number: int) -> Iterator[int]:
        """An element, and those it stands in as long as it is in the flow of them."""
        while number:
            yield number
            if self.boxes[number].flags & marked.POSITION:
                return
            number = self.elements[number].parent

    def _display(self, number: int) -> int:
        return self.boxes[number].flags // marked.DISPLAY or self.elements[number].display

    def _is_block(self, number: int) -> bool:
        taken_out = self.boxes[number].flags & (marked.POSITION | marked.FLOAT)
        parent = self.elements[number].parent
        return (
            bool(taken_out)
            or self._display(number) != marked.INLINE
            or self._display(parent) == marked.FLEX
        )

    def _container(self, number: int) -> int:
        """The block whose lines an element's letters stand on."""
        while number and not self._is_block(number):
            number = self.elements[number].parent
        return number

    def _fixed_height(self, number: int) -> bool:
        """True if the style, not the content, decides the height."""
        flags = self.boxes[number].flags
        both = flags & marked.TOP and flags & marked.BOTTOM and flags & marked.POSITION
        kind = self._display(number) not in (marked.TABLE, marked.CELL)
        return (
            bool(flags & (marked.HEIGHT | marked.LIMIT) or both) and self._is_block(number) and kind
        )

    def _descent(self, run: TextRun) -> float:
        """How far the font reaches below the base line: the engine rounds both to pixels."""
        size = run.size
        found = (
            below for above, below in self.metrics if abs(round(above * size) - run.ascent) < 0.1
        )
        return round(next(found, DESCENT) * size)

    def _lines(self, number: int, runs: Sequence[TextRun]) -> _Lines:
        """The lines of a block's own letters."""
        groups: list[list[TextRun]] = []
        for run in runs:
            near = next(
                (each for each in groups if abs(each[0].base - run.base) < NEW_LINE * run.size),
                None,
            )
            if near is None:
                groups.append([run])
            else:
                near.append(run)
        groups.sort(key=lambda group: group[0].base)
        above = below = math.inf
        content, first = self.boxes[number].content, groups[0][0]
        if content is not None and first.base > content.top:
            above = first.base - content.top
            lead = above - first.ascent
            below = below if lead > 0 else self._descent(first) + lead
        every = tuple(_ink(group, above, below) for group in groups)
        if not any(run.icons for run in runs):
            return _Lines(every, every)
        words: list[Line] = []
        for group in groups:
            word_runs = [run for run in group if not run.icons]
            if word_runs:
                words.append(_ink(word_runs, above, below))
        return _Lines(every, tuple(words))


def _ink(runs: Sequence[TextRun], above: float, below: float) -> Line:
    """Where some letters of a line are, which reaches so far above and below the first one's base line."""
    base = runs[0].base
    top = max(min(run.base - ASCENT * run.size for run in runs), base - above)
    bottom = min(max(run.base + DESCENT * run.size for run in runs), base + below)
    return Line(min(run.left for run in runs), top, max(run.right for run in runs), bottom)
