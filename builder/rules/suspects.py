"""The fast path: which rules may be broken by a roster, read from tables in one pass over its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.roster import Attachment, Roster
from builder.model.rules import Source
from builder.roster.problems import check_params
from builder.roster.resolve import Pick, filled
from builder.rules.evaluate import Evaluator
from builder.rules.forms.placing import Placer
from builder.rules.tables import Row, Tables, build

PARAMETERS, LOADS = 256, 50_000
"""How many sets of parameters and how many loads of an entry are remembered before starting afresh."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Indices of rules that may be broken; `odd` if the roster names ties, choices or ids that must be looked at."""

    asked: frozenset[int]
    odd: bool

    @property
    def none(self) -> bool:
        """True if the roster is certainly legal."""
        return not self.asked and not self.odd


class Suspects:
    """Finds the rules that a roster must be asked about in full; sound: a rule that it leaves out is kept."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._tables: dict[tuple[tuple[str, int | str], ...], Tables | None] = {}

    def of(self, roster: Roster) -> Suspicion | None:
        """The suspicion; None if a card or parameter is not understood, so that everything must be looked at."""
        tables = self._for(roster)
        if tables is None:
            return None
        asked = set(tables.always)
        entries: dict[str, int] = {}
        attached: dict[str, int] = {}
        odd = False
        for entry in roster.entries:
            card, count = entry.card, entry.count
            entries[card] = entries.get(card, 0) + count
            if entry.choices or entry.links or entry.id is not None:
                odd = True
            if entry.attachments:
                for item in entry.attachments:
                    attached[item.card] = attached.get(item.card, 0) + count
                suspected = self._load(card, entry.attachments, tables)
                if suspected is None:
                    return None
                asked |= suspected
        deck: dict[str, int] = {}
        for owned in roster.deck:
            deck[owned.card] = deck.get(owned.card, 0) + owned.count
        counts = ((entries, Source.ENTRIES), (attached, Source.ATTACHMENTS), (deck, Source.DECK))
        return Suspicion(frozenset(asked), odd) if _tally(counts, tables, asked) else None

    def _for(self, roster: Roster) -> Tables | None:
        """The tables for the roster's parameters; None where those are not understood."""
        key = (("", roster.pack), *roster.params.items())
        if key not in self._tables:
            if len(self._tables) > PARAMETERS:
                self._tables.clear()
            pack = self.evaluator.pack
            wrong = any(True for _ in check_params(roster, pack))
            self._tables[key] = None if wrong else build(self.evaluator, filled(roster.params, pack))
        return self._tables[key]

    def _load(self, card: str, items: tuple[Attachment, ...], tables: Tables) -> frozenset[int] | None:
        """The rules about bearer and attachments that this load breaks; remembered, for loads recur."""
        key = (card, tuple([(item.card, item.slot) for item in items]))
        if key in tables.loads:
            return tables.loads[key]
        if len(tables.loads) > LOADS:
            tables.loads.clear()
        found = self._weigh(card, items, tables)
        if found is not None:
            tables.loads[key] = found
        return found

    def _weigh(self, card: str, items: tuple[Attachment, ...], tables: Tables) -> frozenset[int] | None:
        """The same, worked out; None if a card is unknown."""
        cards = self.evaluator.pack.cards
        if card not in tables.rows or any(item.card not in tables.rows for item in items):
            return None
        bearer = Pick(cards[card], Source.ENTRIES, (), 0, 1, 1)
        picks = [
            Pick(cards[item.card], Source.ATTACHMENTS, (), 0, 1, 1, bearer=bearer, slot=item.slot) for item in items
        ]
        found: set[int] = set()
        for index, permit in tables.permits:
            if any(permit.selector.takes(pick) and not permit.permits(pick, bearer) for pick in picks):
                found.add(index)
        for index in tables.slots:
            form = self.evaluator.rules[index][1]
            assert isinstance(form, Placer)
            needy = [(pick.card, pick.slot) for pick in picks if form.selector.takes(pick)]
            if needy and not form.place(bearer.card, needy).whole:
                found.add(index)
        return frozenset(found)


def _tally(
    counts: tuple[tuple[Mapping[str, int], Source], ...],
    tables: Tables,
    asked: set[int],
) -> bool:
    """Add up what every card means and collect the rules out of bounds; False if a card stands where it may not."""
    rows = tables.rows
    sums: list[int | float] = [0] * len(tables.sums)
    kinds: list[set[str]] = [set() for _ in tables.sets]
    for group, source in counts:
        for card, count in group.items():
            row = rows.get(card)
            if row is None or row.source is not source:
                return False
            _row(row, count, sums, kinds, asked)
    for amount, (index, least, most) in zip(sums, tables.sums, strict=True):
        if not least <= amount <= most:
            asked.add(index)
    for found, (index, least, most) in zip(kinds, tables.sets, strict=True):
        if not least <= len(found) <= most:
            asked.add(index)
    return True


def _row(row: Row, count: int, sums: list[int | float], kinds: list[set[str]], asked: set[int]) -> None:
    """One card's contribution."""
    for slot, amount in row.adds:
        sums[slot] += amount * count
    for slot, found in row.kinds:
        kinds[slot].update(found)
    if not row.least <= count <= row.most:
        asked.update(row.copies)
    if row.asks:
        asked |= row.asks
