"""Which row is which card: ids from an id column, else from names, else numbers. Pure.

A mapping file stores the id of each row. Its key is the id or name, with `#` and a hash of the row
if several rows have that name, or the hash alone if the row has no name.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.messages import Message, gettext as _
from builder.packs.scaffold import make_id, number_id
from builder.packs.tables.column_names import find_standard_field
from builder.packs.tables.sheet import Table

# A base that may be empty, and a hash that may have a number.
KEY = re.compile(r"(?P<base>.*?)(?:(?:^| )#(?P<hash>[0-9a-f]{8})(?:-\d+)?)?", re.DOTALL)
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
HASH_DIGITS = 8
MAX_BASE_CHARACTERS = 200
MIN_SIMILARITY = 0.5
"""The share of equal values above which a row without a name may be a card that was edited."""
MIN_EQUAL_VALUES = 3
"""Values beside the name that must be equal before a new name may be a renamed card."""


@dataclass(frozen=True, slots=True)
class CardRows:
    """The rows of one card in a table, and what identifies the card: id, name or hash."""

    rows: tuple[int, ...]
    id_text: str
    name: str
    hash: str

    @property
    def base(self) -> str:
        """The id or else the name of the card, shortened if it is very long."""
        text = self.id_text or self.name
        if len(text) <= MAX_BASE_CHARACTERS:
            return text
        digest = hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]
        return f"{text[:MAX_BASE_CHARACTERS]}...{digest}"


@dataclass(slots=True)
class KnownIds:
    """The card ids that a pack already has, by stored row and by name.

    `similarity` returns the share of a row's values that a card has, and how many are equal.
    """

    ids_by_key: Mapping[str, str]
    ids_by_name: Mapping[str, Sequence[str]]
    used_ids: set[str]
    kind: str
    similarity: Callable[[CardRows, str], tuple[float, int]]
    ids_of_kind: Collection[str] = ()
    is_new_pack: bool = False


@dataclass(slots=True)
class IdResult:
    """The result of assigning ids: the rows of each card, and rows that may be several cards."""

    rows_by_id: dict[str, CardRows] = field(default_factory=dict)
    keys_by_id: dict[str, str] = field(default_factory=dict)
    made_ids: list[tuple[CardRows, str]] = field(default_factory=list)
    unclear_rows: list[tuple[CardRows, Message]] = field(default_factory=list)
    numbered_ids: dict[str, int] = field(default_factory=dict)


def hash_rows(table: Table, rows: Iterable[int]) -> str:
    """Return a hash of the texts in a card's rows, which ignores the order of columns.

    The order of columns, and id columns, do not matter.
    """
    names = table.head
    texts: list[str] = []
    for row in rows:
        pairs = zip(names, table.rows[row].cells, strict=False)
        cells = [
            f"{name}\0{cell.text}"
            for name, cell in pairs
            if name and cell.text and find_standard_field(name) != "id"
        ]
        texts.append("\1".join(sorted(cells)))
    # Control characters separate the parts, because no cell contains them.
    return hashlib.sha256("\2".join(texts).encode()).hexdigest()[:HASH_DIGITS]


def split_key(key: str) -> tuple[str, str]:
    """Split the stored key of a row into its id or name and its hash."""
    match = KEY.fullmatch(key)
    if not match:
        return key, ""
    return match["base"], match["hash"] or ""


class IdAssigner:
    """Assigns card ids to the rows of one table."""

    def __init__(self, known_ids: KnownIds) -> None:
        self.known_ids = known_ids
        self.result = IdResult()
        self.last_number = 0

    def assign_ids(self, cards: Sequence[CardRows]) -> IdResult:
        """Assign an id to each card. Ids stored in the mapping file come first."""
        remaining = self.match_stored_rows(cards)
        for card in cards:
            if card in remaining:
                self.assign_new_id(card, remaining)
        self.add_keys(cards)
        return self.result

    def match_stored_rows(self, cards: Sequence[CardRows]) -> list[CardRows]:
        """Assign the ids stored in the mapping file. Return the cards without one."""
        stored: dict[str, list[tuple[str, str]]] = {}
        for key, card_id in self.known_ids.ids_by_key.items():
            base, row_hash = split_key(key)
            stored.setdefault(base, []).append((row_hash, card_id))
        cards_by_base: dict[str, list[CardRows]] = {}
        for card in cards:
            cards_by_base.setdefault(card.base, []).append(card)
        remaining: list[CardRows] = []
        for base, same_cards in cards_by_base.items():
            remaining += self.match_group(base, same_cards, stored.get(base, []))
        if self.known_ids.ids_by_key:
            remaining = self.refuse_renamed_rows(remaining)
        return remaining

    def match_group(
        self, base: str, cards: list[CardRows], stored: list[tuple[str, str]]
    ) -> list[CardRows]:
        """Assign stored ids to the cards with this name. Return the new cards.

        Return the rows that are new.
        """
        # A row that has not changed is certain, so it goes before all guesses.
        cards, stored = self.match_hashes(cards, stored)
        if not cards or not stored:
            return cards
        if not base:
            return self.match_similar_rows(
                cards, [card_id for _hash, card_id in stored]
            )
        if len(cards) == len(stored) == 1:
            self.set_id(cards[0], stored[0][1])
            return []
        remaining = self.match_equal_cards(cards, stored)
        free_ids = [
            card_id
            for _hash, card_id in stored
            if card_id not in self.result.rows_by_id
        ]
        if len(remaining) == len(free_ids) == 1:
            self.set_id(remaining[0], free_ids[0])
            return []
        if remaining and free_ids:
            for card in remaining:
                self.report_unclear(card, free_ids)
            return []
        return remaining

    def match_equal_cards(
        self, cards: Sequence[CardRows], stored: Sequence[tuple[str, str]]
    ) -> list[CardRows]:
        """Assign ids to cards whose values equal those of exactly one existing card.

        Return the other cards.
        """
        remaining: list[CardRows] = []
        for card in cards:
            equal_ids = [
                card_id for _hash, card_id in stored if self.is_equal(card, card_id)
            ]
            if len(equal_ids) == 1 and equal_ids[0] not in self.result.rows_by_id:
                self.set_id(card, equal_ids[0])
            else:
                remaining.append(card)
        return remaining

    def match_hashes(
        self, cards: list[CardRows], stored: list[tuple[str, str]]
    ) -> tuple[list[CardRows], list[tuple[str, str]]]:
        """Assign ids to cards whose rows have not changed. Return the other cards and ids.

        Return the other rows and stored ids.
        """
        ids_by_hash: dict[str, list[str]] = {}
        for row_hash, card_id in stored:
            if row_hash:
                ids_by_hash.setdefault(row_hash, []).append(card_id)
        remaining_cards: list[CardRows] = []
        for card in cards:
            ids = ids_by_hash.get(card.hash)
            if ids:
                self.set_id(card, ids.pop(0))
            else:
                remaining_cards.append(card)
        remaining_ids = [
            pair for pair in stored if pair[1] not in self.result.rows_by_id
        ]
        return remaining_cards, remaining_ids

    def match_similar_rows(
        self, cards: list[CardRows], ids: list[str]
    ) -> list[CardRows]:
        """Assign ids to edited cards without a name, by similar values. Return the new cards."""
        ids_by_card: dict[CardRows, list[str]] = {}
        claims: Counter[str] = Counter()
        for card in cards:
            similar_ids: list[str] = []
            for card_id in ids:
                share, _count = self.known_ids.similarity(card, card_id)
                if share > MIN_SIMILARITY:
                    similar_ids.append(card_id)
            ids_by_card[card] = similar_ids
            claims.update(similar_ids)
        remaining: list[CardRows] = []
        for card, similar_ids in ids_by_card.items():
            if not similar_ids:
                remaining.append(card)
            elif len(similar_ids) == 1 and claims[similar_ids[0]] == 1:
                self.set_id(card, similar_ids[0])
            else:
                self.report_unclear(card, similar_ids)
        return remaining

    def refuse_renamed_rows(self, cards: list[CardRows]) -> list[CardRows]:
        """Report cards that may be renamed: their values equal those of a card that is missing now.

        Return the others.
        """
        missing_ids = (
            set(self.known_ids.ids_by_key.values()) - self.result.rows_by_id.keys()
        )
        remaining: list[CardRows] = []
        for card in cards:
            equal_ids: list[str] = []
            if card.base:
                equal_ids = self.list_equal_ids(card, sorted(missing_ids))
            if equal_ids:
                self.report_unclear(card, equal_ids)
            else:
                remaining.append(card)
        return remaining

    def list_equal_ids(self, card: CardRows, ids: Iterable[str]) -> list[str]:
        """Return the ids of the cards that have all values of these rows."""
        equal_ids: list[str] = []
        for card_id in ids:
            share, count = self.known_ids.similarity(card, card_id)
            # With fewer values, different cards would often be equal.
            if share == 1 and count >= MIN_EQUAL_VALUES:
                equal_ids.append(card_id)
        return equal_ids

    def is_equal(self, card: CardRows, card_id: str) -> bool:
        """Return True if an existing card has all values that the rows of a table's card have."""
        return self.known_ids.similarity(card, card_id)[0] == 1

    def assign_new_id(self, card: CardRows, cards: Sequence[CardRows]) -> None:
        """Assign an id to a card that is not in the mapping file."""
        if card.id_text:
            self.assign_written_id(card)
        elif card.name:
            self.assign_id_of_name(card, cards)
        else:
            self.make_id(card, "")

    def assign_written_id(self, card: CardRows) -> None:
        """Assign the id that is written in the table."""
        card_id = card.id_text if ID.fullmatch(card.id_text) else make_id(card.id_text)
        is_new_pack = self.known_ids.is_new_pack
        is_used = card_id in self.result.rows_by_id
        if is_used and not is_new_pack:
            message = _(
                "{card} was named in a row above, or its file cannot be read",
                card=card_id,
            )
            self.result.unclear_rows.append((card, message))
            return
        # In an existing pack, a used id is that of the card which the row changes.
        is_used = is_used or (is_new_pack and card_id in self.known_ids.used_ids)
        if is_used or not card_id:
            self.make_id(card, card_id)
            return
        self.set_id(card, card_id)
        if card_id != card.id_text:
            self.result.made_ids.append((card, card_id))

    def assign_id_of_name(self, card: CardRows, cards: Sequence[CardRows]) -> None:
        """Assign the id of the existing card with this name, or a new id."""
        rows_by_id = self.result.rows_by_id
        named_ids = self.known_ids.ids_by_name.get(card.name, ())
        ids = [card_id for card_id in named_ids if card_id not in rows_by_id]
        row_count = sum(1 for new_card in cards if new_card.base == card.base)
        if len(ids) > 1 or (ids and row_count > 1):
            self.assign_equal_id(card, ids)
            return
        base = make_id(card.name)
        if ids:
            self.set_id(card, ids[0])
        elif base in self.known_ids.ids_of_kind and base not in rows_by_id:
            self.set_id(card, base)
        else:
            self.make_id(card, base)

    def assign_equal_id(self, card: CardRows, ids: Sequence[str]) -> None:
        """Assign the id of the only card with equal values, or report the row as unclear."""
        equal_ids = [card_id for card_id in ids if self.is_equal(card, card_id)]
        if len(equal_ids) == 1:
            self.set_id(card, equal_ids[0])
        else:
            self.report_unclear(card, equal_ids or ids)

    def make_id(self, card: CardRows, base: str) -> None:
        """Assign a new id made from a name.

        Remember it for the report if it differs from the name.
        """
        used_ids = self.known_ids.used_ids | self.result.rows_by_id.keys()
        if base:
            card_id = number_id(base, used_ids)
        else:
            card_id, self.last_number = self.find_next_number(used_ids)
            if not card.base:
                self.result.numbered_ids[card_id] = self.last_number
        self.set_id(card, card_id)
        # An ASCII name as an id is no surprise, so it is not reported.
        if card_id != base or not card.name.isascii() or not card.name:
            self.result.made_ids.append((card, card_id))

    def find_next_number(self, used_ids: Collection[str]) -> tuple[str, int]:
        """Return the next unused id such as "hero-3", and its number."""
        number = self.last_number + 1
        while f"{self.known_ids.kind}-{number}" in used_ids:
            number += 1
        return f"{self.known_ids.kind}-{number}", number

    def set_id(self, card: CardRows, card_id: str) -> None:
        """Assign an id to a card."""
        self.result.rows_by_id[card_id] = card

    def report_unclear(self, card: CardRows, ids: Sequence[str]) -> None:
        """Report a row that may be one of several cards, or a new one."""
        message = _(
            "this row may be one of these cards, or a new one: {ids}",
            ids=", ".join(ids),
        )
        self.result.unclear_rows.append((card, message))

    def add_keys(self, cards: Sequence[CardRows]) -> None:
        """Add the keys by which the mapping file will find each row again."""
        counts = Counter(card.base for card in cards)
        used_keys: set[str] = set()
        for card_id, card in self.result.rows_by_id.items():
            key = card.base
            # A name that ends like a hash would be read as one.
            if not key or counts[key] > 1 or split_key(key)[1]:
                key = f"{key} #{card.hash}".strip()
            unique_key = number_id(key, used_keys)
            used_keys.add(unique_key)
            self.result.keys_by_id[card_id] = unique_key
