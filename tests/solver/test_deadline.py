"""One time limit for all searches of a request.

A pretended clock runs on by a fixed time at each solve.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from builder.roster.resolve import Squad
from builder.rules.checker import RosterChecker
from builder.solver import deadline as clocks
from builder.solver.complete import find_completions
from builder.solver.completion_model import (
    CompletionModel,
    CompletionScope,
    SquadRequest,
)
from builder.solver.conflict import Conflict
from builder.solver.cpsat import Answer, ProgramSolver
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.minimal_repair import (
    DEFAULT_REPAIRS,
    MAX_REPAIRS,
    ExplanationSearch,
    explain_illegal_roster,
)
from tests.rules.orchard import pack, roster

SECONDS_PER_SOLVE = 6.0
CHECKER = RosterChecker(pack())


class Solves:
    """Counts the solves, and lets the pretended time pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.count = 0
        self.now = 0.0
        solve = ProgramSolver.solve

        def counted(
            solver: ProgramSolver, *parts: Sequence[int], **more: object
        ) -> Answer:
            if not solver.deadline.is_over:
                self.count += 1
            answer = solve(solver, *parts, **more)  # type: ignore[arg-type]
            self.now += seconds
            return answer

        monkeypatch.setattr(ProgramSolver, "solve", counted)
        self.deadline = Deadline(
            clocks.REQUEST_TIMEOUT_SECONDS,
            clocks.REQUEST_TIMEOUT_SECONDS,
            lambda: (self.now, self.now),
        )


def test_all_searches_of_a_completion_share_one_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solves = Solves(monkeypatch, SECONDS_PER_SOLVE)
    made = find_completions(
        CHECKER, roster("ada", size=40), SquadRequest(count=20), solves.deadline
    )
    assert 1 <= solves.count <= clocks.REQUEST_TIMEOUT_SECONDS / SECONDS_PER_SOLVE + 1
    for found in made.squads:
        assert CHECKER.check(found.roster, repaired=False).legal


def test_a_completion_without_time_proves_nothing() -> None:
    made = find_completions(
        CHECKER, roster("ada", size=40), SquadRequest(), Deadline.start(0)
    )
    assert not made.squads
    assert not made.is_proved
    assert made.conflict is None


def test_a_squad_found_before_the_end_is_kept_though_more_was_to_be_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # after the first search, of 2 copies of each card, the time is over
    solves = Solves(monkeypatch, clocks.REQUEST_TIMEOUT_SECONDS)
    made = find_completions(
        CHECKER, roster(size=300, mode="feast"), SquadRequest(), solves.deadline
    )
    assert solves.count == 1
    assert [
        CHECKER.check(found.roster, repaired=False).legal for found in made.squads
    ] == [True]
    assert not made.is_proved


def test_all_searches_of_an_explanation_share_one_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    squad = roster("ada", "bo", "kite", {"card": "cy", "count": 4})
    whole = Solves(monkeypatch, 0)
    assert explain_illegal_roster(CHECKER, squad, MAX_REPAIRS, whole.deadline).is_proved
    short = Solves(monkeypatch, SECONDS_PER_SOLVE)
    made = explain_illegal_roster(CHECKER, squad, MAX_REPAIRS, short.deadline)
    assert (
        short.count
        <= clocks.REQUEST_TIMEOUT_SECONDS / SECONDS_PER_SOLVE + 1
        < whole.count
    )
    assert not made.conflict.is_proved


def test_only_the_repairs_that_are_shown_are_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checker = RosterChecker(
        pack([{"id": "four", "type": "limit", "measure": "count", "max": 4}])
    )
    squad = roster("ada", "bo", "cy", "di", "kite")
    monkeypatch.setattr(
        ExplanationSearch, "find_conflict", lambda _self: Conflict((), True)
    )
    solves = Solves(monkeypatch, 0)
    shown = explain_illegal_roster(checker, squad, DEFAULT_REPAIRS, solves.deadline)
    # one search for each repair
    assert solves.count == DEFAULT_REPAIRS
    every = explain_illegal_roster(checker, squad, MAX_REPAIRS, solves.deadline)
    assert (len(shown.repairs), len(every.repairs)) == (DEFAULT_REPAIRS, 5)
    assert shown.has_more
    assert shown.is_proved
    assert every.repairs[:DEFAULT_REPAIRS] == shown.repairs


def test_a_share_ends_earlier_and_leaves_the_rest() -> None:
    whole = Deadline(20.0, 60.0, lambda: (4.0, 20.0))
    assert whole.share(1 / 4).remaining() == (4.0, 10.0)
    assert whole.remaining() == (16.0, 40.0)
    over = Deadline(3.0, 60.0, lambda: (4.0, 20.0))
    assert over.remaining() == (0.0, 40.0)
    with pytest.raises(SearchTimeout):
        over.share(1 / 2).check()


def test_a_squad_that_cannot_be_legal_is_proved_without_a_model_of_all_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model of all rules and many copies of each card takes up to a minute if large."""
    built: list[tuple[int, bool]] = []
    prepare = CompletionModel.__init__

    def record_scope(
        model: CompletionModel,
        checker: RosterChecker,
        squad: Squad,
        request: SquadRequest,
        scope: CompletionScope,
        deadline: Deadline,
    ) -> None:
        built.append((scope.max_copies, scope.only_rules is None))
        prepare(model, checker, squad, request, scope, deadline)

    monkeypatch.setattr(CompletionModel, "__init__", record_scope)
    two_elders = find_completions(
        CHECKER, roster("ada", {"card": "bo", "count": 2}, mode="fair"), SquadRequest()
    )
    assert two_elders.conflict is not None
    assert two_elders.conflict.is_proved
    assert two_elders.is_proved
    assert built == [(2, True), (0, True), (12, False)]


def test_more_copies_are_tried_before_a_squad_is_called_impossible() -> None:
    """Without additions the rule and the card conflict; with four more cooks they do not."""
    five = {
        "id": "five",
        "type": "limit",
        "select": {"where": {"id": "cy"}},
        "measure": "count",
        "min": 5,
    }
    made = find_completions(RosterChecker(pack([five])), roster("cy"), SquadRequest())
    assert made.conflict is None
    assert made.squads


def test_a_choice_that_stays_is_named_in_the_conflict() -> None:
    idle = {
        "id": "no-cooks",
        "type": "limit",
        "select": {"where": {"choice.job": "cook"}},
        "measure": "count",
        "max": 0,
    }
    made = find_completions(
        RosterChecker(pack([idle])),
        roster({"card": "cy", "choices": {"job": "cook"}}),
        SquadRequest(),
    )
    assert made.conflict is not None
    assert made.conflict.is_proved
    assert {(item.kind, item.name) for item in made.conflict.demands} >= {
        ("choice", "job=cook"),
        ("rule", "no-cooks"),
    }
