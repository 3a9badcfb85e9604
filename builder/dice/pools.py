"""Pools of dice, counted exactly: throwing again, strong successes, and rolls that every success must pass."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import prod
from typing import TypeAlias

from builder.dice.odds import (
    NOTHING,
    Split,
    Spread,
    add,
    damage,
    dice_pool,
    die,
    gathered,
    succeeds,
    sums,
)
from builder.dice.reading import Reading
from builder.model.stats import Damage, Pool, Roll, Step
from builder.model.statvalues import Sum

Pair: TypeAlias = tuple[int, int]
"""Common and strong successes."""


def onward(split: Split, after: Callable[[Pair], Split]) -> Split:
    """Each outcome replaced by what may follow from it."""
    return gathered(
        (end, chance * also) for pair, chance in split.items() for end, also in after(pair).items()
    )


def both(one: Split, other: Split) -> Split:
    """The successes of two pools together."""
    return onward(
        one,
        lambda pair: {(pair[0] + many, pair[1] + few): also for (many, few), also in other.items()},
    )


def again(split: Split, count: int, most: int, die: Split) -> Split:
    """At most `most` of the dice that failed, out of `count`, are thrown once more; `die` is what one die does."""
    return onward(
        split, lambda pair: reduce(both, [die] * min(most, count - sum(pair)), {pair: Fraction(1)})
    )


def sharpened(split: Split, most: int) -> Split:
    """If any success is strong, at most `most` common ones become strong."""
    turned = (
        (many, few, min(many, most) if few else 0, chance) for (many, few), chance in split.items()
    )
    return gathered(((many - more, few + more), chance) for many, few, more, chance in turned)


def survivors(pair: Pair, chance: Fraction) -> Split:
    """How many of so many common and strong successes succeed once more."""
    common, strong = (dice_pool(many, (chance, Fraction(0))) for many in pair)
    return {
        (many, few): first * second
        for (many, _), first in common.items()
        for (few, _), second in strong.items()
    }


def rethrown(dice: Spread, upto: int) -> Spread:
    """Dice whose results up to `upto` are thrown once more."""
    low = sum((chance for face, chance in dice.items() if face <= upto), Fraction(0))
    return {
        face: (chance if face > upto else Fraction(0)) + low * chance
        for face, chance in dice.items()
    }


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
    count, _, sides = dice.partition("d")
    return sums(int(count), int(sides))


def damage_of(one: Damage, read: Reading) -> Spread:
    """One sort of damage once the attack has hit."""
    worth = read.spread(one.worth) or NOTHING
    sharp = worth if one.strong_worth is None else read.spread(one.strong_worth) or NOTHING
    saves = one.saves
    weaker = None
    if saves is not None and saves.fewer_if_strong != 0:
        fewer = Sum(sum=(saves.count,), less=(saves.fewer_if_strong,))
        weaker = throw_pool(saves.model_copy(update={"count": fewer}), read)
    return damage(
        throw_pool(one.dice, read),
        worth,
        sharp,
        throw_pool(saves, read) if saves is not None else None,
        saves_if_strong=weaker,
        two_for_strong=saves is not None and saves.two_for_strong,
        strong_for_common=saves is None or saves.strong_for_common,
        sure=read.whole(one.sure) or 0,
    )


def throw_pool(dice: Pool, read: Reading) -> Split:
    """The successes of a pool, all its further rolls made."""
    each = read.whole(dice.each) if dice.each is not None else 1
    strong = read.whole(dice.strong) if dice.strong is not None else None
    under = dice.under and dice.each is not None
    one = die(dice.sides, each, strong, under=under, reroll=read.whole(dice.reroll) or 0)
    more = read.whole(dice.again) or 0
    thrown = (
        (_so_many(count, one, more), chance)
        for count, chance in (read.spread(dice.count) or NOTHING).items()
    )
    found: Split = gathered(
        (pair, chance * also) for split, chance in thrown for pair, also in split.items()
    )
    found = sharpened(found, read.whole(dice.sharpen) or 0)
    for step in dice.then:
        found = onward(found, partial(survivors, chance=_passing((step,), read)))
    if dice.echo is None or not read.passes(dice.echo.where):
        return found
    once_more = _passing(dice.echo.then, read)
    return onward(found, lambda pair: both({pair: Fraction(1)}, survivors(pair, once_more)))


def _so_many(count: int, one: tuple[Fraction, Fraction], more: int) -> Split:
    if not 0 < count <= MOST:
        return NEVER
    found = dice_pool(count, one)
    return again(found, count, more, dice_pool(1, one)) if more > 0 else found


def _passing(steps: Sequence[Step], read: Reading) -> Fraction:
    """The chance that a success survives those further rolls that are for this attack."""
    asked = [(step, chance_of(step, read)) for step in steps if read.passes(step.where)]
    return prod((1 - chance if step.fails else chance for step, chance in asked), start=Fraction(1))
