"""Blow for blow: the rulebook's own example, every throw counted by another way, and laws."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from builder.dice.duels import DuelSide, DuelSolver, Hand, solve_duel
from builder.model.stats import Duel
from tests.dice.throwing import pool

PLAIN = Duel(dice={"count": 1}, stamina=1)  # type: ignore[arg-type]
SURE = Fraction(1)


def side(
    dice: int = 2,
    need: int = 4,
    worth: int = 3,
    strong: int = 4,
    stamina: int = 8,
    **more: Any,
) -> DuelSide:
    split = tuple(sorted(pool(dice, 6, need, 6).items()))
    fields: Mapping[str, Any] = {"sure": 0, "is_guarded": False, **more}
    return DuelSide(split=split, worth=worth, strong=strong, stamina=stamina, **fields)


def test_the_example_of_the_rulebook() -> None:
    """Kill Team, the pictures of «Схватка»: 4 and 6 with 4/5 against 4 and 6 with 2/3.

    4 wounds dealt, 2 taken.

    Another line of play does as well for both, 5 dealt and 3 taken; nothing does better for either.
    """
    choppa, bayonet = (
        side(worth=4, strong=5, stamina=10),
        side(worth=2, strong=3, stamina=7),
    )
    left, right = DuelSolver(choppa, bayonet, PLAIN).find_best_end(
        (1, 1, 10), (1, 1, 7), True
    )
    assert (7 - right) - (10 - left) == 2
    assert (7 - right, 10 - left) in ((4, 2), (5, 3))


def best(
    mine: list[int],
    theirs: list[int],
    state: tuple[int, int],
    one: DuelSide,
    other: DuelSide,
    turn: bool,
) -> int:
    """Return the difference with best play, by trying all lists of dice (1 normal, 2 strong)."""
    own, foe = state
    acting, facing = (mine, theirs) if turn else (theirs, mine)
    if own <= 0 or foe <= 0 or not (mine or theirs):
        return (other.stamina - max(0, foe)) - (one.stamina - max(0, own))
    if not acting:
        return best(mine, theirs, state, one, other, not turn)
    me, it = (one, other) if turn else (other, one)
    found = []
    for index, die in enumerate(acting):
        spent = acting[:index] + acting[index + 1 :]
        blow = me.worth if die == 1 else me.strong
        struck = (own, foe - blow) if turn else (own - blow, foe)
        after = (spent, theirs) if turn else (mine, spent)
        found.append(best(*after, struck, one, other, not turn))
        for at, target in enumerate(facing):
            if target > die or (it.is_guarded and die == 1):
                continue
            rest = facing[:at] + facing[at + 1 :]
            found.append(
                best(
                    *((spent, rest) if turn else (rest, spent)),
                    state,
                    one,
                    other,
                    not turn,
                )
            )
    return max(found) if turn else min(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (side(), side(need=3)),
        (side(worth=2, strong=5, stamina=4), side(worth=4, strong=4, stamina=5)),
        (side(stamina=6), side(need=5, worth=6, strong=7, is_guarded=True)),
        (side(3, stamina=7), side(1, is_guarded=True, stamina=3)),
    ],
    ids=["even", "soon over", "hard to parry", "three against one"],
)
def test_a_fight_is_what_counting_every_throw_gives(
    one: DuelSide, other: DuelSide
) -> None:
    total = Fraction(0)
    counts = [max(sum(pair) for pair, _ in each.split) for each in (one, other)]
    for throw in product(range(1, 7), repeat=sum(counts)):
        hands = []
        for each, dice in ((one, throw[: counts[0]]), (other, throw[counts[0] :])):
            need = needed(each)
            hands.append([2 if die == 6 else 1 for die in dice if die >= need])
        total += Fraction(
            best(hands[0], hands[1], (one.stamina, other.stamina), one, other, True),
            6 ** sum(counts),
        )
    found = solve_duel(one, other, PLAIN)
    assert found.dealt - found.taken == total


def needed(one: DuelSide) -> int:
    """Return the result from which on a die succeeds.

    6 has one face, and each common success one more.
    """
    dice = max(sum(pair) for pair, _ in one.split)
    return next(
        need
        for need in range(2, 7)
        if tuple(sorted(pool(dice, 6, need, 6).items())) == one.split
    )


def test_what_strikes_at_once_is_not_parried() -> None:
    split = (((0, 1), SURE),)
    sharp = DuelSide(
        split=split, worth=3, strong=3, sure=2, stamina=5, is_guarded=False
    )
    shield = DuelSide(
        split=split, worth=1, strong=1, sure=0, stamina=9, is_guarded=False
    )
    found = solve_duel(sharp, shield, PLAIN)
    assert found.dealt == 2 + 3
    assert found.taken == 1


def test_a_side_that_falls_strikes_no_more() -> None:
    swift = DuelSide(
        split=(((2, 0), SURE),), worth=5, strong=5, sure=0, stamina=4, is_guarded=True
    )
    slow = DuelSide(
        split=(((3, 0), SURE),), worth=3, strong=3, sure=0, stamina=5, is_guarded=True
    )
    found = solve_duel(swift, slow, PLAIN)
    assert (found.dealt, found.taken, found.fells, found.falls) == (5, 0, 1, 0)


def test_a_strong_success_takes_a_common_one_only_where_the_form_says_so() -> None:
    strict = PLAIN.model_copy(update={"strong_for_common": False})
    one = DuelSide(
        split=(((0, 1), SURE),), worth=1, strong=1, sure=0, stamina=9, is_guarded=False
    )
    other = DuelSide(
        split=(((1, 0), SURE),), worth=5, strong=5, sure=0, stamina=9, is_guarded=False
    )
    assert solve_duel(one, other, PLAIN).taken == 0
    assert solve_duel(one, other, strict).taken == 5


sides = st.builds(
    side,
    dice=st.integers(0, 3),
    need=st.integers(2, 6),
    worth=st.integers(1, 4),
    strong=st.integers(1, 6),
    stamina=st.integers(1, 9),
    sure=st.integers(0, 1),
    is_guarded=st.booleans(),
)


@given(one=sides, other=sides)
def test_numbers_stay_within_their_bounds(one: DuelSide, other: DuelSide) -> None:
    found = solve_duel(one, other, PLAIN)
    assert 0 <= found.dealt <= other.stamina
    assert 0 <= found.taken <= one.stamina
    assert 0 <= found.fells <= 1
    assert 0 <= found.falls <= 1
    assert sum(chance for _, chance in one.split) == 1


@given(one=sides, other=sides, better=st.integers(1, 3))
def test_a_stronger_blow_never_hurts_the_one_who_strikes_it(
    one: DuelSide, other: DuelSide, better: int
) -> None:
    harder = DuelSide(
        one.split,
        one.worth + better,
        one.strong + better,
        one.sure,
        one.stamina,
        one.is_guarded,
    )
    weak, strong = solve_duel(one, other, PLAIN), solve_duel(harder, other, PLAIN)
    assert strong.dealt - strong.taken >= weak.dealt - weak.taken


def test_hands_that_are_empty_end_at_once() -> None:
    empty: Hand = (0, 0, 5)
    assert DuelSolver(side(), side(), PLAIN).find_best_end(empty, empty, True) == (5, 5)
