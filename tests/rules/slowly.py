"""A roster judged without tables: every rule asked in full.

The authority that `Judge.check` is held to.
"""

from __future__ import annotations

from builder.findings import Severity
from builder.model.roster import Roster
from builder.rules.checker import RosterChecker, RosterResult


def slowly(checker: RosterChecker, roster: Roster) -> RosterResult:
    """Return the verdict on a roster, without repairs."""
    squad = checker.resolve_roster(roster)
    return RosterResult(
        checker.find_problems(squad), tuple(checker.evaluator.find_violations(squad))
    )


def lawful(checker: RosterChecker, roster: Roster, likely: list[int]) -> bool:
    """Whether a roster is legal, of which many alike are asked.

    First what was broken by those before, in `likely`.
    """
    squad = checker.resolve_roster(roster)
    likely += [
        rule for rule in range(len(checker.evaluator.forms)) if rule not in likely
    ]
    for rule in likely:
        if any(
            found.severity is Severity.ERROR
            for found in checker.evaluator.find_rule_violations(rule, squad)
        ):
            likely.remove(rule)
            likely.insert(0, rule)
            return False
    return not checker.find_problems(squad)
