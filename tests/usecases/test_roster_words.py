"""What a player is told of choices and repairs.

Numbers as in the file, nothing left out in silence.
"""

from __future__ import annotations

import pytest

from builder.model.roster import Roster
from builder.rules.checker import RosterChecker
from builder.rules.format import Formatter
from builder.usecases.roster.check_roster import CheckedRoster
from builder.usecases.roster.choices import Offers
from builder.usecases.roster.explain import explain_roster
from tests.rules.orchard import RULES, pack, roster

CHECKER = RosterChecker(pack())


def check_squad(squad: Roster, checker: RosterChecker = CHECKER) -> CheckedRoster:
    return CheckedRoster(
        "squad.yaml",
        (),
        "en",
        squad,
        checker,
        checker.resolve_roster(squad),
        checker.check(squad),
    )


def test_a_repair_numbers_the_lines_as_the_file_does_whatever_it_removes() -> None:
    second = {"card": "di", "name": "Second"}  # of two equal lines none has to be named
    explanation = "\n".join(
        explain_roster(check_squad(roster("bo", "ada", "kite", "di", second)))
    )
    assert "remove Bo and set “Holder” of Kite to Di #4" in explanation
    assert "remove Bo and set “Holder” of Kite to Second #5" in explanation
    assert "Di #3" not in explanation


def test_a_card_that_all_models_of_a_line_would_carry_is_not_called_impossible() -> (
    None
):
    rule = {
        "id": "one-basket",
        "type": "limit",
        "select": {"from": "attachments"},
        "measure": "count",
        "max": 1,
    }
    squad = roster({"card": "cy", "count": 2})
    pail = Offers(check_squad(squad, RosterChecker(pack([*RULES, rule]))))["pail"]
    assert not pail.open
    assert "all 2 models of the line would carry it" in pail.notes[0]
    assert "no legal squad can have this card" not in pail.notes[0]


def test_ways_beyond_those_shown_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.usecases.roster.choices.MAX_REASONS", 2)
    squad = roster("ada", "cy", "di", "kite", size=13)
    offer = Offers(check_squad(squad))["di"]
    assert "one of these must be removed: Di; Kite; and 2 more" in offer.notes[0]


def test_a_rule_that_forbids_is_not_reported_as_a_limit_that_is_reached() -> None:
    ban = {
        "id": "ban",
        "type": "limit",
        "select": {"where": {"id": "bo"}},
        "measure": "count",
        "max": 0,
    }
    lines = explain_roster(check_squad(roster("cy"), RosterChecker(pack([ban]))))
    assert lines[1].endswith(": none present, none allowed")


def test_a_card_that_two_models_carry_is_taken_from_one_that_is_named() -> None:
    rule = {
        "id": "one-basket",
        "type": "limit",
        "select": {"from": "attachments"},
        "measure": "count",
        "max": 1,
    }
    checker = RosterChecker(pack([*RULES, rule]))
    checked_squad = check_squad(
        roster(
            "ada", *({"card": card, "attachments": ["sack"]} for card in ("cy", "di"))
        ),
        checker,
    )
    assert checked_squad.verdict is not None
    assert checked_squad.roster is not None
    hint = Formatter(checker.evaluator, "en").format_hint(
        checked_squad.verdict.violations[0], checked_squad.roster
    )
    assert "remove Sack (Cy)" in hint
    assert "remove Sack (Di)" in hint
