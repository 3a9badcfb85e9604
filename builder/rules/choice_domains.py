"""The choices that rules test, and their values in classes that no rule distinguishes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Ref, Where
from builder.roster.choice_keywords import find_keywords
from builder.roster.resolve import (
    SelectedCard,
    Squad,
    list_allowed_values,
    make_test_selection,
)
from builder.rules.query import (
    COMPARE,
    CardTest,
    Operand,
    compile_condition,
    keep_static_part,
    list_tests,
)

CUSTOM_WORD = "to-be-named"
"""A placeholder for the player's own word, where a choice takes any text."""
ValueClass: TypeAlias = tuple[str, ...]
"""Values of a choice that pass the same tests."""


class ChoiceDomains:
    """The values that models may choose, grouped so that no rule distinguishes values of a group.

    `names` are the declared choices that some rule tests. `names_by_rule` those of each rule.
    Values that pass the same tests form one class, and it is enough to try one value of each class.
    """

    def __init__(
        self,
        pack: Pack,
        choices_by_rule: Mapping[str, Collection[str]],
        conditions: Sequence[Where],
        paths_of_values: Collection[str],
    ) -> None:
        """`paths_of_values`: paths whose value itself is used, not only the result of a test."""
        self.pack = pack
        declared = pack.manifest.roster.choices
        self.names_by_rule = {
            rule: declared.keys() & names for rule, names in choices_by_rule.items()
        }
        self.names = tuple(sorted(frozenset().union(*self.names_by_rule.values())))
        self._tests: dict[str, list[tuple[str, Operand]]] = {}
        for name in self.names:
            self._tests[f"choice.{name}"] = []
        for path, comparison, operand in list_fixed_tests(conditions):
            if path in self._tests:
                self._tests[path].append((comparison, operand))
        # Where rules count or compare a choice, each of its values matters by itself.
        self._separate_names = {
            name for name in self.names if f"choice.{name}" in paths_of_values
        }
        self._classes: dict[str, tuple[ValueClass, ...]] = {}
        self._model_tests: dict[str, CardTest] = {}
        self._item_tests: dict[str, CardTest] = {}
        for name, choice in declared.items():
            self._model_tests[name] = compile_condition(keep_static_part(choice.where))
            self._item_tests[name] = compile_condition(choice.items)
        self._is_made: dict[tuple[str, str], bool] = {}

    def is_made_by(self, choice_name: str, card: Card) -> bool:
        """Return True if models with this card make the choice."""
        if (choice_name, card.id) not in self._is_made:
            keyword = self.pack.manifest.roster.choices[choice_name].keyword
            is_made = self._model_tests[choice_name](make_test_selection(card), None)
            # A choice of a keyword belongs to the cards that have or mention the keyword.
            if keyword is not None and keyword not in find_keywords(card):
                is_made = False
            self._is_made[choice_name, card.id] = is_made
        return self._is_made[choice_name, card.id]

    def list_items(self, choice_name: str, card: Card) -> tuple[str, ...]:
        """Return the keys of the card's own map that a model may choose from."""
        items = card.get_field(
            self.pack.manifest.roster.choices[choice_name].field or ""
        )
        if not isinstance(items, Mapping):
            return ()
        keys = []
        for key, item in items.items():
            if isinstance(item, dict):
                # Conditions test cards, so each item is tested as a card with the item's fields.
                item_card = card.model_copy(update={"data": item})
                if self._item_tests[choice_name](make_test_selection(item_card), None):
                    keys.append(key)
        return tuple(keys)

    def list_options(self, choice_name: str, card: Card) -> tuple[str, ...]:
        """Return all values that a model with the card may choose. Empty if it takes any text."""
        choice = self.pack.manifest.roster.choices[choice_name]
        if choice.free or not self.is_made_by(choice_name, card):
            return ()
        if choice.field is not None:
            return self.list_items(choice_name, card)
        return tuple(list_allowed_values(choice, self.pack))

    def find_value_groups(
        self, name: str, squad: Squad | None = None, card: Card | None = None
    ) -> tuple[ValueClass, ...]:
        """Return the values of a choice in groups that no rule distinguishes.

        With a card those that a model with it may choose.

        For free text these are the words of the squad, the words that rules test, and one more.
        """
        choice = self.pack.manifest.roster.choices[name]
        if card is not None and not self.is_made_by(name, card):
            return ()
        if choice.field is not None:
            if card is None:
                return ()
            return self._group_equivalent_values(name, self.list_items(name, card))
        if choice.free:
            return self._group_equivalent_values(
                name, self._list_free_texts(name, squad)
            )
        if name not in self._classes:
            self._classes[name] = self._group_equivalent_values(
                name, list_allowed_values(choice, self.pack)
            )
        return self._classes[name]

    def _list_free_texts(self, name: str, squad: Squad | None) -> list[str]:
        """Return example texts for a choice that takes any text.

        They are those of the squad and the rules, and one that no rule tests.
        """
        words: dict[str, None] = {}
        for entry in squad.entries if squad is not None else ():
            if name in entry.choices:
                words[entry.choices[name]] = None
        for comparison, operand in self._tests[f"choice.{name}"]:
            if comparison == "eq":
                words[str(operand)] = None
        words[CUSTOM_WORD] = None
        return list(words)

    def list_values(
        self,
        choice_name: str,
        card: Card,
        squad: Squad | None = None,
        current: str | None = None,
    ) -> tuple[str, ...]:
        """Return one value from each group of values that a model with the card may choose.

        The current value represents its class.
        """
        values = [
            current if current is not None and current in group else group[0]
            for group in self.find_value_groups(choice_name, squad, card)
        ]
        if current is not None and current not in values:
            values.append(current)
        return tuple(values)

    def list_other_values(
        self,
        choice_name: str,
        entry: SelectedCard,
        squad: Squad,
        max_values: int | None = None,
    ) -> list[str]:
        """Return the values that an entry may choose instead. "" stands for removing the choice."""
        current = entry.choices.get(choice_name, "")
        values = self.list_values(choice_name, entry.card, squad, current or None)
        others = [value for value in values if value != current][:max_values]
        if current:
            others.append("")
        return others

    def count_similar_values(self, choice_name: str, value: str) -> int:
        """Return how many other values of the choice have the same effect on every rule."""
        for group in self.find_value_groups(choice_name):
            if value in group:
                return len(group) - 1
        return 0

    def _group_equivalent_values(
        self, choice: str, values: Iterable[str]
    ) -> tuple[ValueClass, ...]:
        """Group the values of a choice that no rule distinguishes.

        If rules count or compare the choice, each value is a group of its own.
        """
        groups: dict[object, list[str]] = {}
        tests = self._tests[f"choice.{choice}"]
        for value in values:
            key: object = value
            if choice not in self._separate_names:
                key = tuple(
                    COMPARE[comparison](value, operand) for comparison, operand in tests
                )
            groups.setdefault(key, []).append(value)
        return tuple(tuple(group) for group in groups.values())


