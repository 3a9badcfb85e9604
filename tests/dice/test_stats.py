"""Attacks by a declared form: numbers worked out by hand, and every throw counted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from builder.dice.attack_stats import Attack, find_field_values
from builder.dice.odds import find_mean
from builder.model.card import Card
from builder.model.stats import AttackForm, Roll
from builder.model.statvalues import FieldOf

SHOT: Mapping[str, Any] = {
    "roll": {"dice": "2d6", "plus": {"attack": "aim"}, "always": 12, "never": 2},
    "ways": [
        {
            "reach": {"target": "dodge"},
            "damage": [
                {"dice": {"count": {"attack": "dice"}, "each": {"target": "hide"}}}
            ],
        }
    ],
}
SHELL: Mapping[str, Any] = {
    "roll": {"dice": "2d6", "plus": {"attack": "aim"}, "always": 12, "never": 2},
    "ways": [
        {
            "reach": 12,
            "damage": [
                {"dice": {"count": {"attack": "near"}, "each": {"target": "hide"}}}
            ],
        },
        {
            "reach": 10,
            "damage": [
                {"dice": {"count": {"attack": "far"}, "each": {"target": "hide"}}}
            ],
        },
    ],
    "then": {
        "dice": "2d6",
        "plus": 7,
        "reach": {"target": "dodge"},
        "always": 12,
        "never": 2,
    },
}
VOLLEY: Mapping[str, Any] = {
    "ways": [
        {
            "damage": [
                {
                    "dice": {
                        "count": {"attack": "dice"},
                        "each": {"model": "eye"},
                        "strong": 6,
                    },
                    "worth": 3,
                    "strong_worth": 4,
                    "saves": {
                        "count": {"target": "dice"},
                        "each": {"target": "save"},
                        "strong": 6,
                    },
                }
            ]
        }
    ]
}


def card(name: str = "one", **data: Any) -> Card:
    return Card.model_validate(
        {
            "id": name,
            "kind": "model",
            "name": name,
            "revision": 1,
            "released": date(2026, 1, 1),
            **data,
        }
    )


def attack(form: Mapping[str, Any], model: Card | None = None, **data: Any) -> Attack:
    return Attack(AttackForm.model_validate(form), data, model or card(), "attacks.x")


def test_a_shot_as_counted_by_hand() -> None:
    shot = attack(SHOT, aim=2, dice=3)
    profile = {"dodge": 9, "hide": 4}
    assert shot.find_mean_hits(profile) == Fraction(21, 36)  # 7 or more on two dice
    assert find_mean(shot.find_damage(0, profile)) == Fraction(21, 36) * 3 * Fraction(
        1, 2
    )
    assert shot.find_damage(0, profile)[3] == Fraction(21, 36) * Fraction(1, 8)


@pytest.mark.parametrize(
    ("dodge", "chance"), [(-5, Fraction(35, 36)), (40, Fraction(1, 36))]
)
def test_the_extremes_always_miss_and_always_hit(dodge: int, chance: Fraction) -> None:
    assert (
        attack(SHOT, aim=2, dice=3).find_mean_hits({"dodge": dodge, "hide": 4})
        == chance
    )


def test_a_dash_is_immune_and_a_spread_sums_to_one() -> None:
    shot = attack(SHOT, aim=0, dice=3)
    assert shot.find_damage(0, {"dodge": 8, "hide": None}) == {0: Fraction(1)}
    assert sum(shot.find_damage(0, {"dodge": 8, "hide": 3}).values()) == 1


def test_a_shell_is_what_counting_all_throws_gives() -> None:
    """Exact on 12, inexact on 10, then 2d6 + 7 against the target, then its dice."""
    shell = attack(SHELL, aim=1, near=2, far=1)
    counted: dict[int, int] = {}
    for one, two, three, four, first, second in product(range(1, 7), repeat=6):
        land, check = one + two, three + four
        exact, inexact = (
            land == 12 or (land > 2 and land + 1 >= 12),
            land > 2 and land + 1 >= 10,
        )
        struck = check == 12 or (check > 2 and check + 7 >= 11)
        dice = (
            ([first, second] if exact else [first] if inexact else []) if struck else []
        )
        wounds = sum(die >= 4 for die in dice)
        counted[wounds] = counted.get(wounds, 0) + 1
    profile = {"dodge": 11, "hide": 4}
    assert shell.find_damage(0, profile) == {
        wounds: Fraction(number, 6**6) for wounds, number in sorted(counted.items())
    }
    assert shell.find_mean_hits(profile) == Fraction(10, 36) * Fraction(33, 36)


def test_a_volley_against_saves_is_what_counting_all_throws_gives() -> None:
    volley = attack(VOLLEY, card(eye=4), dice=2)
    total = Fraction(0)
    for first, second, save in product(range(1, 7), repeat=3):
        worth = sorted(4 if die == 6 else 3 for die in (first, second) if die >= 4)
        if save == 6:
            worth = worth[:-1]
        elif save >= 5 and 3 in worth:
            worth.remove(3)
        total += Fraction(sum(worth), 216)
    assert find_mean(volley.find_damage(0, {"dice": 1, "save": 5})) == total
    assert volley.find_mean_hits({"dice": 1, "save": 5}) == 1


def test_an_attack_without_a_bonus_makes_no_roll() -> None:
    assert attack(SHOT, dice=3).find_mean_hits({"dodge": 40, "hide": 4}) == 1


def test_only_the_damage_that_a_card_states_is_thrown() -> None:
    assert attack(SHOT, aim=0, dice=3).has_damage(0)
    assert not attack(SHOT, aim=0).has_damage(0)


def test_values_that_occur_rise_and_end_with_the_dash() -> None:
    cards = [
        card("a", hide=5),
        card("b", hide=None),
        card("c", hide=3),
        card("d"),
        card("e", hide=5),
    ]
    assert find_field_values(cards, "hide") == (3, 5, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ways": [{"reach": 1, "damage": SHOT["ways"][0]["damage"]}] * 2},
        {"roll": SHOT["roll"], "ways": [{"damage": SHOT["ways"][0]["damage"]}]},
        {**SHOT, "then": {"dice": "2d6"}},
        {**SHOT, "then": {"dice": "2d6", "reach": {"target": "third"}}},
    ],
    ids=[
        "ways without a roll",
        "a way that reaches nothing",
        "a second roll for nothing",
        "three fields",
    ],
)
def test_a_form_that_says_nothing_clear_is_refused(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AttackForm.model_validate(wrong)


def test_dice_and_fields_have_one_form() -> None:
    with pytest.raises(ValidationError):
        Roll(dice="0d6")
    with pytest.raises(ValidationError):
        FieldOf(attack="a", target="b")
