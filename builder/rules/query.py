"""Conditions (`Where`) compiled to closures.

A missing field fails every test but `exists: false`, `ne`, `lacks`.
"""

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from builder.model.base import CHOICE_STEP, Model, find_mentions, walk_models
from builder.model.rules import Ref, Scalar, Select, Source, Test, Where
from builder.roster.resolve import SelectedCard, Squad

CardTest: TypeAlias = Callable[[SelectedCard, SelectedCard | None], bool]
"""True if a card meets a condition, compared with the other card (None if there is none)."""

Operand: TypeAlias = Scalar | tuple[Scalar, ...] | Ref
Compare: TypeAlias = Callable[[object, object], bool]


def match_always(_selected: SelectedCard, _other_card: SelectedCard | None) -> bool:
    """Return True: the compiled form of an empty condition."""
    return True


def compile_condition(condition: Where) -> CardTest:
    """Compile a condition of a rule to one function that tests a card."""
    tests = _compile_fields(condition.fields)
    tests += map(compile_condition, condition.all)
    any_tests = [compile_condition(inner) for inner in condition.any]
    none_tests = [compile_condition(inner) for inner in condition.none]
    if any_tests:
        tests.append(
            lambda selected, other_card: any(
                test(selected, other_card) for test in any_tests
            )
        )
    if none_tests:
        tests.append(
            lambda selected, other_card: (
                not any(test(selected, other_card) for test in none_tests)
            )
        )
    # most conditions have one test: without a loop around it, rosters are checked faster
    if len(tests) > 1:
        return lambda selected, other_card: all(
            test(selected, other_card) for test in tests
        )
    return tests[0] if tests else match_always


def _compile_fields(fields: Mapping[str, Test]) -> list[CardTest]:
    """Return one function for each comparison in a condition."""
    tests = []
    for path, test in fields.items():
        for name, operand in list_tests(test):
            tests.append(_compile_test(path, COMPARE[name], operand))
    return tests


def is_same(value: object, operand: object) -> bool:
    """Return True if the values are equal and of one type: true is not 1."""
    return value == operand and isinstance(value, bool) == isinstance(operand, bool)


def contains_value(value: object, operand: object) -> bool:
    """Return True if a list contains the value, or a map has it as a key."""
    if isinstance(value, Mapping):
        return operand in value
    return isinstance(value, list | tuple) and any(
        is_same(item, operand) for item in value
    )


def _contains_any(value: object, operands: object) -> bool:
    return isinstance(operands, tuple) and any(
        contains_value(value, item) for item in operands
    )


def _is_one_of(value: object, operands: object) -> bool:
    # `in` is quick but takes 1 for true, so the second test is needed too
    return (
        isinstance(operands, tuple)
        and value in operands
        and contains_value(operands, value)
    )


def _compare_numbers(compare: Callable[[float, float], bool]) -> Compare:
    """Return a comparison that is False unless both values are numbers."""

    def test(value: object, operand: object) -> bool:
        if isinstance(value, bool) or isinstance(operand, bool):
            return False
        if not isinstance(value, int | float) or not isinstance(operand, int | float):
            return False
        return compare(value, operand)

    return test


COMPARE: Mapping[str, Compare] = {
    "eq": lambda value, operand: value is not None and is_same(value, operand),
    # A missing field differs from every value, so `ne` and `lacks` need no test for None.
    "ne": lambda value, operand: not is_same(value, operand),
    "lt": _compare_numbers(operator.lt),
    "le": _compare_numbers(operator.le),
    "gt": _compare_numbers(operator.gt),
    "ge": _compare_numbers(operator.ge),
    "one_of": _is_one_of,
    "has": contains_value,
    "has_any": _contains_any,
    "lacks": lambda value, operand: not contains_value(value, operand),
    "exists": lambda value, operand: (value is not None) == operand,
}
"""The comparisons of a test, by the name of the model's field."""


def list_tests(test: Test) -> list[tuple[str, Operand]]:
    """Return the comparisons of a test, each as a name such as "ge" and its operand."""
    # rules of a large pack have thousands of tests: no list of the comparisons that are absent
    tests = []
    for name in COMPARE:
        operand = getattr(test, name)
        if operand is not None:
            tests.append((name, operand))
    return tests


def _compile_test(path: str, compare: Compare, operand: Operand) -> CardTest:
    """Compile one comparison of a field with a constant or with a field of the other card."""
    if not isinstance(operand, Ref):
        return lambda selected, _other_card: compare(selected.get_value(path), operand)
    other_path = operand.other

    def compare_with_other(
        selected: SelectedCard, other_card: SelectedCard | None
    ) -> bool:
        value = other_card.get_value(other_path) if other_card is not None else None
        return value is not None and compare(selected.get_value(path), value)

    return compare_with_other


