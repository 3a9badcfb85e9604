"""Filters and full-text search of cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from builder.model.card import Card
from builder.web.cards.cardtext import card_text
from builder.web.cards.library import library, remembered

ALL = "all"


OWNED, PAINTED = "own", "painted"


@dataclass(frozen=True, slots=True)
class Filter:
    """What the catalogue is narrowed to; empty parts narrow nothing. `faction` lets in what is of no side, too; `own`
    is `own` for what somebody has, `painted` for what of it is painted."""

    kind: str = ""
    faction: str = ""
    keyword: str = ""
    cost: int | None = None
    fits: bool = False
    own: str = ""
    refused: bool = False
    words: str = ""
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str], side: str) -> "Filter":
        """The filter that an address states; `side` is the squad's own, taken where none is stated."""
        cost, page, faction = (
            query.get("cost", ""),
            query.get("page", ""),
            query.get("faction", side),
        )
        return cls(
            query.get("kind", ""),
            "" if faction == ALL else faction,
            query.get("keyword", ""),
            int(cost) if cost.isdecimal() and len(cost) < 6 else None,
            query.get("fits") == "1",
            query.get("own", "") if query.get("own") in (OWNED, PAINTED) else "",
            query.get("refused") == "1",
            query.get("q", "")[:100].strip(),
            int(page) if page.isdecimal() and 0 < int(page) < 1000 else 1,
        )

    def takes(self, card: Card) -> bool:
        """True for a card that is not left out by what it is."""
        return (
            self.kind in ("", card.kind)
            and self.faction in ("", card.faction or self.faction)
            and (not self.keyword or self.keyword in card.keywords)
            and (self.cost is None or (card.cost or 0) <= self.cost)
        )


@remembered(50)
def words_of(pack: str, release: str, lang: str) -> Mapping[str, str]:
    """All that each card says, in small letters."""
    found = library().pack(pack, release)
    return {card.id: card_text(found, card, lang).words for card in found.cards.values()}
