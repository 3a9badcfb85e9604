"""Chances of dice, counted exactly: every outcome, as fractions. Knows dice, no game and no card."""

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import comb
from typing import TypeAlias, TypeVar

Spread: TypeAlias = Mapping[int, Fraction]
"""Chance by result; the chances sum to 1."""
Split: TypeAlias = Mapping[tuple[int, int], Fraction]
"""Chance by (common successes, strong successes)."""

NOTHING: Spread = {0: Fraction(1)}


Result = TypeVar("Result", bound=Hashable)


def gathered(parts: Iterable[tuple[Result, Fraction]]) -> dict[Result, Fraction]:
    """Chances by result, those of equal results added up."""
    found: dict[Result, Fraction] = {}
    for result, chance in parts:
        found[result] = found.get(result, Fraction(0)) + chance
    return found


@lru_cache(maxsize=256)
def sums(count: int, sides: int) -> Spread:
    """The sum of so many dice."""
    return repeated(count, {face: Fraction(1, sides) for face in range(1, sides + 1)})


def repeated(count: int, one: Spread) -> Spread:
    """So many independent results added up."""
    if len(one) == 1:
        return {count * value: Fraction(1) for value in one}
    return reduce(add, [one] * count, NOTHING)


def add(one: Spread, other: Spread) -> Spread:
    """The sum of two independent results."""
    return combined(one, other, operator.add)


def combined(one: Spread, other: Spread, how: Callable[[int, int], int]) -> Spread:
    """What two independent results make together."""
    return gathered((how(*pair), one[pair[0]] * other[pair[1]]) for pair in product(one, other))


def mix(parts: Iterable[tuple[Fraction, Spread]]) -> Spread:
    """One of several spreads, each with its chance; what is left over counts as 0."""
    known = list(parts)
    left = 1 - sum((weight for weight, _unused in known), Fraction(0))
    every = (
        (value, weight * chance) for weight, spread in known for value, chance in spread.items()
    )
    return {
        value: chance for value, chance in sorted(gathered([(0, left), *every]).items()) if chance
    }


def expected(spread: Spread) -> Fraction:
    """The mean."""
    return sum((value * chance for value, chance in spread.items()), Fraction(0))


def succeeds(
    dice: int,
    plus: int,
    need: int | None,
    *,
    under: bool = False,
    always: int | None = None,
    never: int | None = None,
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


@lru_cache(maxsize=4096)
def dice_pool(count: int, one: tuple[Fraction, Fraction]) -> Split:
    """So many dice, each a common or a strong success with these chances."""
    common, rare = one
    miss = 1 - common - rare
    found: dict[tuple[int, int], Fraction] = {}
    for many in range(count + 1):
        for few in range(count - many + 1 if rare else 1):
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
    saves_if_strong: Split | None = None,
    two_for_strong: bool = False,
    strong_for_common: bool = True,
    sure: int = 0,
) -> Spread:
    """What successes do after the target's saves, each used so that the least damage is left on average.

    `sure` is what every strong success does besides, saved or not. `saves_if_strong` are the saves of a target that was
    hit by any strong success, where they differ.
    """
    common, sharp = (
        {each: Fraction(1)} if isinstance(each, int) else each for each in (worth, strong_worth)
    )
    mean, high = expected(common), expected(sharp)

    def kept(hit: tuple[int, int], save: tuple[int, int]) -> tuple[int, int, int]:
        left = _left(*hit, *save, two_for_strong, strong_for_common)
        return (*min(left, key=lambda pair: pair[0] * mean + pair[1] * high), hit[1] * sure)

    usual = saves or {(0, 0): Fraction(1)}
    weaker = saves_if_strong or usual
    pairs = ((hit, weaker if hit[1] else usual) for hit in hits)
    ends = gathered(
        (kept(hit, save), hits[hit] * chance)
        for hit, saved in pairs
        for save, chance in saved.items()
    )
    return mix(
        (chance, add({fixed: Fraction(1)}, add(repeated(many, common), repeated(few, sharp))))
        for (many, few, fixed), chance in ends.items()
    )


def _left(
    many: int, few: int, saved: int, sharp: int, two_for_strong: bool, strong_for_common: bool
) -> Iterable[tuple[int, int]]:
    """What may be left of common and strong successes, over all ways to use the saves."""
    for by_sharp in range(min(few, sharp) + 1):
        spare = sharp - by_sharp if strong_for_common else 0
        pairs = min((few - by_sharp), saved // 2) if two_for_strong else 0
        for by_pairs in range(pairs + 1):
            yield max(0, many - (saved - 2 * by_pairs) - spare), few - by_sharp - by_pairs
