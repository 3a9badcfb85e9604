"""What may be added: held to the judge for random squads, and told with reasons."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st

from builder.findings import Severity
from builder.model.roster import Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Add, apply_operations
from builder.roster.resolve import resolve_roster
from builder.rules.checker import RosterChecker
from builder.rules.choice_domains import CUSTOM_WORD
from builder.rules.choices import Chooser, Option
from builder.rules.forms.slots import SlotsForm
from builder.rules.removal_options import RefusalFix, find_refusal_fix
from tests.rules.orchard import JOBS, RULES, pack, roster
from tests.rules.slowly import slowly
from tests.rules.strategies import rosters

CHECKER = RosterChecker(pack())
WAKING: dict[str, Any] = {
    "id": "few",
    "type": "limit",
    "measure": "count",
    "max": 2,
    "when": {"exists": {"where": {"keywords": {"has": "kite"}}}},
}
WAKEFUL = RosterChecker(pack([*RULES, WAKING]))
STEPPED = RosterChecker(
    pack(
        costs={
            "person": [
                {"by": "copy", "steps": {2: 1, 3: 4}},
                {"by": "line", "steps": {3: 2}},
            ],
            "basket": [{"by": "copy", "steps": {2: 1}}],
        }
    )
)


ELSEWHERE = ("no-slot", "wrong-target")
"""Counted below by what is left over; the fault of a tie, not of the addition."""


def excess(checker: RosterChecker, squad: Roster) -> dict[tuple[str, str, str], float]:
    """Return what is broken beyond any further addition's help, and how far."""
    found = slowly(checker, squad).violations
    told = {
        (item.rule, item.group, item.kind): item.actual
        for item in found
        if item.severity is Severity.ERROR and item.kind not in ELSEWHERE
        if not checker.evaluator.get_form(item.rule).is_fixed_by_additions(item)
    }
    for form in checker.evaluator.forms:
        if isinstance(form, SlotsForm):
            loads = form.assign_slots_by_entry(resolve_roster(squad, checker.pack))
            told |= {
                ("slots", str(entry.line), "left"): len(place.unplaced)
                for entry, _, place in loads
                if place.unplaced
            }
    return told


def grown(squad: Roster, option: Option, times: int) -> Roster:
    for _ in range(times):
        squad = apply_operations(squad, Add(option.card.id, option.source, option.line))
    return squad


def worse(checker: RosterChecker, before: Roster, after: Roster) -> bool:
    was, now = excess(checker, before), excess(checker, after)
    # a new target that is too small for all who lacked one is mended by another target
    new = {f"held.{line}" for line in range(len(before.entries), len(after.entries))}
    now = {key: amount for key, amount in now.items() if key[1] not in new}
    return any(key not in was or amount > was[key] for key, amount in now.items())


@settings(max_examples=40, deadline=None)
@given(rosters(pack(), most=3), st.sampled_from([CHECKER, WAKEFUL, STEPPED]))
def test_as_many_may_be_added_as_make_nothing_worse_and_not_one_more(
    squad: Roster, checker: RosterChecker
) -> None:
    for option in Chooser(
        resolve_roster(squad, checker.pack), checker.evaluator
    ).list_options():
        many = 3 if option.more is None else min(option.more, 6)
        told = (option.card.id, option.line, option.more)
        assert not worse(checker, squad, grown(squad, option, many)), told
        if option.more is not None and option.more <= 6:
            assert worse(checker, squad, grown(squad, option, many + 1)), told
        assert bool(option.refusals) == (option.more == 0), told


@settings(max_examples=40, deadline=None)
@given(rosters(pack(), most=3))
def test_what_would_have_to_go_makes_room_for_that_rule(squad: Roster) -> None:
    for option in Chooser(
        resolve_roster(squad, CHECKER.pack), CHECKER.evaluator
    ).list_options():
        for item in option.refusals:
            for removals in CHECKER.evaluator.get_form(item.rule).find_removals(
                item, option.place, option.card
            ):
                if any(
                    len(step.path) == 2 and step.path[1] == option.line
                    for step in removals
                ):
                    continue
                after = apply_operations(
                    squad, *removals, Add(option.card.id, option.source, option.line)
                )
                key = "" if item.kind == "no-slot" else item.group
                left = [
                    found
                    for found in slowly(CHECKER, after).violations
                    if found.rule == item.rule
                ]
                if len(item.group) and not item.group.isdigit():
                    assert not [found for found in left if found.group == key], (
                        item,
                        removals,
                    )


