"""The choices that rules ask about, and which of their values no rule tells apart."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Ref, Where
from builder.roster.choice_keywords import find_keywords
from builder.roster.resolve import SelectedCard, Squad, list_allowed_values, select_card
from builder.rules.query import COMPARE, Operand, compile_where, keep_static_part, list_tests

CUSTOM_WORD = "to-be-named"
"""Stands for a word of the player's own where a choice takes any text."""


class ChoiceDomains:
    """What may be chosen for a model, as far as the rules of a pack care.

    `names` are the declared choices that some rule asks about; `of_rule[id]` those of one rule. Values that every rule
    treats alike form one class; one value of each is enough to try.
    """

    def __init__(
        self,
        pack: Pack,
        asked: Mapping[str, Collection[str]],
        conditions: Sequence[Where],
        values_read: Collection[str],
    ) -> None:
        """`asked` are what each rule asks about, by its id; `values_read` the paths of which rules take the value."""
        self.pack = pack
        declared = pack.manifest.roster.choices
        self.names_by_rule = {rule: declared.keys() & names for rule, names in asked.items()}
        self.names = tuple(sorted(frozenset().union(*self.names_by_rule.values())))
        self._tests: dict[str, list[tuple[str, Operand]]] = {
            f"choice.{name}": [] for name in self.names
        }
        for path, part, wanted in list_fixed_tests(conditions):
            if path in self._tests:
                self._tests[path].append((part, wanted))
        self._apart = {name for name in self.names if f"choice.{name}" in values_read}
        self._classes: dict[str, tuple[tuple[str, ...], ...]] = {}
        self._makers = {
            name: compile_where(keep_static_part(choice.where)) for name, choice in declared.items()
        }
        self._items = {name: compile_where(choice.items) for name, choice in declared.items()}
        self._made: dict[tuple[str, str], bool] = {}

    def is_made_by(self, name: str, card: Card) -> bool:
        """True if a model with this card makes the choice at all."""
        if (name, card.id) not in self._made:
            keyword = self.pack.manifest.roster.choices[name].keyword
            passes = self._makers[name](select_card(card), None)
            self._made[name, card.id] = passes and (
                keyword is None or keyword in find_keywords(card)
            )
        return self._made[name, card.id]

    def list_items(self, name: str, card: Card) -> tuple[str, ...]:
        """The keys of its own card of which one is chosen for a model."""
        found = card.field(self.pack.manifest.roster.choices[name].field or "")
        if not isinstance(found, Mapping):
            return ()
        parts = (
            (key, card.model_copy(update={"data": item}))
            for key, item in found.items()
            if isinstance(item, dict)
        )
        return tuple(key for key, part in parts if self._items[name](select_card(part), None))

    def list_options(self, name: str, card: Card) -> tuple[str, ...]:
        """Return all values that a model with the card may choose; none where any text may be written."""
        choice = self.pack.manifest.roster.choices[name]
        if choice.free or not self.is_made_by(name, card):
            return ()
        return (
            self.list_items(name, card)
            if choice.field is not None
            else tuple(list_allowed_values(choice, self.pack))
        )

    def find_classes(
        self, name: str, squad: Squad | None = None, card: Card | None = None
    ) -> tuple[tuple[str, ...], ...]:
        """The classes of a choice's values, as declared; free text stands for what the squad says and one more.

        With a card those that a model with it may choose.
        """
        choice = self.pack.manifest.roster.choices[name]
        if card is not None and not self.is_made_by(name, card):
            return ()
        if choice.field is not None:
            return self._grouped(name, self.list_items(name, card)) if card is not None else ()
        if not choice.free:
            if name not in self._classes:
                self._classes[name] = self._grouped(name, list_allowed_values(choice, self.pack))
            return self._classes[name]
        said = (
            [selected.choices[name] for selected in squad.entries if name in selected.choices]
            if squad is not None
            else []
        )
        asked = [str(wanted) for part, wanted in self._tests[f"choice.{name}"] if part == "eq"]
        return self._grouped(name, dict.fromkeys([*said, *asked, CUSTOM_WORD]))

    def list_values(
        self, name: str, card: Card, squad: Squad | None = None, own: str | None = None
    ) -> tuple[str, ...]:
        """One value of each class that a model with the card may choose; `own`, a value that is chosen already, stands
        for its class."""
        found = self.find_classes(name, squad, card)
        if own is not None and not any(own in group for group in found):
            found = (*found, (own,))
        return tuple(own if own in group else group[0] for group in found if group)

    def list_other_values(
        self, name: str, entry: SelectedCard, squad: Squad, most: int | None = None
    ) -> list[str]:
        """What else could be chosen for an entry, at most so many values; the empty text last, for nothing any more."""
        now = entry.choices.get(name, "")
        found = [
            value
            for value in self.list_values(name, entry.card, squad, now or None)
            if value != now
        ][:most]
        return [*found, ""] if now else found

    def count_similar_values(self, name: str, value: str) -> int:
        """How many other values of a choice would do as well as this one."""
        return next((len(group) - 1 for group in self.find_classes(name) if value in group), 0)

    def _grouped(self, name: str, values: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Values with the same answers to every test; each by itself where rules count or compare it."""
        groups: dict[object, list[str]] = {}
        tests = self._tests[f"choice.{name}"]
        for value in values:
            key = (
                value
                if name in self._apart
                else tuple(COMPARE[part](value, it) for part, it in tests)
            )
            groups.setdefault(key, []).append(value)
        return tuple(tuple(group) for group in groups.values())


def list_fixed_tests(conditions: Sequence[Where]) -> list[tuple[str, str, Operand]]:
    """Every test of the conditions against a fixed value: path, part, value."""
    return [
        (path, part, wanted)
        for where in conditions
        for path, test in where.fields.items()
        for part, wanted in list_tests(test)
        if not isinstance(wanted, Ref)
    ]


IDENTITY_FIELDS = ("id", "name")
"""Fields in which cards differ anyhow: what is grouped, told apart or compared by them hangs on no one card."""


class CardClasses:
    """The classes of one pack's cards. Rules do not tell the cards of one class apart."""

    def __init__(
        self,
        cards: Mapping[str, Card],
        conditions: Sequence[Where],
        paths_of_values: Collection[str],
        stated: Mapping[str, tuple[str, ...]],
    ) -> None:
        """`paths_of_values` are the fields of which rules use the value; `stated` what each card adds to rules."""
        self._cards = cards
        self._paths = sorted(paths_of_values)
        self._tests = list_fixed_tests(conditions)
        self._stated = stated
        self._class_keys: dict[str, object] = {}

    def _class_key(self, card_id: str) -> object:
        """Return a key that the cards of one class share."""
        if card_id not in self._class_keys:
            card = self._cards[card_id]
            results = [
                COMPARE[name](card.field(path), operand) for path, name, operand in self._tests
            ]
            values = [repr(card.field(path)) for path in self._paths]
            key = (card.kind, card.cost, self._stated[card_id], tuple(results), tuple(values))
            self._class_keys[card_id] = key
        return self._class_keys[card_id]

    def select_cards(
        self, card_ids: Iterable[str], max_per_class: int, present: Iterable[str]
    ) -> list[str]:
        """Return up to `max_per_class` cards of each class, and all present cards."""
        present_ids = set(present)
        selected: list[str] = []
        counts: dict[object, int] = {}
        for card_id in card_ids:
            if card_id in present_ids:
                selected.append(card_id)
                continue
            key = self._class_key(card_id)
            counts[key] = counts.get(key, 0) + 1
            if counts[key] <= max_per_class:
                selected.append(card_id)
        return selected
