"""Explanations: repairs are legal and as few changes as brute force needs.

Conflicts are smallest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.roster.operations import (
    Add,
    FreeSlot,
    Move,
    Remove,
    SetLink,
    apply_operations,
)
from builder.roster.resolve import SOURCE_BY_ROLE, resolve_roster
from builder.rules.checker import RosterChecker
from builder.rules.choice_domains import CUSTOM_WORD
from builder.solver import minimal_repair
from builder.solver.deadline import Deadline
from builder.solver.minimal_repair import (
    Explanation,
    ExplanationSearch,
    explain_illegal_roster,
)
from builder.solver.repair_model import RepairModel, RepairScope, RepairTask
from tests.rules.orchard import JOBS, RULES, pack, roster
from tests.rules.slowly import lawful, slowly
from tests.rules.strategies import rosters

CHECKER = RosterChecker(pack())
EMPLOYED = RosterChecker(pack([*RULES, *JOBS]))
SOURCES = {
    card.id: SOURCE_BY_ROLE.get(CHECKER.pack.find_role(card))
    for card in CHECKER.pack.cards.values()
}
JOBS_OPEN = ("", "picker", "cook", "head")
CREWS = ("", "a", "b", CUSTOM_WORD)


def steps(squad: Roster) -> Iterator[Roster]:
    """Yield the squad after every single change."""
    for line, entry in enumerate(squad.entries):
        yield apply_operations(squad, Remove(("entries", line), entry.card))
        for index, item in enumerate(entry.attachments):
            yield from handled(
                squad, ("entries", line, "attachments", index), item.card
            )
        yield from (
            apply_operations(squad, SetLink(line, "holder", other))
            for other in range(len(squad.entries))
            if other != line
        )
        if "holder" in entry.links:
            yield rewritten(squad, line, links={})
        for name, values in (("job", JOBS_OPEN), ("crew", CREWS)):
            yield from (chosen(squad, line, **{name: value}) for value in values)
    yield from (
        apply_operations(squad, Remove(("deck", index), owned.card))
        for index, owned in enumerate(squad.deck)
    )
    yield from larger(squad)


def larger(squad: Roster) -> Iterator[Roster]:
    """Yield the squad after every addition, whatever is chosen for a new model."""
    for card, source in SOURCES.items():
        if source is Source.ATTACHMENTS:
            yield from (
                apply_operations(squad, Add(card, source, line))
                for line in range(len(squad.entries))
            )
        elif source is Source.DECK:
            yield apply_operations(squad, Add(card, source))
        elif source is Source.ENTRIES:
            more = apply_operations(squad, Add(card, source))
            for job, crew in product(JOBS_OPEN, CREWS):
                yield chosen(more, len(squad.entries), job=job, crew=crew)


def handled(squad: Roster, path: tuple[str | int, ...], card: str) -> Iterator[Roster]:
    """Yield the squad after every change of one attachment."""
    yield apply_operations(squad, Remove(path, card))
    yield apply_operations(squad, FreeSlot(path, card))
    yield from (
        apply_operations(squad, Move(path, card, other))
        for other in range(len(squad.entries))
        if other != path[1]
    )


def rewritten(squad: Roster, line: int, **fields: object) -> Roster:
    entries = list(squad.entries)
    entries[line] = entries[line].model_copy(update=fields)
    return squad.model_copy(update={"entries": tuple(entries)})


def chosen(squad: Roster, line: int, **choices: str) -> Roster:
    """Return the squad with something else chosen for a line.

    The empty text takes a choice away.
    """
    every = {**squad.entries[line].choices, **choices}
    return rewritten(
        squad, line, choices={name: value for name, value in every.items() if value}
    )


def fewest(squad: Roster, checker: RosterChecker) -> tuple[int, float | None]:
    """1 or 2 if so many changes mend the squad, else 3 for more.

    The smallest change of cost that does.
    """
    first = list(steps(squad))
    if (cost := cheapest(squad, first, checker)) is not None:
        return 1, cost
    second = {
        other.model_dump_json(): other for after in first for other in steps(after)
    }.values()
    cost = cheapest(squad, second, checker)
    return (3, None) if cost is None else (2, cost)


def cheapest(
    squad: Roster, others: Iterable[Roster], checker: RosterChecker
) -> float | None:
    """Return the smallest change of cost to a legal one of these."""
    before, likely = spent(squad), list[int]()
    return min(
        (
            abs(spent(other) - before)
            for other in others
            if lawful(checker, other, likely)
        ),
        default=None,
    )


def spent(squad: Roster) -> float:
    return calculate_costs(resolve_roster(squad, CHECKER.pack)).total


def readable(squad: Roster) -> Roster:
    """Return the squad without links to nothing, with a limit that allows models."""
    lost = {
        problem.path[1]
        for problem in resolve_roster(squad, CHECKER.pack).problems
        if problem.path[0] == "entries"
    }
    for line in lost:
        squad = rewritten(squad, int(line), links={})
    return squad.model_copy(
        update={"params": {"mode": "fair", **squad.params, "size": 20}}
    )


@pytest.mark.slow
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
@given(rosters(pack(), most=2).map(readable), st.sampled_from([CHECKER, EMPLOYED]))
def test_no_repair_takes_fewer_changes_or_as_many_and_costs_less(
    squad: Roster, checker: RosterChecker
) -> None:
    verdict = checker.check(squad, repaired=False)
    assume(not verdict.legal and not verdict.problems)
    made = explain_illegal_roster(checker, squad)
    assert made.is_proved
    few, cost = fewest(squad, checker)
    if not made.repairs:
        assert few == 3
        return
    for repair in made.repairs:
        assert slowly(checker, repair.solved.roster).legal
    best = made.repairs[0]
    assert best.changes == few if few < 3 else best.changes >= 3
    assert cost is None or abs(spent(best.solved.roster) - spent(squad)) == cost


@pytest.mark.parametrize("checker", [CHECKER, EMPLOYED])
@pytest.mark.parametrize(
    "cards",
    [
        ("bo", "bo", "bo"),
        ("ada", "ada", "ada", "cy"),
        ("ada", "bo", "cy", "di", "di", "di"),
        ("cy", "di", "cy", "di", "kite"),
    ],
)
def test_shortcuts_of_the_search_change_no_repair(
    cards: tuple[str, ...], checker: RosterChecker
) -> None:
    squad = roster(*cards, mode="feast", size=12)
    assert not checker.check(squad, repaired=False).legal
    quick = explain_illegal_roster(checker, squad)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExplanationSearch, "_get_max_changes", lambda _: None)
        patch.setattr(
            RepairModel,
            "_order_equal_entries",
            lambda model: model.model.program.add_variable(),
        )
        thorough = explain_illegal_roster(checker, squad)
    assert quick.is_proved
    assert thorough.is_proved
    assert len(quick.conflict.demands) == len(thorough.conflict.demands)
    assert rank(quick)[:1] == rank(thorough)[:1]


def rank(explanation: Explanation) -> list[tuple[int, float]]:
    return [(item.changes, item.cost_difference) for item in explanation.repairs]


def test_of_equal_lines_the_last_is_removed() -> None:
    squad = roster("ada", "bo", "bo", "bo", mode="feast", size=12)
    model = RepairModel(
        RepairTask.create_for_roster(CHECKER, squad),
        RepairScope(0, frozenset()),
        Deadline.start(),
    )
    program = model.model.program
    copies = [entry.part.copies for entry in model.model.entries[1:4]]
    for kept, is_possible in (((1, 1, 0), True), ((1, 0, 1), False)):
        is_kept = program.add_variable()
        for var, count in zip(copies, kept, strict=True):
            program.add_constraint([(var, 1)], count, count, when=(is_kept,))
        for is_ordered in (True, False):
            required = [is_kept, model._is_ordered] if is_ordered else [is_kept]
            answer = model.solver.solve(required=required)
            assert (answer.values is not None) == (is_possible or not is_ordered)


def can_stay(squad: Roster, paths: list[tuple[str | int, ...]]) -> bool:
    """Return True if the picks can be part of a legal squad.

    Some repair of the squad of them alone only adds.
    """
    gone = [
        pick
        for pick in resolve_roster(squad, CHECKER.pack).list_cards(Source.ALL)
        if pick.path not in paths
    ]
    removals = [Remove(pick.path, pick.card.id, pick.count) for pick in gone]
    rest = apply_operations(squad, *removals)
    return (
        CHECKER.check(rest, repaired=False).legal
        or not explain_illegal_roster(CHECKER, rest).conflict.demands
    )


def test_the_smallest_conflict_is_found_among_larger_ones() -> None:
    squad = roster("ada", "bo", "cy", "di", "di", mode="feast", size=12)
    made = explain_illegal_roster(CHECKER, squad)
    assert made.conflict.is_proved
    assert len(made.conflict.demands) == 3
    assert made.repairs[0].changes == 1
    for pair in combinations([item.path for item in made.conflict.demands], 2):
        assert can_stay(squad, list(pair))


def test_a_squad_that_only_lacks_something_has_no_conflict() -> None:
    made = explain_illegal_roster(CHECKER, roster("cy"))
    assert made.conflict.demands == ()
    assert [(item.card, item.count) for item in made.repairs[0].solved.additions] == [
        ("ada", 1)
    ]


def test_a_tie_is_named_rather_than_anybody_removed() -> None:
    made = explain_illegal_roster(CHECKER, roster("ada", "kite", "cy", "di"))
    assert made.repairs[0].changes == 1
    assert made.repairs[0].solved.links


def test_every_target_that_would_do_is_a_repair_as_cheap_as_the_first() -> None:
    made = explain_illegal_roster(CHECKER, roster("ada", "kite", "cy", "di"))
    assert {repair.solved.links[0].target for repair in made.repairs[:2]} == {2, 3}


def test_a_conflict_names_models_rather_than_what_they_carry_or_chose() -> None:
    made = explain_illegal_roster(
        CHECKER,
        roster(
            {"card": "ada", "attachments": ["crown"], "choices": {"job": "cook"}}, "bo"
        ),
    )
    assert {item.path for item in made.conflict.demands} == {
        ("entries", 0),
        ("entries", 1),
    }


def test_an_attachment_is_moved_where_that_costs_nothing() -> None:
    made = explain_illegal_roster(
        CHECKER, roster("ada", {"card": "cy", "attachments": ["crown"]})
    )
    assert made.repairs[0].changes == 1
    assert [item.card for item in made.repairs[0].solved.additions] == ["crown"]


def test_a_tie_that_may_stay_unnamed_is_still_fixed_where_its_target_is_too_small() -> (
    None
):
    seats = {
        "id": "holder",
        "type": "link",
        "select": {"where": {"id": "kite"}},
        "link": "holder",
        "target": {"holds": {"exists": True}},
        "required": "never",
        "capacity": "holds",
    }
    squad = roster({"card": "kite", "count": 2, "links": {"holder": "di"}}, "di")
    checker = RosterChecker(pack([seats]))
    made = explain_illegal_roster(checker, squad)
    assert made.repairs[0].changes == 1
    assert all(
        checker.check(repair.solved.roster, repaired=False).legal
        for repair in made.repairs
    )


def test_a_choice_is_changed_rather_than_anybody_removed() -> None:
    cooks = [{"card": card, "choices": {"job": "cook"}} for card in ("ada", "cy")]
    made = explain_illegal_roster(EMPLOYED, roster(*cooks))
    assert [repair.changes for repair in made.repairs] == [1, 1, 1]
    assert {(item.kind, item.name) for item in made.conflict.demands} == {
        ("choice", "job=cook")
    }
    assert {change.value for change in made.repairs[0].solved.choices} <= {
        "picker",
        "head",
    }


def test_a_choice_that_is_missing_or_must_not_be_is_made_or_taken_away() -> None:
    made = explain_illegal_roster(EMPLOYED, roster("ada"))
    assert [(item.line, item.name) for item in made.repairs[0].solved.choices] == [
        (0, "job")
    ]
    idle = {
        "id": "idle",
        "type": "limit",
        "select": {"where": {"choice.job": {"exists": True}}},
        "measure": "count",
        "max": 0,
    }
    made = explain_illegal_roster(
        RosterChecker(pack([idle])), roster({"card": "cy", "choices": {"job": "cook"}})
    )
    assert made.repairs[0].changes == 1
    assert made.repairs[0].solved.choices[0].value == ""
    assert not made.repairs[0].solved.roster.entries[0].choices


def test_a_new_model_comes_with_all_that_has_to_be_chosen_for_it() -> None:
    head = {
        "id": "a-head",
        "type": "limit",
        "select": {"where": {"choice.job": "head", "choice.crew": {"exists": True}}},
        "measure": "count",
        "min": 1,
    }
    made = explain_illegal_roster(RosterChecker(pack([head])), roster())
    assert made.repairs[0].changes == 1
    assert dict(made.repairs[0].solved.additions[0].choices) == {
        "crew": CUSTOM_WORD,
        "job": "head",
    }


def test_a_tie_is_taken_away_where_that_is_enough() -> None:
    free = {
        "id": "holder",
        "type": "link",
        "select": {"where": {"id": "kite"}},
        "link": "holder",
        "target": {"id": "cy"},
        "required": "never",
    }
    made = explain_illegal_roster(
        RosterChecker(pack([free])),
        roster({"card": "kite", "links": {"holder": "di"}}, "di"),
    )
    assert made.repairs[0].changes == 1
    assert [item.target for item in made.repairs[0].solved.links] == [None]
    assert made.repairs[0].solved.roster.entries[0].links == {}


@pytest.mark.parametrize("limit", ["deadline", "MAX_VARIABLES"])
def test_what_was_not_proved_is_never_reported_as_proved(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No time at all, or room for no other model.

    Four cooks at once need more copies than the first model has.
    """
    four = {
        "id": "four",
        "type": "limit",
        "select": {"where": {"id": "cy"}},
        "measure": "count",
        "min": 4,
    }
    checker = RosterChecker(pack([four]))
    whole = explain_illegal_roster(checker, roster("ada"))
    assert whole.is_proved
    assert whole.conflict.is_proved
    if limit == "MAX_VARIABLES":
        monkeypatch.setattr(minimal_repair, limit, 0)
    made = explain_illegal_roster(
        checker,
        roster("ada"),
        deadline=Deadline.start(0 if limit == "deadline" else None),
    )
    assert not made.is_proved
    assert not made.conflict.demands
    assert all(
        checker.check(one.solved.roster, repaired=False).legal for one in made.repairs
    )
