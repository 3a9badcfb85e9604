"""The search for the largest declared size at which a block's text fits. Exact whatever it starts from; pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from builder.render.measure import Block

SURE = 1.02
"""A block whose fill grows past this with the type alone, no line added, cannot fit at the larger size."""

ROOM = 0.96
"""A guess aims at this fill: a block that comes out fuller than full costs one more layout than one that does not."""

FEW = 4
"""Blocks of fewer lines are not guessed at: one word more or less changes everything."""

_BLOCK = re.compile(r"""class=["'][^"']*\bfit-([a-z0-9-]+)""")
_TAG = re.compile(r"<[^>]*>|\s+")


@dataclass(slots=True)
class Search:
    """One block's search. At step `low` it does not fit, at `high` it does."""

    sizes: tuple[float, ...]
    start: int = 0
    low: int = -1
    high: int | None = None
    fill: float = 1.0

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
        if self.high is None and self.low < 0:
            return self.start
        # Text fills an area, so the size goes with the square root of what is too much or left over.
        known, last = (self.low, len(self.sizes) - 1) if self.high is None else (self.high, self.high - 1)
        wanted = self.sizes[known] * math.sqrt(1 / max(self.fill, 0.01))
        fitting = (index for index, size in enumerate(self.sizes) if self.low < index <= last and size <= wanted)
        return next(fitting, last)

    def learn(self, step: int, block: Block) -> None:
        """Take in how the block came out at a step."""
        if not block.fits:
            self.low = max(step, self.low)
            if self.high is None:
                self.fill = max(block.fill, 1.0)
            return
        if self.high is None or step < self.high:
            self.high, self.fill = step, block.fill
        if self.high > 0 and block.fill * self.sizes[self.high - 1] / self.sizes[self.high] > SURE:
            # Larger type never needs fewer lines: the next larger size is known to fail without trying it.
            self.low = max(self.low, self.high - 1)


@dataclass(slots=True)
class Experience:
    """What earlier faces taught: how full a block gets per letter and square of the size. Only for guessing."""

    rates: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def learn(self, style: str, block: Block, letters: int, size: float) -> None:
        """Remember how one block came out; blocks with little text tell little."""
        if block.count >= FEW:
            rates = self.rates.setdefault((style, block.name), [])
            rates.append(block.fill / (letters * size * size))
            del rates[:-16]

    def guess(self, style: str, name: str, letters: int, sizes: tuple[float, ...]) -> int:
        """The step at which so many letters will probably fit; the first where nothing is known."""
        rates = self.rates.get((style, name))
        if not rates:
            return 0
        rate = sorted(rates)[len(rates) // 2]
        fitting = (index for index, size in enumerate(sizes) if rate * letters * size * size <= ROOM)
        return next(fitting, len(sizes) - 1)


def letters_of(html: str) -> dict[str, int]:
    """Roughly how many letters follow the opening of each block, up to the next block."""
    marks = list(_BLOCK.finditer(html))
    ends = [mark.start() for mark in marks[1:]] + [len(html)]
    return {mark[1]: len(_TAG.sub("", html[mark.end() : end])) for mark, end in zip(marks, ends, strict=False)}
