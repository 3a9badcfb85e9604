"""Give imported cards the ids that they had in an earlier import of the same list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.imported.card import ImportedCard
from builder.imported.text import convert_name
from builder.model.base import Json, get_map
from builder.packs.scaffold import make_id, number_id

MAX_BASE_CHARACTERS = 80
"""The length of an id without the number that makes it unique."""

NUMBER_MARK = "#"
"""The first character of a selection's number in its list, which it has instead of an id."""


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """The names and ids that an imported list has in a pack.

    `squad` is the name of its roster file, `original` the file of the other program in the pack.
    `stored_cards` are the cards of an earlier import of this list, by id. Other cards of the pack
    have the `used_ids`.
    """

    pack: str
    squad: str
    original: str = ""
    roster_id: str = ""
    stored_cards: Mapping[str, Json] = field(default_factory=dict)
    used_ids: frozenset[str] = frozenset()


def choose_card_ids(
    cards: Sequence[tuple[ImportedCard, int]], target: ImportTarget | None
) -> list[str]:
    """Choose an id for each imported card, where possible the one of an earlier import.

    A card keeps the id of the stored card with its selections, else that of a card of its entry.
    Other cards get new ids.
    """
    stored_ids: dict[int, str] = {}
    used_ids: set[str] = set()
    if target is not None:
        stored_ids = _find_stored_ids(cards, target.stored_cards)
        # The id of a removed card is not given to another card.
        used_ids = {*target.used_ids, *target.stored_cards}
    ids: list[str] = []
    for index, (card, _part) in enumerate(cards):
        card_id = stored_ids.get(index)
        if card_id is None:
            card_id = make_unused_id(
                card.custom_name or card.name or "reference", used_ids
            )
            used_ids.add(card_id)
        ids.append(card_id)
    return ids


def _find_stored_ids(
    cards: Sequence[tuple[ImportedCard, int]], stored_cards: Mapping[str, Json]
) -> dict[int, str]:
    """Match imported cards with stored ones. Return the stored ids by index of the card."""
    ids: dict[int, str] = {}
    free_cards = dict(stored_cards)
    # Equal selections come first for all cards, because an entry may have several cards.
    for is_same in (_has_same_selection, _has_same_entry):
        for index, (card, part) in enumerate(cards):
            if index in ids:
                continue
            matches = [
                key for key, stored in free_cards.items() if is_same(stored, card, part)
            ]
            if matches:
                ids[index] = matches[0]
                del free_cards[matches[0]]
    return ids


def make_unused_id(name: str, used_ids: set[str]) -> str:
    """Make an id from a name, with a number if it is already used."""
    base = make_id(convert_name(name))[:MAX_BASE_CHARACTERS].strip("-") or "card"
    return number_id(base, used_ids)


def make_card_origin(card: ImportedCard) -> dict[str, Json]:
    """Return the ids of a card's catalogue entry and selections in the foreign file."""
    origin: dict[str, Json] = {}
    if card.entry_id:
        origin["entry"] = card.entry_id
    if card.selection_ids:
        origin["selections"] = [*card.selection_ids]
    return origin


def _has_same_selection(stored: Json, card: ImportedCard, part: int) -> bool:
    if _get_part(stored) != part:
        return False
    selections = _get_origin(stored).get("selections")
    if not isinstance(selections, list):
        return False
    # A number says nothing: the list may have another order now.
    own_ids = [key for key in card.selection_ids if not key.startswith(NUMBER_MARK)]
    return any(key in selections for key in own_ids)


def _has_same_entry(stored: Json, card: ImportedCard, part: int) -> bool:
    if _get_part(stored) != part or not isinstance(stored, dict):
        return False
    entry = _get_origin(stored).get("entry")
    if entry or card.entry_id:
        return entry == card.entry_id
    if not card.name:  # a card with shared texts
        return "cost" not in stored
    return stored.get("name") == convert_name(card.name)


def _get_origin(stored: Json) -> Mapping[str, Json]:
    return get_map(get_map(stored).get("origin"))


def _get_part(stored: Json) -> int:
    part = get_map(stored).get("part", 1)
    return part if isinstance(part, int) else 1
