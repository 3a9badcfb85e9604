"""Chances of dice as fractions, counted exactly. Knows dice, no game and no card."""

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias, TypeVar

Spread: TypeAlias = Mapping[int, Fraction]
"""Chance by result; the chances sum to 1."""
Pair: TypeAlias = tuple[int, int]
"""Common and strong successes."""
Split: TypeAlias = Mapping[Pair, Fraction]
"""Chance by common and strong successes."""
Result = TypeVar("Result", bound=Hashable)

NOTHING: Spread = {0: Fraction(1)}
NO_SUCCESSES: Split = {(0, 0): Fraction(1)}
"""A pool without dice."""


def add_chances(outcomes: Iterable[tuple[Result, Fraction]]) -> dict[Result, Fraction]:
    """Return the chance of each result. The chances of equal results are added up."""
    chances: dict[Result, Fraction] = {}
    for result, chance in outcomes:
        chances[result] = chances.get(result, Fraction(0)) + chance
    return chances


# the attacks of a squad throw the same few dice again and again
@lru_cache(maxsize=256)
def roll_sum(count: int, sides: int) -> Spread:
    """Return the distribution of the sum of several dice."""
    return repeat_spread(
        count, {face: Fraction(1, sides) for face in range(1, sides + 1)}
    )


def repeat_spread(count: int, spread: Spread) -> Spread:
    """Return the distribution of the sum of several independent results."""
    # a fixed number needs no additions
    if len(spread) == 1:
        return {count * value: Fraction(1) for value in spread}
    total = NOTHING
    for _ in range(count):
        total = add_spreads(total, spread)
    return total


def add_spreads(first: Spread, second: Spread) -> Spread:
    """Return the distribution of the sum of two independent results."""
    return combine_spreads(first, second, operator.add)


def combine_spreads(
    first: Spread, second: Spread, combine: Callable[[int, int], int]
) -> Spread:
    """Return the distribution of a function of two independent results."""
    chances: dict[int, Fraction] = {}
    for value, chance in first.items():
        for other_value, other_chance in second.items():
            result = combine(value, other_value)
            chances[result] = chances.get(result, Fraction(0)) + chance * other_chance
    return chances


def mix_spreads(weighted_spreads: Iterable[tuple[Fraction, Spread]]) -> Spread:
    """Return the distribution of a result that comes from one of several distributions by chance.

    The chance that is left over counts as 0.
    """
    remaining_chance = Fraction(1)
    outcomes = []
    for weight, spread in weighted_spreads:
        remaining_chance -= weight
        outcomes += [(value, weight * chance) for value, chance in spread.items()]
    chances = add_chances([(0, remaining_chance), *outcomes])
    return {value: chance for value, chance in sorted(chances.items()) if chance}


def find_mean(spread: Spread) -> Fraction:
    """Return the mean of a distribution."""
    return sum((value * chance for value, chance in spread.items()), Fraction(0))


@dataclass(frozen=True, slots=True)
class SuccessTest:
    """The condition for a successful roll.

    `always` and `never` are results of the die alone.
    """

    under: bool = False
    always: int | None = None
    never: int | None = None

    def is_success(self, dice: int, bonus: int, need: int | None) -> bool:
        """Return True if a roll with its bonus reaches the needed number. Never if that is None."""
        if need is None or dice == self.never:
            return False
        if dice == self.always:
            return True
        return dice + bonus <= need if self.under else dice + bonus >= need


@dataclass(frozen=True, slots=True)
class DieChances:
    """The chances of one die to be a normal success or a strong one."""

    common: Fraction
    strong: Fraction = Fraction(0)


def find_die_chances(
    sides: int,
    need: int | None,
    strong: int | None = None,
    *,
    under: bool = False,
    reroll: int = 0,
) -> DieChances:
    """Return the chances of one die. Results up to `reroll` are rolled again once."""
    test = SuccessTest(under)
    good_faces = [
        face for face in range(1, sides + 1) if test.is_success(face, 0, need)
    ]
    strong_faces = [
        face for face in good_faces if strong is not None and face >= strong
    ]
    rerolled = min(max(reroll, 0), sides)
    strong_chance = _find_chance(strong_faces, sides, rerolled)
    return DieChances(
        _find_chance(good_faces, sides, rerolled) - strong_chance, strong_chance
    )


