"""Pools and rolls: throwing again, rolls that follow, opposed dice.

Every throw counted, and laws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from builder.dice.odds import Split
from builder.dice.pools import MAX_DICE, find_roll_chance, roll_successes
from builder.dice.reading import Reading
from builder.model.stats import Pool, Step
from builder.roster.resolve import make_test_selection
from tests.dice.test_stats import card

SIX = range(1, 7)
READ = Reading(
    make_test_selection(card(sort="bent", many=MAX_DICE + 1)),
    make_test_selection(card()),
    {"wall": 4},
)


def pool(**fields: Any) -> Split:
    return roll_successes(Pool.model_validate(fields), READ)


def counted(dice: int, tell: Callable[..., tuple[int, int]]) -> Split:
    found: dict[tuple[int, int], int] = {}
    for throw in product(SIX, repeat=dice):
        pair = tell(*throw)
        found[pair] = found.get(pair, 0) + 1
    return {pair: Fraction(number, 6**dice) for pair, number in found.items()}


def same(one: Split, other: Split) -> bool:
    return dict(one) == dict(other)


def test_low_dice_are_thrown_once_more_and_stay() -> None:
    found = pool(count=1, each=3, strong=6, reroll=2)
    assert same(
        found, counted(2, lambda one, two: sorted_out(one if one > 2 else two, 3))
    )


def sorted_out(die: int, need: int) -> tuple[int, int]:
    return (0, 0) if die < need else (0, 1) if die == 6 else (1, 0)


def test_one_die_that_failed_is_thrown_again() -> None:
    def tell(one: int, two: int, spare: int) -> tuple[int, int]:
        dice = [one, two]
        if min(dice) < 4:
            dice[dice.index(min(dice))] = spare
        pairs = [sorted_out(die, 4) for die in dice]
        return pairs[0][0] + pairs[1][0], pairs[0][1] + pairs[1][1]

    assert same(pool(count=2, each=4, strong=6, again=1), counted(3, tell))


def test_a_strong_success_sharpens_common_ones() -> None:
    def tell(*dice: int) -> tuple[int, int]:
        common, strong = (
            sum(pair)
            for pair in zip(*(sorted_out(die, 3) for die in dice), strict=True)
        )
        turned = min(common, 1) if strong else 0
        return common - turned, strong + turned

    assert same(pool(count=3, each=3, strong=6, sharpen=1), counted(3, tell))


def test_each_success_makes_the_rolls_that_follow() -> None:
    then = [
        {"dice": "1d6", "reach": 5, "reroll": 1},
        {
            "dice": "1d6",
            "plus": -1,
            "reach": {"target": "wall"},
            "never": 1,
            "fails": True,
        },
        {"dice": "1d6", "reach": 7, "where": {"sort": "straight"}},
    ]
    chance = (
        Fraction(1, 2)
        * (Fraction(2, 6) + Fraction(1, 6) * Fraction(2, 6))
        * Fraction(4, 6)
    )
    found = pool(count=2, each=4, then=then)
    assert found[2, 0] == chance**2
    assert found[1, 0] == 2 * chance * (1 - chance)


def test_an_echo_counts_once_more_and_not_twice() -> None:
    """The example of the rulebook: three dice on 4, two did damage, one of them again.

    Three in all.
    """
    found = pool(count=3, each=4, echo={"then": [{"dice": "1d6", "reach": 4}]})

    def tell(*throw: int) -> tuple[int, int]:
        return sum(
            (die >= 4) * (1 + (more >= 4))
            for die, more in zip(throw[:3], throw[3:], strict=True)
        ), 0

    assert same(found, counted(6, tell))
    assert found[3, 0] == Fraction(3, 8) * 2 * Fraction(1, 4) + Fraction(
        1, 8
    ) * Fraction(1, 8)
    assert same(
        pool(
            count=3,
            each=4,
            echo={"where": {"sort": "x"}, "then": [{"dice": "1d6", "reach": 4}]},
        ),
        pool(count=3, each=4),
    )


def test_the_number_of_dice_may_be_thrown() -> None:
    found = pool(count="d3", each=6)
    assert found[0, 0] == sum(
        Fraction(1, 3) * Fraction(5, 6) ** count for count in (1, 2, 3)
    )


def test_too_many_dice_are_as_none() -> None:
    assert pool(count={"attack": "many"}, each=2) == {(0, 0): 1}


@pytest.mark.parametrize("lead", [-5, -1, 0, 1, 5])
def test_opposed_dice_are_won_by_the_higher_total(lead: int) -> None:
    step = Step.model_validate(
        {"dice": "1d6", "plus": lead, "against": {"dice": "1d6"}, "reach": 1}
    )
    assert find_roll_chance(step, READ) == Fraction(
        sum(a + lead > b for a, b in product(SIX, SIX)), 36
    )


forms = st.fixed_dictionaries(
    {
        "count": st.integers(0, 4),
        "each": st.integers(1, 7),
        "strong": st.none() | st.integers(4, 6),
        "reroll": st.integers(0, 3),
        "again": st.integers(0, 2),
        "sharpen": st.integers(0, 2),
        "then": st.lists(
            st.fixed_dictionaries(
                {
                    "dice": st.just("1d6"),
                    "reach": st.integers(2, 6),
                    "fails": st.booleans(),
                }
            ),
            max_size=2,
        ),
    }
)


def mean(split: Split) -> Fraction:
    return sum((sum(pair) * chance for pair, chance in split.items()), Fraction(0))


@given(form=forms)
def test_chances_sum_to_one_and_no_more_succeed_than_dice(
    form: Mapping[str, Any],
) -> None:
    found = pool(**form)
    assert sum(found.values()) == 1
    assert max(sum(pair) for pair in found) <= form["count"]


@given(form=forms)
def test_a_better_skill_never_hits_less(form: Mapping[str, Any]) -> None:
    worse = {**form, "each": form["each"] + 1}
    assert mean(pool(**form)) >= mean(pool(**worse))


@given(form=forms)
def test_a_die_more_and_a_failure_thrown_again_never_hurt(
    form: Mapping[str, Any],
) -> None:
    assert mean(pool(**{**form, "count": form["count"] + 1})) >= mean(pool(**form))
    assert mean(pool(**{**form, "again": form["again"] + 1})) >= mean(pool(**form))
