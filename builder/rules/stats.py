"""What the attacks of a squad do to targets, by the form that the pack declares, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from builder.model.base import Json, lookup
from builder.model.card import Card
from builder.model.stats import AttackForm, Damage, FieldOf, Pool, Profile, Roll, Value
from builder.rules.odds import NOTHING, Split, Spread, damage, mix, pool, succeeds, sums

MOST = 100
"""Dice in one pool; a card that asks for more is taken as stating nothing."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: its form, its own fields, the card that makes it, and its place in that card."""

    form: AttackForm
    data: Mapping[str, Json]
    model: Card
    path: str

    def number(self, value: Value, profile: Profile) -> int | None:
        """A number of the form; None where the card does not state it (or states a dash)."""
        if isinstance(value, int):
            return value
        return _whole(self._field(value, profile))

    def _field(self, value: FieldOf, profile: Profile) -> Json:
        if value.target is not None:
            return profile.get(value.target)
        if value.model is not None:
            return self.model.field(value.model)
        return lookup(self.data, (value.attack or "").split("."))

    def reached(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, the second roll not yet made."""
        roll = self.form.roll
        if roll is None:
            return (Fraction(1),)
        plus = self.number(roll.plus, profile)
        if plus is None:
            return (Fraction(1), *(Fraction(0) for _ in self.form.ways[1:]))
        needs = [self.number(way.reach, profile) if way.reach is not None else None for way in self.form.ways]
        found = [Fraction(0)] * len(needs)
        for dice, chance in _throw(roll).items():
            for index, need in enumerate(needs):
                if succeeds(dice, plus, need, under=roll.under, always=roll.always, never=roll.never):
                    found[index] += chance
                    break
        return tuple(found)

    def ways(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, all rolls made."""
        then = self.form.then
        after = self._passed(then, profile) if then is not None else Fraction(1)
        return tuple(chance * after for chance in self.reached(profile))

    def _passed(self, roll: Roll, profile: Profile) -> Fraction:
        plus, need = self.number(roll.plus, profile), self.number(roll.reach or 0, profile)
        if plus is None:
            return Fraction(1)
        passed = (
            chance
            for dice, chance in _throw(roll).items()
            if succeeds(dice, plus, need, under=roll.under, always=roll.always, never=roll.never)
        )
        return sum(passed, Fraction(0))

    def hits(self, profile: Profile) -> Fraction:
        """Expected hits: the chance to hit, or, without a roll, the mean number of successes before saves."""
        if self.form.roll is not None:
            return sum(self.ways(profile), Fraction(0))
        found = [self._pool(one.dice, profile) for one in self.form.ways[0].damage]
        return sum((chance * (many + few) for split in found for (many, few), chance in split.items()), Fraction(0))

    def states(self, index: int) -> bool:
        """True if the attack throws dice for this sort of damage at all."""
        found = [way.damage[index] for way in self.form.ways if index < len(way.damage)]
        return any(self.number(one.dice.count, {}) for one in found)

    def damage(self, index: int, profile: Profile) -> Spread:
        """The spread of one sort of damage, misses included."""
        chances = self.ways(profile)
        done = [
            self._damage(way.damage[index], profile) if index < len(way.damage) else NOTHING for way in self.form.ways
        ]
        return mix(zip(chances, done, strict=True))

    def _damage(self, one: Damage, profile: Profile) -> Spread:
        worth = self.number(one.worth, profile) or 0
        sharp = worth if one.strong_worth is None else self.number(one.strong_worth, profile) or 0
        hits, saves = self._pool(one.dice, profile), one.saves
        if saves is None:
            return damage(hits, worth, sharp)
        return damage(
            hits,
            worth,
            sharp,
            self._pool(saves, profile),
            two_for_strong=saves.two_for_strong,
            strong_for_common=saves.strong_for_common,
        )

    def _pool(self, dice: Pool, profile: Profile) -> Split:
        count = self.number(dice.count, profile) or 0
        each = self.number(dice.each, profile)
        return pool(count if 0 <= count <= MOST else 0, dice.sides, each, dice.strong, under=dice.under)


def _whole(value: Json) -> int | None:
    """A whole number; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _throw(roll: Roll) -> Spread:
    """The spread of the dice alone."""
    count, _, sides = roll.dice.partition("d")
    return sums(int(count), int(sides))


def profiles(axes: Sequence[str], values: Mapping[str, tuple[int | None, ...]]) -> Iterator[dict[str, int | None]]:
    """Every combination of values of these target fields."""
    for chosen in product(*(values[axis] for axis in axes)):
        yield dict(zip(axes, chosen, strict=True))


def occurring(cards: Sequence[Card], path: str) -> tuple[int | None, ...]:
    """The values that a field has on cards, rising; a dash (null) last. Cards without the field say nothing."""
    head, _, last = path.rpartition(".")
    found = {_whole(card.field(path)) for card in cards if _stated(card, head, last)}
    return (*sorted(value for value in found if value is not None), *((None,) if None in found else ()))


def _stated(card: Card, head: str, last: str) -> bool:
    """True if the field is there, be it null."""
    owner = card.field(head) if head else card.data
    return isinstance(owner, Mapping) and last in owner
