"""How much room one rule leaves in a squad: for one more pick, and for each group as it stands."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from builder.roster.resolve import Pick, Squad, grow
from builder.rules.violation import Derived, Violation

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


class Judging(Protocol):
    """What is asked of a form of rule."""

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every violation of the rule in a squad."""

    def later(self, violation: Violation) -> bool:
        """True for a violation that further picks can mend."""


class PickRoom:
    """The room of one rule in one squad, found by judging the squad with the pick in it; forms know quicker ways."""

    def __init__(self, form: Judging, squad: Squad) -> None:
        self.judging = form
        self.squad = squad

    @cached_property
    def before(self) -> dict[tuple[str, str], int | float]:
        """What is measured where the rule is broken already, by group and kind."""
        return {(item.group, item.kind): item.actual for item in self.judging.judge(self.squad)}

    def worse(self, item: Violation) -> bool:
        """True if a violation was not there before, or is another number from its bound now."""
        was = self.before.get((item.group, item.kind))
        return was is None or item.actual != was

    def more(self, pick: Pick) -> int:
        """How many more such picks fit, each on a line of its own where it is an entry."""
        return MANY if self._refused(pick) is None else 0

    def refusal(self, pick: Pick) -> Violation:
        """The violation that one more such pick would be."""
        found = self._refused(pick)
        assert found is not None
        return found

    def _refused(self, pick: Pick) -> Violation | None:
        grown = self.judging.judge(grow(self.squad, pick))
        return next((item for item in grown if not self.judging.later(item) and self.worse(item)), None)


class EndlessRoom(PickRoom):
    """The room of a rule that one more pick never breaks for good: a further one, or a tie that is named, mends it."""

    def more(self, pick: Pick) -> int:
        """Any number."""
        return MANY
