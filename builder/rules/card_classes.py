"""Cards that the rules of a pack treat alike: where one will do, any of them will."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from builder.model.card import Card
from builder.model.rules import Ref, Where
from builder.rules.query import COMPARE, parts

OWN = ("id", "name")
"""Fields in which cards differ anyhow: what is grouped, told apart or compared by them hangs on no one card."""


class CardClasses:
    """The classes of one pack's cards."""

    def __init__(
        self,
        cards: Mapping[str, Card],
        conditions: Sequence[Where],
        values_read: Collection[str],
        stated: Mapping[str, tuple[str, ...]],
    ) -> None:
        """`values_read` are the paths of which rules take the value itself; `stated` what each card adds to rules."""
        fields = sorted(set(values_read))
        tests = [
            (path, part, wanted)
            for where in conditions
            for path, test in where.fields.items()
            for part, wanted in parts(test)
            if not isinstance(wanted, Ref)
        ]
        self._classes: dict[str, object] = {
            name: (
                card.kind,
                card.cost,
                stated[name],
                tuple(COMPARE[part](card.field(path), wanted) for path, part, wanted in tests),
                tuple(repr(card.field(path)) for path in fields),
            )
            for name, card in cards.items()
        }

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
