"""Each copy on a line is a model of its own.

Loads go into single carriers, and only what differs must be named.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from builder.model.roster import Roster
from builder.roster.resolve import resolve_roster
from builder.rules import packing
from builder.rules.checker import RosterChecker
from builder.rules.format import Formatter
from builder.rules.order import find_deployment
from builder.rules.packing import (
    CarrierGroup,
    ModelGroup,
    UndecidedPackingError,
    pack_models,
)
from builder.rules.violation import UNDECIDED, Violation
from tests.rules.compare import Comparison
from tests.rules.orchard import CARDS, RULES, pack, roster
from tests.rules.slowly import slowly

RIDERS: dict[str, Any] = {
    "id": "riders",
    "type": "link",
    "select": {"where": {"keywords": {"has": "kite"}}},
    "link": "holder",
    "target": {"holds": {"exists": True}},
    "capacity": "holds",
    "load": "weight",
}


def cards(**fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards of the game, with other fields for some."""
    return [{**card, **fields.get(card["id"], {})} for card in CARDS]


def judge_riders(required: str = "several", **fields: dict[str, Any]) -> RosterChecker:
    return RosterChecker(pack([{**RIDERS, "required": required}], cards(**fields)))


def only(checker: RosterChecker, squad: Roster) -> Violation:
    (violation,) = checker.check(squad, repaired=False).violations
    return violation


def test_a_load_is_not_divided_between_two_carriers() -> None:
    checker = judge_riders("never", cy={"holds": 5}, kite={"weight": 2})
    riders = {"card": "kite", "links": {"holder": "cy"}}
    assert checker.check(
        roster({"card": "cy", "count": 2}, {**riders, "count": 4})
    ).legal
    found = only(checker, roster({"card": "cy", "count": 2}, {**riders, "count": 5}))
    assert (found.kind, found.actual) == ("no-fit", 10)
    told = Formatter(checker.evaluator, "en").format_message(found)
    assert (
        told
        == "Cy ×2: each can take 5, and loads cannot be split. These do not fit: Kite ×5 = 10"
    )
    assert (
        only(checker, roster({"card": "cy", "count": 2}, {**riders, "count": 6})).kind
        == "overfull"
    )


def test_different_loads_are_packed_as_well_as_they_can_be() -> None:
    checker = judge_riders(
        cy={"holds": 10}, kite={"weight": 4}, ada={"weight": 3, "keywords": ["kite"]}
    )
    carriers = {"card": "cy", "count": 2}
    riders = {"card": "kite", "count": 2}, {"card": "ada", "count": 4}
    assert checker.check(roster(carriers, *riders)).legal
    found = only(checker, roster(carriers, *riders, "kite"))
    assert (found.kind, found.actual, found.bound and found.bound.value) == (
        "overfull",
        24,
        20,
    )
    two_lines = roster("cy", {"card": "cy", "name": "Cyd"}, *riders, "kite")
    assert only(checker, two_lines).kind == "no-room"


def test_copies_of_one_line_go_to_different_lines() -> None:
    checker = judge_riders(cy={"holds": 1}, di={"holds": 1})
    assert checker.check(roster("cy", "di", {"card": "kite", "count": 2})).legal
    assert checker.check(roster("cy", "cy", {"card": "kite", "count": 2})).legal
    assert only(checker, roster("cy", "di", "kite")).kind == "unnamed"
    assert (
        only(checker, roster("cy", "di", {"card": "kite", "count": 3})).kind
        == "no-room"
    )


def test_two_different_models_that_could_change_places_must_be_named_until_one_is() -> (
    None
):
    checker = judge_riders(cy={"holds": 1}, di={"holds": 1}, ada={"keywords": ["kite"]})
    kinds = [
        item.kind
        for item in checker.check(roster("cy", "di", "kite", "ada")).violations
    ]
    assert kinds == ["unnamed", "unnamed"]
    assert checker.check(
        roster("cy", "di", {"card": "kite", "links": {"holder": "di"}}, "ada")
    ).legal


