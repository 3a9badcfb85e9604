"""Nothing in the pack favours a side, and nothing is printed that nobody can use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from builder.model.pack import Pack
from builder.model.roster import Attachment, Entry, Roster
from builder.packs.loading import load_pack
from builder.packs.project import find_project
from builder.rules.checker import RosterChecker
from tests.house.source import ROOT

Place = tuple[float, float]


@cache
def pack() -> Pack:
    loaded = load_pack(find_project(ROOT), "hydrophilia")
    assert loaded.pack is not None
    return loaded.pack


@cache
def checker() -> RosterChecker:
    return RosterChecker(pack())


def turned(places: Iterable[Place]) -> set[Place]:
    return {(-x, -y) for x, y in places}


def corners(zones: Any, owner: str) -> list[set[Place]]:
    return [
        {(p["x"], p["y"]) for p in zone["polygon"]}
        for zone in zones.values()
        if zone["owner"] == owner
    ]


def carries(card: str, attachment: str) -> bool:
    """A squad of this one model with this one attachment breaks no rule."""
    entry = Entry(card=card, attachments=(Attachment(card=attachment),))
    return (
        checker()
        .check(
            Roster(
                pack="hydrophilia",
                params={"size": 100, "mode": "narrative"},
                entries=(entry,),
            )
        )
        .legal
    )


def test_each_face_of_a_die_chooses_one_deployment_and_the_classic_comes_first() -> (
    None
):
    rolls = {
        card.get_field("roll"): card.id
        for card in pack().list_cards_of_kind("deployment")
    }
    assert set(rolls) == {1, 2, 3, 4, 5, 6}
    assert rolls[1] == "classic"


@pytest.mark.parametrize(
    "card_id", [card.id for card in pack().list_cards_of_kind("deployment")]
)
def test_the_sides_of_a_deployment_are_the_same_after_half_a_turn(card_id: str) -> None:
    zones = pack().cards[card_id].get_field("zones")
    near, far = corners(zones, "a"), corners(zones, "b")
    assert near
    assert all(turned(zone) in far for zone in near)
    assert len(near) == len(far)
    assert all(-18 <= x <= 18 and -18 <= y <= 0 for zone in near for x, y in zone)


@pytest.mark.parametrize(
    "card_id", [card.id for card in pack().list_cards_of_kind("mission")]
)
def test_the_objectives_of_a_mission_are_the_same_after_half_a_turn(
    card_id: str,
) -> None:
    card = pack().cards[card_id]
    points: Any = card.get_field("points") or card.get_field("lines")
    places = {(p["x"], p["y"]) for p in points.values()}
    assert turned(places) == places


@pytest.mark.parametrize(
    "card_id", [card.id for card in pack().list_cards_of_kind("equipment")]
)
def test_somebody_may_carry_each_piece_of_equipment(card_id: str) -> None:
    assert any(
        carries(card.id, card_id) for card in pack().list_cards_of_kind("character")
    )


def test_each_leader_has_two_tactics_that_only_this_leader_may_play() -> None:
    leaders = [
        card.id
        for card in pack().list_cards_of_kind("character")
        if "leader" in card.keywords
    ]
    tactics = tuple(pack().list_cards_of_kind("tactic"))
    assert Counter(card.get_field("leader") for card in tactics) == dict.fromkeys(
        leaders, 2
    )
    assert all(
        carries(leader, card.id) == (card.get_field("leader") == leader)
        for card in tactics
        for leader in leaders
    )
