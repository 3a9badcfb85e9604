"""How far each group that a rule measures is from breaking it."""

import math
from dataclasses import dataclass

from builder.rules.violation import Derived

MANY = 1_000_000
"""Stands for any number."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """One group of a rule against one bound: `left` is how far it may still go before it breaks."""

    group: str
    kind: str
    actual: int | float
    bound: Derived

    @property
    def left(self) -> int | float:
        """Room up to a maximum, surplus over a minimum; 0 for an exact number that is kept."""
        if self.kind == "max":
            return self.bound.value - self.actual
        return self.actual - self.bound.value if self.kind == "min" else -abs(self.actual - self.bound.value)


def times_left(kind: str, actual: int | float, bound: int | float, each: int | float) -> int:
    """How many times `each` may be added before the bound is broken for good."""
    if each > 0 and kind != "min":
        return max(0, math.floor((bound - actual) / each + 1e-9))
    if each < 0 and kind != "max":
        return max(0, math.floor((actual - bound) / -each + 1e-9))
    return MANY
