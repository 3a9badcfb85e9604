"""The cards that an owner has of each game: counted, read from files, used by other apps."""

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

MAX_COPIES = 999
"""Copies of a card that an owner can have."""
NO_COPIES = Owned(count=0)

OwnedById = Mapping[str, Owned]


def load_collection(owner: str, pack: str) -> Collection:
    """Load an owner's collection of a game, with today's ids of renamed cards."""
    row = SavedCollection.objects.filter(owner=owner, pack=pack).first()
    stored = Collection.model_validate(
        {"pack": pack, "owned": row.owned if row else {}}
    )
    cards = get_library().get_pack(pack).cards
    owned: dict[str, Owned] = {}
    for card, item in stored.owned.items():
        card_id = card if card in cards else find_successor(pack, card) or card
        copies = owned.get(card_id, NO_COPIES)
        owned[card_id] = Owned(
            count=min(MAX_COPIES, copies.count + item.count),
            painted=min(MAX_COPIES, copies.painted + item.painted),
        )
    return Collection(pack=pack, owned=owned)


def load_owned_cards(
    owner: str, pack: Pack, painted: bool = False
) -> OwnedCards | None:
    """Return an owner's number of copies by card. None if nothing was counted yet."""
    stored = load_collection(owner, pack.id).owned
    owned = {card: item for card, item in stored.items() if card in pack.cards}
    if not any(item.count for item in owned.values()):
        return None
    name = translate_text(_("your collection"))
    return OwnedCards(name, Collection(pack=pack.id, owned=owned), painted)


def update_collection(
    owner: str, pack: str, change: Callable[[OwnedById], OwnedById]
) -> None:
    """Change counts of an owner's collection. `change` maps all counts to the new ones."""
    with transaction.atomic():
        SavedCollection.objects.get_or_create(owner=owner, pack=pack)
        row = SavedCollection.objects.select_for_update().get(owner=owner, pack=pack)
        owned = load_collection(owner, pack).owned
        row.owned = {
            card: {"count": item.count, "painted": item.painted}
            for card, item in {**owned, **change(owned)}.items()
        }
        row.save()


def add_copies(owner: str, pack: str, card: str, copies: int, painted: int) -> None:
    """Change the copies and painted copies of a card by a number, which may be negative."""

    def change(owned: OwnedById) -> OwnedById:
        earlier = owned.get(card, NO_COPIES)
        painted_count = min(MAX_COPIES, max(0, earlier.painted + painted))
        min_count = painted_count if painted > 0 else 0
        count = min(MAX_COPIES, max(min_count, earlier.count + copies))
        return {card: Owned(count=count, painted=min(painted_count, count))}

    update_collection(owner, pack, change)


def add_product(owner: str, pack: str, copies: Mapping[str, int], sign: int) -> None:
    """Add the cards of a product to a collection. A `sign` of -1 removes them."""

    def change(owned: OwnedById) -> OwnedById:
        new_counts = {}
        for card, count in copies.items():
            item = owned.get(card, NO_COPIES)
            new_count = min(MAX_COPIES, max(0, item.count + sign * count))
            new_counts[card] = Owned(
                count=new_count, painted=min(item.painted, new_count)
            )
        return new_counts

    update_collection(owner, pack, change)


def read_collection(text: str, pack: str) -> tuple[OwnedById, Mapping[str, str]]:
    """Parse a collection file. Return its counts, and the new ids of renamed cards.

    Raise UsageError for a text that is no collection, is of another game or names no card of it.
    """
    document = parse_document(text, "")[0]
    collection = parse_model(Collection, document)[0] if document is not None else None
    if collection is None:
        hint = _("A collection has `pack` and `owned`: card id to number of copies.")
        raise UsageError(_("this is not a collection"), hint)
    return migrate_counts(collection, pack)


def migrate_counts(
    collection: Collection, pack: str
) -> tuple[OwnedById, Mapping[str, str]]:
    """Return the counts of a collection by today's ids, and the new ids by old ones.

    Raise UsageError for a collection that is of another game or names no card of it.
    """
    library = get_library()
    steps = library.packs.open_releases(pack).load_migrations()[0]
    current, new_ids = migrate_collection(
        collection, steps, library.get_pack(pack).cards
    )
    OwnedCards(translate_text(_("the file")), current).count_copies(
        library.get_pack(pack)
    )
    return current.owned, new_ids


def merge_counts(first: OwnedById, second: OwnedById) -> OwnedById:
    """Merge two counts of the same models. The larger number of each card counts."""
    merged = {}
    for card in {**second, **first}:
        items = (first.get(card, NO_COPIES), second.get(card, NO_COPIES))
        merged[card] = Owned(
            count=max(item.count for item in items),
            painted=max(item.painted for item in items),
        )
    return merged


class CollectionData:
    """The interface for counting, exporting and deleting an owner's collections."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the number of games with a collection."""
        return {"collections": SavedCollection.objects.filter(owner=owner).count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Move the collections to another owner. The larger count of each card stays."""
        for row in SavedCollection.objects.filter(owner=old_owner):
            owned = load_collection(old_owner, row.pack).owned
            update_collection(new_owner, row.pack, partial(merge_counts, owned))
            row.delete()

    def export(self, owner: str) -> Iterator[tuple[str, str | bytes]]:
        """Yield the collection of each game as a file."""
        for row in SavedCollection.objects.filter(owner=owner):
            values = {"pack": row.pack, "owned": row.owned}
            yield f"collection-{row.pack}.json", to_export_json(values)

    def delete(self, owner: str) -> None:
        """Delete the collections of an owner."""
        SavedCollection.objects.filter(owner=owner).delete()
