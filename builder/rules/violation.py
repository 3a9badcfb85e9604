"""What a judgement consists of: values without wording, so that a solver, a page and a report read the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from builder.findings import Severity
from builder.model.base import Localized, Path
from builder.roster.operations import Operation
from builder.rules.bounds import Derived

Kind: TypeAlias = Literal[
    "max", "min", "exactly", "no-slot", "not-allowed", "no-target", "unnamed", "wrong-target", "overfull", "needs"
]
"""How a rule is broken: beyond a bound; no slot left; a bearer that may not; a tie impossible, unnamed, wrong or
too costly; a pick that needs another."""


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

    `group` tells apart the places where one rule is broken (a card id, a value, an entry's line). `subject` is the
    pick that is refused where the rule is about a single one. `candidates` are the cards that would do.
    """

    rule: str
    title: Localized
    source: str
    severity: Severity
    kind: Kind
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
