"""Exact results of a squad's attacks on targets, computed by the form that the pack declares."""

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
from builder.roster.resolve import SelectedCard, Squad, make_test_selection
from builder.rules.query import compile_condition, find_conditions


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of a model: its form, its fields, and the card that makes it.

    `other_attachments` are the other cards attached to any of its models.
    """

    form: AttackForm
    data: Mapping[str, Json]
    model: Card
    path: str
    choices: Mapping[str, str] = field(default_factory=dict)
    other_attachments: tuple[Card, ...] = ()

    def make_reading(self, profile: Profile) -> Reading:
        """Return the reading that calculates the attack's values against one target."""
        model = make_test_selection(self.model, choices=self.choices)
        return Reading(select_attack(self.model, self.data, self.path), model, profile)

    def find_first_roll_chances(self, profile: Profile) -> tuple[Fraction, ...]:
        """Return the chance of each outcome of the attack, before the second roll."""
        roll = self.form.roll
        if roll is None:
            return (Fraction(1),)
        reading = self.make_reading(profile)
        chances = [Fraction(0)] * len(self.form.ways)
        if reading.find_spread(roll.plus) is None:
            # without a bonus every attack hits, in the first way
            chances[0] = Fraction(1)
            return tuple(chances)
        needs = [
            None if way.reach is None else reading.find_number(way.reach)
            for way in self.form.ways
        ]
        test = SuccessTest(roll.under, roll.always, roll.never)
        for dice, bonus, chance in roll_dice(roll, reading):
            for index, need in enumerate(needs):
                if test.is_success(dice, bonus, need):
                    chances[index] += chance
                    break
        return tuple(chances)

    def find_way_chances(self, profile: Profile) -> tuple[Fraction, ...]:
        """Return the chance of each outcome of the attack, after all rolls."""
        chances = self.find_first_roll_chances(profile)
        second_roll = self.form.then
        if second_roll is None:
            return chances
        second_chance = find_roll_chance(second_roll, self.make_reading(profile))
        return tuple(chance * second_chance for chance in chances)

    def find_mean_hits(self, profile: Profile) -> Fraction:
        """Return the chance to hit, or the mean number of hits if several dice are rolled."""
        if self.form.roll is not None:
            return sum(self.find_way_chances(profile), Fraction(0))
        reading = self.make_reading(profile)
        if self.form.duel is not None:
            pools = [self.form.duel.dice]
        else:
            pools = [damage.dice for damage in self.form.ways[0].damage]
        mean = Fraction(0)
        for pool in pools:
            # a success is counted before any further roll can take it away
            first_pool = pool.model_copy(update={"then": (), "echo": None})
            for (common, strong), chance in roll_successes(first_pool, reading).items():
                mean += chance * (common + strong)
        return mean

    def has_damage(self, damage_index: int) -> bool:
        """Return True if the attack can cause this type of damage to any target."""
        # dice that depend on the target are rolled against one with 1 everywhere
        target = dict.fromkeys(self.form.list_damage_axes(damage_index), 1)
        reading = self.make_reading(target)
        for way in self.form.ways:
            if damage_index < len(way.damage):
                counts = reading.find_spread(way.damage[damage_index].dice.count)
                if counts is not None and max(counts) > 0:
                    return True
        return False

    def find_damage(self, damage_index: int, profile: Profile) -> Spread:
        """Return the distribution of one type of damage, including misses."""
        reading = self.make_reading(profile)
        weighted_spreads = []
        for way, chance in zip(
            self.form.ways, self.find_way_chances(profile), strict=True
        ):
            spread = NOTHING
            if damage_index < len(way.damage):
                spread = roll_damage(way.damage[damage_index], reading)
            weighted_spreads.append((chance, spread))
        return mix_spreads(weighted_spreads)


KEY_FIELD = "key"
"""The field of an attack with its key in the card's map, for conditions that compare it with a
choice.
"""


def select_attack(card: Card, data: Mapping[str, Json], path: str = "") -> SelectedCard:
    """Return an attack as a card, so that conditions can test its fields.

    Fields that it lacks are those of the card. `path` is the attack's place in its card, such as
    `attacks.bow`. Its last step is the attack's `key`.
    """
    # an attack may have a cost or keywords of its own
    update: dict[str, object] = {name: data[name] for name in ENVELOPE if name in data}
    fields = dict(data)
    if path:
        fields = {KEY_FIELD: path.rpartition(".")[2], **data}
    update["data"] = fields
    return make_test_selection(card.model_copy(update=update))


def generate_profiles(
    axes: Sequence[str], values: Mapping[str, tuple[int | None, ...]]
) -> Iterator[dict[str, int | None]]:
    """Yield every combination of the values that these target fields may have."""
    values_of_axes = [values[axis] for axis in axes]
    for combination in product(*values_of_axes):
        yield dict(zip(axes, combination, strict=True))


def find_field_values(cards: Sequence[Card], path: str) -> tuple[int | None, ...]:
    """Return the different values that a field has on cards, ascending.

    None, for a value that is no number, comes last. Cards without the field are left out.
    """
    parent_path, _dot, name = path.rpartition(".")
    numbers = set()
    has_other_values = False
    for card in cards:
        parent = card.get_field(parent_path) if parent_path else card.data
        if not isinstance(parent, Mapping) or name not in parent:
            continue
        value = card.get_field(path)
        if isinstance(value, int) and not isinstance(value, bool):
            numbers.add(value)
        else:
            has_other_values = True
    values: list[int | None] = [*sorted(numbers)]
    if has_other_values:
        values.append(None)
    return tuple(values)


