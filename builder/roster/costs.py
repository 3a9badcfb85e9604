"""What a squad costs and what squads claim of a shelf, each with its breakdown."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.base import DataPath
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.resolve import SelectedCard, Squad, Surcharge, add_card


@dataclass(frozen=True, slots=True)
class CostLine:
    """One pick's share: `each` a copy, `copies` in the whole roster (every copy of an entry carries its own), and what
    steps in the costs add."""

    path: DataPath
    card: str
    unit_cost: int | float
    copies: int
    surcharges: tuple[Surcharge, ...] = ()

    @property
    def total(self) -> int | float:
        """What all copies cost together."""
        return self.unit_cost * self.copies + sum(one.copies * one.more for one in self.surcharges)


@dataclass(frozen=True, slots=True)
class Costs:
    """The breakdown of a squad's cost, in the order of the roster file."""

    lines: tuple[CostLine, ...]

    @property
    def total(self) -> int | float:
        """The sum of all lines."""
        return sum(line.total for line in self.lines)

    def sum_entry(self, line: int) -> int | float:
        """What one entry costs with all it carries, all copies."""
        return sum(item.total for item in self.lines if item.path[:2] == ("entries", line))


def calculate_next_cost(squad: Squad, selected: SelectedCard) -> int | float | None:
    """What a copy costs that comes in as this pick; None for a card without a cost."""
    if not squad.cost_steps.get(selected.card.kind):
        return selected.card.cost
    return (
        calculate_costs(add_card(squad, selected)).total - calculate_costs(squad).total
    ) / selected.count


def calculate_costs(squad: Squad) -> Costs:
    """The breakdown: each entry followed by what it carries, then the deck. A card without a cost is free."""
    laden = (
        selected for entry in squad.entries for selected in (entry, *squad.list_attachments(entry))
    )
    picks = (*laden, *squad.deck)
    more = squad.surcharges
    return Costs(
        tuple(
            CostLine(p.path, p.card.id, p.card.cost or 0, p.count, more.get(id(p), ()))
            for p in picks
        )
    )


UNCOUNTED_COPIES = 999
"""Copies of a card that nobody counted."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """One card claimed more often than it is owned; `claims` are the copies by the roster's name, in its order."""

    card: str
    owned: int
    claims: tuple[tuple[str, int], ...]

    @property
    def claimed(self) -> int:
        """The copies of all rosters."""
        return sum(many for _, many in self.claims)


def count_cards(roster: Roster) -> Counter[str]:
    """Copies of each card; every copy of an entry has its own attachments."""
    found: Counter[str] = Counter()
    for entry in roster.entries:
        found[entry.card] += entry.count
        for item in entry.attachments:
            found[item.card] += entry.count
    for card in roster.deck:
        found[card.card] += card.count
    return found


def count_owned_cards(pack: Pack, owned: Mapping[str, int]) -> dict[str, int]:
    """Copies of every card of the pack: a kind of which no card is listed is taken as owned."""
    kinds = {pack.cards[card].kind for card in owned if card in pack.cards}
    return {
        card.id: owned.get(card.id, 0) if card.kind in kinds else UNCOUNTED_COPIES
        for card in pack.cards.values()
    }


def find_shortages(rosters: Mapping[str, Roster], owned: Mapping[str, int]) -> tuple[Shortage, ...]:
    """Every card that the rosters together claim more often than it is owned, by id."""
    counts = {name: count_cards(roster) for name, roster in rosters.items()}
    cards = sorted({card for count in counts.values() for card in count})
    found = (
        Shortage(
            card,
            owned[card],
            tuple((name, count[card]) for name, count in counts.items() if count[card]),
        )
        for card in cards
        if card in owned
    )
    return tuple(item for item in found if item.claimed > item.owned)
