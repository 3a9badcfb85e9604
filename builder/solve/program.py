"""A linear program over whole numbers as plain values: variables, rows, an objective. Knows no solver and no rules.

A literal is a variable of range 0..1 by its index, or its complement (`~index`) where it has to be 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Term = tuple[int, int | float]
"""A variable's index and its factor."""


@dataclass(frozen=True, slots=True)
class Row:
    """The sum of the terms lies between `low` and `high` where every literal of `when` holds."""

    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None
    when: tuple[int, ...] = ()


@dataclass
class Program:
    """The variables' ranges and the rows."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    _ors: dict[frozenset[int], int] = field(default_factory=dict)

    def var(self, high: int = 1, low: int = 0) -> int:
        """A new variable's index."""
        self.ranges.append((low, high))
        return len(self.ranges) - 1

    def add(
        self,
        terms: Iterable[Term],
        low: int | float | None = None,
        high: int | float | None = None,
        when: Sequence[int] = (),
    ) -> None:
        """A row; factors and bounds that are no whole numbers are scaled together."""
        listed = [(var, _exact(factor)) for var, factor in terms if factor]
        bounds = [None if bound is None else _exact(bound) for bound in (low, high)]
        scale = math.lcm(*(factor.denominator for _, factor in listed))
        lowest = None if bounds[0] is None else math.ceil(bounds[0] * scale)
        highest = None if bounds[1] is None else math.floor(bounds[1] * scale)
        whole = tuple((var, int(factor * scale)) for var, factor in listed)
        self.rows.append(Row(whole, lowest, highest, tuple(when)))

    def any_of(self, literals: Iterable[int]) -> int:
        """A variable that is 1 exactly where one of the variables (0..1) is."""
        key = frozenset(literals)
        if len(key) == 1:
            return next(iter(key))
        if key not in self._ors:
            found = self.var(1 if key else 0)
            self.add([*((var, 1) for var in key), (found, -1)], low=0)
            for var in key:
                self.add([(found, 1), (var, -1)], low=0)
            self._ors[key] = found
        return self._ors[key]

    def forbid(self, literal: int, when: Sequence[int] = ()) -> None:
        """The variable is 0."""
        self.add([(literal, 1)], high=0, when=when)


def _exact(value: int | float) -> Fraction:
    """A number as it was written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))
