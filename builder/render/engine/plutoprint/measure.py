"""What a face's marked copy tells: its fixed boxes, and the extent of all its lines."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.pdf import Page
from builder.render.engine.measured import ASCENT, DESCENT, Line, block_of, names_of
from builder.render.engine.plutoprint.glyphs import DrawnFont, codes_of
from builder.render.engine.plutoprint.marked import (
    BOTTOM,
    DISPLAY,
    FLOAT,
    HEIGHT,
    LIMIT,
    POSITION,
    TOP,
    Element,
)
from builder.render.engine.search import Block, Measured

MARGIN = 2_000
"""Pixels around the copy of a face that are drawn too: letters may stick out anywhere."""

NEW_LINE = 0.6
"""Letters whose base lines are so much of their size apart stand on different lines."""

_TOKEN = re.compile(rb"\[(?:\((?:[^()\\]|\\.)*\)|[^\]()])*\]|\((?:[^()\\]|\\.)*\)|<[^>]*>|[^\s\[(<]+", re.DOTALL)
_PIECE = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[^>]*>|-?[\d.]+", re.DOTALL)


class TextRun(NamedTuple):
    """Letters of one element on one base line, in pixels."""

    left: float
    right: float
    base: float
    size: float
    font: DrawnFont


@dataclass(slots=True)
class _Box:
    """What is drawn of an element: its content box, its flags, its letters."""

    content: Line | None = None
    flags: int = 0
    runs: list[TextRun] = field(default_factory=list)


def measure(page: Page, elements: Sequence[Element], fonts: Mapping[str, DrawnFont]) -> Measured:
    """What a page tells that the marked copy of a face was drawn on, its corner `MARGIN` from the page's."""
    boxes = [_Box() for _ in elements]
    _Reader(boxes, fonts).read(page.Contents.read_bytes())
    return _Face(elements, boxes).measured()


class _Reader:
    """Sorts what is drawn by whose colour it has."""

    def __init__(self, boxes: Sequence[_Box], fonts: Mapping[str, DrawnFont]) -> None:
        self.boxes, self.fonts = boxes, fonts
        self.box, self.font = boxes[0], next(iter(fonts.values()), None)
        self.rect: Line | None = None
        self.clip: Line | None = None
        self.starts: list[float] = []
        self.size = self.left = self.base = self.x = 0.0

    def read(self, content: bytes) -> None:
        """Take in a drawing."""
        does: dict[bytes, Callable[[list[bytes]], None]] = {
            b"rg": self.colour, b"re": self.rectangle, b"n": self.clipped, b"f": self.filled, b"m": self.begun,
            b"f*": self.outlined, b"Tm": self.placed, b"Td": self.moved, b"Tf": self.lettered, b"TJ": self.text,
            b"Tj": self.text,
        }  # fmt: skip
        operands: list[bytes] = []
        for token in _TOKEN.findall(content):
            if token[0] < 65 or token[0] == 91:  # a number, a name, a string, an array
                operands.append(token)
                continue
            do = does.get(token)
            if do is not None:
                do(operands)
            operands = []

    def colour(self, operands: list[bytes]) -> None:
        """Whose all that follows is."""
        red, green, blue = (round(float(each) * 255) for each in operands)
        number = red << 16 | green << 8 | blue
        self.box = self.boxes[number if number < len(self.boxes) else 0]

    def rectangle(self, operands: list[bytes]) -> None:
        """To be painted, or to be painted within."""
        x, y, width, height = map(float, operands)
        self.rect = Line(x - MARGIN, y - MARGIN, x - MARGIN + width, y - MARGIN + height)

    def clipped(self, _operands: list[bytes]) -> None:
        """What is painted next has these limits: a content box."""
        self.clip, self.rect, self.starts = self.rect, None, []

    def filled(self, _operands: list[bytes]) -> None:
        """A box with its padding and borders."""
        if self.box.content is None:
            self.box.content = self.clip or self.rect
        self.clip, self.rect, self.starts = None, None, []

    def begun(self, operands: list[bytes]) -> None:
        """A side of an outline, or of what lies within it."""
        self.starts.append(float(operands[0]))

    def outlined(self, _operands: list[bytes]) -> None:
        """An outline, as wide as its flags say."""
        if len(self.starts) > 1:
            self.box.flags = round(self.starts[1] - self.starts[0])
        self.starts = []

    def placed(self, operands: list[bytes]) -> None:
        """Where text stands, and its size."""
        self.size, self.left, self.base = float(operands[0]), float(operands[4]), float(operands[5])
        self.x = self.left

    def moved(self, operands: list[bytes]) -> None:
        """Where the next text stands, in its size."""
        self.left += float(operands[0]) * self.size
        self.base -= float(operands[1]) * self.size
        self.x = self.left

    def lettered(self, operands: list[bytes]) -> None:
        """The font that follows."""
        self.font = self.fonts.get(operands[0][1:].decode("latin-1"))

    def text(self, operands: list[bytes]) -> None:
        """Letters."""
        if self.font is None:
            return
        run, self.x = _run(operands[0], self.x, self.base, self.size, self.font)
        if run:
            self.box.runs.append(run)


