"""The search for the largest declared size at which a block's text fits; pure.

The answer fits and the next larger size does not, both laid out. It begins with the largest: to guess at a smaller one
by what earlier faces held costs more layouts than it saves. What fits at a size has to fit at all smaller ones; see to
it that lines are filled (patches/lines.py).
"""

import math
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.messages import Message

FEW = 4
"""Blocks of fewer lines are set smaller step by step: how full they are tells little."""


@dataclass(frozen=True, slots=True)
class Block:
    """One box of fixed height that holds text.

    `name` is the declared block or the element's classes; `fit` is True for a block that may shrink. `over` is what
    sticks out downwards, `aside` what sticks out sideways, in mm; `lines` how many lines are cut of `count`; `fill` the
    used part of the height. `cell` is the text of a table's cell, which is named by it. `fault` says what the engine
    itself did wrong, and `remedy` what helps.
    """

    name: str
    fit: bool
    over: float
    aside: float
    lines: int
    fill: float
    box: Box
    count: int = 0
    cell: str = ""
    fault: Message | None = None
    remedy: str = ""

    @property
    def fits(self) -> bool:
        """True if nothing sticks out."""
        return self.over <= 0 and self.aside <= 0


@dataclass(frozen=True, slots=True)
class TouchingCells:
    """Two neighbouring cells of a row whose texts have less than a space between them: `gap` in mm, `box` of both."""

    first: str
    second: str
    gap: float
    box: Box


@dataclass(frozen=True, slots=True)
class Measured:
    """What one page holds: its fixed boxes, the extent of all its lines (mm, from the bleed box's corner), what is
    painted of its blocks, and cells of tables that run together.
    """

    blocks: tuple[Block, ...]
    text: tuple[tuple[Box, str], ...]
    painted: tuple[PaintedBlock, ...] = ()
    touching: tuple[TouchingCells, ...] = ()


@dataclass(slots=True)
class Search:
    """One block's search. At step `low` it does not fit, at `high` it does."""

    sizes: tuple[float, ...]
    low: int = -1
    high: int | None = None
    fill: float = 1.0
    few: bool = True

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
        if self.high is None and self.few:
            return self.low + 1
        # Text fills an area, so the size goes with the square root of what is too much or left over.
        known, last = (
            (self.low, len(self.sizes) - 1) if self.high is None else (self.high, self.high - 1)
        )
        wanted = self.sizes[known] * math.sqrt(1 / max(self.fill, 0.01))
        fitting = (
            index
            for index, size in enumerate(self.sizes)
            if self.low < index <= last and size <= wanted
        )
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
