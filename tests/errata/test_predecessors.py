"""Which card of an older state a newer id was: before a rename or split, and never a guess."""

from __future__ import annotations

import pytest

from builder.errata.impact import find_predecessor_card, return_to_predecessors
from builder.model.roster import Entry, Roster
from tests.errata.states import gone

STEPS = (
    gone("falcon", "gyrfalcon"),
    gone("gyrfalcon", "white-falcon"),
    gone("twins", "left-twin", "right-twin", kind="split"),
    gone("cub", "grey-fox", kind="merge"),
    gone("pup", "grey-fox", kind="merge"),
    gone("ring", "circle"),
    gone("circle", "ring"),
)


@pytest.mark.parametrize(
    ("card", "cards", "expected"),
    [
        ("gyrfalcon", {"falcon"}, "falcon"),
        ("white-falcon", {"falcon"}, "falcon"),
        ("white-falcon", {"gyrfalcon"}, "gyrfalcon"),
        ("left-twin", {"twins"}, "twins"),
        ("right-twin", {"twins"}, "twins"),
        ("grey-fox", {"cub", "pup"}, None),
        ("owl", {"falcon"}, None),
        ("ring", {"falcon"}, None),
    ],
)
def test_a_card_leads_back_to_what_it_was(
    card: str, cards: set[str], expected: str | None
) -> None:
    assert find_predecessor_card(card, STEPS, cards) == expected


def test_a_roster_gets_the_ids_of_an_older_state() -> None:
    roster = Roster(
        pack="woods", entries=(Entry(card="gyrfalcon"), Entry(card="grey-fox"))
    )
    older = return_to_predecessors(roster, STEPS, {"falcon", "cub", "pup"})
    assert [entry.card for entry in older.entries] == ["falcon", "grey-fox"]
