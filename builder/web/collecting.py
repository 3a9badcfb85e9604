"""What somebody owns of each game, and which of it their squads claim."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import transaction

from builder.errata.impact import migrate_collection
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.roster import Collection, Owned, Roster
from builder.packs.schema.validation import parse_model
from builder.packs.yaml.reading import parse_document
from builder.roster.costs import ANY, shortages, used
from builder.usecases.roster.check_roster import OwnedCards
from builder.web.history import heir_of
from builder.web.library import library, remembered
from builder.web.models import SavedCollection, SavedSquad, squads_of
from builder.web.templating import say

MOST = 999
"""Copies of a card."""


def collection_of(owner: str, pack: str) -> Collection:
    """What somebody owns of a game; a card that has another id by now under that."""
    kept = (
        SavedCollection.objects.filter(owner=owner, pack=pack)
        .values_list("owned", flat=True)
        .first()
    )
    stated = Collection.model_validate({"pack": pack, "owned": kept or {}})
    cards, owned = library().pack(pack).cards, dict[str, Owned]()
    for card, item in stated.owned.items():
        name = card if card in cards else heir_of(pack, card) or card
        old = owned.get(name, Owned(count=0))
        owned[name] = Owned(
            count=min(MOST, old.count + item.count), painted=min(MOST, old.painted + item.painted)
        )
    return Collection(pack=pack, owned=owned)


def owned_cards(owner: str, pack: Pack, painted: bool = False) -> OwnedCards | None:
    """The same for the use cases, of the cards that a state of the game has; None where nothing was counted yet."""
    found = {
        card: item
        for card, item in collection_of(owner, pack.id).owned.items()
        if card in pack.cards
    }
    if not any(item.count for item in found.values()):
        return None
    return OwnedCards(say(_("your collection")), Collection(pack=pack.id, owned=found), painted)


def own(
    owner: str, pack: str, change: Callable[[Mapping[str, Owned]], Mapping[str, Owned]]
) -> None:
    """Keep how many copies of some cards somebody has, made from how many there were; all others stay."""
    with transaction.atomic():
        SavedCollection.objects.get_or_create(owner=owner, pack=pack)
        row = SavedCollection.objects.select_for_update().get(owner=owner, pack=pack)
        before = collection_of(owner, pack).owned
        kept = {**before, **change(before)}
        row.owned = {
            card: {"count": item.count, "painted": item.painted} for card, item in kept.items()
        }
        row.save()


def count(owner: str, pack: str, card: str, more: int, painted: int) -> None:
    """Count copies of a card, and painted ones, up or down. A painted copy is a copy."""

    def change(owned: Mapping[str, Owned]) -> Mapping[str, Owned]:
        old = owned.get(card, Owned(count=0))
        coloured = min(MOST, max(0, old.painted + painted))
        many = min(MOST, max(0, old.count + more, coloured if painted > 0 else 0))
        return {card: Owned(count=many, painted=min(coloured, many))}

    own(owner, pack, change)


def read_collection(text: str, pack: str) -> tuple[Mapping[str, Owned], Mapping[str, str]]:
    """Return what the file of a collection says with today's cards, and the new ids of renamed cards by the old ones.

    Raise UsageError for a text that is no collection, is of another game or names no card of it.
    """
    document = parse_document(text, "")[0]
    found = parse_model(Collection, document)[0] if document is not None else None
    if found is None:
        raise UsageError(
            _("this is not a collection"), _("It states `pack` and `owned`: card id to copies.")
        )
    return update_collection(found, pack)


def update_collection(
    stated: Collection, pack: str
) -> tuple[Mapping[str, Owned], Mapping[str, str]]:
    """The same of a collection that was read. UsageError as `read_collection` raises it."""
    cards = library().pack(pack).cards
    steps = library().packs.releases(pack).migrations()[0]
    current, new_ids = migrate_collection(stated, steps, cards)
    OwnedCards(say(_("the file")), current).copies(library().pack(pack))
    return current.owned, new_ids


@remembered(1000)
def roster_in(text: str) -> Roster | None:
    """The squad that a text holds; None for one that cannot be read."""
    return library().parse(text, "").roster


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
