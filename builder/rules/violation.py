"""What a judgement consists of: values without wording, so that a solver, a page and a report read the same."""

from __future__ import annotations

from dataclasses import dataclass

from builder.findings import Severity
from builder.model.base import Localized, Path
from builder.roster.operations import Operation
from builder.rules.bounds import Derived


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
