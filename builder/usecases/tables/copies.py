"""The number of copies of a card that a table states, in products.yaml."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.messages import Message, gettext as _
from builder.model.base import DataPath, Json, list_items, look_up
from builder.model.loaded import LoadedPack
from builder.packs.yaml.editing import YamlText
from builder.usecases.build.product import SHEETS

COPIES = ("copies",)
"""The column that counts the copies of a card in the box."""
COUNT = re.compile(r"[x×]?\s*(\d{1,4})(?:[.,]0+)?\s*[x×]?", re.IGNORECASE)
"""A number of copies: `3`, `3x`, `x3`."""
MAX_COPIES = 1000


def read_copies(text: str) -> int | Message:
    """Return the number of copies that a cell states, or the message that it states none."""
    match = COUNT.fullmatch(text)
    if not match or int(match[1]) > MAX_COPIES:
        return _("copies must be a whole number, 0 or more: {value}", value=text)
    return int(match[1])


@dataclass(slots=True)
class CopiesEditor:
    """Edits the copies of cards of one kind in the first product of products.yaml."""

    loaded: LoadedPack
    text: YamlText
    value: Json
    kind: str
    deck_cards: Sequence[tuple[str, str]]
    """Deck and id of each copy in the first product."""
    product: str | int | None = None
    places: dict[str, dict[str, str | int]] = field(default_factory=dict)
    """The index of the last line that names a card, by its id and deck."""
    decks_of_kind: list[str] = field(default_factory=list)
    """The decks with all cards of the kind."""
    new_lines: dict[DataPath, list[Json]] = field(default_factory=dict)
    """The lines to be added, by the path of their list."""

    def write(self, copies: Mapping[str, int]) -> dict[str, Message]:
        """Write the copies that differ.

        Return the cards for which that is impossible, with the reason.
        """
        self.find_lines()
        counts = Counter(card for _deck, card in self.deck_cards)
        decks_by_card: dict[str, list[str]] = {}
        for deck, card in dict.fromkeys(self.deck_cards):
            decks_by_card.setdefault(card, []).append(deck)
        is_known = {file.id or file.stem for file in self.loaded.files}
        problems: dict[str, Message] = {}
        for card, count in copies.items():
            old_count = counts[card] if card in is_known else 1
            if count == old_count or (not counts[card] and count == 1):
                continue
            problem = self.write_card(card, count, decks_by_card.get(card, []))
            if problem is not None:
                problems[card] = problem
        for path, lines in self.new_lines.items():
            self.text.append_items(path, lines)
        return problems

    def find_lines(self) -> None:
        """Find the first product, the lines that name cards, and decks with all of the kind."""
        products = list_items(look_up(self.value, ("products",)))
        self.product, content = next(iter(products), (None, None))
        for deck, lines in list_deck_lines(content).items():
            for index, line in list_items(lines):
                card = look_up(line, ("card",))
                if isinstance(card, str):
                    self.places.setdefault(card, {})[deck] = index
                if look_up(line, ("where", "kind")) == self.kind and deck not in self.decks_of_kind:
                    self.decks_of_kind.append(deck)

    def write_card(self, card: str, count: int, decks_of_card: Sequence[str]) -> Message | None:
        """Write a card's copies on the last line that names it, else on a new line."""
        if self.product is None:
            return _("products.yaml holds no product")
        places = self.places.get(card, {})
        # A line may name a card with 0 copies.
        decks = decks_of_card or list(places) or self.decks_of_kind[:1]
        if len(decks) > 1:
            listed = ", ".join(deck or "sheets" for deck in decks)
            return _("copies of {card} lie in several decks: {listed}", card=card, listed=listed)
        if not decks:
            form = _("no deck of the first product holds cards of the kind {kind}")
            return _(form, kind=self.kind)
        deck = decks[0]
        inner_path: DataPath = ("decks", deck, "cards") if deck != SHEETS else ("sheets",)
        path: DataPath = ("products", self.product, *inner_path)
        if deck in places:
            self.text.set_entry((*path, places[deck]), "copies", count)
        else:
            self.new_lines.setdefault(path, []).append({"card": card, "copies": count})
        return None


def list_deck_lines(product: Json) -> dict[str, Json]:
    """Return the lines of each deck of a product."""
    lines_by_deck: dict[str, Json] = {}
    for deck, content in list_items(look_up(product, ("decks",))):
        lines_by_deck[str(deck)] = look_up(content, ("cards",))
    lines_by_deck[SHEETS] = look_up(product, ("sheets",))
    return lines_by_deck
