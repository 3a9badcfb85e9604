"""Chances of dice, counted exactly: every outcome, as fractions. Knows dice, no game and no card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    found: dict[int, Fraction] = {}
    for first, chance in one.items():
        for second, also in other.items():
            found[first + second] = found.get(first + second, Fraction(0)) + chance * also
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


@lru_cache(maxsize=4096)
def pool(count: int, sides: int, each: int | None, strong: int | None = None, *, under: bool = False) -> Split:
    """So many dice, each a success on its own; successes from `strong` on are counted apart."""
    good = [face for face in range(1, sides + 1) if succeeds(face, 0, each, under=under)]
    sharp = sum(strong is not None and face >= strong for face in good)
    common, rare = Fraction(len(good) - sharp, sides), Fraction(sharp, sides)
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
    worth: int,
    strong_worth: int,
    saves: Split | None = None,
    *,
    two_for_strong: bool = False,
    strong_for_common: bool = True,
) -> Spread:
    """What successes do after the target's saves, each used so that the least damage is left."""
    found: dict[int, Fraction] = {}
    for (many, few), chance in hits.items():
        for (saved, sharp), also in (saves or {(0, 0): Fraction(1)}).items():
            least = min(
                common * worth + strong * strong_worth
                for common, strong in _left(many, few, saved, sharp, two_for_strong, strong_for_common)
            )
            found[least] = found.get(least, Fraction(0)) + chance * also
    return dict(sorted(found.items()))


def _left(
    many: int, few: int, saved: int, sharp: int, two_for_strong: bool, strong_for_common: bool
) -> Iterable[tuple[int, int]]:
    """What may be left of common and strong successes, over all ways to use the saves."""
    for by_sharp in range(min(few, sharp) + 1):
        spare = sharp - by_sharp if strong_for_common else 0
        pairs = min((few - by_sharp), saved // 2) if two_for_strong else 0
        for by_pairs in range(pairs + 1):
            yield max(0, many - (saved - 2 * by_pairs) - spare), few - by_sharp - by_pairs
