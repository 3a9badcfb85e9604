"""Cards that several squads claim, and cards that a squad has too few copies of."""

from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.costs import UNCOUNTED_COPIES, count_cards, find_shortages
from builder.usecases.roster.check_roster import OwnedCards
from builder.web.cards.library import cache_per_library, get_library
from builder.web.collection.counts import load_owned_cards
from builder.web.squads.models import SavedSquad, squads_of


@cache_per_library(1000)
def parse_text(text: str) -> Roster | None:
    """Parse the text of a squad. None if it is unreadable."""
    return get_library().parse_squad(text, "").roster


@dataclass(frozen=True, slots=True)
class Claim:
    """A card of which several squads together need more copies than the owner has.

    `squads` has the number of copies in each squad.
    """

    card: str
    owned: int
    squads: tuple[tuple[SavedSquad, int], ...]


def find_claims(
    owner: str, pack: Pack, squads: Mapping[str, SavedSquad]
) -> tuple[Claim, ...]:
    """Return the cards of which squads together need more copies than their owner has."""
    owned = load_owned_cards(owner, pack)
    if owned is None:
        return ()
    rosters = {}
    for key, squad in squads.items():
        roster = parse_text(squad.text)
        if roster is not None:
            rosters[key] = roster
    claims = []
    for shortage in find_shortages(rosters, owned.count_copies(pack)):
        claimants = tuple((squads[key], copies) for key, copies in shortage.claims)
        claims.append(Claim(shortage.card, shortage.owned, claimants))
    return tuple(claims)


@dataclass(frozen=True, slots=True)
class SquadClaim:
    """A card of a squad of which the owner has too few copies."""

    card: str
    owned: int
    used: int
    others: tuple[tuple[SavedSquad, int], ...]

    @property
    def missing(self) -> int:
        """The number of copies that this squad alone lacks."""
        return max(0, self.used - self.owned)


def find_squad_claims(
    owned: OwnedCards | None,
    owner: str,
    squad: SavedSquad,
    pack: Pack,
    copies: Mapping[str, int],
) -> Mapping[str, SquadClaim]:
    """Return the cards of one squad with too few owned copies, by id."""
    if owned is None:
        return {}
    other_squads = []
    for other_squad in squads_of(owner).filter(pack=pack.id).exclude(id=squad.id):
        roster = parse_text(other_squad.text)
        if roster is not None:
            other_squads.append((other_squad, count_cards(roster)))
    claims: dict[str, SquadClaim] = {}
    for card, owned_copies in owned.count_copies(pack).items():
        if not copies.get(card) or owned_copies >= UNCOUNTED_COPIES:
            continue
        others = tuple(
            (other_squad, used_copies[card])
            for other_squad, used_copies in other_squads
            if used_copies[card]
        )
        if copies[card] + sum(count for _squad, count in others) > owned_copies:
            claims[card] = SquadClaim(card, owned_copies, copies[card], others)
    return claims
