"""Pools of dice, counted exactly: throwing again, strong successes, and rolls that every success must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias

from builder.dice.odds import Split, Spread

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
