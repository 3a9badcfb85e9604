"""Cards that the rules of a pack treat alike: where one will do, any of them will."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from builder.model.card import Card
from builder.model.rules import Allow, Bound, Limit, LinkRule, Ref, Slots
from builder.rules.evaluate import Evaluator
from builder.rules.forms.relations import Permit
from builder.rules.query import COMPARE, parts
from builder.rules.ways import stated

OWN = ("id", "name")
"""Fields in which cards differ anyhow: what is grouped, told apart or compared by them hangs on no one card."""


class Alike:
    """The classes of one pack's cards."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._fields = sorted(set(_fields(evaluator)))
        self._tests = [
            (path, part, wanted)
            for where in stated(evaluator)
            for path, test in where.fields.items()
            for part, wanted in parts(test)
            if not isinstance(wanted, Ref)
        ]
        self._classes = {name: self._key(card) for name, card in evaluator.pack.cards.items()}

    def some(self, cards: Iterable[str], many: int, there: Iterable[str]) -> list[str]:
        """Of each class so many of the cards, besides those that are there already."""
        used, found = set(there), []
        taken: dict[object, int] = {}
        for name in cards:
            key = self._classes[name]
            if name not in used:
                taken[key] = taken.get(key, 0) + 1
            if name in used or taken[key] <= many:
                found.append(name)
        return found

    def _key(self, card: Card) -> object:
        """All that any rule may see of a card."""
        asked = [
            form.asked[card.id].model_dump_json() if card.id in form.asked else ""
            for _, form in self.evaluator.rules
            if isinstance(form, Permit)
        ]
        tests = tuple(COMPARE[part](card.field(path), wanted) for path, part, wanted in self._tests)
        values = tuple(repr(card.field(path)) for path in self._fields)
        return (card.kind, card.cost, tuple(asked), tests, values)


@lru_cache(maxsize=8)
def alike_of(evaluator: Evaluator) -> Alike:
    """The classes of one pack, worked out once."""
    return Alike(evaluator)


def _fields(evaluator: Evaluator) -> Iterator[str]:
    """The fields of which rules take the value itself."""
    for where in stated(evaluator):
        for path, test in where.fields.items():
            for _, wanted in parts(test):
                if isinstance(wanted, Ref) and not (path == wanted.other and path in OWN):
                    yield from (path, wanted.other)
    for rule, _ in evaluator.rules:
        if isinstance(rule, Limit):
            yield from (path for path in (rule.group_path, rule.measure.distinct) if path and path not in OWN)
            yield from (path for path in (rule.measure.sum,) if path)
            yield from (path for bound in (rule.min, rule.max, rule.exactly) if bound for path in _bound(bound))
        elif isinstance(rule, Slots):
            yield from (path for path in (rule.slots, rule.need, rule.size) if path)
        elif isinstance(rule, LinkRule):
            yield from (path for path in (rule.capacity, rule.load) if path)
        elif isinstance(rule, Allow) and rule.field:
            yield rule.field


def _bound(bound: Bound) -> Iterator[str]:
    """The card fields that a bound reads."""
    if bound.field is not None:
        yield bound.field
    if bound.share is not None:
        yield bound.share.field
    if bound.one_per is not None and isinstance(bound.one_per.each, str):
        yield bound.one_per.each
