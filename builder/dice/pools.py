"""Exact chances of dice pools with rerolls, strong successes and further rolls."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from builder.dice.odds import (
    NO_SUCCESSES,
    NOTHING,
    DamageWorth,
    DieChances,
    Pair,
    SaveRules,
    Split,
    Spread,
    SuccessTest,
    add_chances,
    add_spreads,
    find_damage,
    find_die_chances,
    roll_pool,
    roll_sum,
)
from builder.dice.reading import Reading
from builder.model.stats import Damage, Pool, Roll, Step
from builder.model.statvalues import Sum

MAX_DICE = 100
"""Dice in one pool. A larger number on a card counts as missing."""


def replace_outcomes(split: Split, follow: Callable[[Pair], Split]) -> Split:
    """Replace each outcome by the outcomes that may follow it, with their chances."""
    outcomes = []
    for pair, chance in split.items():
        outcomes += [
            (end, chance * end_chance) for end, end_chance in follow(pair).items()
        ]
    return add_chances(outcomes)


def add_splits(first: Split, second: Split) -> Split:
    """Return the distribution of the successes of two pools together."""

    def add_pair(pair: Pair) -> Split:
        return {
            (pair[0] + common, pair[1] + strong): chance
            for (common, strong), chance in second.items()
        }

    return replace_outcomes(first, add_pair)


def roll_failures_again(
    split: Split, dice: int, max_rerolls: int, die: DieChances
) -> Split:
    """Return the successes of a pool after at most `max_rerolls` failures are rolled again."""

    def reroll(pair: Pair) -> Split:
        failures = dice - sum(pair)
        return add_splits(
            {pair: Fraction(1)}, roll_pool(min(max_rerolls, failures), die)
        )

    return replace_outcomes(split, reroll)


def make_successes_strong(split: Split, max_sharpened: int) -> Split:
    """Make up to `max_sharpened` normal successes strong, if any success is strong."""
    outcomes = []
    for (common, strong), chance in split.items():
        sharpened = min(common, max_sharpened) if strong else 0
        outcomes.append(((common - sharpened, strong + sharpened), chance))
    return add_chances(outcomes)


def roll_survivors(pair: Pair, chance: Fraction) -> Split:
    """Return how many normal and strong successes also pass a further roll."""
    die = DieChances(chance)
    common_split, strong_split = (roll_pool(count, die) for count in pair)
    survivors = {}
    for (common, _), common_chance in common_split.items():
        for (strong, _), strong_chance in strong_split.items():
            survivors[common, strong] = common_chance * strong_chance
    return survivors


def reroll_low_results(dice: Spread, highest: int) -> Spread:
    """Return the distribution of dice whose results up to `highest` are rolled again once."""
    low_chance = Fraction(0)
    for face, chance in dice.items():
        if face <= highest:
            low_chance += chance
    rerolled = {}
    for face, chance in dice.items():
        # the second roll stands, even if it is low again
        rerolled[face] = low_chance * chance
        if face > highest:
            rerolled[face] += chance
    return rerolled


def find_roll_chance(roll: Roll, reading: Reading) -> Fraction:
    """Return the chance that a roll succeeds. 1 if its bonus is not stated."""
    if reading.find_spread(roll.plus) is None:
        return Fraction(1)
    need = reading.find_number(roll.reach if roll.reach is not None else 0)
    test = SuccessTest(roll.under, roll.always, roll.never)
    success_chance = Fraction(0)
    for dice, bonus, chance in roll_dice(roll, reading):
        if test.is_success(dice, bonus, need):
            success_chance += chance
    return success_chance


def roll_dice(roll: Roll, reading: Reading) -> Iterator[tuple[int, int, Fraction]]:
    """Yield every outcome of a roll with its chance.

    The dice alone, the bonus less that of the other side, and the chance.
    """
    dice = reroll_low_results(
        _parse_dice(roll.dice), reading.find_number(roll.reroll) or 0
    )
    bonus = reading.find_spread(roll.plus) or NOTHING
    if roll.against is not None:
        other_bonus = reading.find_spread(roll.against.plus) or NOTHING
        other_side = add_spreads(_parse_dice(roll.against.dice), other_bonus)
        # what the other side rolls counts against the roller
        bonus = add_spreads(
            bonus, {-value: chance for value, chance in other_side.items()}
        )
    for face, face_chance in dice.items():
        for value, chance in bonus.items():
            yield face, value, face_chance * chance


def _parse_dice(dice: str) -> Spread:
    count, _, sides = dice.partition("d")
    return roll_sum(int(count), int(sides))


def roll_damage(damage: Damage, reading: Reading) -> Spread:
    """Return the distribution of one type of damage after a hit."""
    common = reading.find_spread(damage.worth) or NOTHING
    strong = common
    if damage.strong_worth is not None:
        strong = reading.find_spread(damage.strong_worth) or NOTHING
    worth = DamageWorth(common, strong, reading.find_number(damage.sure) or 0)
    return find_damage(
        roll_successes(damage.dice, reading), worth, _roll_saves(damage, reading)
    )


def _roll_saves(damage: Damage, reading: Reading) -> SaveRules:
    saves = damage.saves
    if saves is None:
        return SaveRules(NO_SUCCESSES)
    if_strong = None
    # a strong success takes dice away from the saves before they are rolled
    if saves.fewer_if_strong != 0:
        count = Sum(sum=(saves.count,), less=(saves.fewer_if_strong,))
        if_strong = roll_successes(saves.model_copy(update={"count": count}), reading)
    usual = roll_successes(saves, reading)
    return SaveRules(usual, if_strong, saves.two_for_strong, saves.strong_for_common)


def roll_successes(pool: Pool, reading: Reading) -> Split:
    """Return the distribution of a pool's successes after all further rolls."""
    split = make_successes_strong(
        _roll_with_rerolls(pool, reading), reading.find_number(pool.sharpen) or 0
    )
    for step in pool.then:
        chance = _find_survival_chance((step,), reading)
        split = replace_outcomes(split, partial(roll_survivors, chance=chance))
    if pool.echo is None or not reading.matches_condition(pool.echo.where):
        return split
    echo_chance = _find_survival_chance(pool.echo.then, reading)

    def add_echo(pair: Pair) -> Split:
        return add_splits({pair: Fraction(1)}, roll_survivors(pair, echo_chance))

    return replace_outcomes(split, add_echo)