def option_of(squad: Roster, card: str, line: int = -1) -> Option:
    options = Chooser(
        resolve_roster(squad, CHECKER.pack), CHECKER.evaluator
    ).list_options()
    return next(
        option for option in options if (option.card.id, option.line) == (card, line)
    )


def test_a_refusal_names_every_rule_in_the_way() -> None:
    squad = roster("ada", size=10)
    assert [item.rule for item in option_of(squad, "bo").refusals] == [
        "points",
        "one-side",
        "elder",
    ]
    assert option_of(squad, "di").more == 1
    assert option_of(squad, "cy").more == 1


def test_what_an_addition_would_need_is_reported_and_does_not_refuse_it() -> None:
    squad = roster("ada", "cy", "di")
    option = option_of(squad, "kite")
    assert option.more == 7
    assert [(item.rule, item.kind) for item in option.then] == [("holder", "unnamed")]


def test_slots_are_matched_anew_for_each_copy() -> None:
    squad = roster({"card": "ada", "attachments": ["sack"]})
    assert option_of(squad, "pail", 0).more == 1
    assert option_of(squad, "crown", 0).more == 1
    assert option_of(squad, "yoke", 0).more == 1


def test_who_could_carry_a_card_follows_from_the_rules() -> None:
    assert CHECKER.evaluator.find_hosts(CHECKER.pack.cards["crown"]) == ("ada", "bo")
    assert option_of(roster("cy"), "crown", 0).source is Source.ATTACHMENTS


COMPANY: list[dict[str, Any]] = [
    {
        "id": "job-named",
        "type": "limit",
        "select": {"where": {"choice.job": {"exists": False}}},
        "measure": "count",
        "max": 0,
    },
    {
        "id": "one-cook",
        "type": "limit",
        "select": {"where": {"choice.job": "cook"}},
        "measure": "count",
        "max": 1,
    },
    {
        "id": "crew-of-heads",
        "type": "limit",
        "select": {"where": {"choice.job": "head", "choice.crew": {"exists": False}}},
        "measure": "count",
        "max": 0,
    },
]
NAMED = RosterChecker(pack(COMPANY))


def chosen(checker: RosterChecker, squad: Roster, card: str) -> list[Option]:
    options = Chooser(
        resolve_roster(squad, checker.pack), checker.evaluator
    ).list_options()
    return [option for option in options if option.card.id == card]


def test_a_card_that_needs_a_choice_is_offered_with_each_choice_that_lets_it_in() -> (
    None
):
    cook = {"card": "ada", "choices": {"job": "cook"}}
    assert [dict(option.choices) for option in chosen(NAMED, roster(cook), "bo")] == [
        {"job": "picker"}
    ]
    both = chosen(NAMED, roster(), "bo")
    assert [(option.choices["job"], option.more) for option in both] == [
        ("picker", None),
        ("cook", 1),
    ]


def test_two_choices_are_made_where_one_is_not_enough() -> None:
    heads = {
        "id": "heads-only",
        "type": "limit",
        "select": {"where": {"none": [{"choice.job": "head"}]}},
        "measure": "count",
        "max": 0,
    }
    checker = RosterChecker(pack([*COMPANY, heads]))
    option = chosen(checker, roster(), "bo")[0]
    assert dict(option.choices) == {"crew": CUSTOM_WORD, "job": "head"}
    assert option.more is None


def test_a_refusal_that_no_choice_fixes_is_the_only_one_reported() -> None:
    dear = {"id": "points", "type": "limit", "measure": {"sum": "cost"}, "max": 5}
    option = chosen(RosterChecker(pack([*COMPANY, dear])), roster(), "ada")[0]
    assert [item.rule for item in option.refusals] == ["points"]
    assert option.choices == {}


