"""Completion: each result passes the check, and brute force finds none that spends more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.roster.operations import Add, SetLink, apply_operations
from builder.roster.resolve import SOURCE_BY_ROLE, resolve_roster
from builder.rules.checker import RosterChecker
from builder.rules.forms.link import LinkForm
from builder.rules.query import Selector
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster
from tests.rules.orchard import JOBS, RULES, pack, roster
from tests.rules.slowly import lawful, slowly

CHECKER = RosterChecker(pack())
EMPLOYED = RosterChecker(pack([*RULES, *JOBS]))
"""A game in which a choice has to be made for everybody, and made differently."""
SOURCES = {
    card.id: SOURCE_BY_ROLE.get(CHECKER.pack.find_role(card))
    for card in CHECKER.pack.cards.values()
}


def spent(squad: Roster) -> float:
    return calculate_costs(resolve_roster(squad, CHECKER.pack)).total


def shape(squad: Roster) -> tuple[object, ...]:
    """Return what a squad consists of, whatever the order of its lines."""
    entries = sorted(
        (e.card, e.count, tuple(sorted(a.card for a in e.attachments)))
        for e in squad.entries
    )
    return (*entries, *sorted((card.card, card.count) for card in squad.deck))


def grown(squad: Roster) -> Iterator[Roster]:
    """Yield the squad with one more card anywhere.

    Free cards at most once each in the same place.
    """
    for card, source in SOURCES.items():
        if source is Source.ATTACHMENTS:
            for line, entry in enumerate(squad.entries):
                if card != "crown" or all(
                    item.card != "crown" for item in entry.attachments
                ):
                    yield apply_operations(squad, Add(card, source, line))
        elif source is not None and (
            card != "pie" or all(owned.card != "pie" for owned in squad.deck)
        ):
            yield apply_operations(squad, Add(card, source))


def tied(squad: Roster, checker: RosterChecker) -> Iterator[Roster]:
    """Yield the squad with its open ties named in every way."""
    form = next(form for form in checker.evaluator.forms if isinstance(form, LinkForm))
    picks = resolve_roster(squad, checker.pack)
    open_ = [
        pick
        for pick in Selector(form.rule.select).select_from(picks)
        if "holder" not in squad.entries[pick.line].links
    ]
    ways = [
        [None, *(target.line for target in form.find_targets(pick, picks))]
        for pick in open_
    ]
    for way in product(*ways):
        ties = [
            SetLink(pick.line, "holder", target)
            for pick, target in zip(open_, way, strict=True)
            if target is not None
        ]
        yield apply_operations(squad, *ties)


def employed(squad: Roster, checker: RosterChecker) -> Iterator[Roster]:
    """Yield the squad with the jobs that are not chosen chosen in every way."""
    if checker is CHECKER:
        yield squad
        return
    open_ = [
        line for line, entry in enumerate(squad.entries) if "job" not in entry.choices
    ]
    for way in product((None, "picker", "cook", "head"), repeat=len(open_)):
        entries = list(squad.entries)
        for line, job in zip(open_, way, strict=True):
            if job is not None:
                entries[line] = entries[line].model_copy(
                    update={"choices": {**entries[line].choices, "job": job}}
                )
        yield squad.model_copy(update={"entries": tuple(entries)})


def best(start: Roster, checker: RosterChecker) -> float | None:
    """Return the most that any legal squad holding the start spends, by trying all."""
    size = int(str(start.params["size"]))
    seen, todo, likely = {shape(start): start}, [start], list[int]()
    while todo:
        for more in grown(todo.pop()):
            if shape(more) not in seen and spent(more) <= size:
                seen[shape(more)] = more
                todo.append(more)
    for squad in sorted(seen.values(), key=spent, reverse=True):
        if any(
            lawful(checker, named, likely)
            for jobs in employed(squad, checker)
            for named in tied(jobs, checker)
        ):
            return spent(squad)
    return None


STARTS = st.sampled_from(
    [
        roster("cy"),
        roster("kite"),
        roster("di", "cy"),
        roster({"card": "di", "attachments": ["sack"]}),
        roster({"card": "cy", "count": 1, "attachments": ["pail"]}, deck=("pie",)),
        roster("bo"),
        roster(deck=("jam",)),
        roster({"card": "kite", "links": {"holder": "di"}}, "di"),
        roster({"card": "di", "attachments": ["crown"]}),
    ]
)


@pytest.mark.slow
@settings(max_examples=16, deadline=None)
@given(
    STARTS,
    st.integers(4, 6),
    st.sampled_from(["fair", "feast"]),
    st.sampled_from([CHECKER, EMPLOYED]),
)
def test_a_completion_is_legal_and_none_spends_more(
    start: Roster, size: int, mode: str, checker: RosterChecker
) -> None:
    squad = start.model_copy(update={"params": {"size": size, "mode": mode}})
    made = find_completions(checker, squad, SquadRequest(count=3))
    assert made.is_proved
    for found in made.squads:
        assert slowly(checker, found.roster).legal
        assert found.cost == spent(found.roster)
    assert len({shape(found.roster) for found in made.squads}) == len(made.squads)
    assert (made.squads[0].cost if made.squads else None) == best(squad, checker)
    assert bool(made.conflict) == (not made.squads)


def test_wishes_are_kept() -> None:
    squad = roster("ada", size=20)
    found = find_completions(
        CHECKER,
        squad,
        SquadRequest(want=("kite",), avoid=frozenset({"cy"}), exact=True),
    ).squads[0]
    cards = [entry.card for entry in found.roster.entries]
    assert "kite" in cards
    assert "cy" not in cards
    assert found.cost == 20


def test_no_more_is_taken_than_is_owned() -> None:
    owned = {"ada": 1, "cy": 1, "pail": 1}
    found = find_completions(
        CHECKER, roster(size=30), SquadRequest(owned_copies=owned)
    ).squads[0]
    assert found.cost == 10
    assert shape(found.roster)[0] == ("ada", 1, ("pail",)) or shape(found.roster)[
        1
    ] == (
        "cy",
        1,
        ("pail",),
    )


def test_what_cannot_be_says_why_with_the_smallest_conflict() -> None:
    made = find_completions(
        CHECKER, roster("ada", "bo", "di", mode="feast", size=10), SquadRequest()
    )
    assert made.conflict is not None
    assert made.conflict.is_proved
    assert [(item.kind, item.name) for item in made.conflict.demands] == [
        ("pick", "ada"),
        ("pick", "bo"),
        ("rule", "points"),
    ]


def test_a_wish_that_cannot_be_is_in_the_conflict() -> None:
    made = find_completions(CHECKER, roster("ada", size=30), SquadRequest(want=("bo",)))
    assert made.conflict is not None
    assert {item.kind for item in made.conflict.demands} == {"pick", "rule", "want"}


def test_the_same_seed_gives_the_same_squads_and_another_gives_others() -> None:
    squad = roster("ada", size=30, mode="feast")
    one, same, other = (
        find_completions(CHECKER, squad, SquadRequest(seed=seed)).squads[0].roster
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_a_line_is_filled_where_a_rule_wants_several_models_on_one_line() -> None:
    trios = {
        "id": "trio",
        "type": "limit",
        "per": "entry",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "exactly": 3,
    }
    flock = {
        "id": "flock",
        "type": "limit",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "min": 3,
    }
    points = {
        "id": "points",
        "type": "limit",
        "select": {"from": "all"},
        "measure": {"sum": "cost"},
        "max": 13,
    }
    checker = RosterChecker(pack([points, trios, flock]))
    found = find_completions(
        checker,
        roster(),
        SquadRequest(avoid=frozenset({"ada", "bo", "cy", "di", "jam"})),
    ).squads
    assert [(entry.card, entry.count) for entry in found[0].roster.entries] == [
        ("kite", 3),
        ("kite", 3),
    ]
    assert found[0].cost == 12
    repair = explain_illegal_roster(checker, roster("ada")).repairs[0]
    assert [(item.card, item.count) for item in repair.solved.additions] == [
        ("kite", 3)
    ]
    assert repair.changes == 3


def test_no_more_of_a_full_line_is_taken_than_is_owned() -> None:
    trios = {
        "id": "trio",
        "type": "limit",
        "per": "entry",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "exactly": 3,
    }
    owned = {"kite": 5}
    found = find_completions(
        RosterChecker(pack([trios])), roster(), SquadRequest(owned_copies=owned)
    ).squads
    assert [(entry.card, entry.count) for entry in found[0].roster.entries] == [
        ("kite", 3)
    ]


def test_a_limit_of_each_line_asks_nothing_of_a_line_that_is_chosen_otherwise() -> None:
    idle = {
        "id": "no-cooks",
        "type": "limit",
        "per": "entry",
        "select": {"where": {"choice.job": "cook"}},
        "measure": "count",
        "max": 0,
    }
    assert find_completions(
        RosterChecker(pack([idle])), roster("cy"), SquadRequest()
    ).squads


def test_as_many_copies_are_tried_as_a_rule_asks_for() -> None:
    swarm = {
        "id": "swarm",
        "type": "limit",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "min": 15,
    }
    checker = RosterChecker(pack([swarm]))
    made = find_completions(checker, roster(), SquadRequest())
    assert made.conflict is None
    assert checker.check(made.squads[0].roster, repaired=False).legal
    assert [
        repair.changes
        for repair in explain_illegal_roster(checker, roster()).repairs[:1]
    ] == [15]


def test_a_line_of_four_is_filled_to_the_five_that_a_rule_wants() -> None:
    five = {
        "id": "five",
        "type": "limit",
        "per": "entry",
        "select": {"where": {"id": "kite"}},
        "measure": "count",
        "exactly": 5,
    }
    points = {
        "id": "points",
        "type": "limit",
        "select": {"from": "all"},
        "measure": {"sum": "cost"},
        "max": 11,
    }
    checker, squad = (
        RosterChecker(pack([points, five])),
        roster({"card": "kite", "count": 4}),
    )
    assert (
        find_completions(checker, squad, SquadRequest())
        .squads[0]
        .roster.entries[0]
        .count
        == 5
    )
    repair = explain_illegal_roster(checker, squad).repairs[0]
    assert (repair.changes, repair.solved.removals) == (1, ())
    assert [(item.line, item.count) for item in repair.solved.additions] == [(0, 1)]


def test_what_is_chosen_already_stays_and_what_is_open_is_chosen() -> None:
    squad = roster({"card": "ada", "choices": {"job": "cook"}}, "cy", size=12)
    for found in find_completions(EMPLOYED, squad, SquadRequest(count=3)).squads:
        assert found.roster.entries[0].choices["job"] == "cook"
        assert "job" in found.roster.entries[1].choices


def test_nothing_is_chosen_that_no_rule_asks_for() -> None:
    found = find_completions(CHECKER, roster("ada", size=20), SquadRequest()).squads[0]
    assert all(not entry.choices for entry in found.roster.entries)


def test_two_choices_are_made_for_one_model_where_the_rules_ask_for_both() -> None:
    crew = {
        "id": "crew-named",
        "type": "limit",
        "select": {"where": {"choice.job": "head", "choice.crew": {"exists": False}}},
        "measure": "count",
        "max": 0,
    }
    head = {
        "id": "a-head",
        "type": "limit",
        "select": {"where": {"choice.job": "head"}},
        "measure": "count",
        "min": 1,
    }
    found = find_completions(
        RosterChecker(pack([*RULES, crew, head])), roster(size=8), SquadRequest()
    ).squads[0]
    assert any(
        entry.choices.keys() == {"job", "crew"} for entry in found.roster.entries
    )
