"""Filters and full-text search of cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.web.cards.cardtext import make_card_text
from builder.web.cards.history import get_rulings
from builder.web.cards.library import cache_per_library, get_library

ALL_SIDES = "all"
OWNED, PAINTED = "own", "painted"
MAX_WORDS_LENGTH = 100
MAX_PAGE = 999


@dataclass(frozen=True, slots=True)
class CardFilter:
    """The search criteria of a list of cards.

    Empty parts narrow nothing.

    `faction` also lets cards of no side pass. `ownership` is `own` for owned cards,
    `painted` for painted ones.
    """

    kind: str = ""
    faction: str = ""
    keyword: str = ""
    cost: int | None = None
    fits: bool = False
    ownership: str = ""
    refused: bool = False
    words: str = ""
    page: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str], side: str) -> "CardFilter":
        """Parse the filter from the query of an address.

        `side` is the squad's own, which counts if none is stated.
        """
        cost = query.get("cost", "")
        page = query.get("page", "")
        faction = query.get("faction", side)
        return cls(
            kind=query.get("kind", ""),
            faction="" if faction == ALL_SIDES else faction,
            keyword=query.get("keyword", ""),
            cost=int(cost) if cost.isdecimal() and len(cost) < 6 else None,
            fits=query.get("fits") == "1",
            ownership=query.get("own", "")
            if query.get("own") in (OWNED, PAINTED)
            else "",
            refused=query.get("refused") == "1",
            words=query.get("q", "")[:MAX_WORDS_LENGTH].strip(),
            page=int(page) if page.isdecimal() and 0 < int(page) <= MAX_PAGE else 1,
        )

    def accepts(self, card: Card) -> bool:
        """Return True if a card has the kind, side, keyword and cost of the filter."""
        return (
            self.kind in ("", card.kind)
            and self.faction in ("", card.faction or self.faction)
            and (not self.keyword or self.keyword in card.keywords)
            and (self.cost is None or (card.cost or 0) <= self.cost)
        )


@cache_per_library(50)
def load_card_words(pack: str, release: str, lang: str) -> Mapping[str, str]:
    """Return the words of each card and its rulings in lower case, by card."""
    loaded = get_library().get_pack(pack, release)
    rulings = get_rulings(pack, release, lang)
    words: dict[str, str] = {}
    for card in loaded.cards.values():
        texts = [make_card_text(loaded, card, lang).words]
        for entry in rulings.list_for_card(card.id):
            texts += [entry.question.casefold(), entry.answer.casefold()]
        words[card.id] = " ".join(texts)
    return words


def find_cards(
    cards: Iterable[Card], text: str, pack: str, release: str, lang: str
) -> list[Card]:
    """Return the cards that contain all words of a text. An empty text matches all cards."""
    words = text.casefold().split()
    if not words:
        return list(cards)
    card_words = load_card_words(pack, release, lang)
    matching_cards = []
    for card in cards:
        text_of_card = card_words[card.id]
        if all(word in text_of_card for word in words):
            matching_cards.append(card)
    return matching_cards


def sort_squad_cards(pack: Pack) -> list[Card]:
    """Return the cards that squads consist of, by kind, side, cost and name."""
    kind_order = {kind: position for position, kind in enumerate(pack.manifest.kinds)}
    side_order = {
        side: position for position, side in enumerate(pack.vocabulary.factions)
    }

    def make_key(card: Card) -> tuple[int, int, float, str]:
        side_position = side_order.get(card.faction or "", len(side_order))
        return kind_order[card.kind], side_position, card.cost or 0, card.name

    cards = (
        card for card in pack.cards.values() if pack.find_role(card) is not Role.NONE
    )
    return sorted(cards, key=make_key)
