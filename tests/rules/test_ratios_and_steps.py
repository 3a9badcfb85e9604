"""Ratios, missing cards, other cards of a kind, sums of bounds, and rising costs."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from builder.model.roster import Roster
from builder.model.rules import Bound, Limit
from builder.roster.costs import calculate_costs, calculate_next_cost
from builder.roster.operations import Add, apply_operations
from builder.roster.resolve import make_addition, resolve_roster
from builder.rules.bounds import derive_bound
from builder.rules.checker import RosterChecker
from builder.rules.choices import Chooser, Option
from builder.rules.format import Formatter
from builder.rules.names import Names
from builder.rules.removal_options import find_refusal_fix
from builder.rules.wording import format_surcharge
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster
from tests.rules.orchard import pack, roster
from tests.rules.slowly import slowly

ELDER = {"where": {"keywords": {"has": "elder"}}}
KITE = {"where": {"keywords": {"has": "kite"}}}


def checker(rule: dict[str, Any], costs: dict[str, Any] | None = None) -> RosterChecker:
    return RosterChecker(
        pack([{"id": "r", "type": "limit", "measure": "count", **rule}], costs=costs)
    )


def broken(checker: RosterChecker, squad: Roster) -> list[str]:
    verdict = checker.check(squad, repaired=False)
    assert verdict == slowly(checker, squad)
    formatter = Formatter(checker.evaluator, "en")
    return [formatter.format_message(item) for item in verdict.violations]


def option(checker: RosterChecker, squad: Roster, card: str) -> Option:
    return next(
        one
        for one in Chooser(
            resolve_roster(squad, checker.pack), checker.evaluator
        ).list_options()
        if one.card.id == card
    )


THIRD = checker({"select": ELDER, "max": {"ratio": {"share": "1/3"}}})


def test_at_most_a_third() -> None:
    assert broken(THIRD, roster("ada", "cy", "di")) == []
    assert broken(THIRD, roster("ada", "bo", {"card": "di", "count": 3})) == [
        "2, at most 1 allowed (models 5 / 3 = 1); counted: Ada, Bo"
    ]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Models with the keyword Elder: at most 1/3 of the number of models."),
        (
            "de",
            "Modelle mit dem Schlüsselwort Elder: höchstens 1/3 der Anzahl: Modelle.",
        ),
        (
            "ru",
            "Модели с ключевым словом «Старейшина»: не больше 1/3 от числа: модели.",
        ),
    ],
)
def test_a_ratio_is_a_sentence(lang: str, told: str) -> None:
    assert (
        Formatter(THIRD.evaluator, lang).format_sentence(THIRD.evaluator.get_form("r"))
        == told
    )


def test_a_ratio_refuses_no_card_but_says_what_is_needed_then() -> None:
    found = option(THIRD, roster("ada", "cy", "di"), "bo")
    assert (found.more, [item.rule for item in found.then]) == (None, ["r"])
    assert option(THIRD, roster("ada", "cy", "di"), "cy").then == ()


def test_a_ratio_is_fixed_by_more_of_the_rest_or_fewer_of_these() -> None:
    squad = roster("ada", "bo", {"card": "di", "count": 2})
    (violation,) = THIRD.check(squad).violations
    told = {
        Formatter(THIRD.evaluator, "en").format_repair(one, squad)
        for one in violation.repairs
    }
    assert {"remove Bo", "add Di ×2"} <= told
    for one in violation.repairs:
        assert THIRD.check(
            apply_operations(squad, *one.operations), repaired=False
        ).legal
    assert [
        one.changes for one in explain_illegal_roster(THIRD, squad).repairs[:1]
    ] == [1]


@pytest.mark.parametrize(
    ("share", "elders", "others", "keeps"),
    [
        ({"share": "1/3", "round": "up"}, 2, 2, True),
        ({"share": "1/3"}, 2, 2, False),
        ({"share": "2/3"}, 2, 1, True),
        ({"share": "1/1", "of": KITE}, 1, 0, False),
    ],
)
def test_a_ratio_is_rounded_as_it_says(
    share: dict[str, Any], elders: int, others: int, keeps: bool
) -> None:
    lines = [
        {"card": "ada", "count": elders},
        *([{"card": "cy", "count": others}] if others else []),
    ]
    assert (
        broken(checker({"select": ELDER, "max": {"ratio": share}}), roster(*lines))
        == []
    ) is keeps


def test_at_least_half_of_the_cost_of_each_crew() -> None:
    half = checker(
        {
            "select": ELDER,
            "per": "choice crew",
            "groups": {},
            "measure": {"sum": "cost"},
            "min": {"ratio": {"share": "1/2", "within": "group"}},
        }
    )
    red, blue = {"choices": {"crew": "red"}}, {"choices": {"crew": "blue"}}
    assert (
        broken(half, roster({"card": "ada", **red}, {"card": "cy", "count": 2, **red}))
        == []
    )
    told = broken(
        half,
        roster(
            {"card": "ada", **red},
            {"card": "bo", **blue},
            {"card": "cy", "count": 2, **blue},
        ),
    )
    assert told == [
        "Crew blue: 5, at least 5.5 needed (models 11 / 2 = 5.5); counted: Bo = 5"
    ]


def test_a_completion_keeps_a_ratio_and_spends_all() -> None:
    third = {
        "id": "r",
        "type": "limit",
        "measure": "count",
        "select": ELDER,
        "max": {"ratio": {"share": "1/3"}},
    }
    points = {
        "id": "points",
        "type": "limit",
        "select": {"from": "all"},
        "measure": {"sum": "cost"},
        "max": 12,
    }
    both = pack([third, points])
    made = find_completions(RosterChecker(both), roster("ada"), SquadRequest())
    assert made.is_proved
    assert made.squads[0].cost == 12


def test_a_rule_asks_nothing_where_what_puts_it_to_sleep_is_there() -> None:
    lone = checker({"when": {"not_exists": ELDER}, "max": 1})
    assert broken(lone, roster("cy", "di", "ada")) == []
    assert broken(lone, roster("cy", "di")) == ["2, at most 1 allowed; counted: Cy, Di"]
    assert option(lone, roster("cy"), "di").more == 0
    assert option(lone, roster("cy"), "ada").more is None
    sentence = Formatter(lone.evaluator, "en").format_sentence(
        lone.evaluator.get_form("r")
    )
    assert (
        sentence
        == "Models: at most 1; in force when there are no models with the keyword Elder."
    )
    assert explain_illegal_roster(lone, roster("cy", "di")).repairs[0].changes == 1


def needs(**parts: Any) -> RosterChecker:
    return RosterChecker(
        pack([{"id": "r", "type": "requires", "select": KITE, "needs": KITE, **parts}])
    )


def test_a_model_is_not_the_other_one_that_it_needs() -> None:
    told = "Kite needs another one of models with the keyword Kite, but there is none"
    assert broken(needs(), roster("kite")) == [told]
    assert broken(needs(), roster({"card": "kite", "count": 2})) == []
    form = needs().evaluator
    sentence = Formatter(form, "en").format_sentence(form.get_form("r"))
    assert sentence == (
        "Models with the keyword Kite require another card in the "
        "roster: models with the keyword Kite."
    )


def test_several_others_may_be_needed() -> None:
    two = needs(count=2, needs={"where": {"faction": {"eq": {"other": "faction"}}}})
    assert broken(two, roster("kite", "ada", "cy")) == []
    assert broken(two, roster("kite", "ada", "bo"))[0].endswith(", but there are 1")
    (violation,) = two.check(roster("kite")).violations
    assert all(
        two.check(apply_operations(roster("kite"), *one.operations)).legal
        for one in violation.repairs
    )
    assert explain_illegal_roster(two, roster("kite", "ada")).repairs[0].changes == 1


def test_bounds_are_added() -> None:
    bound = Bound.model_validate({"sum": [{"param": "size"}, {"field": "arms"}, 2]})
    card = pack().cards["di"]
    derived = derive_bound(bound, {"size": 30}, card)
    assert derived is not None
    assert derived.value == 34
    assert derive_bound(bound, {}, card) is None
    purse = checker(
        {
            "measure": {"sum": "cost"},
            "max": {"sum": [{"param": "size"}, {"one_per": {"each": 3, "of": "size"}}]},
        }
    )
    told = (
        "12, at most 8 allowed (Points 6 + Points 6 / 3 = 2 = 8); counted: Ada ×2 = 12"
    )
    assert broken(purse, roster({"card": "ada", "count": 2}, size=6)) == [told]
    sentence = Formatter(purse.evaluator, "en").format_sentence(
        purse.evaluator.get_form("r")
    )
    assert (
        sentence
        == "Models: the sum of cost at most “Points” + one for every 3 of “Points”."
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"measure": {"distinct": "faction"}, "max": {"ratio": {"share": "1/3"}}},
        {"measure": {"sum": "cost"}, "max": {"ratio": {"share": "1/3", "round": "up"}}},
        {"measure": "count", "max": {"sum": [1, {"ratio": {"share": "1/3"}}]}},
        {"measure": "count", "max": {"ratio": {"share": "1/0"}}},
        {"measure": "count", "max": {"ratio": {"share": "1/3"}, "number": 1}},
    ],
)
def test_what_has_no_meaning_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Limit.model_validate(
            {"id": "r", "type": "limit", "title": {"en": "R"}, "source": "1", **parts}
        )


POINTS = {"measure": {"sum": "cost"}, "max": {"param": "size"}}
COPY = checker(POINTS, {"person": [{"by": "copy", "steps": {2: 1, 3: 5}}]})
LINE = checker(POINTS, {"person": [{"by": "line", "steps": {2: 5}}]})
SIZE = checker(POINTS, {"person": [{"by": "size", "steps": {2: -1}}]})
CY, CYS = {"card": "cy", "count": 1}, {"card": "cy", "count": 3}


def spent(checker: RosterChecker, squad: Roster) -> list[float]:
    return [
        line.total
        for line in calculate_costs(resolve_roster(squad, checker.pack)).lines
    ]


@pytest.mark.parametrize(
    ("checker", "lines", "each"),
    [
        (COPY, [CY, "di", CY, CYS], [3, 2, 4, 24]),
        (LINE, [CY, "di", CY, CYS], [3, 2, 8, 14]),
        (SIZE, [CY, "di", CY, CYS], [3, 2, 3, 7]),
    ],
)
def test_further_copies_cost_what_the_steps_say(
    checker: RosterChecker, lines: list[Any], each: list[float]
) -> None:
    assert spent(checker, roster(*lines)) == each
    assert broken(checker, roster(*lines, size=sum(each))) == []
    (told,) = broken(checker, roster(*lines, size=sum(each) - 1))
    assert told.startswith(f"{sum(each)}, at most {sum(each) - 1} allowed")


def test_steps_are_reported_with_what_they_add() -> None:
    (told,) = broken(COPY, roster(CYS, size=3))
    assert told == "15, at most 3 allowed (Points: 3); counted: Cy ×3 = 15 (+6)"


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["cost +1 from copy 2 on", "cost +5 from copy 3 on (×2)"]),
        ("de", ["Kosten +1 ab dem 2. Exemplar", "Kosten +5 ab dem 3. Exemplar (×2)"]),
        (
            "ru",
            ["цена +1, начиная с экземпляра 2", "цена +5, начиная с экземпляра 3 (×2)"],
        ),
    ],
)
def test_each_step_of_a_line_is_a_remark(lang: str, told: list[str]) -> None:
    squad = resolve_roster(roster({"card": "cy", "count": 4}), COPY.pack)
    steps = squad.surcharges[id(squad.entries[0])]
    assert [format_surcharge(one, Names(COPY.pack, lang)) for one in steps] == told


@pytest.mark.parametrize(
    ("checker", "squad", "more", "cost"),
    [
        (COPY, roster(CY, size=20), 2, 4),
        (COPY, roster(CYS, size=20), 0, 8),
        (LINE, roster(CYS, size=20), 1, 8),
        (SIZE, roster(CYS, size=12), 1, 3),
        (COPY, roster("di", size=5), 1, 3),
    ],
)
def test_a_choice_knows_what_the_next_copies_cost(
    checker: RosterChecker, squad: Roster, more: int, cost: float
) -> None:
    picks = resolve_roster(squad, checker.pack)
    found = option(checker, squad, "cy")
    assert found.more == more
    assert (
        calculate_next_cost(picks, make_addition(found.card, found.source, None, picks))
        == cost
    )


def test_what_would_have_to_go_is_enough_for_what_the_copies_left_cost() -> None:
    squad = roster(CYS, "di", size=17)
    picks = resolve_roster(squad, COPY.pack)
    refused = option(COPY, squad, "ada")
    sets = find_refusal_fix(refused.refusals[0], refused, picks, COPY.evaluator).sets
    assert sets
    for removals in sets:
        assert COPY.check(
            apply_operations(squad, *removals, Add("ada", refused.source)),
            repaired=False,
        ).legal


def test_a_cheap_large_line_is_found() -> None:
    made = find_completions(SIZE, roster(size=11), SquadRequest(owned_copies={"cy": 5}))
    assert made.is_proved
    assert made.squads[0].cost == 11
    assert [(entry.card, entry.count) for entry in made.squads[0].roster.entries] == [
        ("cy", 5)
    ]


def test_no_copy_costs_less_than_nothing() -> None:
    gift = checker(POINTS, {"person": [{"by": "copy", "steps": {2: -9}}]})
    assert spent(gift, roster(CYS)) == [3]