AttackKey: TypeAlias = tuple[object, ...]
"""The values that equal attacks share: the host, the card that holds the attack, its path, the
host's choices.
"""


def find_attacks(form: AttackForm, squad: Squad) -> Iterator[tuple[Card, Attack, int]]:
    """Yield each attack of a squad with its card and the number of models that have it."""
    counts: dict[AttackKey, int] = {}
    attacks = {}
    attachments: dict[AttackKey, dict[str, Card]] = {}
    for selected, attack in _list_attacks(form, squad):
        host = selected.host or selected
        choices = sorted(host.choices.items())
        key: AttackKey = (host.card.id, selected.card.id, attack.path, *choices)
        counts[key] = counts.get(key, 0) + _count_models(attack, selected.count)
        attacks[key] = (selected.card, attack)
        cards = attachments.setdefault(key, {})
        for attachment in squad.list_attachments(host):
            cards[attachment.card.id] = attachment.card
    for key, (owner, attack) in attacks.items():
        others = tuple(card for card in attachments[key].values() if card is not owner)
        yield owner, replace(attack, other_attachments=others), counts[key]


def _list_attacks(
    form: AttackForm, squad: Squad
) -> Iterator[tuple[SelectedCard, Attack]]:
    """Yield each attack of this form in a squad, with the card that has it."""
    attack_matches = compile_condition(form.where)
    host_matches = compile_condition(form.bearer)
    for selected in squad.entries if form.of == "entries" else squad.attachments:
        host = selected.host or selected
        if host_matches(host, None):
            for path, data in find_attack_fields(form, selected.card):
                if attack_matches(select_attack(selected.card, data, path), host):
                    yield selected, Attack(form, data, host.card, path, host.choices)


def find_enemy_attacks(
    form: AttackForm, targets: Sequence[Card]
) -> Iterator[tuple[Card, Attack]]:
    """Yield the attacks of this form that the targets have themselves."""
    attack_matches = compile_condition(form.where)
    for card in targets:
        for path, data in find_attack_fields(form, card):
            if attack_matches(
                select_attack(card, data, path), make_test_selection(card)
            ):
                yield card, Attack(form, data, card, path)


def _count_models(attack: Attack, models: int) -> int:
    """Return how many models of a line have the attack."""
    share = attack.form.bearers
    if share is None:
        return models
    reading = attack.make_reading({})
    numerator = reading.find_number(share.some)
    denominator = reading.find_number(share.of)
    # a card without the fraction gives its attack to every model
    if numerator is None or not denominator:
        return models
    return models * numerator // denominator


def find_attack_fields(
    form: AttackForm, card: Card
) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield the path and the fields of each attack on a card."""
    if form.source is None:
        yield "", card.data
        return
    attacks = card.get_field(form.source)
    if isinstance(attacks, Mapping):
        for name, data in attacks.items():
            if isinstance(data, Mapping):
                yield f"{form.source}.{name}", data


ENTRY_SOURCES = (Source.ENTRIES, Source.ALL)
MIN_DIFFERENT_VALUES = 2
"""Values that a field needs among the cards to divide them into groups."""
UNDIVIDED_FIELDS = ("id", "name", "cost", "kind", "keywords")
"""Fields that have a division of their own or cannot divide cards."""


def find_divisions(pack: Pack) -> tuple[Division, ...]:
    """Return the fields and choices by which the rules divide squads, such as the faction."""
    cards = list(pack.list_cards_of_role(Role.ENTRY))
    divisions = []
    if _count_values(cards, "kind") >= MIN_DIFFERENT_VALUES:
        divisions.append(Division(by="kind"))
    keywords = _find_rule_keywords(pack, cards)
    if keywords:
        divisions.append(Division(by="keywords", of=keywords))
    for path in _find_rule_paths(pack):
        if path.startswith("choice."):
            is_useful = path.removeprefix("choice.") in pack.manifest.roster.choices
        else:
            is_useful = _count_values(cards, path) >= MIN_DIFFERENT_VALUES
        if is_useful:
            divisions.append(Division(by=path))
    return tuple(divisions) or (Division(by="kind"),)


def _find_rule_paths(pack: Pack) -> list[str]:
    """Return the paths by which rules select or group entries, and the faction."""
    paths = {"faction": None}
    for rule in pack.rules.rules:
        if rule.group_path and rule.select.source is Source.ENTRIES:
            paths[rule.group_path] = None
        for where in find_conditions(rule, ENTRY_SOURCES):
            paths.update(dict.fromkeys(where.fields))
    return [path for path in paths if path not in UNDIVIDED_FIELDS]


def _find_rule_keywords(pack: Pack, cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the keywords of entries that rules test, in the order of the rules."""
    card_keywords: set[str] = set()
    for card in cards:
        card_keywords.update(card.keywords)
    # a dict keeps the order of the rules, a set would not
    tested_keywords: dict[str, None] = {}
    for rule in pack.rules.rules:
        for where in find_conditions(rule, ENTRY_SOURCES):
            test = where.fields.get("keywords")
            if test is not None:
                words = (test.has, *(test.has_any or ()))
                tested_keywords.update(
                    {word: None for word in words if isinstance(word, str)}
                )
    return tuple(keyword for keyword in tested_keywords if keyword in card_keywords)


def _count_values(cards: Sequence[Card], path: str) -> int:
    """Return how many different values a field has on cards.

    0 if any card has another type of value there.
    """
    texts = set()
    for card in cards:
        value = card.get_field(path)
        if isinstance(value, str):
            texts.add(value)
        elif value is not None:
            return 0
    return len(texts)