def test_cards_that_come_several_to_a_line_are_counted_by_full_lines() -> None:
    trios = {
        "id": "trio",
        "type": "limit",
        "per": "entry",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "exactly": 3,
    }
    points = {"id": "points", "type": "limit", "measure": {"sum": "cost"}, "max": 17}
    option = chosen(RosterChecker(pack([trios, points])), roster(), "kite")[0]
    assert (option.more, option.bundle, option.then) == (6, 3, ())
    few = RosterChecker(pack([trios, {**points, "max": 5}]))
    assert [item.actual for item in chosen(few, roster(), "kite")[0].refusals] == [6]


def found(
    checker: RosterChecker, squad: Roster, card: str, line: int = -1
) -> RefusalFix:
    picks = resolve_roster(squad, checker.pack)
    options = Chooser(picks, checker.evaluator).list_options()
    option = next(
        option for option in options if (option.card.id, option.line) == (card, line)
    )
    return find_refusal_fix(option.refusals[0], option, picks, checker.evaluator)


def test_a_rule_that_sleeps_without_a_card_is_fixed_by_taking_that_card_out() -> None:
    checker = RosterChecker(
        pack(
            [
                {
                    "id": "no-cost",
                    "type": "limit",
                    "select": {"where": {"id": "bo"}},
                    "measure": "count",
                    "max": 0,
                    "when": {"exists": {"from": "deck"}},
                }
            ]
        )
    )
    made = found(checker, roster("ada", deck=("pie",)), "bo")
    assert [(step.card, step.path) for step in made.dormant] == [("pie", ("deck", 0))]
    assert made.sets == ()


def test_another_choice_of_the_squads_models_is_reported_where_it_lets_a_card_in() -> (
    None
):
    stray = {
        "id": "named",
        "type": "limit",
        "select": {"where": {"choice.job": {"exists": False}}},
        "measure": "count",
        "max": 0,
        "when": {"exists": {"from": "deck"}},
    }
    made = found(RosterChecker(pack([stray])), roster("ada", "bo"), "pie")
    assert {(line, name) for line, name, _ in made.choice_changes} == {
        (0, "job"),
        (1, "job"),
    }
    assert sum(step.count for removals in made.sets for step in removals) == 2


def test_what_no_squad_may_have_is_said_to_be_so() -> None:
    never = {
        "id": "never",
        "type": "limit",
        "select": {"where": {"id": "bo"}},
        "measure": "count",
        "max": 0,
    }
    assert found(RosterChecker(pack([never])), roster("ada"), "bo").alone
    size = {
        "id": "points",
        "type": "limit",
        "measure": {"sum": "cost"},
        "max": {"param": "size"},
    }
    made = found(RosterChecker(pack([size])), roster(size=3), "bo")
    assert (made.alone, made.param) == (True, "size")


def test_several_attachments_that_must_go_together_are_reported_together() -> None:
    squad = roster({"card": "bo", "attachments": ["sack", "sack"]})
    slots = {
        "id": "hands",
        "type": "slots",
        "select": {"from": "attachments"},
        "slots": "arms",
        "size": "width",
    }
    made = found(RosterChecker(pack([slots])), squad, "yoke", 0)
    assert [[step.card for step in removals] for removals in made.sets] == [
        ["sack", "sack"]
    ]


EMPLOYED = RosterChecker(pack([*RULES, *JOBS]))


@settings(max_examples=30, deadline=None)
@given(rosters(pack(), most=3))
def test_a_card_is_refused_only_if_no_choice_lets_it_in(squad: Roster) -> None:
    options = list(
        Chooser(resolve_roster(squad, EMPLOYED.pack), EMPLOYED.evaluator).list_options()
    )
    for card in ("ada", "bo", "cy", "di", "kite"):
        open_ = any(option.card.id == card and option.more != 0 for option in options)
        ways = ({}, *({"job": job} for job in ("picker", "cook", "head")))
        added = [Entry(card=card, choices=way) for way in ways]
        grown_ = (
            squad.model_copy(update={"entries": (*squad.entries, entry)})
            for entry in added
        )
        assert open_ == any(not worse(EMPLOYED, squad, after) for after in grown_), card
