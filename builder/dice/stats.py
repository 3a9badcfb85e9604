"""What the attacks of a squad do to targets, by the form that the pack declares, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from builder.dice.odds import NOTHING, Spread, mix, succeeds
from builder.dice.reading import Reading
from builder.dice.throws import chance_of, damage_of, throw_pool, throws
from builder.model.base import Json
from builder.model.card import ENVELOPE, Card
from builder.model.rules import Source
from builder.model.stats import AttackForm, Profile
from builder.roster.resolve import Pick


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
        return Reading(as_pick(self.model, self.data), alone(self.model, self.choices), profile)

    def reached(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, the second roll not yet made."""
        roll, read = self.form.roll, self.reading(profile)
        if roll is None:
            return (Fraction(1),)
        if read.spread(roll.plus) is None:
            return (Fraction(1), *(Fraction(0) for _ in self.form.ways[1:]))
        needs = [read.whole(way.reach) if way.reach is not None else None for way in self.form.ways]
        found = [Fraction(0)] * len(needs)
        for dice, plus, chance in throws(roll, read):
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
        duel = self.form.duel
        dice = [duel.dice] if duel is not None else [one.dice for one in self.form.ways[0].damage]
        found = [throw_pool(one.model_copy(update={"then": (), "echo": None}), read) for one in dice]
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
        done = [damage_of(way.damage[index], read) if index < len(way.damage) else NOTHING for way in self.form.ways]
        return mix(zip(chances, done, strict=True))


def alone(card: Card, choices: Mapping[str, str] | None = None) -> Pick:
    """A card as a pick, for conditions that look at the card and its choices alone."""
    return Pick(card=card, source=Source.ENTRIES, path=(), line=0, count=1, each=1, choices=choices or {})


def as_pick(card: Card, data: Mapping[str, Json]) -> Pick:
    """An attack as a pick, for conditions on its own fields; what it does not state is the card's."""
    shadowed = {name: data[name] for name in ENVELOPE if name in data}
    return alone(card.model_copy(update={**shadowed, "data": dict(data)}))


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
