"""The nearest repairs of a violation: candidate changes, each tried on the roster and kept only if it mends it.

Nearest means: leaves the fewest other errors, then the fewest changes, then the smallest change of cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from builder.findings import Severity
from builder.model.roster import Roster
from builder.roster.costs import costs
from builder.roster.operations import Remove, apply
from builder.roster.resolve import Squad, resolve
from builder.rules.candidates import Candidate
from builder.rules.evaluate import Evaluator
from builder.rules.violation import Repair, Violation

Judged: TypeAlias = Callable[[Roster], tuple[int, Sequence[Violation]]]
"""How many problems a roster has, and its violations."""
SHOWN = 3
TRIED = 60
"""How many repairs are shown and how many candidates are tried at most."""


def repairs(violation: Violation, squad: Squad, evaluator: Evaluator, judged: Judged) -> tuple[Repair, ...]:
    """The nearest repairs, best first; none if no small change mends it. `judged` judges a changed roster."""
    form = evaluator.form(violation.rule)
    before = costs(squad).total
    # lines may move, so places broken are counted, not compared
    was = sum(item.rule == violation.rule for item in judged(squad.roster)[1])
    tried: list[tuple[int, int, float, int, Repair]] = []
    seen: set[Candidate] = set()
    for number, candidate in enumerate(form.repairs(violation, squad, evaluator.domains)):
        if number >= TRIED:
            break
        if not candidate or candidate in seen:
            continue
        seen.add(candidate)
        changed = apply(squad.roster, *candidate)
        problems, found = judged(changed)
        errors = [item for item in found if item.severity is Severity.ERROR]
        left = len(errors) + problems
        if sum(item.rule == violation.rule for item in found) < was:
            change = costs(resolve(changed, evaluator.pack)).total - before
            tried.append((left, _size(candidate), abs(change), number, Repair(candidate, left == 0, change)))
    return tuple(repair for *_, repair in sorted(tried, key=lambda item: item[:4])[:SHOWN])


def _size(candidate: Candidate) -> int:
    """How many cards change hands."""
    return sum(step.count if isinstance(step, Remove) else 1 for step in candidate)
