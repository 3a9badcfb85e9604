"""What the solver calls proved equals brute force, for small squads under random rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.roster.operations import (
    Add,
    Move,
    Remove,
    SetChoice,
    SetLink,
    apply_operations,
)
from builder.roster.resolve import SOURCE_BY_ROLE, resolve_roster
from builder.rules.checker import RosterChecker
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.deadline import Deadline
from builder.solver.minimal_repair import explain_illegal_roster
from tests.rules.orchard import pack
from tests.rules.slowly import slowly

CARDS: list[dict[str, Any]] = [
    {
        "id": "cy",
        "kind": "person",
        "name": "Cy",
        "faction": "north",
        "cost": 2,
        "arms": ["left"],
        "holds": 3,
        "strength": 3,
    },
    {
        "id": "di",
        "kind": "person",
        "name": "Di",
        "cost": 1,
        "arms": 2,
        "holds": 1,
        "weight": 2,
    },
    {
        "id": "kite",
        "kind": "person",
        "name": "Kite",
        "faction": "north",
        "keywords": ["kite"],
        "cost": 1,
        "weight": 2,
    },
    {
        "id": "pail",
        "kind": "basket",
        "name": "Pail",
        "cost": 1,
        "arm": "left",
        "weight": 1,
        "needs": "cy",
        "dearer": {"2": 1},
    },
    {
        "id": "sack",
        "kind": "basket",
        "name": "Sack",
        "cost": 1,
        "width": 2,
        "weight": 2,
        "faction": "north",
    },
    {"id": "jam", "kind": "recipe", "name": "Jam", "cost": 1, "needs": "pail"},
]
SOURCES = {
    card["id"]: SOURCE_BY_ROLE[
        pack(cards=CARDS).find_role(pack(cards=CARDS).cards[card["id"]])
    ]
    for card in CARDS
}
JOBS = ("", "cook", "head")

WHERES = st.sampled_from(
    [
        {},
        {},
        {"id": "kite"},
        {"id": "cy"},
        {"id": "di"},
        {"cost": {"ge": 2}},
        {"faction": "north"},
        {"faction": {"exists": False}},
        {"choice.job": "cook"},
        {"choice.job": {"exists": True}},
        {"weight": {"ge": 2}},
    ]
)
PERS = st.sampled_from(
    ["roster", "card", "entry", "entry", "choice job", "field faction"]
)
MEASURES = st.sampled_from(
    ["count", "count", {"sum": "weight"}, {"sum": "cost"}, {"distinct": "faction"}]
)
SELECTS = st.fixed_dictionaries(
    {
        "from": st.sampled_from(["entries", "attachments", "deck", "all"]),
        "where": WHERES,
    }
)
LIMITS = st.builds(
    lambda select, per, measure, form, bound: {
        "type": "limit",
        "select": select,
        "per": per,
        "measure": measure,
        form: bound,
    },
    SELECTS,
    PERS,
    MEASURES,
    st.sampled_from(["min", "max", "exactly"]),
    st.integers(0, 3),
).filter(lambda rule: (rule["per"], rule["select"]["from"]) != ("entry", "deck"))
RATIOS = st.builds(
    lambda where, per, kind, share, rest: {
        "type": "limit",
        "select": {"where": where},
        "per": per,
        "measure": "count",
        kind: {"ratio": {"share": share, **rest}},
    },
    WHERES,
    PERS,
    st.sampled_from(["min", "max", "exactly"]),
    st.sampled_from(["1/3", "1/2", "2/3", "1/1"]),
    st.sampled_from(
        [
            {},
            {"round": "up"},
            {"round": "down"},
            {"within": "group"},
            {"of": {"where": {"id": "di"}}},
            {"of": {"from": "all"}},
        ]
    ),
)
LINKS = st.builds(
    lambda who, target, required, more: {
        "type": "link",
        "select": {"where": who},
        "link": "holder",
        "target": target,
        "required": required,
        **more,
    },
    WHERES,
    WHERES,
    st.sampled_from(["never", "several", "always"]),
    st.sampled_from(
        [{}, {"capacity": "holds"}, {"capacity": "holds", "load": "weight"}]
    ),
)
NEEDS = st.builds(
    lambda select, needs, count: {
        "type": "requires",
        "select": select,
        "needs": needs,
        "count": count,
    },
    SELECTS,
    SELECTS | st.just({"from": "all", "where": {"id": {"eq": {"other": "needs"}}}}),
    st.sampled_from([1, 1, 2]),
)
SLOTS = st.just(
    {
        "type": "slots",
        "select": {"from": "attachments"},
        "slots": "arms",
        "need": "arm",
        "size": "width",
    }
)
ALLOWED = st.builds(
    lambda where, bearer: {
        "type": "allow",
        "select": {"from": "attachments", "where": where},
        "bearer": bearer,
    },
    WHERES,
    WHERES,
)
CY: dict[str, Any] = {"where": {"id": "cy"}}
WHEN = st.sampled_from(
    [{}, {}, {}, {"when": {"exists": CY}}, {"when": {"not_exists": CY}}]
)
RULES = st.builds(
    lambda rule, when: {**rule, **when},
    LIMITS | LIMITS | RATIOS | LINKS | NEEDS | SLOTS | ALLOWED,
    WHEN,
)
STEPS = st.sampled_from(
    [
        {},
        {},
        {"person": [{"by": "copy", "steps": {2: 1}}]},
        {"person": [{"by": "size", "steps": {2: -1, 3: 1}}]},
        {
            "person": [{"by": "line", "steps": {2: 2}}],
            "basket": [{"by": "copy", "field": "dearer"}],
        },
    ]
)

ENTRIES = st.builds(
    Entry,
    card=st.sampled_from(["cy", "di", "kite"]),
    count=st.integers(1, 3),
    attachments=st.lists(
        st.builds(Attachment, card=st.sampled_from(["pail", "sack"])), max_size=1
    ).map(tuple),
    choices=st.sampled_from([{}, {}, {"job": "cook"}, {"job": "head"}]),
    links=st.sampled_from([{}, {}, {"holder": "cy"}, {"holder": "di"}]),
)
SQUADS = st.builds(
    Roster,
    pack=st.just("orchard"),
    entries=st.lists(ENTRIES, max_size=2).map(tuple),
    deck=st.lists(st.builds(DeckCard, card=st.just("jam")), max_size=1).map(tuple),
)


def judge_of(
    rules: list[dict[str, Any]], points: int, steps: dict[str, Any]
) -> RosterChecker:
    """Return the judge of the rules, and of a limit of points that keeps squads small."""
    purse = {
        "id": "points",
        "type": "limit",
        "select": {"from": "all"},
        "measure": {"sum": "cost"},
        "max": points,
    }
    return RosterChecker(
        pack(
            [
                purse,
                *({**rule, "id": f"r-{number}"} for number, rule in enumerate(rules)),
            ],
            CARDS,
            steps,
        )
    )


def asks(checker: RosterChecker, what: str) -> bool:
    """Return True if some rule is a tie, or asks about a choice."""
    return any(what in rule.model_dump_json() for rule in checker.pack.rules.rules)


def additions(squad: Roster, checker: RosterChecker) -> Iterator[Roster]:
    """Yield the squad after every single addition.

    Of a card, of a copy on a line, whatever is chosen for a new model.
    """
    jobs = JOBS if asks(checker, "choice") else ("",)
    for line, entry in enumerate(squad.entries):
        yield apply_operations(squad, Add(entry.card, Source.ENTRIES, line))
    for card, source in SOURCES.items():
        if source is Source.ATTACHMENTS:
            yield from (
                apply_operations(squad, Add(card, source, line))
                for line in range(len(squad.entries))
            )
        else:
            stated = (
                [()]
                if source is Source.DECK
                else [(("job", job),) if job else () for job in jobs]
            )
            yield from (
                apply_operations(squad, Add(card, source, choices=choices))
                for choices in stated
            )


def decisions(squad: Roster) -> Iterator[Roster]:
    """Yield the squad after every single tie and choice."""
    for line, entry in enumerate(squad.entries):
        yield from (
            apply_operations(squad, SetLink(line, "holder", other))
            for other in range(len(squad.entries))
            if other != line
        )
        if entry.links:
            yield apply_operations(squad, SetLink(line, "holder"))
        yield from (
            apply_operations(squad, SetChoice(line, "job", job))
            for job in JOBS
            if job != entry.choices.get("job", "")
        )


def removals(squad: Roster) -> Iterator[Roster]:
    """Yield the squad after every single removal and move."""
    for line, entry in enumerate(squad.entries):
        yield apply_operations(squad, Remove(("entries", line), entry.card))
        for index, item in enumerate(entry.attachments):
            path = ("entries", line, "attachments", index)
            yield apply_operations(squad, Remove(path, item.card))
            yield from (
                apply_operations(squad, Move(path, item.card, to))
                for to in range(len(squad.entries))
                if to != line
            )
    yield from (
        apply_operations(squad, Remove(("deck", index), owned.card))
        for index, owned in enumerate(squad.deck)
    )


def tied(squad: Roster, checker: RosterChecker, new: int) -> Iterator[Roster]:
    """Yield the squad with the lines from `new` on tied in every way.

    What comes in comes with its ties.
    """
    lines = range(new, len(squad.entries)) if asks(checker, "link") else ()
    ways = [
        [None, *(other for other in range(len(squad.entries)) if other != line)]
        for line in lines
    ]
    for way in product(*ways):
        steps = [
            SetLink(line, "holder", to)
            for line, to in zip(lines, way, strict=True)
            if to is not None
        ]
        yield apply_operations(squad, *steps)


def spent(squad: Roster, checker: RosterChecker) -> float:
    return calculate_costs(resolve_roster(squad, checker.pack)).total


def legal(squad: Roster, checker: RosterChecker, new: int) -> bool:
    return any(
        checker.check(one, repaired=False).legal for one in tied(squad, checker, new)
    )


def steps(squad: Roster, checker: RosterChecker) -> Iterator[Roster]:
    yield from removals(squad)
    yield from decisions(squad)
    yield from additions(squad, checker)


def cheapest(squad: Roster, checker: RosterChecker) -> tuple[int, float]:
    """How few changes mend a squad and the smallest change of cost with so many.

    3 where two are not enough.
    """
    was, level = spent(squad, checker), [(squad, len(squad.entries))]
    for many in (1, 2):
        after = [
            (other, old - max(0, len(one.entries) - len(other.entries)))
            for one, old in level
            for other in steps(one, checker)
        ]
        found = [
            abs(spent(one, checker) - was)
            for one, old in after
            if legal(one, checker, old)
        ]
        if found:
            return many, min(found)
        level = list(
            {(one.model_dump_json(), old): (one, old) for one, old in after}.values()
        )
    return 3, 0


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(RULES, min_size=1, max_size=2), SQUADS, st.integers(4, 12), STEPS)
def test_a_repair_that_is_proved_the_cheapest_is(
    rules: list[dict[str, Any]], squad: Roster, points: int, steps: dict[str, Any]
) -> None:
    checker = judge_of(rules, points, steps)
    verdict = checker.check(squad, repaired=False)
    assume(not verdict.legal and not verdict.problems)
    made = explain_illegal_roster(checker, squad)
    for repair in made.repairs:
        assert slowly(checker, repair.solved.roster).legal
        assert repair.solved.cost == spent(repair.solved.roster, checker)
    assume(made.is_proved)
    few, cost = cheapest(squad, checker)
    if not made.repairs:
        assert few == 3
    elif few < 3:
        best = made.repairs[0]
        assert best.changes == few
        assert abs(best.solved.cost - spent(squad, checker)) == cost
    else:
        assert made.repairs[0].changes >= 3
    if any(
        legal(one, checker, len(squad.entries))
        for one in (squad, *additions(squad, checker))
    ):
        assert not made.conflict.demands


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(RULES, min_size=1, max_size=2), SQUADS, st.integers(1, 3), STEPS)
def test_a_completion_that_is_proved_spends_the_most(
    rules: list[dict[str, Any]], squad: Roster, more: int, steps: dict[str, Any]
) -> None:
    checker = judge_of(rules, int(spent(squad, judge_of([], 99, steps))) + more, steps)
    assume(not checker.check(squad, repaired=False).problems)
    # a short time, because why nothing completes it is not asked here
    made = find_completions(checker, squad, SquadRequest(), Deadline.start(2))
    for found in made.squads:
        assert slowly(checker, found.roster).legal
    if made.is_proved:
        assert (made.squads[0].cost if made.squads else None) == most(squad, checker)


def most(start: Roster, checker: RosterChecker) -> float | None:
    """Return the most that a legal squad spends which holds the given one, by trying all."""
    limit = next(
        rule.max.number for rule in checker.pack.rules.rules if rule.id == "points"
    )
    seen, todo = {shape(start, start): start}, [start]
    while todo:
        squad = todo.pop()
        for more in additions(squad, checker):
            if (
                spent(more, checker) <= limit
                and (key := shape(more, start)) not in seen
            ):
                seen[key] = more
                todo.append(more)
    for squad in sorted(seen.values(), key=lambda one: -spent(one, checker)):
        if any(
            checker.check(one, repaired=False).legal
            for one in decided(squad, start, checker)
        ):
            return spent(squad, checker)
    return None


def shape(squad: Roster, start: Roster) -> str:
    """Return what a squad consists of, whatever the order of what came in."""
    old = len(start.entries)
    lines = [
        *squad.entries[:old],
        *sorted(squad.entries[old:], key=lambda entry: entry.model_dump_json()),
    ]
    loads = [sorted(item.card for item in entry.attachments) for entry in lines]
    told = [
        (entry.card, entry.count, dict(entry.choices), load)
        for entry, load in zip(lines, loads, strict=True)
    ]
    return repr((told, sorted(card.card for card in squad.deck)))


def decided(squad: Roster, start: Roster, checker: RosterChecker) -> Iterator[Roster]:
    """Yield the squad with every tie and choice that is open named and made in every way.

    What is stated stays.
    """
    lines = range(len(squad.entries))
    old = lines[: len(start.entries)] if asks(checker, "choice") else ()
    open_jobs = [line for line in old if not squad.entries[line].choices]
    open_ties = (
        [line for line in lines if not squad.entries[line].links]
        if asks(checker, "link")
        else []
    )
    ways = [[None, *(other for other in lines if other != line)] for line in open_ties]
    for jobs in product(JOBS, repeat=len(open_jobs)):
        for way in product(*ways):
            made = [
                SetChoice(line, "job", job)
                for line, job in zip(open_jobs, jobs, strict=True)
                if job
            ]
            named = [
                SetLink(line, "holder", to)
                for line, to in zip(open_ties, way, strict=True)
                if to is not None
            ]
            yield apply_operations(squad, *made, *named)
