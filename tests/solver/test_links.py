"""The solver assigns copies as the rules do.

Single carriers, lines of several copies, names where they are needed.
"""

from __future__ import annotations

from typing import Any

import pytest

from builder.model.roster import Roster
from builder.roster.operations import SetLink
from builder.rules import packing
from builder.rules.checker import RosterChecker
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster
from tests.rules.orchard import CARDS, pack, roster

POINTS: dict[str, Any] = {
    "id": "points",
    "type": "limit",
    "select": {"from": "all"},
    "measure": {"sum": "cost"},
    "max": {"param": "size"},
}


def judge_of(required: str = "several", **fields: dict[str, Any]) -> RosterChecker:
    """Return a game in which kites are held by those who hold something, each by its weight."""
    rule = {
        "id": "riders",
        "type": "link",
        "select": {"where": {"keywords": {"has": "kite"}}},
        "link": "holder",
        "target": {"holds": {"exists": True}},
        "capacity": "holds",
        "load": "weight",
        "required": required,
    }
    return RosterChecker(
        pack([POINTS, rule], [{**card, **fields.get(card["id"], {})} for card in CARDS])
    )


def test_two_models_of_one_line_are_given_a_target_each() -> None:
    checker = judge_of(cy={"holds": 1})
    made = find_completions(
        checker,
        roster({"card": "kite", "count": 2}, size=10),
        SquadRequest(avoid=frozenset({"di"})),
    )
    assert made.is_proved
    assert checker.check(made.squads[0].roster).legal
    assert (
        sum(
            entry.count for entry in made.squads[0].roster.entries if entry.card == "cy"
        )
        == 2
    )


def test_a_line_of_several_copies_is_tried_where_a_link_must_name_one() -> None:
    checker = judge_of("always", cy={"holds": 1})
    made = find_completions(
        checker,
        roster({"card": "kite", "count": 2}, size=10),
        SquadRequest(avoid=frozenset({"di", "kite"})),
    )
    assert made.squads, made.conflict
    found = made.squads[0].roster
    assert checker.check(found).legal
    assert any((entry.card, entry.count) == ("cy", 2) for entry in found.entries)


def test_no_squad_is_proved_impossible_where_one_carrier_is_too_small() -> None:
    checker = judge_of(cy={"holds": 5}, kite={"weight": 2})
    squad = roster({"card": "cy", "count": 2}, {"card": "kite", "count": 5}, size=16)
    avoided = SquadRequest(avoid=frozenset({"di"}))
    assert not find_completions(checker, squad, avoided).squads
    assert find_completions(checker, squad, avoided).is_proved
    larger = squad.model_copy(update={"params": {"size": 20}})
    made = find_completions(checker, larger, avoided)
    assert checker.check(made.squads[0].roster).legal


def test_different_loads_are_packed_into_each_copy() -> None:
    checker = judge_of(
        "never",
        cy={"holds": 10},
        kite={"weight": 4},
        ada={"weight": 3, "keywords": ["kite"]},
    )
    carriers = {"card": "cy", "id": "c", "count": 2}
    riders = [
        {"card": "kite", "count": 3, "links": {"holder": "c"}},
        {"card": "ada", "count": 2, "links": {"holder": "c"}},
    ]
    squad = roster(carriers, *riders, size=99)
    assert checker.check(squad).legal
    larger = roster(carriers, riders[0], {**riders[1], "count": 3}, size=99)
    assert not checker.check(larger).legal
    found = explain_illegal_roster(checker, larger)
    assert found.is_proved
    assert found.repairs[0].changes == 1


def test_the_cheapest_repair_names_one_of_two_that_could_change_places() -> None:
    checker = judge_of(cy={"holds": 1}, di={"holds": 1}, ada={"keywords": ["kite"]})
    squad = roster("cy", "di", "kite", "ada", size=99)
    assert not checker.check(squad).legal
    found = explain_illegal_roster(checker, squad)
    assert found.is_proved
    assert found.repairs[0].changes == 1
    assert any(
        isinstance(step, SetLink)
        for item in found.repairs
        for step in item.solved.links
    )
    for item in found.repairs:
        assert checker.check(item.solved.roster).legal


def test_nothing_is_proved_where_a_squad_is_too_large_to_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checker = judge_of(
        cy={"holds": 10},
        kite={"weight": 4},
        ada={"weight": 3, "keywords": ["kite"]},
        di={"holds": None},
    )
    squad: Roster = roster(
        {"card": "cy", "count": 2},
        {"card": "kite", "count": 2},
        {"card": "ada", "count": 4},
        size=34,
    )
    made = find_completions(checker, squad, SquadRequest())
    assert made.is_proved
    assert made.squads
    monkeypatch.setattr(packing, "MAX_MODELS_TO_PACK", 7)
    unsure = find_completions(checker, squad, SquadRequest())
    assert not unsure.squads
    assert not unsure.is_proved