def test_a_model_is_not_its_own_target_but_another_copy_of_its_line_is() -> None:
    checker = judge_riders(kite={"holds": 1, "weight": 1})
    assert only(checker, roster("kite")).kind == "no-target"
    assert checker.check(roster({"card": "kite", "count": 2})).legal
    assert checker.check(roster("kite", "kite")).legal


def test_a_squad_that_is_too_large_to_decide_is_never_legal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heavy = cards(
        cy={"holds": 10}, kite={"weight": 4}, ada={"weight": 3, "keywords": ["kite"]}
    )
    checker = RosterChecker(pack([{**RIDERS, "required": "several"}], heavy))
    squad = roster(
        {"card": "cy", "count": 2},
        {"card": "kite", "count": 2},
        {"card": "ada", "count": 4},
    )
    assert checker.check(squad).legal
    monkeypatch.setattr(packing, "MAX_MODELS_TO_PACK", 7)
    verdict = checker.check(squad)
    assert [item.kind for item in verdict.violations] == [UNDECIDED]
    assert (verdict.legal, verdict.is_undecided, verdict.broken, verdict.undecided) == (
        False,
        True,
        set(),
        {"riders"},
    )
    open_lines = roster(
        "cy",
        {"card": "cy", "name": "Cyd"},
        {"card": "kite", "count": 2},
        {"card": "ada", "count": 4},
    )
    assert checker.check(open_lines, repaired=False).undecided == {"riders"}
    assert not checker.check(open_lines, repaired=False).legal
    costly = RosterChecker(pack([*RULES[:1], {**RIDERS, "required": "several"}], heavy))
    both = costly.check(squad.model_copy(update={"params": {"size": 1}}))
    assert (both.is_undecided, both.broken, both.undecided) == (
        False,
        {"points"},
        {"riders"},
    )


def test_a_copy_follows_the_copy_that_it_is_linked_to() -> None:
    checker = RosterChecker(
        pack(cards=cards(di={"holds": 1, "cost": 3}, cy={"cost": 2}, kite={"cost": 9}))
    )
    squad = resolve_roster(
        roster({"card": "di", "count": 2}, {"card": "kite", "count": 2}), checker.pack
    )
    told = [
        (step.selected.card.id, step.copy, step.after.card.id if step.after else "")
        for step in find_deployment(squad, checker.pack)
    ]
    assert told == [("di", 1, ""), ("kite", 1, "di"), ("di", 2, ""), ("kite", 2, "di")]


def test_room_that_no_load_can_fill_is_not_left() -> None:
    checker = judge_riders(cy={"holds": 5}, kite={"weight": 2})
    squad = resolve_roster(
        roster({"card": "cy", "count": 2}, {"card": "kite", "count": 4}), checker.pack
    )
    (headroom,) = checker.evaluator.forms[0].find_headroom(squad)
    assert (headroom.actual, headroom.remaining) == (8, 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_verdicts_are_those_of_brute_force(seed: int) -> None:
    made = Comparison(seed)
    made.run(20)
    assert not made.differences, made.differences[0]


def test_the_comparison_finds_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tests.rules.compare.judge_by_trying",
        lambda *_args: pytest.importorskip("tests.rules.link_brute_force").BruteVerdict(
            {"points": "too much"}
        ),
    )
    made = Comparison(1)
    made.run(20)
    assert made.differences


