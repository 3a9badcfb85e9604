"""What somebody owns of each game, and which of it their squads claim."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from django.db import transaction

from builder.errata.impact import migrate_collection
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.roster import Collection, Owned
from builder.packs.schema.validation import parse_model
from builder.packs.yaml.reading import parse_document
from builder.usecases.roster.check_roster import OwnedCards
from builder.web.accounts.owned_data import to_export_json
from builder.web.cards.history import find_successor
from builder.web.cards.library import get_library
from builder.web.collection.models import SavedCollection
from builder.web.templating import translate_text

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
    cards, owned = get_library().get_pack(pack).cards, dict[str, Owned]()
    for card, item in stated.owned.items():
        name = card if card in cards else find_successor(pack, card) or card
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
    return OwnedCards(
        translate_text(_("your collection")), Collection(pack=pack.id, owned=found), painted
    )


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
    cards = get_library().get_pack(pack).cards
    steps = get_library().packs.releases(pack).migrations()[0]
    current, new_ids = migrate_collection(stated, steps, cards)
    OwnedCards(translate_text(_("the file")), current).copies(get_library().get_pack(pack))
    return current.owned, new_ids


def larger(one: Mapping[str, Owned], other: Mapping[str, Owned]) -> Mapping[str, Owned]:
    """Two counts of the same shelf as one: of each card the larger."""
    none = Owned(count=0)
    pairs = {card: (one.get(card, none), other.get(card, none)) for card in {**other, **one}}
    return {
        card: Owned(count=max(a.count, b.count), painted=max(a.painted, b.painted))
        for card, (a, b) in pairs.items()
    }


class CollectionData:
    """The collections of owners."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the number of games with a collection."""
        return {"collections": SavedCollection.objects.filter(owner=owner).count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Give collections to another owner. Of each card the larger count stays."""
        for row in SavedCollection.objects.filter(owner=old_owner):
            old_cards = collection_of(old_owner, row.pack).owned
            own(new_owner, row.pack, partial(larger, old_cards))
            row.delete()

    def export(self, owner: str) -> Iterator[tuple[str, str]]:
        """Yield the collection of each game."""
        for row in SavedCollection.objects.filter(owner=owner):
            yield (
                f"collection-{row.pack}.json",
                to_export_json({"pack": row.pack, "owned": row.owned}),
            )

    def delete(self, owner: str) -> None:
        """Delete the collections of an owner."""
        SavedCollection.objects.filter(owner=owner).delete()
