"""Laws that hold for any roster.

The index leaves out no broken rule, repairs mend, the order loses nobody.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.roster.operations import apply_operations
from builder.roster.resolve import resolve_roster
from builder.rules.checker import RosterChecker
from builder.rules.order import find_deployment
from tests.rules.orchard import pack, roster as orchard_roster
from tests.rules.slowly import slowly
from tests.rules.strategies import rosters

PACK = pack()
CHECKER = RosterChecker(PACK)
PLAIN = RosterChecker(
    pack(
        [
            rule.model_dump(by_alias=True, exclude_unset=True)
            for rule in PACK.rules.rules
            if rule.id
            in ("points", "elder", "rarity", "one-side", "hands", "fit", "side")
        ]
    )
)


def assert_index_is_right(checker: RosterChecker, roster: Roster) -> None:
    """The verdict equals the evaluator's, and the index names each rule it finds broken."""
    assert checker.check(roster, repaired=False) == slowly(checker, roster)
    squad = checker.resolve_roster(roster)
    suspects = checker.find_rules_to_check(squad)
    rules = [form.rule.id for form in checker.evaluator.forms]
    broken = {violation.rule for violation in checker.evaluator.find_violations(squad)}
    assert broken <= {rules[number] for number in suspects}


@given(rosters(PACK))
def test_the_index_leaves_out_no_broken_rule(roster: Roster) -> None:
    assert_index_is_right(CHECKER, roster)


@given(rosters(PACK, most=3))
def test_the_index_leaves_out_no_broken_rule_of_a_roster_without_choices_and_links(
    roster: Roster,
) -> None:
    bare = tuple(
        entry.model_copy(update={"choices": {}, "links": {}})
        for entry in roster.entries
    )
    assert_index_is_right(PLAIN, roster.model_copy(update={"entries": bare}))


def test_the_index_names_no_rule_that_numbers_decide_for_a_legal_roster() -> None:
    squad = PLAIN.resolve_roster(orchard_roster("ada", "cy"))
    forms = [
        PLAIN.evaluator.forms[number].rule.id
        for number in PLAIN.find_rules_to_check(squad)
    ]
    assert not {"points", "elder", "rarity"} & set(forms)


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=1, max_size=6), st.data()
)
def test_the_index_names_a_rule_whose_sum_of_fractions_is_at_its_bound(
    weights: list[float], data: st.DataObject
) -> None:
    cards = [
        {
            "id": f"c-{number}",
            "kind": "person",
            "name": "C",
            "cost": 1,
            "weight": weight,
        }
        for number, weight in enumerate(weights)
    ]
    bound = data.draw(st.sampled_from([sum(weights), sum(sorted(weights)), 0.6, 1.0]))
    heavy = {
        "id": "heavy",
        "type": "limit",
        "select": {},
        "measure": {"sum": "weight"},
        "max": bound,
    }
    checker = RosterChecker(pack([heavy], cards))
    ids = data.draw(st.permutations([card["id"] for card in cards]))
    assert_index_is_right(checker, orchard_roster(*ids))


WHERES: list[dict[str, Any]] = [
    {},
    {"keywords": {"has": "elder"}},
    {"cost": {"ge": 2}},
    {"choice.job": "cook"},
    {"faction": "north"},
    {"keywords": {"lacks": "elder"}, "choice.crew": {"exists": True}},
    {"none": [{"choice.job": "head"}, {"cost": 2}]},
]
BOUNDS = st.integers(0, 4) | st.sampled_from([{"one_per": {"each": 9, "of": "size"}}])
SELECTS = st.fixed_dictionaries(
    {
        "from": st.sampled_from(["entries", "attachments", "deck", "all"]),
        "where": st.sampled_from(WHERES),
    }
)
LIMITS = (
    st.fixed_dictionaries(
        {
            "id": st.just("random"),
            "type": st.just("limit"),
            "select": SELECTS,
            "per": st.sampled_from(
                ["roster", "card", "entry", "choice crew", "field faction"]
            ),
            "measure": st.sampled_from(
                [
                    "count",
                    {"sum": "cost"},
                    {"distinct": "faction"},
                    {"distinct": "keywords"},
                ]
            ),
        },
        optional={
            "when": st.sampled_from(
                [
                    {"params": {"mode": "fair"}},
                    {"exists": {"where": {"choice.job": "cook"}}},
                ]
            )
        },
    )
    .flatmap(
        lambda rule: st.sampled_from(["min", "max", "exactly"]).flatmap(
            lambda form: BOUNDS.map(lambda bound: {**rule, form: bound})
        )
    )
    .filter(lambda rule: (rule["per"], rule["select"]["from"]) != ("entry", "deck"))
)


@given(st.lists(LIMITS, min_size=1, max_size=3), st.data())
def test_the_index_leaves_out_no_broken_rule_whatever_the_rules(
    rules: list[dict[str, Any]], data: st.DataObject
) -> None:
    checker = RosterChecker(
        pack([{**rule, "id": f"r-{number}"} for number, rule in enumerate(rules)])
    )
    for _ in range(3):
        assert_index_is_right(checker, data.draw(rosters(PACK, most=4)))


@given(rosters(PACK, most=4))
def test_a_repair_breaks_the_rule_in_fewer_places(roster: Roster) -> None:
    before = Counter(item.rule for item in slowly(CHECKER, roster).violations)
    for violation in CHECKER.check(roster).violations:
        for repair in violation.repairs:
            after = slowly(CHECKER, apply_operations(roster, *repair.operations))
            assert (
                sum(item.rule == violation.rule for item in after.violations)
                < before[violation.rule]
            )
            assert repair.is_complete == after.legal


@given(rosters(PACK))
def test_the_order_puts_every_copy_down_once_and_nobody_before_the_one_he_follows(
    roster: Roster,
) -> None:
    squad = resolve_roster(roster, PACK)
    placed = find_deployment(squad, PACK)
    seen = Counter((step.selected.path, step.copy) for step in placed)
    picks = (*squad.entries, *squad.attachments)
    assert seen == Counter(
        (pick.path, copy) for pick in picks for copy in range(1, pick.count + 1)
    )
    assert [step.step for step in placed] == sorted(step.step for step in placed)
    free = [
        step.selected.card.cost or 0
        for step in placed
        if step.step == 1 and step.after is None
    ]
    assert free == sorted(free, reverse=True)
    at = {
        step.selected.path: index for index, step in reversed(list(enumerate(placed)))
    }
    for index, step in enumerate(placed):
        if step.after is not None and step.after.card.id != "kite":
            assert at[step.after.path] < index


@given(rosters(PACK))
def test_a_breakdown_adds_up(roster: Roster) -> None:
    squad = resolve_roster(roster, PACK)
    breakdown = calculate_costs(squad)
    assert breakdown.total == sum(
        line.unit_cost * line.copies for line in breakdown.lines
    )
    by_hand = sum(
        (pick.card.cost or 0) * pick.count for pick in squad.list_cards(Source.ALL)
    )
    assert breakdown.total == by_hand
    entries = sum(breakdown.sum_entry(entry.line) for entry in squad.entries)
    assert breakdown.total == entries + sum(
        line.total for line in breakdown.lines if line.path[0] == "deck"
    )
