"""Chances of dice, counted exactly: every outcome, as fractions. Knows dice, no game and no card."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias

Spread: TypeAlias = Mapping[int, Fraction]
"""Chance by result; the chances sum to 1."""

Split: TypeAlias = Mapping[tuple[int, int], Fraction]
"""Chance by (common successes, strong successes)."""

NOTHING: Spread = {0: Fraction(1)}


@lru_cache(maxsize=256)
def sums(count: int, sides: int) -> Spread:
    """The sum of so many dice."""
    found: Spread = NOTHING
    die = {face: Fraction(1, sides) for face in range(1, sides + 1)}
    for _ in range(count):
        found = add(found, die)
    return found


def add(one: Spread, other: Spread) -> Spread:
    """The sum of two independent results."""
    return combined(one, other, operator.add)


def combined(one: Spread, other: Spread, how: Callable[[int, int], int]) -> Spread:
    """What two independent results make together."""
    found: dict[int, Fraction] = {}
    for first, chance in one.items():
        for second, also in other.items():
            result = how(first, second)
            found[result] = found.get(result, Fraction(0)) + chance * also
    return found


def mix(parts: Iterable[tuple[Fraction, Spread]]) -> Spread:
    """One of several spreads, each with its chance; what is left over counts as 0."""
    found: dict[int, Fraction] = {0: Fraction(0)}
    left = Fraction(1)
    for weight, spread in parts:
        left -= weight
        for value, chance in spread.items():
            found[value] = found.get(value, Fraction(0)) + weight * chance
    found[0] += left
    return {value: chance for value, chance in sorted(found.items()) if chance}


def expected(spread: Spread) -> Fraction:
    """The mean."""
    return sum((value * chance for value, chance in spread.items()), Fraction(0))


def succeeds(
    dice: int, plus: int, need: int | None, *, under: bool = False, always: int | None = None, never: int | None = None
) -> bool:
    """Does one throw succeed? `always` and `never` look at the dice alone. Nothing reaches a `need` of None."""
    if need is None or dice == never:
        return False
    return dice == always or (dice + plus <= need if under else dice + plus >= need)


def die(
    sides: int, each: int | None, strong: int | None = None, *, under: bool = False, reroll: int = 0
) -> tuple[Fraction, Fraction]:
    """The chances of one die to be a common and a strong success; results up to `reroll` are thrown once more."""
    good = [face for face in range(1, sides + 1) if succeeds(face, 0, each, under=under)]
    sharp = [face for face in good if strong is not None and face >= strong]
    low = min(max(reroll, 0), sides)

    def chance(faces: list[int]) -> Fraction:
        kept = sum(face > low for face in faces)
        return Fraction(kept, sides) + Fraction(low * len(faces), sides * sides)

    return chance(good) - chance(sharp), chance(sharp)


def pool(count: int, sides: int, each: int | None, strong: int | None = None, *, under: bool = False) -> Split:
    """So many dice, each a success on its own; successes from `strong` on are counted apart."""
    return dice_pool(count, die(sides, each, strong, under=under))


@lru_cache(maxsize=4096)
def dice_pool(count: int, one: tuple[Fraction, Fraction]) -> Split:
    """So many dice, each a common or a strong success with these chances."""
    common, rare = one
    miss = 1 - common - rare
    found: dict[tuple[int, int], Fraction] = {}
    for many in range(count + 1):
        for few in range(count - many + 1):
            ways = comb(count, many) * comb(count - many, few)
            chance = ways * common**many * rare**few * miss ** (count - many - few)
            if chance:
                found[many, few] = chance
    return found


def damage(
    hits: Split,
    worth: int | Spread,
    strong_worth: int | Spread,
    saves: Split | None = None,
    *,
    two_for_strong: bool = False,
    strong_for_common: bool = True,
    sure: int = 0,
) -> Spread:
    """What successes do after the target's saves, each used so that the least damage is left on average.

    `sure` is what every strong success does besides, saved or not.
    """
    common, sharp = _spread(worth), _spread(strong_worth)
    mean, high = expected(common), expected(sharp)
    left: dict[tuple[int, int, int], Fraction] = {}
    for (many, few), chance in hits.items():
        for (saved, by_sharp), also in (saves or {(0, 0): Fraction(1)}).items():
            ways = _left(many, few, saved, by_sharp, two_for_strong, strong_for_common)
            least = min(ways, key=lambda pair: pair[0] * mean + pair[1] * high)
            kept = (*least, few * sure)
            left[kept] = left.get(kept, Fraction(0)) + chance * also
    parts = (
        (chance, add({fixed: Fraction(1)}, _worth(pair, common, sharp))) for (*pair, fixed), chance in left.items()
    )
    return mix(parts)


def _worth(pair: list[int], common: Spread, sharp: Spread) -> Spread:
    """What so many common and strong successes are worth together."""
    return add(_times(pair[0], common), _times(pair[1], sharp))


def _times(count: int, one: Spread) -> Spread:
    """So many independent results added up."""
    if len(one) == 1:
        return {count * value: Fraction(1) for value in one}
    found: Spread = NOTHING
    for _ in range(count):
        found = add(found, one)
    return found


def _spread(value: int | Spread) -> Spread:
    return {value: Fraction(1)} if isinstance(value, int) else value


def _left(
    many: int, few: int, saved: int, sharp: int, two_for_strong: bool, strong_for_common: bool
) -> Iterable[tuple[int, int]]:
    """What may be left of common and strong successes, over all ways to use the saves."""
    for by_sharp in range(min(few, sharp) + 1):
        spare = sharp - by_sharp if strong_for_common else 0
        pairs = min((few - by_sharp), saved // 2) if two_for_strong else 0
        for by_pairs in range(pairs + 1):
            yield max(0, many - (saved - 2 * by_pairs) - spare), few - by_sharp - by_pairs
