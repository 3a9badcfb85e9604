"""Pools of dice, counted exactly: throwing again, strong successes, and rolls that every success must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import TypeAlias

from builder.dice.odds import NOTHING, Split, Spread, add, damage, dice_pool, die, succeeds, sums
from builder.dice.reading import Reading
from builder.model.stats import Damage, Echo, Pool, Roll, Step

Pair: TypeAlias = tuple[int, int]
"""Common and strong successes."""


def spread_out(split: Split, onward: Callable[[Pair], Split]) -> Split:
    """Each outcome replaced by what may follow from it."""
    found: dict[Pair, Fraction] = {}
    for pair, chance in split.items():
        for after, also in onward(pair).items():
            found[after] = found.get(after, Fraction(0)) + chance * also
    return found


def again(split: Split, count: int, most: int, die: Split) -> Split:
    """At most `most` of the dice that failed, out of `count`, are thrown once more; `die` is what one die does."""

    def onward(pair: Pair) -> Split:
        tries = min(most, count - sum(pair))
        thrown: Split = {pair: Fraction(1)}
        for _ in range(tries):
            thrown = _plus(thrown, die)
        return thrown

    return spread_out(split, onward)


def _plus(one: Split, other: Split) -> Split:
    found: dict[Pair, Fraction] = {}
    for (many, few), chance in one.items():
        for (more, sharp), also in other.items():
            pair = (many + more, few + sharp)
            found[pair] = found.get(pair, Fraction(0)) + chance * also
    return found


def sharpened(split: Split, most: int) -> Split:
    """If any success is strong, at most `most` common ones become strong."""
    return spread_out(split, lambda pair: {_sharper(*pair, most): Fraction(1)})


def _sharper(many: int, few: int, most: int) -> Pair:
    turned = min(many, most) if few else 0
    return many - turned, few + turned


def passed(split: Split, chance: Fraction) -> Split:
    """Each success goes on with that chance."""

    return spread_out(split, lambda pair: _survivors(pair, chance))


def doubled(split: Split, chance: Fraction) -> Split:
    """Each success counts once more with that chance."""

    return spread_out(split, lambda pair: _plus({pair: Fraction(1)}, _survivors(pair, chance)))


def _survivors(pair: Pair, chance: Fraction) -> Split:
    """How many of so many common and strong successes succeed once more."""
    return {
        (many, few): first * second
        for many, first in _binomial(pair[0], chance)
        for few, second in _binomial(pair[1], chance)
    }


@lru_cache(maxsize=4096)
def _binomial(count: int, chance: Fraction) -> tuple[tuple[int, Fraction], ...]:
    """How many of so many succeed, the impossible left out."""
    parts = ((many, comb(count, many) * chance**many * (1 - chance) ** (count - many)) for many in range(count + 1))
    return tuple((many, part) for many, part in parts if part)


def mixed(parts: Iterable[tuple[Fraction, Split]]) -> Split:
    """One of several pools, each with its chance."""
    found: dict[Pair, Fraction] = {}
    for weight, split in parts:
        for pair, chance in split.items():
            found[pair] = found.get(pair, Fraction(0)) + weight * chance
    return found


def rethrown(dice: Spread, upto: int) -> Spread:
    """Dice whose results up to `upto` are thrown once more."""
    low = sum((chance for face, chance in dice.items() if face <= upto), Fraction(0))
    if not low:
        return dice
    kept = {face: chance for face, chance in dice.items() if face > upto}
    return {face: kept.get(face, Fraction(0)) + low * chance for face, chance in dice.items()}


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
