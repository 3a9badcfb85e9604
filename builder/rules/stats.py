"""What the attacks of a squad do to targets, by the form that the pack declares, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod

from builder.model.base import Json
from builder.model.card import Card
from builder.model.rules import Source
from builder.model.stats import AttackForm, Damage, Echo, Pool, Profile, Roll, Step
from builder.roster.resolve import Pick
from builder.rules.odds import NOTHING, Split, Spread, add, damage, dice_pool, die, mix, succeeds, sums
from builder.rules.pools import again, doubled, mixed, passed, rethrown, sharpened
from builder.rules.reading import Reading

MOST = 100
"""Dice in one pool; a card that asks for more is taken as stating nothing."""

NEVER: Split = {(0, 0): Fraction(1)}
"""A pool without dice."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: its form, its own fields, the card that makes it with its choices, and its place in that card."""

    form: AttackForm
    data: Mapping[str, Json]
    model: Card
    path: str
    choices: Mapping[str, str] = field(default_factory=dict)

    def reading(self, profile: Profile) -> Reading:
        """The attack on one target."""
        own = self.model.model_copy(update={"data": dict(self.data)})
        return Reading(alone(own), alone(self.model, self.choices), profile)

    def reached(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, the second roll not yet made."""
        roll, read = self.form.roll, self.reading(profile)
        if roll is None:
            return (Fraction(1),)
        if read.spread(roll.plus) is None:
            return (Fraction(1), *(Fraction(0) for _ in self.form.ways[1:]))
        needs = [read.whole(way.reach) if way.reach is not None else None for way in self.form.ways]
        found = [Fraction(0)] * len(needs)
        for dice, plus, chance in _throws(roll, read):
            for index, need in enumerate(needs):
                if succeeds(dice, plus, need, under=roll.under, always=roll.always, never=roll.never):
                    found[index] += chance
                    break
        return tuple(found)

    def ways(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, all rolls made."""
        then = self.form.then
        after = chance_of(then, self.reading(profile)) if then is not None else Fraction(1)
        return tuple(chance * after for chance in self.reached(profile))

    def hits(self, profile: Profile) -> Fraction:
        """Expected hits: the chance to hit, or, without a roll, the mean number of dice that succeed at once."""
        if self.form.roll is not None:
            return sum(self.ways(profile), Fraction(0))
        read = self.reading(profile)
        found = [
            _pool(one.dice.model_copy(update={"then": (), "echo": None}), read) for one in self.form.ways[0].damage
        ]
        return sum((chance * (many + few) for split in found for (many, few), chance in split.items()), Fraction(0))

    def states(self, index: int) -> bool:
        """True if the attack throws dice for this sort of damage at all, whoever is attacked."""
        found = [way.damage[index] for way in self.form.ways if index < len(way.damage)]
        axes = dict.fromkeys(self.form.axes(index), 1)
        counts = [self.reading(axes).spread(one.dice.count) for one in found]
        return any(any(count > 0 for count in one) for one in counts if one is not None)

    def damage(self, index: int, profile: Profile) -> Spread:
        """The spread of one sort of damage, misses included."""
        chances, read = self.ways(profile), self.reading(profile)
        done = [_damage(way.damage[index], read) if index < len(way.damage) else NOTHING for way in self.form.ways]
        return mix(zip(chances, done, strict=True))


def chance_of(roll: Roll, read: Reading) -> Fraction:
    """The chance that a roll succeeds; certain where its bonus is not stated."""
    if read.spread(roll.plus) is None:
        return Fraction(1)
    need = read.whole(roll.reach if roll.reach is not None else 0)
    passed_ = (
        chance
        for dice, plus, chance in _throws(roll, read)
        if succeeds(dice, plus, need, under=roll.under, always=roll.always, never=roll.never)
    )
    return sum(passed_, Fraction(0))


def _throws(roll: Roll, read: Reading) -> Iterator[tuple[int, int, Fraction]]:
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


def _damage(one: Damage, read: Reading) -> Spread:
    """One sort of damage once the attack has hit."""
    worth = read.spread(one.worth) or NOTHING
    sharp = worth if one.strong_worth is None else read.spread(one.strong_worth) or NOTHING
    hits, sure = _pool(one.dice, read), read.whole(one.sure) or 0
    if one.saves is None:
        return damage(hits, worth, sharp, sure=sure)
    return damage(
        hits,
        worth,
        sharp,
        _pool(one.saves, read),
        two_for_strong=one.saves.two_for_strong,
        strong_for_common=one.saves.strong_for_common,
        sure=sure,
    )


def _pool(dice: Pool, read: Reading) -> Split:
    """The successes of a pool, all its further rolls made."""
    each = read.whole(dice.each) if dice.each is not None else 1
    strong = read.whole(dice.strong) if dice.strong is not None else None
    under = dice.under and dice.each is not None
    one = die(dice.sides, each, strong, under=under, reroll=read.whole(dice.reroll) or 0)
    counts = read.spread(dice.count) or NOTHING
    more = read.whole(dice.again) or 0
    found = mixed((chance, _thrown_pool(count, one, more)) for count, chance in counts.items())
    found = sharpened(found, read.whole(dice.sharpen) or 0)
    for step in dice.then:
        found = _stepped(found, step, read)
    return found if dice.echo is None else _echoed(found, dice.echo, read)


def _thrown_pool(count: int, one: tuple[Fraction, Fraction], more: int) -> Split:
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


def alone(card: Card, choices: Mapping[str, str] | None = None) -> Pick:
    """A card as a pick, for conditions that look at the card and its choices alone."""
    return Pick(card=card, source=Source.ENTRIES, path=(), line=0, count=1, each=1, choices=choices or {})


def profiles(axes: Sequence[str], values: Mapping[str, tuple[int | None, ...]]) -> Iterator[dict[str, int | None]]:
    """Every combination of values of these target fields."""
    for chosen in product(*(values[axis] for axis in axes)):
        yield dict(zip(axes, chosen, strict=True))


def occurring(cards: Sequence[Card], path: str) -> tuple[int | None, ...]:
    """The values that a field has on cards, rising; a dash (null) last. Cards without the field say nothing."""
    head, _, last = path.rpartition(".")
    found = {_whole(card.field(path)) for card in cards if _stated(card, head, last)}
    return (*sorted(value for value in found if value is not None), *((None,) if None in found else ()))


def _whole(value: Json) -> int | None:
    """A whole number; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _stated(card: Card, head: str, last: str) -> bool:
    """True if the field is there, be it null."""
    owner = card.field(head) if head else card.data
    return isinstance(owner, Mapping) and last in owner
