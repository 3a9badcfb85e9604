"""The choices that rules ask about, and which of their values no rule tells apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from builder.model.base import Json
from builder.model.pack import Choice, Pack
from builder.model.rules import Limit, Ref, Rule, Where
from builder.roster.resolve import Squad
from builder.rules.evaluate import Evaluator, Form
from builder.rules.forms.relations import Permit
from builder.rules.query import COMPARE, parts

MENTION = re.compile(r"choice[. ]([\w-]+)")
OWN_WORD = "to-be-named"
"""Stands for a word of the player's own where a choice takes any text."""


def names_in(rule: Rule, form: Form) -> frozenset[str]:
    """The choices that one rule asks about, in its own words or in those of the cards it reads."""
    found = set(MENTION.findall(rule.model_dump_json()))
    for where in form.asked.values() if isinstance(form, Permit) else ():
        found |= set(MENTION.findall(where.model_dump_json()))
    return frozenset(found)


class Ways:
    """What may be chosen for a model, as far as the rules of a pack care.

    `names` are the declared choices that some rule asks about; `of_rule[id]` those of one rule. Values that every rule
    treats alike form one class; one value of each is enough to try.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.pack: Pack = evaluator.pack
        declared = self.pack.manifest.roster.choices
        self.of_rule = {rule.id: names_in(rule, form) & declared.keys() for rule, form in evaluator.rules}
        self.names = tuple(sorted(frozenset().union(*self.of_rule.values())))
        self._tests = {name: list(self._asked(name, evaluator)) for name in self.names}
        self._apart = {name for name in self.names if self._told_apart(name, evaluator)}
        self._classes: dict[str, tuple[tuple[str, ...], ...]] = {}

    def classes(self, name: str, squad: Squad | None = None) -> tuple[tuple[str, ...], ...]:
        """The classes of a choice's values, as declared; free text stands for what the squad says and one more."""
        choice = self.pack.manifest.roster.choices[name]
        if not choice.free:
            if name not in self._classes:
                self._classes[name] = self._grouped(name, self._declared(choice))
            return self._classes[name]
        said = [pick.choices[name] for pick in squad.entries if name in pick.choices] if squad is not None else []
        asked = [str(wanted) for part, wanted in self._tests[name] if part == "eq"]
        return self._grouped(name, dict.fromkeys([*said, *asked, OWN_WORD]))

    def values(self, name: str, squad: Squad | None = None, own: str | None = None) -> tuple[str, ...]:
        """One value of each class; `own`, a value that is chosen already, stands for its class."""
        found = self.classes(name, squad)
        if own is not None and not any(own in group for group in found):
            found = (*found, (own,))
        return tuple(own if own in group else group[0] for group in found if group)

    def alike(self, name: str, value: str) -> int:
        """How many other values of a choice would do as well as this one."""
        return next((len(group) - 1 for group in self.classes(name) if value in group), 0)

    def _declared(self, choice: Choice) -> Iterable[str]:
        return [card.id for card in self.pack.of_kind(choice.cards)] if choice.cards else choice.values

    def _grouped(self, name: str, values: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Values with the same answers to every test; each by itself where rules count or compare it."""
        groups: dict[object, list[str]] = {}
        for value in values:
            key = value if name in self._apart else tuple(COMPARE[part](value, it) for part, it in self._tests[name])
            groups.setdefault(key, []).append(value)
        return tuple(tuple(group) for group in groups.values())

    def _asked(self, name: str, evaluator: Evaluator) -> Iterator[tuple[str, object]]:
        """Every test of the choice against a fixed value."""
        for where in stated(evaluator):
            test = where.fields.get(f"choice.{name}")
            if test is not None:
                yield from ((part, wanted) for part, wanted in parts(test) if not isinstance(wanted, Ref))

    def _told_apart(self, name: str, evaluator: Evaluator) -> bool:
        """True if some rule counts the choice's values or compares them with a field."""
        path = f"choice.{name}"
        for rule, _ in evaluator.rules:
            if isinstance(rule, Limit) and path in (rule.group_path, rule.measure.distinct):
                return True
        return any(
            isinstance(wanted, Ref) and path in (field, wanted.other)
            for where in stated(evaluator)
            for field, test in where.fields.items()
            for _, wanted in parts(test)
        )


@lru_cache(maxsize=8)
def ways_of(evaluator: Evaluator) -> Ways:
    """The ways of choosing of one pack, worked out once."""
    return Ways(evaluator)


def stated(evaluator: Evaluator) -> Iterator[Where]:
    """Every condition of the rules and of the cards they read, each with those inside it."""
    for rule, form in evaluator.rules:
        yield from _within(rule.model_dump(by_alias=False))
        for where in form.asked.values() if isinstance(form, Permit) else ():
            yield from _inner(where)


def _within(value: Json | Mapping[str, Json]) -> Iterator[Where]:
    """The conditions in a rule, found by their form."""
    if isinstance(value, Mapping):
        if value.keys() == {"fields", "any", "all", "none"}:
            yield from _inner(Where.model_validate(value))
        else:
            for item in value.values():
                yield from _within(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _within(item)


def _inner(where: Where) -> Iterator[Where]:
    """A condition and all within it."""
    yield where
    for part in (*where.any, *where.all, *where.none):
        yield from _inner(part)
