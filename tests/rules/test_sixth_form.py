"""A new form of rule is one model, one module and one line in a table: a sixth one, made here, is known everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest

from builder.model.rules import RuleBase, RuleSet, Select
from builder.roster.operations import Add, apply
from builder.roster.resolve import Squad
from builder.rules.choices import Chooser
from builder.rules.decision_model import RowWriter
from builder.rules.evaluate import FORMS
from builder.rules.format import Formatter
from builder.rules.forms.base import RuleForm, counted
from builder.rules.judge import Judge
from builder.rules.names import Names
from builder.rules.violation import Violation
from builder.rules.wording import selection
from builder.solver.complete import Wish, complete
from builder.solver.minimal_repair import explain
from tests.rules.orchard import pack, roster
from tests.rules.slowly import slowly


class Pairs(RuleBase):
    """The model: what is selected comes in pairs."""

    type: Literal["pairs"] = "pairs"
    select: Select


class PairsForm(RuleForm):
    """The module: only what no form can do without; all else is what every form does unless it knows better."""

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """An odd number."""
        picks = self.selector.of(squad)
        many = sum(pick.count for pick in picks)
        if many % 2:
            yield self.violation("odd", "", tuple(map(counted, picks)), many)

    def sentence(self, names: Names) -> str:
        """Who comes in pairs."""
        return f"{selection(self.rule.select, names)} come in pairs"

    def message(self, violation: Violation, names: Names) -> str:
        """How many there are."""
        return f"{violation.actual} is odd"

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Twice some number."""
        half = writer.program.var(99)
        terms = [(part.many, 1) for part, _ in writer.taken(self.selector)]
        writer.program.add([*terms, (half, -2)], low=0, high=0, when=when)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    monkeypatch.setitem(FORMS, Pairs, PairsForm)
    rule = Pairs(id="pairs", title={"en": "Pairs"}, source="p. 6", select=Select())
    return Judge(replace(pack([]), rules=RuleSet.model_construct(rules=(rule,))))


def test_it_is_judged_though_it_wrote_nothing_into_the_index(judge: Judge) -> None:
    assert judge.check(roster("ada", "bo"), repaired=False).legal
    odd = judge.check(roster("ada", "bo", "cy"), repaired=False)
    assert odd.broken == {"pairs"}
    assert odd == slowly(judge, roster("ada", "bo", "cy"))


def test_it_is_told(judge: Judge) -> None:
    formatter = Formatter(judge.evaluator, "en")
    (violation,) = judge.check(roster("ada")).violations
    assert formatter.sentence(judge.evaluator.form("pairs")) == "Models come in pairs."
    assert formatter.message(violation) == "1 is odd"


def test_it_refuses_what_would_break_it(judge: Judge) -> None:
    even, odd = (
        Chooser(judge.resolve(squad), judge.evaluator)
        for squad in (roster("ada", "bo"), roster("ada"))
    )
    assert {item.rule for option in even.options() for item in option.refusals} == {"pairs"}
    assert all(not option.refusals for option in odd.options())


def test_it_is_repaired(judge: Judge) -> None:
    squad = roster("ada", "bo", "cy")
    (violation,) = judge.check(squad).violations
    assert violation.repairs
    for repair in violation.repairs:
        assert judge.check(apply(squad, *repair.operations), repaired=False).legal


def test_it_is_solved(judge: Judge) -> None:
    squad = roster("ada", "bo", "cy")
    made = explain(judge, squad)
    assert made.repairs
    assert made.repairs[0].changes == 1
    assert all(judge.check(item.outcome.roster, repaired=False).legal for item in made.repairs)
    full = complete(judge, squad, Wish(own={"ada": 1, "bo": 1, "cy": 2, "di": 1}))
    assert len(full.outcomes[0].roster.entries) % 2 == 0


def test_the_warning_of_an_even_squad_is_gone_with_one_more(judge: Judge) -> None:
    assert judge.check(apply(roster("ada"), Add("bo", Select().source)), repaired=False).legal
