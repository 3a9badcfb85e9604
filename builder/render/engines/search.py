"""The search for the largest declared size at which a block's text fits; pure.

At the result the text fits, and at the next larger size it does not; both were laid out. The search
begins with the largest size: guessing from earlier faces costs more layouts than it saves. Text
that fits at a size must fit at all smaller ones, which patches/lines.py ensures.
"""

import math
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.messages import Message

MIN_LINES_TO_ESTIMATE = 4
"""Lines of a block from which its fill predicts the size that fits. Shorter blocks are tried step
by step.
"""


@dataclass(frozen=True, slots=True)
class Block:
    """A box of fixed height that contains text.

    `name` is the declared block or the element's classes. `fit` is True for a block that may
    shrink. `over` is the overflow downwards, `aside` the overflow sideways, in mm; `lines` of
    `count` lines are cut. `fill` is the used part of the height. `cell` is the text of a table's
    cell, which has no name. `fault` is a fault of the engine that causes the overflow, and `remedy`
    what helps.
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
        """True if no text extends outside the box."""
        return self.over <= 0 and self.aside <= 0


@dataclass(frozen=True, slots=True)
class TouchingCells:
    """Two neighbouring table cells with less than the width of a space between their texts.

    `gap` in mm, `box` of both.
    """

    first: str
    second: str
    gap: float
    box: Box


@dataclass(frozen=True, slots=True)
class PageMeasurements:
    """The measurements of one page: boxes of fixed height, lines, painted blocks, touching cells.

    Lengths are mm from the corner of the bleed box.
    """

    blocks: tuple[Block, ...]
    text: tuple[tuple[Box, str], ...]
    painted: tuple[PaintedBlock, ...] = ()
    touching: tuple[TouchingCells, ...] = ()


@dataclass(slots=True)
class Search:
    """A search for the largest text size that fits. A step is an index in the list of sizes.

    The text does not fit at step `low`, and fits at step `high`.
    """

    sizes: tuple[float, ...]
    low: int = -1
    high: int | None = None
    fill: float = 1.0
    has_few_lines: bool = True

    @property
    def is_finished(self) -> bool:
        """True if the size is known, or the text fits at no size."""
        return self.high == self.low + 1 or self.low == len(self.sizes) - 1

    @property
    def step(self) -> int:
        """The step to try next, or the result if the search is finished."""
        if self.low == len(self.sizes) - 1:
            return self.low
        if self.is_finished and self.high is not None:
            return self.high
        # The fill of a few lines jumps with each line, so it predicts nothing.
        if self.high is None and self.has_few_lines:
            return self.low + 1
        return self._estimate_step()

    def _estimate_step(self) -> int:
        """Return the step at which the text probably just fits."""
        if self.high is None:
            known_step = self.low
            last_step = len(self.sizes) - 1
        else:
            known_step = self.high
            last_step = self.high - 1
        # Text fills an area: its size goes with the square root of the fill.
        max_size = self.sizes[known_step] / math.sqrt(max(self.fill, 0.01))
        for step in range(self.low + 1, last_step):
            if self.sizes[step] <= max_size:
                return step
        return last_step

    def add_measurement(self, step: int, block: Block) -> None:
        """Narrow the search by how full the block is at this step."""
        self.has_few_lines = block.count < MIN_LINES_TO_ESTIMATE
        if not block.fits:
            self.low = max(step, self.low)
            if self.high is None:
                self.fill = max(block.fill, 1.0)
            return
        if self.high is None or step < self.high:
            self.high = step
            self.fill = block.fill
