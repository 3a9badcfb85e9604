"""What a Hydrophilia character is worth, by the formula of cards/hydrophilia/notes.md.

For the balance test only.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import ceil, sqrt
from typing import Any

Data = Mapping[str, Any]

SCALE = 1.4
OPEN = 0.6
"""Share of attacks made at a target in the open; the others meet limited visibility."""
EVASION, SCREENED, BLAST = 9, 3, 7
TARGET = {"physical": 4.0, "mental": 4.0, "electromagnetic": 4.5}
BLOWS = {"defence": 0.7, "cyber": 0.15, "psyche": 0.15}
PROPERTY = {"armour-piercing": 1.15, "elemental": 1.15}


def hit(need: float) -> float:
    """Return the chance that 2d6 reach `need`: double one always misses, double six always hits."""
    bound = min(max(ceil(need), 3), 12)
    return sum(a + b >= bound for a, b in product(range(1, 7), repeat=2)) / 36


def die(value: float | None) -> float:
    """Return the chance that one damage die wounds; None is immune."""
    return 0.0 if value is None else (7 - value) / 6


def _landing(attack: Data, penalty: int) -> float:
    """Expected wounds of an artillery attack on one target."""
    exact = hit(12 - attack["skill"] + penalty)
    inexact = hit(10 - attack["skill"] + penalty) - exact
    struck = OPEN * hit(EVASION - BLAST) + (1 - OPEN) * hit(EVASION + SCREENED - BLAST)
    dice = attack["damage"].items()
    return struck * sum(
        (exact * n["exact"] + inexact * n["inexact"]) * die(TARGET[nature])
        for nature, n in dice
    )


def _chance(attack: Data, penalty: int) -> float:
    """Return the chance that an attack against evasion hits."""
    properties = attack.get("properties", ())
    screened = EVASION + SCREENED - (0.5 if "penetrating" in properties else 0)
    if "shotgun" in properties:
        screened = min(screened, 11)
    need = penalty - attack["skill"]
    if attack["type"] == "melee":
        return hit(EVASION + need)
    return OPEN * hit(EVASION + need) + (1 - OPEN) * hit(screened + need)


def wounds(attack: Data, penalty: int = 0) -> float:
    """Expected wounds of one attack on the benchmark target, weighted by range and properties."""
    kind = attack["type"]
    if kind == "artillery":
        value = _landing(attack, penalty) * (
            1.6 if attack.get("radius", 2) > 2 else 1.4
        )
    else:
        dice = sum(n * die(TARGET[nature]) for nature, n in attack["damage"].items())
        value = _chance(attack, penalty) * dice * (1.3 if kind == "area" else 1)
    for name in attack.get("properties", ()):
        value *= PROPERTY.get(name, 1)
    return float(value) * (
        0.6 if kind == "melee" else min(1.2, 0.6 + attack.get("range", 4) / 50)
    )


def offence(card: Data) -> float:
    """O: expected wounds of the best activation."""
    attacks = card["attacks"]
    short = {name: attack for name, attack in attacks.items() if attack["ap"] == 1}
    second = 0.5 if "drone" in card["keywords"] else 1
    plans = [wounds(attack) for attack in attacks.values()]
    for (one, first), (two, then) in product(short.items(), repeat=2):
        if one != two or first["repeatable"]:
            plans.append(wounds(first) + second * wounds(then, 2))
    charge = card.get("skills", {}).get("assault")
    blows = [
        wounds(attack) / 0.6 for attack in attacks.values() if attack["type"] == "melee"
    ]
    if charge and blows:
        plans.append(2 * max(blows) * (0.6 + charge["range"] / 20) / 2)
    return max(plans)


def durability(card: Data) -> float:
    """D: how many benchmark attacks it takes to kill."""
    need = card["evasion"] - 1
    chance = (
        hit(need)
        if "flyer" in card["keywords"]
        else OPEN * hit(need) + (1 - OPEN) * hit(need + SCREENED)
    )
    dice = sum(share * die(card[stat]) for stat, share in BLOWS.items())
    return float(card["health"] / (3 * chance * dice))


def mobility(card: Data) -> float:
    """M: speed and flight."""
    return float(1 + 0.04 * (card["movement"] - 5)) * (
        1.1 if "flyer" in card["keywords"] else 1
    )


def worth(card: Data, allowance: float) -> float:
    """Return what a card is worth in points, before rounding."""
    return SCALE * sqrt(offence(card) * durability(card)) * mobility(card) + allowance
