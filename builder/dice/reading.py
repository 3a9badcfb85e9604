"""Read the numbers of stats.yaml for one attack on one target.

A number is an exact spread, or None if a card lacks it.
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
from builder.model.statvalues import (
    Cases,
    Compare,
    FieldOf,
    Least,
    Most,
    Product,
    Sum,
    Value,
)
from builder.roster.resolve import SelectedCard
from builder.rules.query import compile_condition

# `d6`, `2d6` or `d3+1`
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
    """Return the distribution of a throw such as "2d6" or "d3+1", or None for other texts."""
    if text.isdecimal() and len(text) <= 4:
        return make_fixed_spread(int(text))
    match = _THROW.fullmatch(text)
    if match is None:
        return None
    count = int(match[1] or 1)
    sides = int(match[2])
    bonus = int(match[3] or 0)
    # a card may hold any number: larger throws would take too long
    if not (1 <= count <= 20 and 2 <= sides <= 100):
        return None
    return {value + bonus: chance for value, chance in roll_sum(count, sides).items()}


def make_fixed_spread(value: int) -> Spread:
    """Return the distribution of a fixed number, whose chance is 1."""
    return {value: Fraction(1)}


@dataclass(frozen=True, slots=True)
class Reading:
    """An attack, its model, and the target's fields, from which values are calculated."""

    attack: SelectedCard
    model: SelectedCard
    profile: Profile

    def find_spread(self, value: Value) -> Spread | None:
        """Return the distribution of a number, or None if it is not given."""
        if isinstance(value, int):
            return make_fixed_spread(value)
        if isinstance(value, str):
            return parse_throw(value)
        if isinstance(value, FieldOf):
            return self._find_field(value)
        if isinstance(value, Cases):
            return self._find_case(value)
        if isinstance(value, Sum):
            return self._add_values(value)
        if isinstance(value, Product):
            return self._combine_spreads(value.product, operator.mul)
        if isinstance(value, Least | Most):
            return self._find_extreme(value)
        return None

    def find_number(self, value: Value) -> int | None:
        """Return a fixed number, or None if it is rolled or not given."""
        spread = self.find_spread(value)
        if spread is None or len(spread) != 1:
            return None
        (number,) = spread
        return number

    def matches_condition(self, condition: Where) -> bool:
        """Return True if the fields of the attack meet the condition."""
        return compile_condition(condition)(self.attack, self.model)

    def _find_field(self, value: FieldOf) -> Spread | None:
        content = self._read_field(value)
        if isinstance(content, str):
            return parse_throw(content)
        if isinstance(content, int) and not isinstance(content, bool):
            return make_fixed_spread(content)
        # `otherwise` is for the attacker's cards; a target without the field has no number
        if content is None and value.target is None and value.otherwise is not None:
            return make_fixed_spread(value.otherwise)
        return None

    def _read_field(self, value: FieldOf) -> Json:
        if value.axis is not None:
            return self.profile.get(value.axis)
        if value.model is not None:
            return self.model.get_value(value.model)
        return look_up(self.attack.card.data, (value.attack or "").split("."))

    def _combine_spreads(
        self, values: Sequence[Value], combine: Callable[[int, int], int]
    ) -> Spread | None:
        """Combine several numbers by a function. Return None if one of them is not given."""
        spreads = []
        for value in values:
            spread = self.find_spread(value)
            if spread is None:
                return None
            spreads.append(spread)
        return reduce(
            lambda first, second: combine_spreads(first, second, combine), spreads
        )

    def _add_values(self, value: Sum) -> Spread | None:
        total = self._combine_spreads(value.sum, operator.add)
        if total is None or not value.less:
            return total
        less = self._combine_spreads(value.less, operator.add)
        if less is None:
            return None
        return add_spreads(total, {-amount: chance for amount, chance in less.items()})

    def _find_extreme(self, value: Least | Most) -> Spread | None:
        """Return the smallest or largest of the given numbers, or None if none is given."""
        if isinstance(value, Least):
            values, select = value.least, min
        else:
            values, select = value.most, max
        spreads = [
            spread for spread in map(self.find_spread, values) if spread is not None
        ]
        if not spreads:
            return None
        return reduce(
            lambda first, second: combine_spreads(first, second, select), spreads
        )

    def _find_case(self, value: Cases) -> Spread | None:
        """Return the number of the first case whose conditions hold, or the default."""
        for case in value.cases:
            is_compared = case.compare is None or self._is_comparison_true(case.compare)
            model_matches = compile_condition(case.bearer)(self.model, None)
            if is_compared and model_matches and self.matches_condition(case.where):
                return self.find_spread(case.value)
        if value.otherwise is None:
            return None
        return self.find_spread(value.otherwise)

    def _is_comparison_true(self, compare: Compare) -> bool:
        """Return True if the number is fixed and all comparisons with fixed numbers are true."""
        number = self.find_number(compare.value)
        if number is None:
            return False
        for name, compare_numbers in _COMPARE.items():
            operand = getattr(compare, name)
            if operand is None:
                continue
            operand_number = self.find_number(operand)
            if operand_number is None or not compare_numbers(number, operand_number):
                return False
        return True
