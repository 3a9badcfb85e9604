"""Rules and violations in words, in both languages."""

from __future__ import annotations

import pytest

from builder.rules.checker import RosterChecker
from builder.rules.format import Formatter
from tests.rules.orchard import pack, roster
from tests.rules.test_judge import BROKEN, judge_for

PACK = pack()
CHECKER = RosterChecker(PACK)
SENTENCES = {
    "points": "All cards of the roster: the sum of cost at most “Points”.",
    "one-side": "Models: different values of faction: at most 1; in force when Mode = fair.",
    "elder": "Models with the keyword Elder: exactly 1; in force when Mode = fair.",
    "rarity": "Models: at most the card's share (rarity) of “Points”, for each card.",
    "hands": (
        "Baskets use slots of their model (Arms), each of its own type; number of slots: the "
        "card's width."
    ),
    "fit": "Attached cards: only on a model that the card itself allows (only).",
    "side": "Attached cards (faction given): only on a model (faction as on the card itself).",
    "holder": "Models with the keyword Kite need a link “Holder” to a "
    "model (holds given); it must be named if"
    " more than one model fits; each carries at most its holds.",
    "spoon": "Deck cards (needs given) require in the roster: attached cards (card: as in the card's field needs).",
    "jobs": "Models: at most 2, for each Job.",
    "heads": "Models (Job: Head): exactly 1, for each Crew.",
    "heavy": "Attached cards: the sum of weight at most the card's own strength, for each line of the roster.",
    "names": "Deck cards: at most 1, for each name.",
}


def test_every_rule_has_its_sentence() -> None:
    assert set(SENTENCES) == {rule.id for rule in PACK.rules.rules}


@pytest.mark.parametrize("rule", SENTENCES)
def test_a_rule_is_a_sentence(rule: str) -> None:
    assert (
        Formatter(CHECKER.evaluator, "en").format_sentence(
            CHECKER.evaluator.get_form(rule)
        )
        == SENTENCES[rule]
    )


@pytest.mark.parametrize("lang", ["en", "ru", "de"])
@pytest.mark.parametrize("rule", BROKEN)
def test_every_violation_and_repair_can_be_reported(rule: str, lang: str) -> None:
    checker = judge_for(rule)
    formatter = Formatter(checker.evaluator, lang)
    for violation in checker.check(BROKEN[rule]).violations:
        told = formatter.format_message(violation) + formatter.format_hint(
            violation, BROKEN[rule]
        )
        assert told
        assert "{" not in told


def test_a_derived_bound_shows_its_sum() -> None:
    (violation,) = CHECKER.check(BROKEN["rarity"]).violations
    assert Formatter(CHECKER.evaluator, "en").format_message(violation) == (
        "Cy: 4, at most 3 allowed (Points 30 / 10 = 3); counted: Cy ×4"
    )
    assert Formatter(CHECKER.evaluator, "ru").format_message(violation) == (
        "Cy: 4, допустимо не больше 3 (Очки 30 / 10 = 3); посчитано: Cy ×4"
    )


def test_different_values_are_reported_with_those_who_have_them() -> None:
    (violation,) = CHECKER.check(
        roster("ada", "cy", {"card": "bo"}, mode="fair")
    ).violations[:1]
    assert "north: Ada, Cy; south: Bo" in Formatter(
        CHECKER.evaluator, "en"
    ).format_message(violation)


def test_no_slot_names_what_the_bearer_has() -> None:
    (violation,) = CHECKER.check(BROKEN["hands"]).violations
    assert Formatter(CHECKER.evaluator, "en").format_message(violation) == (
        "no slot for Pail: 2 needed in total, but Cy has 1 (left); counted: Sack (any), Pail (left)"
    )


@pytest.mark.parametrize(
    ("load", "reason"),
    [
        (["yoke"], "2 of the type left or right needed, but Bo has 1 (left, back)"),
        (["pail", "pail"], "all slots of the type left are in use (left, back)"),
        ([{"card": "pail", "slot": "back"}], "it does not fit the slot back"),
    ],
)
def test_no_slot_says_why_where_the_bearer_has_as_many_as_are_needed(
    load: list[object], reason: str
) -> None:
    found = [
        one
        for one in CHECKER.check(roster({"card": "bo", "attachments": load})).violations
        if one.rule == "hands"
    ]
    assert reason in Formatter(CHECKER.evaluator, "en").format_message(found[0])


def test_a_load_is_named_in_the_sentence_of_its_rule() -> None:
    seats = {
        "id": "seats",
        "type": "link",
        "select": {},
        "link": "holder",
        "capacity": "holds",
        "load": "weight",
    }
    checker = RosterChecker(pack([seats]))
    told = Formatter(checker.evaluator, "en").format_sentence(
        checker.evaluator.get_form("seats")
    )
    assert told.endswith("; each model counts as its weight, or as 1 if it has none.")


def test_what_is_forbidden_is_reported_as_forbidden() -> None:
    ban = {
        "id": "ban",
        "type": "limit",
        "select": {"where": {"keywords": {"has": "elder"}}},
        "measure": "count",
        "max": 0,
    }
    checker = RosterChecker(pack([ban]))
    formatter = Formatter(checker.evaluator, "en")
    assert (
        formatter.format_sentence(checker.evaluator.get_form("ban"))
        == "Models with the keyword Elder: none."
    )
    assert (
        formatter.format_message(checker.check(roster("ada")).violations[0])
        == "1, none allowed; counted: Ada"
    )
    (share,) = [
        one
        for one in CHECKER.check(roster("ada", "cy", size=9)).violations
        if one.rule == "rarity"
    ]
    assert (
        Formatter(CHECKER.evaluator, "en").format_message(share)
        == "Cy: 1, none allowed (Points 9 / 10 = 0); counted: Cy"
    )


@pytest.mark.parametrize(
    ("rule", "lang", "reason"),
    [
        ("side", "en", "it needs a model (faction: north)"),
        ("side", "ru", "носителем должна быть модель (фракция: north)"),
        ("fit", "en", "it needs a model "),
        ("fit", "ru", "носителем должна быть модель "),
    ],
)
def test_a_refused_attachment_says_whom_it_is_for(
    rule: str, lang: str, reason: str
) -> None:
    (violation,) = [
        one for one in CHECKER.check(BROKEN[rule]).violations if one.rule == rule
    ]
    assert reason in Formatter(CHECKER.evaluator, lang).format_message(violation)
