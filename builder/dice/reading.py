"""What a number of stats.yaml is for one attack on one target.

An exact spread, or nothing where a card is silent.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from builder.dice.odds import Spread, add_spreads, combine_spreads, roll_sum
from builder.model.base import Json, look_up
from builder.model.rules import Where
from builder.model.stats import Profile
from builder.model.statvalues import Cases, Compare, FieldOf, Least, Most, Product, Sum, Value
from builder.roster.resolve import SelectedCard
from builder.rules.query import compile_where

_THROW = re.compile(r"(\d{0,2})d(\d{1,3})([+-]\d{1,3})?")
_COMPARE: Mapping[str, Callable[[int, int], bool]]
_COMPARE = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
}


def parse_throw(text: str) -> Spread | None:
    """Return the spread of `3`, `d6`, `2d6` or `d3+1`; None for any other text."""
    if text.isdecimal() and len(text) <= 4:
        return make_certain(int(text))
    found = _THROW.fullmatch(text)
    if found is None:
        return None
    count, sides, more = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    if not (1 <= count <= 20 and 2 <= sides <= 100):
        return None
    return {value + more: chance for value, chance in roll_sum(count, sides).items()}


def make_certain(value: int) -> Spread:
    """Return a number that is certain."""
    return {value: Fraction(1)}


@dataclass(frozen=True, slots=True)
class Reading:
    """One attack (`own`, its fields as a card), the model that makes it, and the numbers of one target."""

    attack: SelectedCard
    model: SelectedCard
    profile: Profile

    def find_spread(self, value: Value) -> Spread | None:
        """Return the number; None where it is not stated."""
        if isinstance(value, int):
            return make_certain(value)
        if isinstance(value, str):
            return parse_throw(value)
        if isinstance(value, FieldOf):
            return self._field(value)
        if isinstance(value, Cases):
            return self._case(value)
        if isinstance(value, Sum):
            return self._sum(value)
        if isinstance(value, Product):
            return self._combine_spreads(value.product, operator.mul)
        if isinstance(value, Least | Most):
            return self._find_extreme(value)
        return None

    def find_number(self, value: Value) -> int | None:
        """Return the number where it is certain; None where it is thrown or not stated."""
        found = self.find_spread(value)
        if found is None or len(found) != 1:
            return None
        (value_found,) = found
        return value_found

    def matches_where(self, where: Where) -> bool:
        """Return True if the attack's own fields pass."""
        return compile_where(where)(self.attack, self.model)

    def _field(self, value: FieldOf) -> Spread | None:
        found = self._raw(value)
        if isinstance(found, str):
            return parse_throw(found)
        if isinstance(found, int) and not isinstance(found, bool):
            return make_certain(found)
        silent = value.otherwise is not None and found is None and value.target is None
        return make_certain(value.otherwise or 0) if silent else None

    def _raw(self, value: FieldOf) -> Json:
        if value.axis is not None:
            return self.profile.get(value.axis)
        if value.model is not None:
            return self.model.get_value(value.model)
        return look_up(self.attack.card.data, (value.attack or "").split("."))

    def _combine_spreads(
        self, values: Sequence[Value], combine: Callable[[int, int], int]
    ) -> Spread | None:
        """Return what several numbers make together; None if one of them is not stated."""
        spreads: list[Spread] = []
        for value in values:
            spread = self.find_spread(value)
            if spread is None:
                return None
            spreads.append(spread)
        return reduce(lambda first, second: combine_spreads(first, second, combine), spreads)

    def _sum(self, value: Sum) -> Spread | None:
        total = self._combine_spreads(value.sum, operator.add)
        if total is None or not value.less:
            return total
        less = self._combine_spreads(value.less, operator.add)
        if less is None:
            return None
        return add_spreads(total, {-amount: chance for amount, chance in less.items()})

    def _find_extreme(self, value: Least | Most) -> Spread | None:
        """Return the smallest or the largest of the numbers that are stated; None if none is."""
        values, select = (value.least, min) if isinstance(value, Least) else (value.most, max)
        spreads = [spread for spread in map(self.find_spread, values) if spread is not None]
        if not spreads:
            return None
        return reduce(lambda first, second: combine_spreads(first, second, select), spreads)

    def _case(self, value: Cases) -> Spread | None:
        for case in value.cases:
            asked = case.compare is None or self._holds(case.compare)
            if (
                asked
                and self.matches_where(case.where)
                and compile_where(case.bearer)(self.model, None)
            ):
                return self.find_spread(case.value)
        return self.find_spread(value.otherwise) if value.otherwise is not None else None

    def _holds(self, compare: Compare) -> bool:
        one = self.find_number(compare.value)
        wanted = {name: value for name in _COMPARE if (value := getattr(compare, name)) is not None}
        others = {name: self.find_number(value) for name, value in wanted.items()}
        return one is not None and all(
            other is not None and _COMPARE[name](one, other) for name, other in others.items()
        )
