"""Exact chances: they sum to 1, equal counting by hand, and equal counting every outcome."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, strategies as st

from builder.dice.odds import (
    DamageWorth,
    SaveRules,
    SuccessTest,
    add_spreads,
    find_damage,
    find_mean,
    mix_spreads,
    roll_sum,
)
from tests.dice.throwing import pool

few = st.integers(0, 3)
faces = st.integers(2, 6)


@given(count=st.integers(0, 4), sides=st.integers(2, 8))
def test_a_sum_of_dice_is_what_counting_every_throw_gives(
    count: int, sides: int
) -> None:
    spread = roll_sum(count, sides)
    throws = [sum(throw) for throw in product(range(1, sides + 1), repeat=count)]
    assert spread == {
        value: Fraction(throws.count(value), len(throws)) for value in set(throws)
    }
    assert sum(spread.values()) == 1
    assert find_mean(spread) == Fraction(count * (sides + 1), 2)


@given(count=few, each=st.none() | faces, strong=st.none() | faces, under=st.booleans())
def test_a_pool_is_what_counting_every_throw_gives(
    count: int, each: int | None, strong: int | None, under: bool
) -> None:
    counted: dict[tuple[int, int], int] = {}
    for throw in product(range(1, 7), repeat=count):
        good = [
            die
            for die in throw
            if each is not None and (die <= each if under else die >= each)
        ]
        sharp = sum(strong is not None and die >= strong for die in good)
        key = (len(good) - sharp, sharp)
        counted[key] = counted.get(key, 0) + 1
    found = pool(count, 6, each, strong, under=under)
    assert found == {key: Fraction(number, 6**count) for key, number in counted.items()}
    assert sum(found.values()) == 1


@cache
def spend(
    common: int,
    sharp: int,
    saves: tuple[int, ...],
    worth: int,
    dear: int,
    *,
    pairs: bool,
    spare: bool,
) -> int:
    """The least damage, found by trying every use of every save in turn."""
    best = common * worth + sharp * dear
    for index, save in enumerate(saves):
        rest = saves[:index] + saves[index + 1 :]
        if common and (save == 0 or spare):
            best = min(
                best,
                spend(common - 1, sharp, rest, worth, dear, pairs=pairs, spare=spare),
            )
        if sharp and save == 1:
            best = min(
                best,
                spend(common, sharp - 1, rest, worth, dear, pairs=pairs, spare=spare),
            )
        if sharp and pairs and save == 0 and 0 in rest:
            at = rest.index(0)
            other = rest[:at] + rest[at + 1 :]
            best = min(
                best,
                spend(common, sharp - 1, other, worth, dear, pairs=pairs, spare=spare),
            )
    return best


@pytest.mark.parametrize(
    "pairs", [False, True], ids=["one save each", "two saves for a strong success"]
)
@pytest.mark.parametrize(
    "spare", [False, True], ids=["strong saves for strong ones", "strong saves for any"]
)
@pytest.mark.parametrize("dear", [2, 3, 7])
def test_saves_leave_the_least_damage(pairs: bool, spare: bool, dear: int) -> None:
    certain = Fraction(1)
    for common, strong, saved, sharp in product(range(4), range(3), range(5), range(3)):
        saves = SaveRules({(saved, sharp): certain}, None, pairs, spare)
        worth = DamageWorth({2: certain}, {dear: certain})
        found = find_damage({(common, strong): certain}, worth, saves)
        dice = (0,) * saved + (1,) * sharp
        least = spend(common, strong, dice, 2, dear, pairs=pairs, spare=spare)
        assert found == {least: certain}, (common, strong, saved, sharp)


def test_the_example_of_the_shooting_rules() -> None:
    """Hits of 4, 4 and 6 against a single common save, harm 2/3: five wounds are lost."""
    certain = Fraction(1)
    saves = SaveRules({(1, 0): certain}, two_for_strong=True, strong_for_common=False)
    worth = DamageWorth({2: certain}, {3: certain})
    assert find_damage({(2, 1): certain}, worth, saves) == {5: 1}


def test_extremes_of_the_dice_succeed_or_fail_whatever_is_needed() -> None:
    assert SuccessTest(always=12).is_success(12, 0, 30)
    assert not SuccessTest(never=2).is_success(2, 30, 5)
    assert not SuccessTest(always=12).is_success(12, 30, None)
    assert SuccessTest(under=True).is_success(3, 1, 4)
    assert not SuccessTest(under=True).is_success(4, 1, 4)


def test_what_a_mixture_leaves_over_is_nothing() -> None:
    half = Fraction(1, 2)
    assert mix_spreads([(half, {2: half, 0: half})]) == {
        0: Fraction(3, 4),
        2: Fraction(1, 4),
    }
    assert add_spreads({1: half, 2: half}, {1: Fraction(1)}) == {2: half, 3: half}
