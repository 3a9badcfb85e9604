"""Add up what a squad costs and how many copies of each card several squads need."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.base import DataPath
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.resolve import SelectedCard, Squad, Surcharge, add_card


@dataclass(frozen=True, slots=True)
class CostLine:
    """The cost of one card of a roster.

    `unit_cost` for each of the `copies`, and what cost steps add.

    Every copy of an entry has its own attachments, so `copies` are those in the whole roster.
    """

    path: DataPath
    card: str
    unit_cost: float
    copies: int
    surcharges: tuple[Surcharge, ...] = ()

    @property
    def total(self) -> float:
        """The cost of all copies."""
        extra_cost = sum(surcharge.total for surcharge in self.surcharges)
        return self.unit_cost * self.copies + extra_cost


@dataclass(frozen=True, slots=True)
class Costs:
    """The breakdown of a squad's cost, in the order of the roster file."""

    lines: tuple[CostLine, ...]

    @property
    def total(self) -> float:
        """The sum of all lines."""
        return sum(line.total for line in self.lines)

    def sum_entry(self, line: int) -> float:
        """Return the cost of an entry with its attachments, all copies."""
        return sum(
            item.total for item in self.lines if item.path[:2] == ("entries", line)
        )


def calculate_next_cost(squad: Squad, selected: SelectedCard) -> float | None:
    """Return what one more copy costs that is added as this card.

    None for a card without a cost.
    """
    if not squad.cost_steps.get(selected.card.kind):
        return selected.card.cost
    grown = add_card(squad, selected)
    return (
        calculate_costs(grown).total - calculate_costs(squad).total
    ) / selected.count


def calculate_costs(squad: Squad) -> Costs:
    """Return the cost of each entry, each followed by its attachments, then of the deck.

    A card without a cost is free.
    """
    cards = []
    for entry in squad.entries:
        cards.append(entry)
        cards += squad.list_attachments(entry)
    cards += squad.deck
    surcharges = squad.surcharges
    lines = []
    for selected in cards:
        unit_cost = selected.card.cost or 0
        extra = surcharges.get(id(selected), ())
        lines.append(
            CostLine(selected.path, selected.card.id, unit_cost, selected.count, extra)
        )
    return Costs(tuple(lines))


UNCOUNTED_COPIES = 999
"""Copies of a card that nobody counted."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """One card that rosters need more often than it is owned.

    `claims` are (roster name, copies) in roster order.
    """

    card: str
    owned: int
    claims: tuple[tuple[str, int], ...]

    @property
    def claimed(self) -> int:
        """The copies of all rosters."""
        return sum(copies for _name, copies in self.claims)


def count_cards(roster: Roster) -> Counter[str]:
    """Return the copies of each card; every copy of an entry has its own attachments."""
    copies: Counter[str] = Counter()
    for entry in roster.entries:
        copies[entry.card] += entry.count
        for attachment in entry.attachments:
            copies[attachment.card] += entry.count
    for card in roster.deck:
        copies[card.card] += card.count
    return copies


def count_owned_cards(pack: Pack, owned: Mapping[str, int]) -> dict[str, int]:
    """Return the copies of every card of the pack.

    A kind without any listed card counts as owned.
    """
    counted_kinds = {
        pack.cards[card_id].kind for card_id in owned if card_id in pack.cards
    }
    copies = {}
    for card in pack.cards.values():
        is_counted = card.kind in counted_kinds
        copies[card.id] = owned.get(card.id, 0) if is_counted else UNCOUNTED_COPIES
    return copies


def find_shortages(
    rosters: Mapping[str, Roster], owned: Mapping[str, int]
) -> tuple[Shortage, ...]:
    """Return the cards that the rosters together need more often than owned, by id."""
    copies_by_roster = {name: count_cards(roster) for name, roster in rosters.items()}
    card_ids: set[str] = set()
    for copies in copies_by_roster.values():
        card_ids.update(copies)
    shortages = []
    for card_id in sorted(card_ids):
        if card_id not in owned:
            continue
        claims = []
        for name, copies in copies_by_roster.items():
            if copies[card_id]:
                claims.append((name, copies[card_id]))
        shortage = Shortage(card_id, owned[card_id], tuple(claims))
        if shortage.claimed > shortage.owned:
            shortages.append(shortage)
    return tuple(shortages)
