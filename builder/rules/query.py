"""Conditions (`Where`) compiled to closures. A missing field fails every test but `exists: false`, `ne`, `lacks`."""

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from builder.model.base import CHOICE_STEP, Model, find_mentions, walk_models
from builder.model.rules import Ref, Scalar, Select, Source, Test, Where
from builder.roster.resolve import SelectedCard, Squad

CardTest: TypeAlias = Callable[[SelectedCard, SelectedCard | None], bool]
"""Does a pick pass, seen from the other pick of a comparison (None where there is none)?"""

Operand: TypeAlias = Scalar | tuple[Scalar, ...] | Ref
Compare: TypeAlias = Callable[[object, object], bool]


def match_always(_pick: SelectedCard, _other: SelectedCard | None) -> bool:
    """The empty condition."""
    return True


def compile_where(where: Where) -> CardTest:
    """The condition as one function."""
    tests = [
        _closure(path, COMPARE[name], wanted)
        for path, test in where.fields.items()
        for name, wanted in list_tests(test)
    ]
    tests += map(compile_where, where.all)
    some, none = list(map(compile_where, where.any)), list(map(compile_where, where.none))
    if some:
        tests.append(lambda selected, other: any(test(selected, other) for test in some))
    if none:
        tests.append(lambda selected, other: not any(test(selected, other) for test in none))
    if len(tests) > 1:
        return lambda selected, other: all(test(selected, other) for test in tests)
    return tests[0] if tests else match_always


def is_same(value: object, wanted: object) -> bool:
    """Equal, with true and 1 kept apart."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def contains_value(value: object, wanted: object) -> bool:
    """The list or map holds the value or key."""
    if isinstance(value, Mapping):
        return wanted in value
    return isinstance(value, list | tuple) and any(is_same(item, wanted) for item in value)


def _number(compare: Callable[[float, float], bool]) -> Compare:
    """A comparison that only numbers can pass."""

    def test(value: object, wanted: object) -> bool:
        if isinstance(value, bool) or isinstance(wanted, bool):
            return False
        return (
            isinstance(value, int | float)
            and isinstance(wanted, int | float)
            and compare(value, wanted)
        )

    return test


COMPARE: Mapping[str, Compare] = {
    "eq": lambda value, wanted: value is not None and is_same(value, wanted),
    "ne": lambda value, wanted: not is_same(value, wanted),
    "lt": _number(operator.lt),
    "le": _number(operator.le),
    "gt": _number(operator.gt),
    "ge": _number(operator.ge),
    "one_of": lambda value, wanted: (
        isinstance(wanted, tuple) and value in wanted and contains_value(wanted, value)
    ),
    "has": contains_value,
    "has_any": lambda value, wanted: (
        isinstance(wanted, tuple) and any(contains_value(value, item) for item in wanted)
    ),
    "lacks": lambda value, wanted: not contains_value(value, wanted),
    "exists": lambda value, wanted: (value is not None) == wanted,
}
"""The parts of a test, by the name of the model's field."""


def list_tests(test: Test) -> list[tuple[str, Operand]]:
    """The stated parts of a test, in a fixed order."""
    return [(name, wanted) for name in COMPARE if (wanted := getattr(test, name)) is not None]


def _closure(path: str, compare: Compare, wanted: Operand) -> CardTest:
    """The test of one field against a fixed value or a field of the other pick."""
    if isinstance(wanted, Ref):
        name = wanted.other

        def against(selected: SelectedCard, other: SelectedCard | None) -> bool:
            value = other.get_value(name) if other is not None else None
            return value is not None and compare(selected.get_value(path), value)

        return against
    return lambda selected, _other: compare(selected.get_value(path), wanted)


def find_choices(part: Model) -> tuple[str, ...]:
    """The choices that are named anywhere in a part of a rule, by name."""
    return tuple(
        sorted(
            {
                name
                for one in find_mentions(part)
                if one.ref == "field"
                for name in find_path_choices(one.value)
            }
        )
    )


def find_path_choices(path: str) -> tuple[str, ...]:
    """The choices that the value at a path depends on: of `choice.NAME` its own, else those of `{choice.NAME}`."""
    return (path[7:],) if path.startswith("choice.") else tuple(CHOICE_STEP.findall(path))


def make_similarity_key(selected: SelectedCard, asked: Sequence[str]) -> tuple[str, ...]:
    """What conditions that ask about these choices can tell picks of one source apart by: equal picks pass alike."""
    own = (selected.card.id, *(selected.choices.get(name, "") for name in asked))
    return own if selected.host is None else (*own, *make_similarity_key(selected.host, asked))


def is_static(where: Where) -> bool:
    """True if the card alone decides: no choice of the roster and no other pick is asked."""
    own = all(
        not find_path_choices(path)
        and not any(isinstance(wanted, Ref) for _, wanted in list_tests(test))
        for path, test in where.fields.items()
    )
    return own and all(is_static(inner) for inner in (*where.any, *where.all, *where.none))


def keep_static_part(where: Where) -> Where:
    """A weaker condition that the card alone decides: whatever passes `where` passes it."""
    if is_static(where):
        return where
    fields = {
        path: test for path, test in where.fields.items() if is_static(Where(fields={path: test}))
    }
    inner = tuple(keep_static_part(part) for part in where.all)
    some = tuple(keep_static_part(part) for part in where.any)
    none = tuple(part for part in where.none if is_static(part))
    return Where(fields=fields, all=inner, any=some, none=none)


def find_conditions(part: Model, sources: Collection[Source] = tuple(Source)) -> Iterator[Where]:
    """The conditions in a part of a rule at any depth, each before those within it; of selections only of these
    sources."""
    meant = walk_models(part, lambda one: isinstance(one, Select) and one.source not in sources)
    return (one for one in meant if isinstance(one, Where))


def weaken_select(select: Select) -> Select:
    """A selection by the card alone that leaves out no pick of the given one."""
    host = keep_static_part(select.bearer) if select.bearer is not None else None
    return select.model_copy(update={"where": keep_static_part(select.where), "bearer": host})


def list_values(selected: SelectedCard, path: str) -> tuple[str, ...]:
    """The values at a path as text: none where it is absent, each item of a list, each key of a map."""
    return convert_to_texts(selected.get_value(path))


def convert_to_texts(value: object) -> tuple[str, ...]:
    """Return a value as text: nothing for None, each item of a list, each key of a map."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return tuple(value)
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    return (str(value),)


class Selector:
    """A compiled `Select`."""

    def __init__(self, select: Select) -> None:
        self.select = select
        self.source = select.source
        self.where_matches = compile_where(select.where)
        self.host_matches = compile_where(select.bearer) if select.bearer is not None else None

    @cached_property
    def names_choices(self) -> bool:
        """True if a choice is named."""
        return bool(find_choices(self.select))

    def matches_card(self, selected: SelectedCard, other: SelectedCard | None = None) -> bool:
        """True if this pick (of the right source) is meant."""
        if not self.matches_source(selected):
            return False
        if self.host_matches is not None and (
            selected.host is None or not self.host_matches(selected.host, other)
        ):
            return False
        return self.where_matches(selected, other)

    def matches_source(self, selected: SelectedCard) -> bool:
        """True if the pick is of the right source."""
        return self.source is Source.ALL or selected.source is self.source

    def select_from(self, squad: Squad, other: SelectedCard | None = None) -> list[SelectedCard]:
        """The picks of a squad that are meant."""
        return [
            selected
            for selected in squad.list_cards(self.source)
            if self.matches_card(selected, other)
        ]
