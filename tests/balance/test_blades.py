"""What the Blades pack promises in its notes.

Prices by a formula, references that know who has a rule, true widths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.house.source import ROOT

Data = Mapping[str, Any]

PACK = ROOT / "cards" / "blades"
BASE = 32.0
"""The pack's base in mm."""
MODEL_RULES = {"climber": 2, "burglar": 2, "zen": 3, "loner": -1}
LEVELS = {"alert": {1: 1, 2: 3}, "stealth": {1: 3, 2: 5}}
WEAPON_RULES = {"wall-breaker": 1, "shooting-arm": 2, "multiply-x": 0}


def cards(kind: str) -> list[Data]:
    reader = YAML(typ="safe", pure=True)
    return [
        reader.load(path.read_text(encoding="utf-8"))
        for path in sorted((PACK / kind).rglob("*.yaml"))
    ]


def rules(card: Data) -> Mapping[str, Data]:
    found: Mapping[str, Data] = card.get("rules") or {}
    return found


def model_price(card: Data) -> float:
    price = (
        card["body-strength"]
        + 0.8 * card["agility"]
        + 0.6 * card["spirit"]
        + 3 * card["attack-count"]
    )
    price += card["movement"] - 4 - 6 + (3 if "commander" in card["keywords"] else 0)
    for name, rule in rules(card).items():
        price += (
            LEVELS[name][rule["level"]] - ("when" in rule)
            if name in LEVELS
            else MODEL_RULES[name]
        )
    return float(price)


def weapon_price(card: Data) -> float:
    damage = card["weapon-damage"]
    price = damage + sum(WEAPON_RULES.get(name, -1) for name in rules(card))
    if "multiply-x" in rules(card):
        price += damage * (rules(card)["multiply-x"]["x"] - 1) / 2
    return max(1.0, float(price))


@pytest.mark.parametrize("card", cards("fighter"), ids=lambda card: card["id"])
def test_a_model_costs_what_the_notes_say(card: Data) -> None:
    assert card["cost"] == pytest.approx(model_price(card), abs=0.5)


@pytest.mark.parametrize("card", cards("weapon"), ids=lambda card: card["id"])
def test_a_weapon_costs_what_the_notes_say(card: Data) -> None:
    assert card["cost"] == pytest.approx(weapon_price(card), abs=0.5)


@pytest.mark.parametrize(
    "card", [c for c in cards("precept") if "keyword" in c], ids=lambda card: card["id"]
)
def test_a_reference_names_everyone_who_has_the_rule(card: Data) -> None:
    owners = [
        one["id"]
        for kind in ("fighter", "weapon")
        for one in cards(kind)
        if card["keyword"] in rules(one)
    ]
    assert sorted(card["bearers"]) == sorted(owners)


def test_every_special_rule_has_a_reference() -> None:
    used = {
        name
        for kind in ("fighter", "weapon")
        for card in cards(kind)
        for name in rules(card)
    }
    assert used == {card["keyword"] for card in cards("precept") if "keyword" in card}


@pytest.mark.parametrize(
    "card", [c for c in cards("terrain") if "abreast" in c], ids=lambda card: card["id"]
)
def test_as_many_pass_abreast_as_bases_fit_the_width(card: Data) -> None:
    assert card["abreast"] == card["width"] * 25.4 // BASE