def _roll_with_rerolls(pool: Pool, reading: Reading) -> Split:
    """Return the distribution of a pool's successes after failures are rolled again."""
    # without a number to reach, every die succeeds: it shows 1 or more
    need: int | None = 1
    under = False
    if pool.each is not None:
        need = reading.find_number(pool.each)
        under = pool.under
    strong = None
    if pool.strong is not None:
        strong = reading.find_number(pool.strong)
    reroll = reading.find_number(pool.reroll) or 0
    die = find_die_chances(pool.sides, need, strong, under=under, reroll=reroll)
    rerolls = reading.find_number(pool.again) or 0
    outcomes = []
    for count, count_chance in (reading.find_spread(pool.count) or NOTHING).items():
        split = _roll_count(count, die, rerolls)
        outcomes += [(pair, count_chance * chance) for pair, chance in split.items()]
    return add_chances(outcomes)


def _roll_count(count: int, die: DieChances, rerolls: int) -> Split:
    if not 0 < count <= MAX_DICE:
        return NO_SUCCESSES
    split = roll_pool(count, die)
    return roll_failures_again(split, count, rerolls, die) if rerolls > 0 else split


def _find_survival_chance(steps: Sequence[Step], reading: Reading) -> Fraction:
    """Return the chance that a success passes all further rolls."""
    survival = Fraction(1)
    for step in steps:
        if reading.matches_condition(step.where):
            chance = find_roll_chance(step, reading)
            survival *= 1 - chance if step.fails else chance
    return survival
