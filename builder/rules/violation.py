"""What a judgement consists of: bounds as numbers with the way they came about, and violations, without wording."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from builder.findings import Severity
from builder.model.base import DataPath, Localized, Words
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Bound, OnePer, Select, Share
from builder.roster.operations import Operations

Params = Mapping[str, int | str]
UNDECIDED = "undecided"
"""The kind of a violation that says that a rule could not be decided: the squad is neither legal nor illegal."""
SHARE = re.compile(r"^(\d{1,9})/([1-9]\d{0,8})$")


@dataclass(frozen=True, slots=True)
class Derived:
    """A bound's value and its derivation.

    `form` is the bound's form (`number`, `param`, `field`, `one_per`, `share`, `table`, `sum`, `ratio`); `param`,
    `amount` the roster parameter (of a ratio the picks `of` which a part counts) and its value, `field` the card field,
    `top`/`each` the fraction by which the amount is shared, `parts` what a sum adds.
    """

    value: int | float
    form: str
    param: str = ""
    amount: int | float | str = ""
    field: str = ""
    top: int = 1
    each: int | float = 1
    parts: "tuple[Derived, ...]" = ()
    of: Select | None = None


def derive(bound: Bound, params: Params, card: Card | None) -> Derived | None:
    """The bound for these parameters and this card; None where the card or roster states none: no limit then.

    A ratio is none by itself: it hangs on the squad.
    """
    if bound.sum:
        parts = tuple(
            derived for part in bound.sum if (derived := derive(part, params, card)) is not None
        )
        told = Derived(
            sum(part.value for part in parts),
            "sum",
            next((p.param for p in parts if p.param), ""),
            parts=parts,
        )
        return told if len(parts) == len(bound.sum) else None
    if bound.number is not None:
        return Derived(bound.number, "number")
    if bound.table is not None and bound.by is not None:
        key = str(params.get(bound.by))
        return Derived(bound.table[key], "table", bound.by, key) if key in bound.table else None
    if bound.param is not None:
        amount = number(params.get(bound.param))
        return None if amount is None else Derived(amount, "param", bound.param, amount)
    path = next(iter(bound.card_fields), "")
    written = card.field(path) if path and card is not None else None
    if bound.one_per is not None:
        each = number(written if path else bound.one_per.each)
        return _divided(bound.one_per, Derived(0, "one_per", field=path, each=each or 0), params)
    fixed = number(written)
    if fixed is not None:
        return Derived(fixed, "field", field=path)
    match = SHARE.match(written) if bound.share is not None and isinstance(written, str) else None
    if bound.share is None or match is None:
        return None
    return _divided(
        bound.share, Derived(0, "share", field=path, top=int(match[1]), each=int(match[2])), params
    )


def number(value: object) -> int | float | None:
    """The value if it is a number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _divided(formula: OnePer | Share, bound: Derived, params: Params) -> Derived | None:
    """The bound as so much of the formula's parameter, in whole numbers."""
    amount = number(params.get(formula.of))
    if amount is None or bound.each <= 0:
        return None
    return divided(replace(bound, param=formula.of), amount, formula.round)


def divided(bound: Derived, amount: int | float, rounding: str | None) -> Derived:
    """The bound as its share of an amount, rounded `down` or `up`."""
    value = Fraction(str(amount)) * bound.top / Fraction(str(bound.each))
    exact = int(value) if value.denominator == 1 else float(value)
    whole = {"up": math.ceil(value), "down": math.floor(value)}.get(rounding or "", exact)
    return replace(bound, value=whole, amount=amount)


def broken(kind: str, actual: int | float, bound: int | float) -> bool:
    """True if a measured value breaks a bound."""
    if kind == "max":
        return actual > bound
    return actual < bound if kind == "min" else actual != bound


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
        return (
            self.actual - self.bound.value
            if self.kind == "min"
            else -abs(self.actual - self.bound.value)
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """One pick that was counted: its place, its card, what it contributed, the copies in the roster, and of what it
    contributed so much as steps in the costs made."""

    path: DataPath
    card: str
    amount: int | float
    count: int = 1
    value: str | None = None
    steps: int | float = 0


@dataclass(frozen=True, slots=True)
class Repair:
    """Operations that mend one violation; `clean` if the whole roster is then without errors."""

    operations: Operations
    clean: bool
    cost: int | float
    """What the roster's total changes by."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule broken once.

    `kind` is how: `max`, `no-slot`, ... as the rule's form calls it. `group` tells apart the places where one rule is
    broken (a card id, a value, an entry's line). `subject` is the pick that is refused where the rule is about a single
    one. `candidates` are the cards that would do.
    """

    rule: str
    title: Localized
    source: Words
    severity: Severity
    kind: str
    group: str
    counted: tuple[Counted, ...]
    actual: int | float
    bound: Derived | None = None
    subject: Counted | None = None
    candidates: tuple[str, ...] = ()
    hint: Localized | None = None
    repairs: tuple[Repair, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The same violation in a changed roster has the same key."""
        return (self.rule, self.group)

    @property
    def place(self) -> DataPath:
        """Where to point: the refused pick, else the last one counted (the one that went too far)."""
        if self.subject is not None:
            return self.subject.path
        return self.counted[-1].path if self.counted else ()


RANGE_KEYS = (
    ("min", "max", False),
    ("ge", "le", False),
    ("gt", "lt", True),
    ("ge", "lt", True),
    ("gt", "le", True),
)
"""Keys of a map that bound one number from below and above; True where it may not be either bound."""


def empty_ranges(value: Mapping[str, object]) -> Iterator[tuple[str, float, str, float]]:
    """Each pair of keys of a map that bounds one number from both sides and leaves none: key, number, key, number."""
    for least, most, between in RANGE_KEYS:
        low, high = number(value.get(least)), number(value.get(most))
        if low is not None and high is not None and (low > high or (between and low == high)):
            yield least, low, most, high


def bound_ends(bound: Bound, pack: Pack, row: str = "") -> tuple[float, float]:
    """Between what a bound can lie: the numbers stated, or all that a parameter allows; all there are for a field."""
    if bound.number is not None:
        return bound.number, bound.number
    if bound.sum:
        ends = [bound_ends(part, pack, row) for part in bound.sum]
        return sum(low for low, _high in ends), sum(high for _low, high in ends)
    if bound.table is not None:
        found = (
            [bound.table[row]] if row in bound.table else [] if row else list(bound.table.values())
        )
        return (min(found), max(found)) if found else (-inf, inf)
    param = pack.manifest.roster.params.get(bound.param or "")
    return param.ends if param is not None else (-inf, inf)
