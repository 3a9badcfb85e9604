"""Explanations: repairs are legal and as few changes as brute force needs; conflicts are smallest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.operations import Add, Free, Move, Operation, Remove, Tie, apply
from builder.roster.resolve import resolve
from builder.rules.judge import Judge
from builder.rules.tables import OF_ROLE
from builder.solve.mend import explain
from tests.rules.orchard import pack, roster
from tests.rules.strategies import rosters

JUDGE = Judge(pack())
SOURCES = {card.id: OF_ROLE.get(JUDGE.pack.role(card)) for card in JUDGE.pack.cards.values()}


def steps(squad: Roster) -> Iterator[Operation]:
    """Every single change of a squad."""
    lines = range(len(squad.entries))
    for line, entry in enumerate(squad.entries):
        yield Remove(("entries", line), entry.card)
        for index, item in enumerate(entry.attachments):
            path = ("entries", line, "attachments", index)
            yield Remove(path, item.card)
            if item.slot is not None:
                yield Free(path, item.card)
            yield from (Move(path, item.card, other) for other in lines if other != line)
        yield from (Tie(line, "holder", other) for other in lines if other != line)
    for index, owned in enumerate(squad.deck):
        yield Remove(("deck", index), owned.card)
    for card, source in SOURCES.items():
        if source is Source.ATTACHMENTS:
            yield from (Add(card, source, line) for line in lines)
        elif source is not None:
            yield Add(card, source)


def fewest(squad: Roster) -> int:
    """1 or 2 if so many changes mend the squad, else 3 for more."""
    legal = [JUDGE.check(apply(squad, step), mend=False).legal for step in steps(squad)]
    if any(legal):
        return 1
    for step in steps(squad):
        after = apply(squad, step)
        if any(JUDGE.check(apply(after, other), mend=False).legal for other in steps(after)):
            return 2
    return 3


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(rosters(pack(), most=2))
def test_no_repair_takes_fewer_changes(squad: Roster) -> None:
    verdict = JUDGE.check(squad, mend=False)
    if verdict.legal or verdict.problems:
        return
    made = explain(JUDGE, squad)
    assert made.proved
    few = fewest(squad)
    if not made.repairs:
        assert few == 3
        return
    for repair in made.repairs:
        assert JUDGE.check_slowly(repair.outcome.roster).legal
    assert made.repairs[0].changes == few if few < 3 else made.repairs[0].changes >= 3


def can_stay(squad: Roster, paths: list[tuple[str | int, ...]]) -> bool:
    """True if the picks can be part of a legal squad: some repair of the squad of them alone only adds."""
    gone = [pick for pick in resolve(squad, JUDGE.pack).picks(Source.ALL) if pick.path not in paths]
    removals = [Remove(pick.path, pick.card.id, pick.count) for pick in gone]
    rest = apply(squad, *removals)
    return JUDGE.check(rest, mend=False).legal or not explain(JUDGE, rest).conflict.demands


def test_the_smallest_conflict_is_found_among_larger_ones() -> None:
    squad = roster("ada", "bo", "cy", "di", "di", mode="feast", size=12)
    made = explain(JUDGE, squad)
    assert made.conflict.proved
    assert len(made.conflict.demands) == 3
    assert made.repairs[0].changes == 1
    for pair in combinations([item.path for item in made.conflict.demands], 2):
        assert can_stay(squad, list(pair))


def test_a_squad_that_only_lacks_something_has_no_conflict() -> None:
    made = explain(JUDGE, roster("cy"))
    assert made.conflict.demands == ()
    assert [(item.card, item.count) for item in made.repairs[0].outcome.came] == [("ada", 1)]


def test_a_tie_is_named_rather_than_anybody_removed() -> None:
    made = explain(JUDGE, roster("ada", "kite", "cy", "di"))
    assert made.repairs[0].changes == 1
    assert made.repairs[0].outcome.ties


def test_an_attachment_is_moved_where_that_costs_nothing() -> None:
    made = explain(JUDGE, roster("ada", {"card": "cy", "attachments": ["crown"]}))
    assert made.repairs[0].changes == 1
    assert [item.card for item in made.repairs[0].outcome.came] == ["crown"]


def test_a_tie_that_may_stay_unnamed_is_still_mended_where_its_target_is_too_small() -> None:
    seats = {"id": "holder", "type": "link", "select": {"where": {"id": "kite"}}, "link": "holder",
             "target": {"holds": {"exists": True}}, "required": "never", "capacity": "holds"}  # fmt: skip
    squad = roster({"card": "kite", "count": 2, "links": {"holder": "di"}}, "di")
    judge = Judge(pack([seats]))
    made = explain(judge, squad)
    assert made.repairs[0].changes == 1
    assert all(judge.check(repair.outcome.roster, mend=False).legal for repair in made.repairs)
