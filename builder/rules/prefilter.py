"""The fast path: which rules may be broken by a roster, read from an index in one pass over its lines."""

from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.roster import Attachment, Roster
from builder.model.rules import Source
from builder.roster.resolve import Pick, check_params, filled
from builder.rules.evaluate import Evaluator
from builder.rules.rule_index import IndexRow, RuleIndex
from builder.rules.violation import Params

PARAMETERS, LOADS = 256, 50_000
"""How many sets of parameters and how many loads of an entry are remembered before starting afresh."""


@dataclass(frozen=True, slots=True)
class Prefiltered:
    """Indices of rules that may be broken; `odd` if it names ties, choices, ids or slots that must be looked at."""

    asked: frozenset[int]
    odd: bool

    @property
    def none(self) -> bool:
        """True if the roster is certainly legal."""
        return not self.asked and not self.odd


class Prefilter:
    """Finds the rules that a roster must be asked about in full; sound: a rule that it leaves out is kept."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._indexes: dict[tuple[tuple[str, int | str], ...], RuleIndex | None] = {}

    def of(self, roster: Roster) -> Prefiltered | None:
        """Which rules may be broken; None if something is not understood, so that everything must be looked at."""
        index = self._for(roster)
        if index is None:
            return None
        asked = set(index.always)
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
                    odd = odd or item.slot is not None
                asking = self._load(card, entry.attachments, index)
                if asking is None:
                    return None
                asked |= asking
        deck: dict[str, int] = {}
        for owned in roster.deck:
            deck[owned.card] = deck.get(owned.card, 0) + owned.count
        counts = ((entries, Source.ENTRIES), (attached, Source.ATTACHMENTS), (deck, Source.DECK))
        return Prefiltered(frozenset(asked), odd) if _tally(counts, index, asked) else None

    def _for(self, roster: Roster) -> RuleIndex | None:
        """The index for the roster's parameters; None where those are not understood."""
        key = (("", f"{roster.pack} {roster.play_format}"), *roster.params.items())
        if key not in self._indexes:
            if len(self._indexes) > PARAMETERS:
                self._indexes.clear()
            pack = self.evaluator.pack
            wrong = any(True for _ in check_params(roster, pack))
            self._indexes[key] = None if wrong else self._index(filled(roster.params, pack))
        return self._indexes[key]

    def _index(self, params: Params) -> RuleIndex:
        index = RuleIndex(self.evaluator.pack, params)
        for number, form in enumerate(self.evaluator.forms):
            if form.binds(params):
                if form.exists is not None:
                    index.ask(number, form.exists.select)
                else:
                    form.index(number, index)
        return index

    def _load(
        self, card: str, items: tuple[Attachment, ...], index: RuleIndex
    ) -> frozenset[int] | None:
        """The rules about bearer and load that this load breaks, remembered: loads recur. None if a card is unknown."""
        key = (card, tuple([(item.card, item.slot) for item in items]))
        if key not in index.loads:
            cards = self.evaluator.pack.cards
            if card not in index.rows or any(item.card not in index.rows for item in items):
                return None
            if len(index.loads) > LOADS:
                index.loads.clear()
            bearer = Pick(cards[card], Source.ENTRIES, (), 0, 1, 1)
            load = [
                Pick(
                    cards[item.card], Source.ATTACHMENTS, (), 0, 1, 1, bearer=bearer, slot=item.slot
                )
                for item in items
            ]
            index.loads[key] = frozenset(
                number for number, fits in index.by_load if not fits(bearer, load)
            )
        return index.loads[key]


def _tally(
    counts: tuple[tuple[Mapping[str, int], Source], ...], index: RuleIndex, asked: set[int]
) -> bool:
    """Add up what every card means and collect the rules out of bounds; False if a card stands where it may not."""
    rows = index.rows
    sums: list[int | float] = [0] * len(index.sums)
    kinds: list[set[str]] = [set() for _ in index.sets]
    for group, source in counts:
        for card, count in group.items():
            row = rows.get(card)
            if row is None or row.source is not source:
                return False
            _row(row, count, sums, kinds, asked)
    measured = zip((*sums, *map(len, kinds)), (*index.sums, *index.sets), strict=True)
    asked.update(
        number for amount, (number, least, most) in measured if not least <= amount <= most
    )
    return True


def _row(
    row: IndexRow, count: int, sums: list[int | float], kinds: list[set[str]], asked: set[int]
) -> None:
    for slot, amount in row.adds:
        sums[slot] += amount * count
    for slot, found in row.kinds:
        kinds[slot].update(found)
    if not row.least <= count <= row.most:
        asked.update(row.copies)
    if row.asks:
        asked |= row.asks
