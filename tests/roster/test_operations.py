"""Operations give a new roster; removing what was added gives the old one back."""

from __future__ import annotations

from hypothesis import given, strategies as st

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.operations import (
    Add,
    FreeSlot,
    Move,
    Remove,
    SetLink,
    apply_operations,
)
from builder.roster.resolve import resolve_roster
from tests.rules.orchard import pack, roster
from tests.rules.strategies import rosters

PACK = pack()


@given(rosters(PACK), st.sampled_from(["ada", "kite"]), st.sampled_from(["jam", "pie"]))
def test_removing_what_was_added_restores(
    before: Roster, entry: str, owned: str
) -> None:
    added = apply_operations(
        before, Add(entry, Source.ENTRIES), Add(owned, Source.DECK)
    )
    assert len(added.entries) == len(before.entries) + 1
    last, top = ("entries", len(before.entries)), ("deck", len(before.deck))
    assert apply_operations(added, Remove(last, entry), Remove(top, owned)) == before


@given(rosters(PACK), st.randoms())
def test_removals_together_mean_the_roster_as_it_was(
    before: Roster, chance: st.DataObject
) -> None:
    squad = resolve_roster(before, PACK)
    gone = [pick for pick in squad.attachments if chance.random() < 0.5]  # type: ignore[attr-defined]
    after = resolve_roster(
        apply_operations(before, *(Remove(pick.path, pick.card.id) for pick in gone)),
        PACK,
    )
    left = [(pick.line, pick.card.id) for pick in squad.attachments if pick not in gone]
    assert [(pick.line, pick.card.id) for pick in after.attachments] == left


def test_copies_go_one_by_one_and_the_last_takes_the_line() -> None:
    before = roster("ada", {"card": "cy", "count": 3, "attachments": ["pail"]})
    two = apply_operations(before, Remove(("entries", 1), "cy"))
    assert [entry.count for entry in two.entries] == [1, 2]
    assert len(apply_operations(before, Remove(("entries", 1), "cy", 3)).entries) == 1


def test_a_moved_attachment_changes_its_bearer() -> None:
    before = roster({"card": "ada", "attachments": ["pail", "sack"]}, "cy")
    after = apply_operations(before, Move(("entries", 0, "attachments", 0), "pail", 1))
    assert [[item.card for item in entry.attachments] for entry in after.entries] == [
        ["sack"],
        ["pail"],
    ]


def test_a_freed_attachment_names_no_slot() -> None:
    before = roster({"card": "ada", "attachments": [{"card": "sack", "slot": "left"}]})
    after = apply_operations(before, FreeSlot(("entries", 0, "attachments", 0), "sack"))
    assert after.entries[0].attachments[0].slot is None


def test_a_tie_to_one_of_twins_gives_it_a_name() -> None:
    before = roster("cy", "cy", "kite")
    after = apply_operations(before, SetLink(2, "holder", 1))
    assert resolve_roster(after, PACK).links[(2, "holder")].line == 1
    alone = apply_operations(roster("cy", "kite"), SetLink(1, "holder", 0))
    assert alone.entries[1].links == {"holder": "cy"}
    assert alone.entries[0].id is None