def _find_chance(faces: list[int], sides: int, rerolled: int) -> Fraction:
    """Return the chance that a die shows one of these faces, with low results rolled again once."""
    at_once = sum(face > rerolled for face in faces)
    # the second roll, after a low one, keeps any of the faces
    after_reroll = Fraction(rerolled, sides) * Fraction(len(faces), sides)
    return Fraction(at_once, sides) + after_reroll


@lru_cache(maxsize=4096)
def roll_pool(count: int, die: DieChances) -> Split:
    """Return the distribution of normal and strong successes of several equal dice."""
    miss = 1 - die.common - die.strong
    split = {}
    for common in range(count + 1):
        # without a strong face, only the row of 0 strong successes has a chance
        max_strong = count - common if die.strong else 0
        for strong in range(max_strong + 1):
            # the multinomial distribution of common, strong and missed dice
            ways = comb(count, common) * comb(count - common, strong)
            misses = count - common - strong
            chance = ways * die.common**common * die.strong**strong * miss**misses
            if chance:
                split[common, strong] = chance
    return split


@dataclass(frozen=True, slots=True)
class DamageWorth:
    """The damage of a normal and of a strong success, and further effects of a strong one."""

    common: Spread
    strong: Spread
    unsavable: int = 0


@dataclass(frozen=True, slots=True)
class SaveRules:
    """The distribution of a target's saves, and which successes they stop.

    `if_strong` are those of a target that was hit by any strong success, if they differ.
    `two_for_strong`: two common saves stop a strong success. `strong_for_common`: a strong save may
    stop a common success.
    """

    usual: Split
    if_strong: Split | None = None
    two_for_strong: bool = False
    strong_for_common: bool = True

    def generate_unsaved_hits(self, hits: Pair, saves: Pair) -> Iterator[Pair]:
        """Yield the hits that remain for each way to use the saves."""
        common, strong = hits
        common_saves, strong_saves = saves
        for stopped_strong in range(min(strong, strong_saves) + 1):
            unsaved_strong = strong - stopped_strong
            # strong saves that stop no strong success may stop a common one
            spare_saves = 0
            if self.strong_for_common:
                spare_saves = strong_saves - stopped_strong
            max_pairs = 0
            if self.two_for_strong:
                max_pairs = min(unsaved_strong, common_saves // 2)
            for pairs in range(max_pairs + 1):
                unsaved_common = common - (common_saves - 2 * pairs) - spare_saves
                yield max(0, unsaved_common), unsaved_strong - pairs


def find_damage(hits: Split, worth: DamageWorth, saves: SaveRules) -> Spread:
    """Return the distribution of the damage after the saves.

    Each is used so that the least damage is left on average.
    """
    common_mean = find_mean(worth.common)
    strong_mean = find_mean(worth.strong)

    def find_mean_damage(unsaved: Pair) -> Fraction:
        return unsaved[0] * common_mean + unsaved[1] * strong_mean

    outcomes = []
    for hit, hit_chance in hits.items():
        split = saves.usual
        if hit[1] and saves.if_strong is not None:
            split = saves.if_strong
        unsavable = hit[1] * worth.unsavable
        for save, save_chance in split.items():
            unsaved = min(saves.generate_unsaved_hits(hit, save), key=find_mean_damage)
            outcomes.append(((unsaved, unsavable), hit_chance * save_chance))
    spreads = []
    # equal outcomes are added up first: to roll their damage takes longest
    for ((common, strong), unsavable), chance in add_chances(outcomes).items():
        common_damage = repeat_spread(common, worth.common)
        strong_damage = repeat_spread(strong, worth.strong)
        damage = add_spreads(common_damage, strong_damage)
        spreads.append(
            (chance, {value + unsavable: part for value, part in damage.items()})
        )
    return mix_spreads(spreads)
