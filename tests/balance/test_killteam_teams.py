"""The Kill Team pack agrees with the rulebook's cards, tables and worked examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Limit
from builder.packs.loading import load_pack
from builder.packs.project import Project

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pack() -> Pack:
    loaded = load_pack(Project(ROOT), "killteam").pack
    assert loaded is not None
    return loaded


def data(card: Card) -> Any:
    return card.data


def bounds(pack: Pack, rule: str) -> dict[str, float]:
    """Return the table of one rule."""
    found = next(each for each in pack.rules.rules if each.id == rule)
    assert isinstance(found, Limit)
    bound = found.exactly or found.max
    assert bound is not None
    assert bound.table is not None
    return dict(bound.table)


def test_a_team_card_says_what_the_rules_demand(pack: Pack) -> None:
    teams = tuple(pack.list_cards_of_kind("kill-team"))
    assert {team.faction: data(team)["size"] for team in teams} == bounds(
        pack, "team-size"
    )
    assert {
        team.faction: data(team)["parts"]["specialists"]["count"] for team in teams
    } == bounds(pack, "specialists")


def test_every_operative_stands_in_its_part_of_its_team(pack: Pack) -> None:
    stations = {"leader": "leader", "specialist": "specialists", "trooper": "troopers"}
    for team in pack.list_cards_of_kind("kill-team"):
        mine = [
            card
            for card in pack.list_cards_of_kind("operative")
            if card.faction == team.faction
        ]
        for station, part in stations.items():
            listed = set(data(team)["parts"][part]["operatives"])
            assert listed == {
                card.id for card in mine if data(card)["station"] == station
            }
        assert all(data(team)["faction_keyword"] in card.keywords for card in mine)
        assert all(
            ("leader" in card.keywords) == (data(card)["station"] == "leader")
            for card in mine
        )


def test_a_team_can_be_filled_and_a_fixed_one_in_one_way(pack: Pack) -> None:
    for team in pack.list_cards_of_kind("kill-team"):
        mine = [
            card
            for card in pack.list_cards_of_kind("operative")
            if card.faction == team.faction
        ]
        specialists = sum(
            data(card)["limit"]
            for card in mine
            if data(card)["station"] == "specialist"
        )
        troopers = sum(
            data(card)["limit"] for card in mine if data(card)["station"] == "trooper"
        )
        most = (
            1 + min(specialists, data(team)["parts"]["specialists"]["count"]) + troopers
        )
        assert most >= data(team)["size"]
        if data(team)["form"] == "fixed":
            assert most == data(team)["size"]


def test_starred_rules_are_explained_on_the_card_that_uses_them(pack: Pack) -> None:
    for card in pack.list_cards_of_kind("operative"):
        weapons = [
            *data(card).get("ranged", {}).values(),
            *data(card)["melee"].values(),
        ]
        used = {rule for weapon in weapons for rule in weapon.get("own_rules", ())}
        assert used == set(data(card).get("starred", {})), card.id


def test_common_weapon_rules_are_explained_on_a_reference(pack: Pack) -> None:
    used = {
        rule
        for card in pack.list_cards_of_kind("operative")
        for weapon in [
            *data(card).get("ranged", {}).values(),
            *data(card)["melee"].values(),
        ]
        for key in ("rules", "critical_rules")
        for rule in weapon.get(key, {})
    }
    told = str([data(card) for card in pack.list_cards_of_kind("reference")])
    assert [rule for rule in sorted(used) if f"{{term:{rule}}}" not in told] == []


def test_the_rulebooks_examples_come_out(pack: Pack) -> None:
    gun = data(pack.cards["veteran-guardsman"])["ranged"]["lasgun"]
    bayonet = data(pack.cards["veteran-guardsman"])["melee"]["bayonet"]
    ork = data(pack.cards["kommando"])
    choppa = ork["melee"]["choppa"]
    hits = [die for die in (2, 4, 4, 6) if die >= gun["skill"]]
    assert (gun["attacks"], hits) == (4, [4, 4, 6])
    assert (ork["df"], [die for die in (1, 3, 5) if die >= ork["sv"]]) == (3, [5])
    assert gun["damage"]["normal"] + gun["damage"]["critical"] == 5
    assert (
        choppa["attacks"],
        [die for die in (1, 2, 4, 6) if die >= choppa["skill"]],
    ) == (
        4,
        [4, 6],
    )
    assert (
        bayonet["attacks"],
        [die for die in (1, 4, 6) if die >= bayonet["skill"]],
    ) == (
        3,
        [4, 6],
    )
    assert (choppa["damage"]["normal"], bayonet["damage"]["normal"]) == (4, 2)


def test_no_operative_is_injured_out_of_reach(pack: Pack) -> None:
    """An injured operative moves a circle less: every move leaves something."""
    inches = {"triangle": 1, "circle": 2, "square": 3, "pentagon": 6}
    for card in pack.list_cards_of_kind("operative"):
        assert data(card)["move"]["times"] * inches[data(card)["move"]["gauge"]] > 2
