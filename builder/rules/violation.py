"""What a judgement consists of: bounds as numbers with the way they came about, and violations, without wording."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from builder.findings import Severity
from builder.model.base import Localized, Path
from builder.model.card import Card
from builder.model.rules import Bound
from builder.roster.operations import Operation

Params = Mapping[str, int | str]
SHARE = re.compile(r"^(\d{1,9})/([1-9]\d{0,8})$")


@dataclass(frozen=True, slots=True)
class Derived:
    """A bound's value and its derivation.

    `form` is the bound's form (`number`, `param`, `field`, `one_per`, `share`, `table`); `param`, `amount` the roster
    parameter and its value, `field` the card field, `top`/`each` the fraction by which the amount is shared.
    """

    value: int | float
    form: str
    param: str = ""
    amount: int | float | str = ""
    field: str = ""
    top: int = 1
    each: int | float = 1
    round: str = ""


def derive(bound: Bound, params: Params, card: Card | None) -> Derived | None:
    """The bound for these parameters and this card; None where the card or roster states none: no limit then."""
    if bound.number is not None:
        return Derived(bound.number, "number")
    if bound.param is not None:
        amount = number(params.get(bound.param))
        return None if amount is None else Derived(amount, "param", param=bound.param, amount=amount)
    if bound.field is not None:
        value = number(card.field(bound.field)) if card is not None else None
        return None if value is None else Derived(value, "field", field=bound.field)
    if bound.table is not None and bound.by is not None:
        key = str(params.get(bound.by))
        return Derived(bound.table[key], "table", param=bound.by, amount=key) if key in bound.table else None
    return _one_per(bound, params, card) if bound.one_per is not None else _share(bound, params, card)


def number(value: object) -> int | float | None:
    """The value if it is a number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _one_per(bound: Bound, params: Params, card: Card | None) -> Derived | None:
    formula = bound.one_per
    assert formula is not None
    amount = number(params.get(formula.of))
    field = formula.each if isinstance(formula.each, str) else ""
    each = number(card.field(field)) if field and card is not None else number(formula.each)
    if amount is None or each is None or each <= 0:
        return None
    value = _whole(Fraction(amount) / Fraction(each), formula.round)
    return Derived(value, "one_per", formula.of, amount, field, each=each, round=formula.round)


def _share(bound: Bound, params: Params, card: Card | None) -> Derived | None:
    """The share that the card's field writes as `1/N`, or its whole number."""
    formula = bound.share
    assert formula is not None
    written = card.field(formula.field) if card is not None else None
    fixed = number(written)
    if fixed is not None:
        return Derived(fixed, "field", field=formula.field)
    match = SHARE.match(written) if isinstance(written, str) else None
    amount = number(params.get(formula.of))
    if match is None or amount is None:
        return None
    top, each = int(match[1]), int(match[2])
    value = _whole(Fraction(amount) * top / each, formula.round)
    return Derived(value, "share", formula.of, amount, formula.field, top, each, formula.round)


def _whole(value: Fraction, rounding: str) -> int:
    return math.ceil(value) if rounding == "up" else math.floor(value)


def broken(kind: str, actual: int | float, bound: int | float) -> bool:
    """True if a measured value breaks a bound."""
    if kind == "max":
        return actual > bound
    return actual < bound if kind == "min" else actual != bound


@dataclass(frozen=True, slots=True)
class Counted:
    """One pick that was counted: its place, its card, what it contributed, and the copies in the roster."""

    path: Path
    card: str
    amount: int | float
    count: int = 1
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """Operations that mend one violation; `clean` if the whole roster is then without errors."""

    operations: tuple[Operation, ...]
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
    source: str
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
    def place(self) -> Path:
        """Where to point: the refused pick, else the last one counted (the one that went too far)."""
        if self.subject is not None:
            return self.subject.path
        return self.counted[-1].path if self.counted else ()