def list_fixed_tests(conditions: Sequence[Where]) -> list[tuple[str, str, Operand]]:
    """Return all comparisons with a constant in the conditions: path, comparison and constant."""
    tests: list[tuple[str, str, Operand]] = []
    for where in conditions:
        for path, test in where.fields.items():
            for comparison, operand in list_tests(test):
                if not isinstance(operand, Ref):
                    tests.append((path, comparison, operand))
    return tests


IDENTITY_FIELDS = ("id", "name")
"""Fields in which all cards differ. A rule that groups or compares by them depends on no particular
card.
"""


class CardClasses:
    """Groups the cards of a pack, so that no rule distinguishes the cards of a group."""

    def __init__(
        self,
        cards: Mapping[str, Card],
        conditions: Sequence[Where],
        paths_of_values: Collection[str],
        rule_texts: Mapping[str, tuple[str, ...]],
    ) -> None:
        """`rule_texts` is what each card adds to the rules, by its id."""
        self._cards = cards
        self._paths = sorted(paths_of_values)
        self._tests = list_fixed_tests(conditions)
        self._rule_texts = rule_texts
        self._class_keys: dict[str, object] = {}

    def _make_class_key(self, card_id: str) -> object:
        """Return a key of a card. All rules treat cards with equal keys alike."""
        if card_id not in self._class_keys:
            card = self._cards[card_id]
            results = []
            for path, comparison, operand in self._tests:
                results.append(COMPARE[comparison](card.get_field(path), operand))
            # as text, because a list or a map cannot be part of a key
            values = [repr(card.get_field(path)) for path in self._paths]
            key = (
                card.kind,
                card.cost,
                self._rule_texts[card_id],
                tuple(results),
                tuple(values),
            )
            self._class_keys[card_id] = key
        return self._class_keys[card_id]

    def select_cards(
        self, card_ids: Iterable[str], max_per_class: int, present: Iterable[str]
    ) -> list[str]:
        """Return at most `max_per_class` cards of each group, and all cards of `present`."""
        present_ids = set(present)
        selected = []
        counts: dict[object, int] = {}
        for card_id in card_ids:
            if card_id in present_ids:
                selected.append(card_id)
                continue
            key = self._make_class_key(card_id)
            counts[key] = counts.get(key, 0) + 1
            if counts[key] <= max_per_class:
                selected.append(card_id)
        return selected
