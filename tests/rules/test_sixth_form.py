"""A new form of rule is one model, one module and one line in a table.

A sixth one, made here, is known everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest

from builder.model.rules import RuleBase, RuleSet, Select
from builder.roster.operations import Add, apply_operations
from builder.roster.resolve import Squad
from builder.rules.checker import RosterChecker
from builder.rules.choices import Chooser
from builder.rules.decision_model import ConstraintWriter
from builder.rules.evaluate import FORMS
from builder.rules.format import Formatter
from builder.rules.forms.base import RuleForm, count_card
from builder.rules.names import Names
from builder.rules.violation import Violation
from builder.rules.wording import format_selection
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster
from tests.rules.orchard import pack, roster
from tests.rules.slowly import slowly


class Pairs(RuleBase):
    """The model: what is selected comes in pairs."""

    type: Literal["pairs"] = "pairs"
    select: Select


class PairsForm(RuleForm):
    """The module: only what no form can do without.

    All else is what every form does unless it knows better.
    """

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield an odd number."""
        picks = self.selector.select_from(squad)
        many = sum(pick.count for pick in picks)
        if many % 2:
            yield self.make_violation("odd", "", tuple(map(count_card, picks)), many)

    def format_sentence(self, names: Names) -> str:
        """Who comes in pairs."""
        return f"{format_selection(self.rule.select, names)} come in pairs"

    def format_message(self, violation: Violation, names: Names) -> str:
        """How many there are."""
        return f"{violation.actual} is odd"

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Twice some number."""
        half = writer.program.add_variable(99)
        terms = [(part.copies, 1) for part, _ in writer.find_parts(self.selector)]
        writer.program.add_constraint([*terms, (half, -2)], low=0, high=0, when=when)


@pytest.fixture
def checker(monkeypatch: pytest.MonkeyPatch) -> RosterChecker:
    monkeypatch.setitem(FORMS, Pairs, PairsForm)
    rule = Pairs(id="pairs", title={"en": "Pairs"}, source="p. 6", select=Select())
    return RosterChecker(
        replace(pack([]), rules=RuleSet.model_construct(rules=(rule,)))
    )


def test_it_is_checked_though_it_wrote_nothing_into_the_index(
    checker: RosterChecker,
) -> None:
    assert checker.check(roster("ada", "bo"), repaired=False).legal
    odd = checker.check(roster("ada", "bo", "cy"), repaired=False)
    assert odd.broken == {"pairs"}
    assert odd == slowly(checker, roster("ada", "bo", "cy"))


def test_it_is_reported(checker: RosterChecker) -> None:
    formatter = Formatter(checker.evaluator, "en")
    (violation,) = checker.check(roster("ada")).violations
    assert (
        formatter.format_sentence(checker.evaluator.get_form("pairs"))
        == "Models come in pairs."
    )
    assert formatter.format_message(violation) == "1 is odd"


def test_it_refuses_what_would_break_it(checker: RosterChecker) -> None:
    even, odd = (
        Chooser(checker.resolve_roster(squad), checker.evaluator)
        for squad in (roster("ada", "bo"), roster("ada"))
    )
    assert {
        item.rule for option in even.list_options() for item in option.refusals
    } == {"pairs"}
    assert all(not option.refusals for option in odd.list_options())


def test_it_is_repaired(checker: RosterChecker) -> None:
    squad = roster("ada", "bo", "cy")
    (violation,) = checker.check(squad).violations
    assert violation.repairs
    for repair in violation.repairs:
        assert checker.check(
            apply_operations(squad, *repair.operations), repaired=False
        ).legal


def test_it_is_solved(checker: RosterChecker) -> None:
    squad = roster("ada", "bo", "cy")
    made = explain_illegal_roster(checker, squad)
    assert made.repairs
    assert made.repairs[0].changes == 1
    assert all(
        checker.check(item.solved.roster, repaired=False).legal for item in made.repairs
    )
    full = find_completions(
        checker, squad, SquadRequest(owned_copies={"ada": 1, "bo": 1, "cy": 2, "di": 1})
    )
    assert len(full.squads[0].roster.entries) % 2 == 0


def test_the_warning_of_an_even_squad_is_gone_with_one_more(
    checker: RosterChecker,
) -> None:
    assert checker.check(
        apply_operations(roster("ada"), Add("bo", Select().source)), repaired=False
    ).legal
