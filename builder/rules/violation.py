"""Violations of rules, without wording."""

from dataclasses import dataclass

from builder.findings import Severity
from builder.model.base import DataPath, Localized, Words
from builder.roster.operations import Operations
from builder.rules.bounds import DerivedBound

UNDECIDED = "undecided"
"""The kind of a violation if a rule could not be decided: the squad is neither legal nor illegal.
"""


@dataclass(frozen=True, slots=True)
class Headroom:
    """The distance of one group of cards from one bound of a rule.

    `remaining` is how far it may change before it breaks the rule.
    """

    group: str
    kind: str
    actual: float
    bound: DerivedBound

    @property
    def remaining(self) -> float:
        """The distance to the bound, negative if it is broken.

        Of an exact number it is never above 0.
        """
        difference = self.bound.value - self.actual
        if self.kind == "max":
            return difference
        return -difference if self.kind == "min" else -abs(difference)


@dataclass(frozen=True, slots=True)
class Counted:
    """One card that a violation counts: its id, its copies, and the amount it adds.

    `value` is the value for which it was counted. `steps` is the part of the amount that cost steps
    add.
    """

    path: DataPath
    card: str
    amount: float
    count: int = 1
    value: str | None = None
    steps: float = 0


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits of a roster that fix one violation. `is_complete` if they leave no error."""

    operations: Operations
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a squad breaks one rule.

    `kind` is the way it is broken, in the words of the rule's form: `max`, `no-slot`. `group`
    distinguishes several violations of one rule: a card id, a value, the line of an entry.
    `subject` is the refused card of a rule about a single card. `host` is the id of the card whose
    slots are too few.
    """

    rule: str
    title: Localized
    source: Words
    severity: Severity
    kind: str
    group: str
    counted: tuple[Counted, ...]
    actual: float
    bound: DerivedBound | None = None
    subject: Counted | None = None
    host: str = ""
    hint: Localized | None = None
    repairs: tuple[Repair, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """A key by which a violation is recognised again after the roster was changed."""
        return (self.rule, self.group)

    @property
    def place(self) -> DataPath:
        """The path of the card to report: the refused one, else the one counted last."""
        if self.subject is not None:
            return self.subject.path
        return self.counted[-1].path if self.counted else ()