def pack_by_trying(
    groups: list[ModelGroup],
    carriers: list[CarrierGroup],
    limits: dict[tuple[int, int], int],
) -> bool:
    """Return True if the models can be packed, by trying every carrier for each."""
    rooms = {
        (at, number): one.capacity
        for at, one in enumerate(carriers)
        for number in range(one.count)
    }
    own = {
        place: (group, number)
        for group, one in enumerate(groups)
        for number, place in enumerate(
            place for place in rooms if place[0] in one.own_carriers
        )
    }
    models = [
        (group, number)
        for group, one in enumerate(groups)
        for number in range(one.count)
    ]
    used = dict.fromkeys(limits, 0)

    def place_all(start: int) -> bool:
        if start == len(models):
            return True
        group, load = models[start][0], groups[models[start][0]].load
        for place, room in list(rooms.items()):
            edge = (group, place[0])
            is_open = (
                place[0] in groups[group].targets and own.get(place) != models[start]
            )
            if (
                not is_open
                or (room is not None and room < load)
                or used.get(edge, 0) >= limits.get(edge, 99)
            ):
                continue
            rooms[place] = None if room is None else room - load
            used[edge] = used.get(edge, 0) + 1
            if place_all(start + 1):
                return True
            rooms[place] = room
            used[edge] -= 1
        return False

    return place_all(0)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10_000_000))
def test_a_packing_is_found_exactly_where_there_is_one(seed: int) -> None:
    random = Random(seed)
    carriers = [
        CarrierGroup(random.randint(1, 3), random.choice([None, 0, 1, 2, 3, 4, 5, 2.5]))
        for _ in range(3)
    ]
    groups = [
        ModelGroup(random.randint(1, 3), random.choice([0, 0.5, 1, 2, 3]), targets)
        for targets in random.choices(
            [(0,), (0, 1), (0, 1, 2), (1, 2), (2,)], k=random.randint(1, 3)
        )
    ]
    if random.random() < 0.4:
        groups[0] = ModelGroup(
            carriers[0].count, groups[0].load, groups[0].targets, frozenset([0])
        )
    limits = {(0, 0): random.randint(0, 2)} if random.random() < 0.4 else {}
    found = pack_models(groups, carriers, limits)
    assert (found is not None) == pack_by_trying(groups, carriers, limits)
    loads: dict[tuple[int, int], float] = {}
    for (group, at), counts in (found or {}).items():
        assert at in groups[group].targets
        assert sum(counts) <= limits.get((group, at), 99)
        for number, count in enumerate(counts):
            assert count < groups[group].count or at not in groups[group].own_carriers
            loads[at, number] = loads.get((at, number), 0) + count * groups[group].load
    for (at, _number), load in loads.items():
        assert carriers[at].capacity is None or load <= carriers[at].capacity
    packed = [
        sum(sum(counts) for (of, _at), counts in (found or {}).items() if of == group)
        for group in range(len(groups))
    ]
    assert found is None or packed == [group.count for group in groups]


def test_a_packing_of_sixty_models_is_decided() -> None:
    for models in range(54, 61):
        groups = [ModelGroup(models // 4, 4, (0,)), ModelGroup(models // 2, 3, (0,))]
        carriers = [CarrierGroup(models - models // 4 - models // 2, 10)]
        pack_models(groups, carriers)
    with pytest.raises(UndecidedPackingError):
        pack_models(
            [ModelGroup(20, 4, (0,)), ModelGroup(40, 3, (0,))], [CarrierGroup(20, 10)]
        )


def test_the_index_names_a_rule_whose_lines_may_be_linked() -> None:
    checker = judge_riders("never", cy={"holds": 5}, kite={"weight": 2})
    squad = roster(
        {"card": "cy", "count": 2},
        {"card": "kite", "count": 5, "links": {"holder": "cy"}},
    )
    assert checker.check(squad, repaired=False) == slowly(checker, squad)
    assert checker.find_rules_to_check(checker.resolve_roster(squad)) == [0]


def test_a_model_has_one_target_for_all_rules_of_a_link() -> None:
    first = {**RIDERS, "required": "several", "target": {"id": "cy"}}
    second = {**first, "id": "others", "target": {"id": "di"}}
    checker = RosterChecker(pack([first, second]))
    verdict = checker.check(roster("cy", "di", "kite"), repaired=False)
    assert [(item.rule, item.kind) for item in verdict.violations] == [
        ("riders", "no-target"),
        ("others", "no-target"),
    ]
    sleeping = {**second, "when": {"exists": {"where": {"id": "ada"}}}}
    assert (
        RosterChecker(pack([first, sleeping])).check(roster("cy", "di", "kite")).legal
    )
