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
    """The cost of one card on a roster, with the number of copies and their surcharges.

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
        """The cost of all copies of the card."""
        extra_cost = sum(surcharge.total for surcharge in self.surcharges)
        return self.unit_cost * self.copies + extra_cost


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a squad, one line for each card, in the order of the roster."""

    lines: tuple[CostLine, ...]

    @property
    def total(self) -> float:
        """The cost of the whole squad."""
        return sum(line.total for line in self.lines)

    def sum_entry(self, line_index: int) -> float:
        """Return the cost of an entry together with its attachments."""
        return sum(
            item.total
            for item in self.lines
            if item.path[:2] == ("entries", line_index)
        )


def calculate_next_cost(squad: Squad, selected: SelectedCard) -> float | None:
    """Return what one more copy of a card costs in a squad.

    None for a card without a cost.
    """
    if not squad.cost_steps.get(selected.card.kind):
        return selected.card.cost
    # The copies before it decide what a copy costs, so two totals are compared.
    grown = add_card(squad, selected)
    return (
        calculate_costs(grown).total - calculate_costs(squad).total
    ) / selected.count


def calculate_costs(squad: Squad) -> Costs:
    """Return the costs of a squad: each entry with its attachments, then the deck.

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
    """A card that rosters need more often than the player owns it.

    `claims` are (roster name, copies) in roster order.
    """

    card: str
    owned: int
    claims: tuple[tuple[str, int], ...]

    @property
    def claimed(self) -> int:
        """The number of copies that all rosters need."""
        return sum(copies for _name, copies in self.claims)


def count_cards(roster: Roster) -> Counter[str]:
    """Return the number of copies of each card in a roster. Each model has its own attachments."""
    copies: Counter[str] = Counter()
    for entry in roster.entries:
        copies[entry.card] += entry.count
        for attachment in entry.attachments:
            # Every copy of an entry has its own attachments.
            copies[attachment.card] += entry.count
    for card in roster.deck:
        copies[card.card] += card.count
    return copies


def count_owned_cards(pack: Pack, owned: Mapping[str, int]) -> dict[str, int]:
    """Return how many copies of each card of the pack the player owns.

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
    """Return the cards that the rosters together need more often than they are owned."""
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
