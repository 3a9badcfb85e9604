"""Violations of rules, without wording."""

from dataclasses import dataclass

from builder.findings import Severity
from builder.model.base import DataPath, Localized, Words
from builder.roster.operations import Operations
from builder.rules.bounds import DerivedBound

UNDECIDED = "undecided"
"""The kind of a violation that says that a rule could not be decided: the squad is neither legal nor illegal."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """One group of a rule against one bound: `left` is how far it may still go before it breaks."""

    group: str
    kind: str
    actual: int | float
    bound: DerivedBound

    @property
    def remaining(self) -> int | float:
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
    bound: DerivedBound | None = None
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
