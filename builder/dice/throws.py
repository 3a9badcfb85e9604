"""Rolls and pools of a form for one attack on one target, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from builder.dice.odds import NOTHING, Split, Spread, add, damage, dice_pool, die, succeeds, sums
from builder.dice.pools import again, doubled, mixed, passed, rethrown, sharpened
from builder.dice.reading import Reading
from builder.model.stats import Damage, Echo, Pool, Roll, Step

MOST = 100
"""Dice in one pool; a card that asks for more is taken as stating nothing."""

NEVER: Split = {(0, 0): Fraction(1)}
"""A pool without dice."""


def chance_of(roll: Roll, read: Reading) -> Fraction:
    """The chance that a roll succeeds; certain where its bonus is not stated."""
    if read.spread(roll.plus) is None:
        return Fraction(1)
    need = read.whole(roll.reach if roll.reach is not None else 0)
    good = (
        chance
        for dice, plus, chance in throws(roll, read)
        if succeeds(dice, plus, need, under=roll.under, always=roll.always, never=roll.never)
    )
    return sum(good, Fraction(0))


def throws(roll: Roll, read: Reading) -> Iterator[tuple[int, int, Fraction]]:
    """Every outcome of a roll: the dice alone, what is added (and taken away by the other side), the chance."""
    dice = rethrown(_thrown(roll.dice), read.whole(roll.reroll) or 0)
    plus = read.spread(roll.plus) or NOTHING
    if roll.against is not None:
        other = add(_thrown(roll.against.dice), read.spread(roll.against.plus) or NOTHING)
        plus = add(plus, {-value: chance for value, chance in other.items()})
    for face, chance in dice.items():
        for more, also in plus.items():
            yield face, more, chance * also


def _thrown(dice: str) -> Spread:
    """The spread of the dice alone."""
    count, _, sides = dice.partition("d")
    return sums(int(count), int(sides))


def damage_of(one: Damage, read: Reading) -> Spread:
    """One sort of damage once the attack has hit."""
    worth = read.spread(one.worth) or NOTHING
    sharp = worth if one.strong_worth is None else read.spread(one.strong_worth) or NOTHING
    hits, sure = throw_pool(one.dice, read), read.whole(one.sure) or 0
    if one.saves is None:
        return damage(hits, worth, sharp, sure=sure)
    return damage(
        hits,
        worth,
        sharp,
        throw_pool(one.saves, read),
        two_for_strong=one.saves.two_for_strong,
        strong_for_common=one.saves.strong_for_common,
        sure=sure,
    )


def throw_pool(dice: Pool, read: Reading) -> Split:
    """The successes of a pool, all its further rolls made."""
    each = read.whole(dice.each) if dice.each is not None else 1
    strong = read.whole(dice.strong) if dice.strong is not None else None
    under = dice.under and dice.each is not None
    one = die(dice.sides, each, strong, under=under, reroll=read.whole(dice.reroll) or 0)
    counts = read.spread(dice.count) or NOTHING
    more = read.whole(dice.again) or 0
    found = mixed((chance, _so_many(count, one, more)) for count, chance in counts.items())
    found = sharpened(found, read.whole(dice.sharpen) or 0)
    for step in dice.then:
        found = _stepped(found, step, read)
    return found if dice.echo is None else _echoed(found, dice.echo, read)


def _so_many(count: int, one: tuple[Fraction, Fraction], more: int) -> Split:
    if not 0 < count <= MOST:
        return NEVER
    found = dice_pool(count, one)
    return again(found, count, more, dice_pool(1, one)) if more > 0 else found


def _stepped(split: Split, step: Step, read: Reading) -> Split:
    """One further roll of every success."""
    return passed(split, _onward(step, read)) if read.passes(step.where) else split


def _onward(step: Step, read: Reading) -> Fraction:
    """The chance that a success survives one further roll."""
    chance = chance_of(step, read)
    return 1 - chance if step.fails else chance


def _echoed(split: Split, echo: Echo, read: Reading) -> Split:
    """What is left, thrown once more."""
    if not read.passes(echo.where):
        return split
    chances = (_onward(step, read) for step in echo.then if read.passes(step.where))
    return doubled(split, prod(chances, start=Fraction(1)))