def find_choices(rule_part: Model) -> tuple[str, ...]:
    """Return the names of all choices that a part of a rule refers to, sorted."""
    names: set[str] = set()
    for mention in find_mentions(rule_part):
        if mention.ref == "field":
            names.update(find_path_choices(mention.value))
    return tuple(sorted(names))


def find_path_choices(path: str) -> tuple[str, ...]:
    """Return the names of the choices in a path, such as `choice.job` or `{choice.job}`."""
    return (
        (path[7:],) if path.startswith("choice.") else tuple(CHOICE_STEP.findall(path))
    )


def make_similarity_key(
    selected: SelectedCard, choice_names: Sequence[str]
) -> tuple[str, ...]:
    """Return a key that is equal for cards which pass the same conditions.

    The conditions may test these choices, and no others. Both cards must be from one source.
    """
    key = (selected.card.id, *(selected.choices.get(name, "") for name in choice_names))
    if selected.host is None:
        return key
    # A condition may test the host too, so the key of an attachment includes the host's.
    return (*key, *make_similarity_key(selected.host, choice_names))


def is_static(condition: Where) -> bool:
    """Return True if a condition depends only on the card, not on choices or other cards."""
    for path, test in condition.fields.items():
        if find_path_choices(path):
            return False
        if any(isinstance(operand, Ref) for _name, operand in list_tests(test)):
            return False
    return all(
        is_static(inner) for inner in (*condition.any, *condition.all, *condition.none)
    )


def keep_static_part(condition: Where) -> Where:
    """Return the part of a condition that depends only on the card itself.

    Every card that meets `condition` meets the result.
    """
    if is_static(condition):
        return condition
    fields = {
        path: test
        for path, test in condition.fields.items()
        if is_static(Where(fields={path: test}))
    }
    return Where(
        fields=fields,
        all=tuple(keep_static_part(part) for part in condition.all),
        any=tuple(keep_static_part(part) for part in condition.any),
        # a weaker part would make the negation stronger, so such a part is left out
        none=tuple(part for part in condition.none if is_static(part)),
    )


def find_conditions(
    rule_part: Model, sources: Collection[Source] = tuple(Source)
) -> Iterator[Where]:
    """Yield all conditions within a part of a rule, outer ones first.

    Conditions inside a selection count only if it selects from one of the sources.
    """

    def is_skipped(model: object) -> bool:
        return isinstance(model, Select) and model.source not in sources

    for model in walk_models(rule_part, is_skipped):
        if isinstance(model, Where):
            yield model


def weaken_select(select: Select) -> Select:
    """Return a selection that ignores choices. It selects all that the given one may select."""
    host_where = keep_static_part(select.bearer) if select.bearer is not None else None
    update = {"where": keep_static_part(select.where), "bearer": host_where}
    return select.model_copy(update=update)


def list_values(selected: SelectedCard, path: str) -> tuple[str, ...]:
    """Return the values at a path as texts: each item of a list, each key of a map."""
    return convert_to_texts(selected.get_value(path))


def convert_to_texts(value: object) -> tuple[str, ...]:
    """Return a value as texts: each item of a list, each key of a map, none for None."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return tuple(value)
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    return (str(value),)


class Selector:
    """A compiled selection of cards from a roster."""

    def __init__(self, select: Select) -> None:
        self.select = select
        self.source = select.source
        self.where_matches = compile_condition(select.where)
        self.host_matches = (
            compile_condition(select.bearer) if select.bearer is not None else None
        )

    @cached_property
    def choice_names(self) -> frozenset[str]:
        """The names of the choices that the selection refers to."""
        return frozenset(find_choices(self.select))

    @cached_property
    def card_only(self) -> "Selector":
        """A selector with the same conditions except those on choices."""
        return Selector(weaken_select(self.select))

    def matches_card(
        self, selected: SelectedCard, other_card: SelectedCard | None = None
    ) -> bool:
        """Return True if a card is selected, compared with the other card if one is given."""
        if not self.matches_source(selected):
            return False
        if self.host_matches is None:
            return self.where_matches(selected, other_card)
        if selected.host is None or not self.host_matches(selected.host, other_card):
            return False
        return self.where_matches(selected, other_card)

    def matches_source(self, selected: SelectedCard) -> bool:
        """Return True if the card is in the section of the roster that is selected from."""
        return self.source is Source.ALL or selected.source is self.source

    def select_from(
        self, squad: Squad, other_card: SelectedCard | None = None
    ) -> list[SelectedCard]:
        """Return the cards of a squad that are selected."""
        cards = squad.list_cards(self.source)
        return [
            selected for selected in cards if self.matches_card(selected, other_card)
        ]
