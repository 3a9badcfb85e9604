"""Every form of rule, by a roster that breaks only it.

What the violation says; what would mend it.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import process_time
from typing import Any

import pytest

from builder.model.pack import Choice
from builder.model.roster import Roster
from builder.roster.operations import SetChoice, SetLink, apply_operations
from builder.rules.checker import RosterChecker
from builder.rules.violation import Violation
from tests.rules.orchard import CARDS, MANIFEST, pack, roster
from tests.rules.slowly import slowly

CHECKER = RosterChecker(pack())
PET = {
    "name": {"en": "Pet"},
    "field": "pets",
    "items": {"tame": True},
    "where": {"id": {"ne": "ada"}},
}
PETS = MANIFEST.model_copy(
    update={
        "roster": MANIFEST.roster.model_copy(
            update={
                "choices": {
                    **MANIFEST.roster.choices,
                    "pet": Choice.model_validate(PET),
                }
            }
        )
    }
)
SLOTTED = [
    rule.model_dump(by_alias=True, exclude_unset=True)
    for rule in pack().rules.rules
    if rule.id == "holder"
]
KEEPERS = [
    {**one, "pets": {"cat": {"tame": True}, "owl": {"tame": False}}}
    if one["id"] == "bo"
    else one
    for one in CARDS
]
WITH_PETS = RosterChecker(replace(pack(SLOTTED, KEEPERS), manifest=PETS))

LEGAL: dict[str, Roster] = {
    "plain": roster("ada", "cy", {"card": "di", "count": 2}),
    "south": roster("bo", "di"),
    "feast mixes sides and needs no elder": roster("cy", "di", mode="feast"),
    "full hands": roster({"card": "ada", "attachments": ["yoke", "crown"]}),
    "an early any-arm item makes room": roster(
        {"card": "bo", "attachments": ["sack", "pail"]}
    ),
    "kites held by the only holder": roster("ada", "cy", {"card": "kite", "count": 2}),
    "kite held by the one named": roster(
        "ada", "cy", {"card": "di"}, {"card": "kite", "links": {"holder": "di"}}
    ),
    "recipe with its pail": roster(
        {"card": "ada", "attachments": ["pail"]}, deck=("jam", "pie")
    ),
    "crew with its head": roster(
        {"card": "ada", "choices": {"crew": "a", "job": "head"}},
        {"card": "cy", "choices": {"crew": "a"}},
    ),
}

BROKEN: dict[str, Roster] = {
    "points": roster("ada", "cy", {"card": "di", "count": 2}, size=12, mode="fair"),
    "one-side": roster("bo", "cy"),
    "elder": roster("cy"),
    "rarity": roster({"card": "ada"}, {"card": "cy", "count": 4}),
    "hands": roster({"card": "cy", "attachments": ["sack", "pail"]}, "ada"),
    "fit": roster("ada", {"card": "di", "attachments": ["crown"]}),
    "side": roster("bo", {"card": "di", "attachments": ["yoke"]}),
    "holder": roster("ada", "kite"),
    "spoon": roster("ada", deck=("jam",)),
    "jobs": roster(
        "ada", *({"card": "cy", "choices": {"job": "cook"}} for _ in range(3))
    ),
    "heads": roster({"card": "ada", "choices": {"crew": "a"}}),
    "heavy": roster("ada", {"card": "di", "attachments": ["sack", "sack"]}),
    "names": roster("ada", deck=("pie", "pie")),
}
TWEAKED = {
    "fit": [{"id": "di", "kind": "person", "name": "Di", "cost": 2, "arms": ["back"]}],
    "side": [
        {
            "id": "di",
            "kind": "person",
            "name": "Di",
            "cost": 2,
            "arms": ["left", "right"],
        }
    ],
}


def judge_for(rule: str) -> RosterChecker:
    other = {card["id"]: card for card in TWEAKED.get(rule, [])}
    return RosterChecker(pack(cards=[other.get(card["id"], card) for card in CARDS]))


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_roster_has_an_empty_verdict(name: str) -> None:
    verdict = CHECKER.check(LEGAL[name])
    assert verdict.legal, verdict
    assert verdict == slowly(CHECKER, LEGAL[name])


def test_every_rule_of_the_game_is_broken_somewhere() -> None:
    assert set(BROKEN) == {rule.id for rule in CHECKER.pack.rules.rules}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_roster_breaks_only_its_rule(rule: str) -> None:
    checker = judge_for(rule)
    assert checker.check(BROKEN[rule]).broken == {rule}
    assert slowly(checker, BROKEN[rule]).broken == {rule}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_repair_fixes_the_rule(rule: str) -> None:
    checker = judge_for(rule)
    (violation,) = checker.check(BROKEN[rule]).violations
    assert violation.repairs or rule == "heads"
    for repair in violation.repairs:
        after = checker.check(apply_operations(BROKEN[rule], *repair.operations))
        assert rule not in after.broken
        assert after.legal == repair.is_complete


def only(found: Roster) -> Violation:
    (violation,) = CHECKER.check(found).violations
    return violation


def test_a_bound_says_how_it_came_about() -> None:
    violation = only(BROKEN["rarity"])
    assert violation.bound is not None
    assert (violation.actual, violation.bound.value) == (4, 3)
    assert (violation.bound.amount, violation.bound.divisor, violation.bound.param) == (
        30,
        10,
        "size",
    )


def test_rarity_counts_one_per_full_part_of_the_size() -> None:
    for size, allowed in ((19, 1), (20, 2), (29, 2), (30, 3)):
        few = roster("ada", {"card": "cy", "count": allowed}, size=size)
        many = roster("ada", {"card": "cy", "count": allowed + 1}, size=size)
        assert "rarity" not in CHECKER.check(few).broken
        assert "rarity" in CHECKER.check(many).broken


def test_every_copy_of_an_entry_pays_for_what_it_carries() -> None:
    violation = only(
        roster(
            {"card": "ada", "attachments": ["sack"]},
            {"card": "di", "count": 2, "attachments": ["sack"]},
            size=12,
        )
    )
    assert (violation.rule, violation.actual) == ("points", 13)


def test_a_load_is_weighed_for_one_copy() -> None:
    assert CHECKER.check(
        roster("ada", {"card": "di", "count": 3, "attachments": ["sack"]})
    ).legal


def test_a_tie_is_asked_for_only_where_there_is_a_choice() -> None:
    violation = only(roster("ada", "cy", "di", "kite"))
    assert (violation.rule, violation.kind) == ("holder", "unnamed")
    assert [item.card for item in violation.counted] == ["cy", "di"]


def test_a_tie_to_one_who_may_not_is_refused() -> None:
    violation = only(roster("ada", "cy", {"card": "kite", "links": {"holder": "ada"}}))
    assert (violation.rule, violation.kind) == ("holder", "wrong-target")


def test_a_target_holds_no_more_than_its_room() -> None:
    violation = only(roster("ada", "di", {"card": "kite", "count": 2}))
    assert (violation.kind, violation.actual) == ("overfull", 2)
    assert violation.subject is not None
    assert violation.subject.card == "di"


def test_a_named_slot_is_respected() -> None:
    free = roster({"card": "ada", "attachments": ["sack", "pail"]})
    taken = roster(
        {"card": "ada", "attachments": [{"card": "sack", "slot": "left"}, "pail"]}
    )
    assert CHECKER.check(free).legal
    assert only(taken).kind == "no-slot"


def test_the_placement_is_named() -> None:
    squad = CHECKER.resolve_roster(
        roster({"card": "ada", "attachments": ["sack", "pail"]})
    )
    assert CHECKER.find_attachment_slots(squad) == {
        ("entries", 0, "attachments", 0): ("right",),
        ("entries", 0, "attachments", 1): ("left",),
    }


def test_what_is_not_understood_is_a_problem_and_the_rest_is_checked() -> None:
    verdict = CHECKER.check(roster("ada", "nobody", "map", {"card": "cy", "count": 4}))
    assert [problem.code for problem in verdict.problems] == [
        "unknown-card",
        "wrong-role",
    ]
    assert verdict.broken == {"rarity"}
    assert not verdict.legal


def test_every_copy_of_a_target_has_room_of_its_own() -> None:
    kites = [
        {"card": "kite", "count": count, "links": {"holder": "di"}} for count in (2, 3)
    ]
    assert CHECKER.check(roster("ada", {"card": "di", "count": 2}, kites[0])).legal
    assert only(roster("ada", {"card": "di", "count": 2}, kites[1])).kind == "overfull"


def test_equal_models_need_no_name_and_different_ones_do() -> None:
    assert CHECKER.check(roster("ada", {"card": "di", "count": 2}, "kite")).legal
    assert CHECKER.check(roster("ada", "di", "di", "kite")).legal
    for other in (
        {"card": "di", "attachments": ["sack"]},
        {"card": "di", "name": "Dot"},
    ):
        found = only(roster("ada", {"card": "di", "count": 2}, other, "kite"))
        assert (found.kind, found.actual, [item.count for item in found.counted]) == (
            "unnamed",
            3,
            [3],
        )


def test_a_load_that_is_not_stated_counts_one() -> None:
    riders = {"where": {"strength": {"exists": True}}}
    rule = {
        "id": "seats",
        "type": "link",
        "select": riders,
        "link": "holder",
        "target": {"keywords": {"has": "kite"}},
        "required": "never",
        "capacity": "arms",
        "load": "bulk",
    }
    cards = [{**card, "arms": 3} if card["id"] == "kite" else card for card in CARDS]
    cards = [{**card, "bulk": 0} if card["id"] == "ada" else card for card in cards]
    checker = RosterChecker(pack([rule], cards))
    riders = [
        {"card": card, "count": 4, "links": {"holder": "kite"}}
        for card in ("cy", "ada")
    ]
    assert checker.check(roster("kite", riders[0])).broken == {"seats"}
    assert checker.check(roster("kite", riders[1])).legal


def test_a_model_does_not_answer_its_own_need_but_another_copy_does() -> None:
    rule = {
        "id": "pair",
        "type": "requires",
        "select": {"where": {"id": "cy"}},
        "needs": {"where": {"id": "cy"}},
    }
    own = {
        "id": "own",
        "type": "requires",
        "select": {"where": {"id": "cy"}},
        "needs": {"from": "all"},
    }
    checker = RosterChecker(pack([rule]))
    assert checker.check(roster("cy")).broken == {"pair"}
    assert checker.check(roster({"card": "cy", "count": 2})).legal
    assert checker.check(roster("cy", "cy")).legal
    assert RosterChecker(pack([own])).check(roster("cy")).broken == {"own"}


@pytest.mark.parametrize(
    "line",
    [
        {"card": "cy"},
        {"card": "ada", "choices": {"job": "cook"}},
        {"card": "kite"},
        {"card": "kite", "links": {"holder": "di"}},
        {"card": "cy", "attachments": ["pail", "crown"]},
        {"card": "nobody"},
        {"card": "cy", "id": "twin"},
    ],
)
def test_a_roster_of_thousands_of_lines_is_checked_in_a_time_that_grows_with_them(
    line: dict[str, object],
) -> None:
    taken = {500: inf, 4000: inf}
    for many in (*taken, *taken, *taken):
        start = process_time()
        CHECKER.check(roster(*[line] * many, "di"))
        taken[many] = min(taken[many], process_time() - start)
    assert taken[4000] < 8 * 4 * max(taken[500], 0.01)


def test_nobody_is_tied_to_himself() -> None:
    rule = {
        "id": "pair",
        "type": "link",
        "select": {},
        "link": "holder",
        "target": {"keywords": {"has": "elder"}},
    }
    checker = RosterChecker(pack([rule]))
    assert checker.check(roster("ada")).broken == {"pair"}
    assert checker.check(roster("ada", "bo")).legal


def test_the_tightest_of_two_limits_on_one_card_counts() -> None:
    two = [
        {"id": name, "type": "limit", "per": "card", "measure": "count", "max": most}
        for name, most in (("tight", 1), ("loose", 3))
    ]
    for rules in (two, two[::-1]):
        checker = RosterChecker(pack(rules))
        assert checker.check(roster({"card": "cy", "count": 2})).broken == {"tight"}
        assert checker.check(roster({"card": "cy", "count": 4})).broken == {
            "tight",
            "loose",
        }


def test_a_least_number_of_each_card_is_asked_of_those_present() -> None:
    checker = RosterChecker(
        pack(
            [
                {
                    "id": "pairs",
                    "type": "limit",
                    "per": "card",
                    "measure": "count",
                    "min": 2,
                    "max": 4,
                }
            ]
        )
    )
    assert checker.check(roster("cy")).broken == {"pairs"}
    assert checker.check(roster({"card": "cy", "count": 2})).legal


def test_what_is_misnamed_is_found_in_a_squad_that_breaks_nothing() -> None:
    bad = {
        "unknown-choice": {"choices": {"hat": "red"}},
        "unknown-target": {"card": "kite", "links": {"holder": "zed"}},
        "empty-choice": {"choices": {"job": " "}},
        "idle-tie": {"links": {"holder": "cy"}},
        "idle-choice": {"choices": {"pet": "cat"}},
        "wrong-choice": {"card": "bo", "choices": {"pet": "owl"}},
    }
    for code, parts in bad.items():
        verdict = WITH_PETS.check(roster("cy", {"card": "ada", **parts}))
        assert [problem.code for problem in verdict.problems] == [code]
        assert not verdict.legal
    slot = {"card": "ada", "attachments": [{"card": "crown", "slot": "back"}]}
    assert [problem.code for problem in WITH_PETS.check(roster(slot)).problems] == [
        "idle-slot"
    ]
    assert CHECKER.check(roster(slot)).legal


def test_a_choice_among_the_items_of_the_own_card_knows_them() -> None:
    armed = {
        "id": "armed",
        "type": "limit",
        "select": {"where": {"id": "bo", "choice.pet": {"exists": False}}},
        "measure": "count",
        "max": 0,
    }
    checker = RosterChecker(replace(pack([armed], KEEPERS), manifest=PETS))
    assert checker.check(roster({"card": "bo", "choices": {"pet": "cat"}})).legal
    found = checker.check(roster("bo")).violations[0]
    assert SetChoice(0, "pet", "cat") in [
        step for repair in found.repairs for step in repair.operations
    ]


@pytest.mark.parametrize(
    ("rule", "squad", "step"),
    [
        (
            {
                "type": "limit",
                "select": {"where": {"choice.job": {"exists": False}}},
                "measure": "count",
                "max": 0,
            },
            roster("ada"),
            SetChoice(0, "job", "picker"),
        ),
        (
            {
                "type": "limit",
                "select": {"where": {"choice.job": {"exists": True}}},
                "measure": "count",
                "max": 0,
            },
            roster({"card": "ada", "choices": {"job": "cook"}}),
            SetChoice(0, "job", ""),
        ),
        (
            {
                "type": "link",
                "select": {"where": {"id": "kite"}},
                "link": "holder",
                "target": {"id": "cy"},
                "required": "never",
            },
            roster({"card": "kite", "links": {"holder": "di"}}, "di"),
            SetLink(0, "holder"),
        ),
    ],
)
def test_a_choice_or_a_tie_is_fixed_by_itself(
    rule: dict[str, Any], squad: Roster, step: object
) -> None:
    violation = (
        RosterChecker(pack([{"id": "asked", **rule}])).check(squad).violations[0]
    )
    assert violation.repairs[0].operations == (step,)
    assert violation.repairs[0].is_complete
