"""What the attacks of a squad do to targets, by the form that the pack declares, counted exactly."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from builder.dice.odds import NOTHING, Spread, SuccessTest, mix_spreads
from builder.dice.pools import find_roll_chance, roll_damage, roll_dice, roll_successes
from builder.dice.reading import Reading
from builder.model.base import Json
from builder.model.card import ENVELOPE, Card
from builder.model.pack import Pack, Role
from builder.model.rules import Source
from builder.model.stats import AttackForm, Division, Profile
from builder.roster.resolve import SelectedCard, Squad, select_card
from builder.rules.query import compile_where, find_conditions


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: its form, its own fields, the card that makes it with its choices, and its place in that card.

    `carried` are the cards that any of its models carries besides.
    """

    form: AttackForm
    data: Mapping[str, Json]
    model: Card
    path: str
    choices: Mapping[str, str] = field(default_factory=dict)
    other_attachments: tuple[Card, ...] = ()

    def make_reading(self, profile: Profile) -> Reading:
        """The attack on one target."""
        return Reading(
            select_attack(self.model, self.data, self.path),
            select_card(self.model, choices=self.choices),
            profile,
        )

    def find_first_roll_chances(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, the second roll not yet made."""
        roll, read = self.form.roll, self.make_reading(profile)
        if roll is None:
            return (Fraction(1),)
        if read.find_spread(roll.plus) is None:
            return (Fraction(1), *(Fraction(0) for _ in self.form.ways[1:]))
        needs = [
            read.find_number(way.reach) if way.reach is not None else None for way in self.form.ways
        ]
        test = SuccessTest(roll.under, roll.always, roll.never)
        chances = [Fraction(0)] * len(needs)
        for dice, bonus, chance in roll_dice(roll, read):
            for index, need in enumerate(needs):
                if test.is_success(dice, bonus, need):
                    chances[index] += chance
                    break
        return tuple(chances)

    def find_way_chances(self, profile: Profile) -> tuple[Fraction, ...]:
        """The chance of each way, all rolls made."""
        then = self.form.then
        after = (
            find_roll_chance(then, self.make_reading(profile)) if then is not None else Fraction(1)
        )
        return tuple(chance * after for chance in self.find_first_roll_chances(profile))

    def find_mean_hits(self, profile: Profile) -> Fraction:
        """Expected hits: the chance to hit, or, without a roll, the mean number of dice that succeed at once."""
        if self.form.roll is not None:
            return sum(self.find_way_chances(profile), Fraction(0))
        read = self.make_reading(profile)
        duel = self.form.duel
        dice = [duel.dice] if duel is not None else [one.dice for one in self.form.ways[0].damage]
        found = [
            roll_successes(one.model_copy(update={"then": (), "echo": None}), read) for one in dice
        ]
        return sum(
            (chance * (many + few) for split in found for (many, few), chance in split.items()),
            Fraction(0),
        )

    def has_damage(self, index: int) -> bool:
        """True if the attack throws dice for this sort of damage at all, whoever is attacked."""
        found = [way.damage[index] for way in self.form.ways if index < len(way.damage)]
        axes = dict.fromkeys(self.form.list_damage_axes(index), 1)
        counts = [self.make_reading(axes).find_spread(one.dice.count) for one in found]
        return any(any(count > 0 for count in one) for one in counts if one is not None)

    def find_damage(self, index: int, profile: Profile) -> Spread:
        """The spread of one sort of damage, misses included."""
        chances, read = self.find_way_chances(profile), self.make_reading(profile)
        done = [
            roll_damage(way.damage[index], read) if index < len(way.damage) else NOTHING
            for way in self.form.ways
        ]
        return mix_spreads(zip(chances, done, strict=True))


KEY_FIELD = "key"
"""The field of an attack that holds its key in the card's map, so that a condition can compare it with a choice."""


def select_attack(card: Card, data: Mapping[str, Json], path: str = "") -> SelectedCard:
    """Return an attack as a pick, for conditions on its own fields; what it does not state is the card's.

    `path` is the attack's place in its card, such as `attacks.bow`; its last step is the attack's `key`.
    """
    shadowed = {name: data[name] for name in ENVELOPE if name in data}
    own = {KEY_FIELD: path.rpartition(".")[2], **data} if path else dict(data)
    return select_card(card.model_copy(update={**shadowed, "data": own}))


def generate_profiles(
    axes: Sequence[str], values: Mapping[str, tuple[int | None, ...]]
) -> Iterator[dict[str, int | None]]:
    """Every combination of values of these target fields."""
    return (
        dict(zip(axes, chosen, strict=True)) for chosen in product(*(values[axis] for axis in axes))
    )


def find_field_values(cards: Sequence[Card], path: str) -> tuple[int | None, ...]:
    """The values that a field has on cards, rising; a dash (null) last. Cards without the field say nothing."""
    head, _unused, last = path.rpartition(".")
    owners = ((card, card.field(head) if head else card.data) for card in cards)
    values = [
        card.field(path) for card, owner in owners if isinstance(owner, Mapping) and last in owner
    ]
    whole = {value for value in values if isinstance(value, int) and not isinstance(value, bool)}
    dash = any(not isinstance(value, int) or isinstance(value, bool) for value in values)
    return (*sorted(whole), *((None,) if dash else ()))


Key: TypeAlias = tuple[object, ...]
"""What makes an attack the same: the bearer, the card that holds it, its place, the bearer's choices."""


def find_attacks(form: AttackForm, squad: Squad) -> Iterator[tuple[Card, Attack, int]]:
    """The card that holds each attack, the attack, and how many models have it (with the same choices)."""
    picks = squad.entries if form.of == "entries" else squad.attachments
    counts: dict[Key, int] = {}
    found: dict[Key, tuple[Card, Attack]] = {}
    loads: dict[Key, dict[str, Card]] = {}
    passes, suits = compile_where(form.where), compile_where(form.bearer)
    for selected in picks:
        host = selected.host or selected
        if not suits(host, None):
            continue
        for path, data in find_attack_fields(form, selected.card):
            if passes(select_attack(selected.card, data, path), host):
                key: Key = (host.card.id, selected.card.id, path, *sorted(host.choices.items()))
                attack = Attack(form, data, host.card, path, host.choices)
                counts[key] = counts.get(key, 0) + _having(attack, selected.count)
                found[key] = (selected.card, attack)
                loads.setdefault(key, {}).update(
                    {item.card.id: item.card for item in squad.list_attachments(host)}
                )
    for key, (owner, attack) in found.items():
        carried = tuple(card for card in loads[key].values() if card is not owner)
        yield owner, replace(attack, other_attachments=carried), counts[key]


def find_enemy_attacks(form: AttackForm, targets: Sequence[Card]) -> Iterator[tuple[Card, Attack]]:
    """The attacks of a form that the targets have themselves."""
    passes = compile_where(form.where)
    for card in targets:
        for path, data in find_attack_fields(form, card):
            if passes(select_attack(card, data, path), select_card(card)):
                yield card, Attack(form, data, card, path)


def _having(attack: Attack, models: int) -> int:
    """How many of a line's models have the attack."""
    share = attack.form.bearers
    if share is None:
        return models
    read = attack.make_reading({})
    some, each = read.find_number(share.some), read.find_number(share.of)
    return models if some is None or not each else models * some // each


def find_attack_fields(form: AttackForm, card: Card) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The attacks on a card: place and fields."""
    if form.source is None:
        yield "", card.data
        return
    held = card.field(form.source)
    for name, data in held.items() if isinstance(held, Mapping) else ():
        if isinstance(data, Mapping):
            yield f"{form.source}.{name}", data


ENTRIES = (Source.ENTRIES, Source.ALL)
MIN_DIFFERENT_VALUES = 2
"""A field that has but one value among the cards divides nothing."""
UNDIVIDED_FIELDS = ("id", "name", "cost", "kind", "keywords")
"""Fields that are divisions of their own sort, or of no use as one."""


def find_divisions(pack: Pack) -> tuple[Division, ...]:
    """The kind of card, the faction, and every word, field and choice by which a rule picks or groups entries."""
    cards = [card for card in pack.cards.values() if pack.role(card) is Role.ENTRY]
    fields = ["faction"]
    for rule in pack.rules.rules:
        fields += (
            [rule.group_path] if rule.group_path and rule.select.source is Source.ENTRIES else []
        )
        fields += [path for where in find_conditions(rule, ENTRIES) for path in where.fields]
    found = [Division(by="kind")] if _values(cards, "kind") >= MIN_DIFFERENT_VALUES else []
    words = _words(pack, cards)
    if words:
        found.append(Division(by="keywords", of=words))
    for path in (path for path in dict.fromkeys(fields) if path not in UNDIVIDED_FIELDS):
        choice = pack.manifest.roster.choices.get(path.removeprefix("choice."))
        if (
            choice is not None
            if path.startswith("choice.")
            else _values(cards, path) >= MIN_DIFFERENT_VALUES
        ):
            found.append(Division(by=path))
    return tuple(found) or (Division(by="kind"),)


def _words(pack: Pack, cards: list[Card]) -> tuple[str, ...]:
    """Keywords that some rule asks of entries and some entry has, in the order of the rules."""
    borne = {word for card in cards for word in card.keywords}
    asked = (
        where.fields.get("keywords")
        for rule in pack.rules.rules
        for where in find_conditions(rule, ENTRIES)
    )
    wanted = (
        word for test in asked if test is not None for word in (test.has, *(test.has_any or ()))
    )
    return tuple(dict.fromkeys(word for word in wanted if isinstance(word, str) and word in borne))


def _values(cards: list[Card], path: str) -> int:
    """How many different texts a field holds on cards; 0 where it holds anything else."""
    found = {card.field(path) for card in cards if isinstance(card.field(path), str)}
    return len(found) if all(isinstance(card.field(path), str | None) for card in cards) else 0
