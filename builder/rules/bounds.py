"""The bounds of rules as numbers, each with its derivation."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Bound, OnePer, Select, Share

Params = Mapping[str, int | str]
# a fraction such as 1/3; its divisor has no leading zero, so it is never 0
SHARE = re.compile(r"^(\d{1,9})/([1-9]\d{0,8})$")
RANGE_KEYS = (("min", "max"), ("ge", "le"), ("gt", "lt"), ("ge", "lt"), ("gt", "le"))
"""Keys of a map that bound one number from below and above."""
EXCLUSIVE_KEYS = ("gt", "lt")
"""Keys whose bound the number may not equal."""


@dataclass(frozen=True, slots=True)
class DerivedBound:
    """The number that a rule allows or requires, and how it was calculated.

    `form` is the bound's form: `number`, `param`, `field`, `one_per`, `share`, `table`, `sum`,
    `ratio`, `slots` or `capacity`. `param` and `amount` are the roster parameter and its value. Of
    a ratio, `amount` is that of the cards that `of` selects. `field` is the card field,
    `numerator`/`divisor` the fraction of the amount. `parts` are the bounds that a sum adds.
    """

    value: float
    form: str
    param: str = ""
    amount: float | str = ""
    field: str = ""
    numerator: int = 1
    divisor: float = 1
    parts: "tuple[DerivedBound, ...]" = ()
    of: Select | None = None


def derive_bound(
    bound: Bound, params: Params, card: Card | None
) -> DerivedBound | None:
    """Return the number that a bound stands for, given the roster's parameters and one card.

    None if the card or the roster lacks it, and for a ratio, which depends on the squad.
    """
    if bound.number is not None:
        return DerivedBound(bound.number, "number")
    if bound.sum:
        return _derive_sum(bound, params, card)
    if bound.table is not None:
        return _derive_table(bound.table, bound.by or "", params)
    if bound.param is not None:
        amount = to_number(params.get(bound.param))
        return (
            None
            if amount is None
            else DerivedBound(amount, "param", bound.param, amount)
        )
    if bound.one_per is not None:
        return _derive_one_per(bound.one_per, params, card)
    if bound.share is not None:
        return _derive_share(bound.share, params, card)
    return _derive_field(bound.field or "", card)


def _derive_sum(bound: Bound, params: Params, card: Card | None) -> DerivedBound | None:
    parts = []
    for part in bound.sum:
        derived = derive_bound(part, params, card)
        if derived is None:
            return None
        parts.append(derived)
    total = sum(part.value for part in parts)
    # Hints name one parameter, so that of the first part stands for the whole sum.
    first_param = next((part.param for part in parts if part.param), "")
    return DerivedBound(total, "sum", first_param, parts=tuple(parts))


def _derive_table(
    table: Mapping[str, float], param: str, params: Params
) -> DerivedBound | None:
    row = str(params.get(param))
    if row not in table:
        return None
    return DerivedBound(table[row], "table", param, row)


def _derive_field(field: str, card: Card | None) -> DerivedBound | None:
    value = to_number(_read_field(field, card))
    return None if value is None else DerivedBound(value, "field", field=field)


def _derive_one_per(
    formula: OnePer, params: Params, card: Card | None
) -> DerivedBound | None:
    if isinstance(formula.each, str):
        field = formula.each
        divisor = to_number(_read_field(field, card))
    else:
        field = ""
        divisor = formula.each
    # a divisor of 0 stands for a missing one: such a bound is dropped
    bound = DerivedBound(0, "one_per", field=field, divisor=divisor or 0)
    return _calculate_share_of_param(formula, bound, params)


def _derive_share(
    share: Share, params: Params, card: Card | None
) -> DerivedBound | None:
    """Calculate a bound from a card field that holds a fraction such as "1/3", or a number."""
    value = _read_field(share.field, card)
    match = SHARE.match(value) if isinstance(value, str) else None
    if match is None:
        return _derive_field(share.field, card)
    numerator, divisor = int(match[1]), int(match[2])
    bound = DerivedBound(
        0, "share", field=share.field, numerator=numerator, divisor=divisor
    )
    return _calculate_share_of_param(share, bound, params)


def _read_field(field: str, card: Card | None) -> object:
    if not field or card is None:
        return None
    return card.get_field(field)


def to_number(value: object) -> float | None:
    """Return the value if it is an int or a float, else None."""
    # True and False are numbers to Python, but not in a card
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def _calculate_share_of_param(
    formula: OnePer | Share, bound: DerivedBound, params: Params
) -> DerivedBound | None:
    """Divide the roster parameter that a formula names. Return None if the roster lacks it."""
    amount = to_number(params.get(formula.of))
    if amount is None or bound.divisor <= 0:
        return None
    return divide_amount(replace(bound, param=formula.of), amount, formula.round)


def divide_amount(
    bound: DerivedBound, amount: float, rounding: str | None
) -> DerivedBound:
    """Calculate a bound as a fraction of an amount, rounded "down", "up" or not at all."""
    # by way of text, 0.1 is exactly a tenth and no bound is rounded by accident
    quotient = Fraction(str(amount)) * bound.numerator / Fraction(str(bound.divisor))
    # Whole numbers stay exact, while sums of floats depend on the order of adding.
    value: float = int(quotient) if quotient.denominator == 1 else float(quotient)
    if rounding == "up":
        value = math.ceil(quotient)
    elif rounding == "down":
        value = math.floor(quotient)
    return replace(bound, value=value, amount=amount)


def is_beyond(kind: str, actual: float, bound: float) -> bool:
    """Return True if a measured number breaks a bound of the kind "min", "max" or "exactly"."""
    if kind == "max":
        return actual > bound
    if kind == "min":
        return actual < bound
    return actual != bound


def find_empty_ranges(
    value: Mapping[str, object],
) -> Iterator[tuple[str, float, str, float]]:
    """Yield pairs of lower and upper bounds in a map that no number can satisfy together.

    An item is key, number, key, number.
    """
    for low_key, high_key in RANGE_KEYS:
        low = to_number(value.get(low_key))
        high = to_number(value.get(high_key))
        if low is None or high is None:
            continue
        excludes_bound = low_key in EXCLUSIVE_KEYS or high_key in EXCLUSIVE_KEYS
        if low > high or (excludes_bound and low == high):
            yield low_key, low, high_key, high


# The checks compare these ends, so that they need no roster to find an impossible rule.
def find_bound_ends(
    bound: Bound, pack: Pack, table_row: str = ""
) -> tuple[float, float]:
    """Return the lowest and highest number that a bound can have. Infinite if a card states it.

    `table_row` selects one row of a table.
    """
    if bound.number is not None:
        return bound.number, bound.number
    if bound.sum:
        min_sum: float = 0
        max_sum: float = 0
        for part in bound.sum:
            low, high = find_bound_ends(part, pack, table_row)
            min_sum += low
            max_sum += high
        return min_sum, max_sum
    if bound.table is not None:
        values = [value for key, value in bound.table.items() if table_row in ("", key)]
        return min(values, default=-inf), max(values, default=inf)
    param = pack.manifest.roster.params.get(bound.param or "")
    # without a parameter, the bound is that of each card
    return param.ends if param is not None else (-inf, inf)
