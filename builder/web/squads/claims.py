"""Cards that several squads claim, and cards that a squad has too few copies of."""

from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.costs import ANY, shortages, used
from builder.usecases.roster.check_roster import OwnedCards
from builder.web.cards.library import cache_per_library, get_library
from builder.web.collection.counts import owned_cards
from builder.web.squads.models import SavedSquad, squads_of


@cache_per_library(1000)
def roster_in(text: str) -> Roster | None:
    """The squad that a text holds; None for one that cannot be read."""
    return get_library().parse_squad(text, "").roster


@dataclass(frozen=True, slots=True)
class Claim:
    """A card that squads want more often than it is there: the copies owned, and those in each squad."""

    card: str
    owned: int
    squads: tuple[tuple[SavedSquad, int], ...]


def claims(owner: str, pack: Pack, rows: Mapping[str, SavedSquad]) -> tuple[Claim, ...]:
    """What squads together want more often than their owner has it; nothing where nothing was counted."""
    owned = owned_cards(owner, pack)
    rosters = {
        key: found for key, row in rows.items() if (found := roster_in(row.text)) is not None
    }
    lacking = shortages(rosters, owned.copies(pack)) if owned is not None else ()
    return tuple(
        Claim(one.card, one.owned, tuple((rows[key], many) for key, many in one.claims))
        for one in lacking
    )


@dataclass(frozen=True, slots=True)
class OwnClaim:
    """A card of a squad that its owner has too few copies of, for this squad or for others beside it."""

    card: str
    owned: int
    here: int
    others: tuple[tuple[SavedSquad, int], ...]

    @property
    def missing(self) -> int:
        """How many this squad alone lacks."""
        return max(0, self.here - self.owned)


def claims_on(
    owned: OwnedCards | None, owner: str, row: SavedSquad, pack: Pack, copies: Mapping[str, int]
) -> Mapping[str, OwnClaim]:
    """The cards of one squad that are short, by card; nothing where nothing was counted."""
    if owned is None:
        return {}
    others = [
        (other, used(roster))
        for other in squads_of(owner).filter(pack=pack.id).exclude(id=row.id)
        if (roster := roster_in(other.text)) is not None
    ]
    found: dict[str, OwnClaim] = {}
    for card, have in owned.copies(pack).items():
        if copies.get(card) and have < ANY:
            there = tuple((other, count[card]) for other, count in others if count[card])
            if copies[card] + sum(many for _squad, many in there) > have:
                found[card] = OwnClaim(card, have, copies[card], there)
    return found
