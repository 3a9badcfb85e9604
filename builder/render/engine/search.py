"""The search for the largest declared size at which a block's text fits; pure.

The answer fits and the next larger size does not, both laid out. Where it starts does not matter as long as what fits
at a size fits at all smaller ones; see to it that lines are filled (patches/lines.py).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock

ROOM = 1.0
"""A guess aims at this fill: one step too large and one too small both cost one more layout."""
FEW = 4
"""Blocks of fewer lines are guessed at by what went into them before, not by how full they were."""
KEPT = 48
"""So many layouts are remembered of each block."""

_BLOCK = re.compile(r"""class=["'][^"']*\bfit-([a-z0-9-]+)""")
_BREAK = re.compile(r"</(?:div|p|li|tr)>|<br")
_TAG = re.compile(r"<[^>]*>|\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """One box of fixed height that holds text.

    `name` is the declared block or the element's classes; `fit` is True for a block that may shrink. `over` is what
    sticks out downwards, `aside` what sticks out sideways, in mm; `lines` how many lines are cut of `count`; `fill` the
    used part of the height.
    """

    name: str
    fit: bool
    over: float
    aside: float
    lines: int
    fill: float
    box: Box
    count: int = 0

    @property
    def fits(self) -> bool:
        """True if nothing sticks out."""
        return self.over <= 0 and self.aside <= 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What one page holds: its fixed boxes, the extent of all its lines (mm, from the bleed box's corner), and what is
    painted of its blocks.
    """

    blocks: tuple[Block, ...]
    text: tuple[tuple[Box, str], ...]
    painted: tuple[PaintedBlock, ...] = ()


@dataclass(slots=True)
class Search:
    """One block's search. At step `low` it does not fit, at `high` it does."""

    sizes: tuple[float, ...]
    start: int = 0
    low: int = -1
    high: int | None = None
    fill: float = 1.0
    few: bool = False

    @property
    def settled(self) -> bool:
        """True once the answer is known (or that there is none)."""
        return self.high == self.low + 1 or self.low == len(self.sizes) - 1

    @property
    def step(self) -> int:
        """The step to try next; the answer once settled."""
        if self.low == len(self.sizes) - 1:
            return self.low
        if self.settled and self.high is not None:
            return self.high
        if self.high is None and self.start > self.low:
            return self.start
        if self.high is None and self.few:
            return self.low + 1
        # Text fills an area, so the size goes with the square root of what is too much or left over.
        known, last = (self.low, len(self.sizes) - 1) if self.high is None else (self.high, self.high - 1)
        wanted = self.sizes[known] * math.sqrt(1 / max(self.fill, 0.01))
        fitting = (index for index, size in enumerate(self.sizes) if self.low < index <= last and size <= wanted)
        return next(fitting, last)

    def learn(self, step: int, block: Block) -> None:
        """Take in how the block came out at a step."""
        self.few = block.count < FEW
        if not block.fits:
            self.low = max(step, self.low)
            if self.high is None:
                self.fill = max(block.fill, 1.0)
            return
        if self.high is None or step < self.high:
            self.high, self.fill = step, block.fill


class Bulk(NamedTuple):
    """Roughly how much a block holds: letters, and how often a line is broken off before it is full."""

    letters: int
    breaks: int


@dataclass(slots=True)
class Experience:
    """What earlier faces taught: how full a block gets by its letters and its breaks. Only for guessing.

    Letters fill an area, so they count with the square of the size; a break costs a part of a line, so it counts with
    the size itself. How much each counts is the least squares of the latest layouts.
    """

    seen: dict[tuple[str, str], list[tuple[float, float, float]]] = field(default_factory=dict)
    _held: dict[tuple[str, str], float] = field(default_factory=dict)
    _broke: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, style: str, block: Block, bulk: Bulk, size: float) -> None:
        """Remember how one block came out: in a few lines, the longest that went in and the shortest that did not."""
        if block.count < FEW:
            key, length = (style, block.name), bulk.letters * size
            if block.fits:
                self._held[key] = max(length, self._held.get(key, 0.0))
            else:
                self._broke[key] = min(length, self._broke.get(key, math.inf))
        else:
            seen = self.seen.setdefault((style, block.name), [])
            seen.append((bulk.letters * size * size, bulk.breaks * size, block.fill))
            del seen[:-KEPT]

    def guess(self, style: str, name: str, bulk: Bulk, sizes: tuple[float, ...]) -> int:
        """The step at which so much will probably fit; the first where nothing is known."""
        seen = self.seen.get((style, name))
        if not seen:
            broke = self._broke.get((style, name), math.inf)
            limit = (broke + self._held.get((style, name), broke)) / 2
            return next((index for index, size in enumerate(sizes) if bulk.letters * size <= limit), len(sizes) - 1)
        letter, broken = _weights(seen)
        fitting = (
            index
            for index, size in enumerate(sizes)
            if letter * bulk.letters * size * size + broken * bulk.breaks * size <= ROOM
        )
        return next(fitting, len(sizes) - 1)


def _weights(seen: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """How much of a block a letter and a break fill, by least squares; by letters alone where these tell nothing."""
    xx, xy, yy = sum(x * x for x, _, _ in seen), sum(x * y for x, y, _ in seen), sum(y * y for _, y, _ in seen)
    xf, yf = sum(x * fill for x, _, fill in seen), sum(y * fill for _, y, fill in seen)
    whole = xx * yy - xy * xy
    if whole > 1e-6 * xx * yy:
        letter, broken = (xf * yy - yf * xy) / whole, (yf * xx - xf * xy) / whole
        if letter > 0 and broken > 0:
            return letter, broken
    return xf / xx, 0.0


def bulk_of(html: str) -> dict[str, Bulk]:
    """How much follows the opening of each block, up to the next block."""
    marks = list(_BLOCK.finditer(html))
    ends = [mark.start() for mark in marks[1:]] + [len(html)]
    return {mark[1]: _bulk(html[mark.end() : end]) for mark, end in zip(marks, ends, strict=False)}


def _bulk(text: str) -> Bulk:
    return Bulk(max(1, len(_TAG.sub("", text))), len(_BREAK.findall(text)))
