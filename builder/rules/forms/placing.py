"""The `slots` form: what an entry carries is matched to its slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.model.base import Path
from builder.model.card import Card
from builder.model.rules import Slots
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import Derived, number
from builder.rules.matching import Need, Placement, match
from builder.rules.query import Selector
from builder.rules.violation import Counted, Violation

ANY = ""
"""The type of an untyped slot."""
MOST = 99
"""More slots or a larger size than this are cut: no game has them, and a typing error must not fill the memory."""


class Placer:
    """A compiled slots rule."""

    def __init__(self, rule: Slots) -> None:
        self.rule = rule
        self.selector = Selector(rule.select)
        self._memo: dict[tuple[str, tuple[tuple[str, str | None], ...]], Placement] = {}

    def slots(self, card: Card) -> tuple[str, ...]:
        """The slot types of a bearer, one per slot; the empty string for an untyped one."""
        value = card.field(self.rule.slots)
        if isinstance(value, Mapping):
            return tuple(kind for kind, many in value.items() for _ in range(_many(many)))
        if isinstance(value, list | tuple):
            return tuple(ANY if item is None else str(item) for item in value)
        return (ANY,) * _many(value)

    def need(self, card: Card, named: str | None) -> Need:
        """What one attachment takes; a slot that the player named is the only one accepted."""
        value = card.field(self.rule.need) if self.rule.need is not None else None
        accepts: frozenset[str] | None = None
        if isinstance(value, list | tuple):
            accepts = frozenset(str(item) for item in value)
        elif value is not None:
            accepts = frozenset((str(value),))
        if named is not None:
            accepts = frozenset((named,)) if accepts is None or named in accepts else frozenset()
        size = number(card.field(self.rule.size)) if self.rule.size is not None else 1
        return Need(accepts, min(int(1 if size is None else size), MOST))

    def place(self, bearer: Card, items: list[tuple[Card, str | None]]) -> Placement:
        """The matching for one bearer; remembered, because the same load recurs in many rosters."""
        key = (bearer.id, tuple((card.id, named) for card, named in items))
        found = self._memo.get(key)
        if found is None:
            if len(self._memo) > 50_000:
                self._memo.clear()
            found = match([self.need(card, named) for card, named in items], self.slots(bearer))
            self._memo[key] = found
        return found

    def loads(self, squad: Squad) -> Iterator[tuple[Pick, list[Pick], Placement]]:
        """Each entry that carries something that needs a slot, with the matching."""
        for entry in squad.entries:
            items = [pick for pick in squad.carried(entry) if self.selector.takes(pick)]
            if items:
                yield entry, items, self.place(entry.card, [(pick.card, pick.slot) for pick in items])

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every entry whose attachments do not fit into its slots."""
        rule = self.rule
        for entry, items, placement in self.loads(squad):
            if placement.whole:
                continue
            needs = [self.need(pick.card, pick.slot) for pick in items]
            counted = tuple(
                Counted(pick.path, pick.card.id, need.size, pick.count, "/".join(sorted(need.accepts or ())))
                for pick, need in zip(items, needs, strict=True)
            )
            have = self.slots(entry.card)
            bound = Derived(len(have), "slots", field=", ".join(slot for slot in have if slot))
            yield Violation(
                rule.id, rule.title, rule.source, rule.severity, "no-slot", str(entry.line), counted,
                sum(need.size for need in needs), bound, counted[placement.left[0]], (entry.card.id,),
                hint=rule.hint or None,
            )  # fmt: skip

    def placement(self, squad: Squad) -> dict[Path, tuple[str, ...]]:
        """The slot types that each attachment got, by its path; one left over is missing."""
        found: dict[Path, tuple[str, ...]] = {}
        for entry, items, placement in self.loads(squad):
            have = self.slots(entry.card)
            for index, pick in enumerate(items):
                if index not in placement.left:
                    found[pick.path] = tuple(have[slot] for slot in placement.slots[index])
        return found


def _many(value: object) -> int:
    """A number of slots."""
    amount = number(value)
    return 0 if amount is None else max(0, min(int(amount), MOST))