def _run(text: bytes, x: float, base: float, size: float, font: DrawnFont) -> tuple[TextRun | None, float]:
    """Where a string's letters stand, and where the next begins; no run where it is blank."""
    left, right, at, em = math.inf, -math.inf, 0.0, size / 1000
    wide, blanks = font.widths.__getitem__, font.blanks
    for piece in _PIECE.findall(text):
        if piece[0] not in (40, 60):  # a number: how far to go back
            at -= float(piece)
            continue
        codes = codes_of(piece)
        first, last = 0, len(codes)
        while first < last and codes[first] in blanks:
            first += 1
        while first < last and codes[last - 1] in blanks:
            last -= 1
        after = at + sum(map(wide, codes))
        if first < last:
            left = min(left, at + sum(map(wide, codes[:first])))
            right = after - sum(map(wide, codes[last:]))
        at = after
    run = TextRun(x + left * em - MARGIN, x + right * em - MARGIN, base - MARGIN, size, font) if left < right else None
    return run, x + at * em


class _Lines(NamedTuple):
    """The lines of a box: with icons among its letters, and without (a line of nothing else is left out)."""

    every: tuple[Line, ...]
    words: tuple[Line, ...]


@dataclass(slots=True)
class _Face:
    """A face's elements and what is drawn of each."""

    elements: Sequence[Element]
    boxes: Sequence[_Box]

    def measured(self) -> Measured:
        """Its fixed boxes and all its lines."""
        held: dict[int, list[TextRun]] = {}
        for number, box in enumerate(self.boxes[1:], 1):
            if box.runs:
                held.setdefault(self._container(number), []).extend(box.runs)
        lines = {number: self._lines(number, runs) for number, runs in held.items()}
        text = tuple(
            (line.mm, names_of(self.elements[number].classes).name)
            for number, those in sorted(lines.items())
            for line in those.words
        )
        return Measured(tuple(self._blocks(lines)), text)

    def _blocks(self, lines: Mapping[int, _Lines]) -> Iterator[Block]:
        """The boxes of fixed height that hold lines."""
        within: dict[int, list[_Lines]] = {}
        for number, those in sorted(lines.items()):
            for outer in self._around(number):
                within.setdefault(outer, []).append(those)
        for number, all_those in sorted(within.items()):
            names, content = names_of(self.elements[number].classes), self.boxes[number].content
            if content is None or not names.name or names.face or not self._fixed_height(number):
                continue
            found = [line for those in all_those for line in (those.every if names.fit else those.words)]
            if found:
                yield block_of(names, content, found)

    def _around(self, number: int) -> Iterator[int]:
        """An element, and those it stands in as long as it is in the flow of them."""
        while number:
            yield number
            if self.boxes[number].flags & POSITION:
                return
            number = self.elements[number].parent

    def _display(self, number: int) -> int:
        """1 inline, 2 anything else, 3 flex."""
        return self.boxes[number].flags // DISPLAY or (1 if self.elements[number].inline else 2)

    def _is_block(self, number: int) -> bool:
        taken_out = self.boxes[number].flags & (POSITION | FLOAT)
        return bool(taken_out) or self._display(number) > 1 or self._display(self.elements[number].parent) == 3

    def _container(self, number: int) -> int:
        """The block whose lines an element's letters stand on."""
        while number and not self._is_block(number):
            number = self.elements[number].parent
        return number

    def _fixed_height(self, number: int) -> bool:
        """True if the style, not the content, decides the height."""
        flags = self.boxes[number].flags
        both = flags & TOP and flags & BOTTOM and flags & POSITION
        return bool(flags & (HEIGHT | LIMIT) or both) and self._is_block(number) and self._display(number) != 3

    def _lines(self, number: int, runs: Sequence[TextRun]) -> _Lines:
        """The lines of a block's own letters."""
        groups: list[list[TextRun]] = []
        for run in runs:
            near = next((each for each in groups if abs(each[0].base - run.base) < NEW_LINE * run.size), None)
            if near is None:
                groups.append([run])
            else:
                near.append(run)
        groups.sort(key=lambda group: group[0].base)
        above = below = math.inf
        content, first = self.boxes[number].content, groups[0][0]
        if content is not None and first.base > content.top:
            above = first.base - content.top
            lead = above - first.font.ascent * first.size
            below = below if lead > 0 else first.font.descent * first.size + lead
        words = [[run for run in group if not run.font.icons] for group in groups]
        return _Lines(*(tuple(_ink(group, above, below) for group in each if group) for each in (groups, words)))


def _ink(runs: Sequence[TextRun], above: float, below: float) -> Line:
    """Where some letters of a line are, which reaches so far above and below the first one's base line."""
    base = runs[0].base
    top = max(min(run.base - ASCENT * run.size for run in runs), base - above)
    bottom = min(max(run.base + DESCENT * run.size for run in runs), base + below)
    return Line(min(run.left for run in runs), top, max(run.right for run in runs), bottom)
