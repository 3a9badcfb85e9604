"""Conditions (`Where`) compiled to closures. A missing field fails every test but `exists: false`, `ne`, `lacks`."""

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from builder.model.base import CHOICE_STEP, Model, find_mentions, walk_models
from builder.model.rules import Ref, Scalar, Select, Source, Test, Where
from builder.roster.resolve import Pick, Squad

Passes: TypeAlias = Callable[[Pick, Pick | None], bool]
"""Does a pick pass, seen from the other pick of a comparison (None where there is none)?"""

Operand: TypeAlias = Scalar | tuple[Scalar, ...] | Ref
Compare: TypeAlias = Callable[[object, object], bool]


def always(_pick: Pick, _other: Pick | None) -> bool:
    """The empty condition."""
    return True


def compile_where(where: Where) -> Passes:
    """The condition as one function."""
    tests = [
        _closure(path, COMPARE[name], wanted)
        for path, test in where.fields.items()
        for name, wanted in parts(test)
    ]
    tests += map(compile_where, where.all)
    some, none = list(map(compile_where, where.any)), list(map(compile_where, where.none))
    if some:
        tests.append(lambda pick, other: any(test(pick, other) for test in some))
    if none:
        tests.append(lambda pick, other: not any(test(pick, other) for test in none))
    if len(tests) > 1:
        return lambda pick, other: all(test(pick, other) for test in tests)
    return tests[0] if tests else always


def same(value: object, wanted: object) -> bool:
    """Equal, with true and 1 kept apart."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def holds(value: object, wanted: object) -> bool:
    """The list or map holds the value or key."""
    if isinstance(value, Mapping):
        return wanted in value
    return isinstance(value, list | tuple) and any(same(item, wanted) for item in value)


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
    "eq": lambda value, wanted: value is not None and same(value, wanted),
    "ne": lambda value, wanted: not same(value, wanted),
    "lt": _number(operator.lt),
    "le": _number(operator.le),
    "gt": _number(operator.gt),
    "ge": _number(operator.ge),
    "one_of": lambda value, wanted: (
        isinstance(wanted, tuple) and value in wanted and holds(wanted, value)
    ),
    "has": holds,
    "has_any": lambda value, wanted: (
        isinstance(wanted, tuple) and any(holds(value, item) for item in wanted)
    ),
    "lacks": lambda value, wanted: not holds(value, wanted),
    "exists": lambda value, wanted: (value is not None) == wanted,
}
"""The parts of a test, by the name of the model's field."""


def parts(test: Test) -> list[tuple[str, Operand]]:
    """The stated parts of a test, in a fixed order."""
    return [(name, wanted) for name in COMPARE if (wanted := getattr(test, name)) is not None]


def _closure(path: str, compare: Compare, wanted: Operand) -> Passes:
    """The test of one field against a fixed value or a field of the other pick."""
    if isinstance(wanted, Ref):
        name = wanted.other

        def against(pick: Pick, other: Pick | None) -> bool:
            value = other.value(name) if other is not None else None
            return value is not None and compare(pick.value(path), value)

        return against
    return lambda pick, _other: compare(pick.value(path), wanted)


def asked_choices(part: Model) -> tuple[str, ...]:
    """The choices that are named anywhere in a part of a rule, by name."""
    return tuple(
        sorted(
            {
                name
                for one in find_mentions(part)
                if one.ref == "field"
                for name in choices_in(one.value)
            }
        )
    )


def choices_in(path: str) -> tuple[str, ...]:
    """The choices that the value at a path depends on: of `choice.NAME` its own, else those of `{choice.NAME}`."""
    return (path[7:],) if path.startswith("choice.") else tuple(CHOICE_STEP.findall(path))


def likeness(pick: Pick, asked: Sequence[str]) -> tuple[str, ...]:
    """What conditions that ask about these choices can tell picks of one source apart by: equal picks pass alike."""
    own = (pick.card.id, *(pick.choices.get(name, "") for name in asked))
    return own if pick.bearer is None else (*own, *likeness(pick.bearer, asked))


def is_static(where: Where) -> bool:
    """True if the card alone decides: no choice of the roster and no other pick is asked."""
    own = all(
        not choices_in(path) and not any(isinstance(wanted, Ref) for _, wanted in parts(test))
        for path, test in where.fields.items()
    )
    return own and all(is_static(inner) for inner in (*where.any, *where.all, *where.none))


def static_part(where: Where) -> Where:
    """A weaker condition that the card alone decides: whatever passes `where` passes it."""
    if is_static(where):
        return where
    fields = {
        path: test for path, test in where.fields.items() if is_static(Where(fields={path: test}))
    }
    inner = tuple(static_part(part) for part in where.all)
    some = tuple(static_part(part) for part in where.any)
    none = tuple(part for part in where.none if is_static(part))
    return Where(fields=fields, all=inner, any=some, none=none)


def conditions(part: Model, sources: Collection[Source] = tuple(Source)) -> Iterator[Where]:
    """The conditions in a part of a rule at any depth, each before those within it; of selections only of these
    sources."""
    meant = walk_models(part, lambda one: isinstance(one, Select) and one.source not in sources)
    return (one for one in meant if isinstance(one, Where))


def weaker(select: Select) -> Select:
    """A selection by the card alone that leaves out no pick of the given one."""
    bearer = static_part(select.bearer) if select.bearer is not None else None
    return select.model_copy(update={"where": static_part(select.where), "bearer": bearer})


def values(pick: Pick, path: str) -> tuple[str, ...]:
    """The values at a path as text: none where it is absent, each item of a list, each key of a map."""
    return texts_of(pick.value(path))


def texts_of(value: object) -> tuple[str, ...]:
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
        self.passes = compile_where(select.where)
        self.bearer = compile_where(select.bearer) if select.bearer is not None else None

    @cached_property
    def asks_choices(self) -> bool:
        """True if a choice is named."""
        return bool(asked_choices(self.select))

    def takes(self, pick: Pick, other: Pick | None = None) -> bool:
        """True if this pick (of the right source) is meant."""
        if not self.comes_from(pick):
            return False
        if self.bearer is not None and (pick.bearer is None or not self.bearer(pick.bearer, other)):
            return False
        return self.passes(pick, other)

    def comes_from(self, pick: Pick) -> bool:
        """True if the pick is of the right source."""
        return self.source is Source.ALL or pick.source is self.source

    def of(self, squad: Squad, other: Pick | None = None) -> list[Pick]:
        """The picks of a squad that are meant."""
        return [pick for pick in squad.picks(self.source) if self.takes(pick, other)]
