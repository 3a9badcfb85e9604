"""The cards that may stand in a squad, as tiles: filtered, searched, each with whether it fits now and why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from builder.model.base import lookup
from builder.model.card import Card
from builder.model.pack import Pack
from builder.roster.costs import used
from builder.usecases.roster.choices import Offer
from builder.web.faces import FacePicture
from builder.web.library import card_language, library
from builder.web.sight import SquadSight

AT_ONCE = 60
"""Tiles of a page; more come when they are scrolled to."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What the catalogue is narrowed to; empty parts narrow nothing."""

    kind: str = ""
    faction: str = ""
    keyword: str = ""
    cost: float | None = None
    fits: bool = False
    words: str = ""
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Filter":
        """The filter that an address states."""
        cost, page = query.get("cost", ""), query.get("page", "")
        return cls(
            query.get("kind", ""),
            query.get("faction", ""),
            query.get("keyword", ""),
            float(cost) if cost.isdecimal() else None,
            query.get("fits") == "1",
            query.get("q", "")[:100].strip(),
            int(page) if page.isdecimal() and 0 < int(page) < 1000 else 1,
        )

    def takes(self, card: Card) -> bool:
        """True for a card that is not left out by what it is."""
        return (
            self.kind in ("", card.kind)
            and self.faction in ("", card.faction or "")
            and (not self.keyword or self.keyword in card.keywords)
            and (self.cost is None or (card.cost or 0) <= self.cost)
        )


@dataclass(frozen=True, slots=True)
class Tile:
    """One card of the catalogue: its copies in the squad, and what may be done with it."""

    card: Card
    name: str
    side: str
    face: FacePicture | None
    offer: Offer | None
    copies: int

    @property
    def ways(self) -> tuple[Mapping[str, str], ...]:
        """The ways of choosing with which it comes in; one empty way where it comes in as it is."""
        return tuple(option.choices for option in self.offer.fitting) if self.offer is not None else ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tiles of one page, and how many cards passed the filter in all."""

    tiles: tuple[Tile, ...]
    many: int
    more: bool


@lru_cache(maxsize=50)
def words_of(pack: str, release: str, lang: str) -> Mapping[str, str]:
    """All that each card says, in small letters."""
    found = library().pack(pack, release)
    return {card.id: " ".join(texts(found, card, lang)).casefold() for card in found.cards.values()}


def texts(pack: Pack, card: Card, lang: str) -> Iterator[str]:
    """The texts of a card in a language, its name and keywords first."""
    yield card.name
    yield from (
        pack.vocabulary.keywords[key].name.get(lang, key) for key in card.keywords if key in pack.vocabulary.keywords
    )
    translated = pack.translations.get(lang, {}).get(card.id, {})
    for path in pack.texts.get(card.id, ()):
        if path in translated:
            yield translated[path].text
        elif isinstance(text := _at(card, path), str):
            yield text


def _at(card: Card, path: str) -> object:
    if path == "name":
        return card.name
    found = card.field(path)
    return found if found is not None else lookup(card.data, tuple(path.split(".")))


def catalogue(sight: SquadSight, chosen: Filter) -> Catalogue:
    """The cards that pass a filter, in the order in which the game prints them."""
    pack, lang = sight.pack, card_language(sight.pack, sight.lang)
    wanted = chosen.words.casefold().split()
    words = words_of(pack.id, sight.row.release, lang) if wanted else {}
    many = used(sight.judged.roster) if sight.judged.roster is not None else {}
    found = []
    for card in pack.cards.values():
        if pack.role(card) == "none" or not chosen.takes(card):
            continue
        if wanted and not all(word in words[card.id] for word in wanted):
            continue
        offer = sight.offers.get(card.id)
        if chosen.fits and (offer is None or not offer.open):
            continue
        face, side = sight.front(card.id), card.faction or ""
        found.append(Tile(card, sight.names.card(card.id), side, face, offer, many.get(card.id, 0)))
    kinds, sides = list(pack.manifest.kinds), list(pack.vocabulary.factions)
    found.sort(key=lambda tile: (kinds.index(tile.card.kind), _place(sides, tile.side), tile.card.cost or 0, tile.name))
    return Catalogue(tuple(found[: chosen.page * AT_ONCE]), len(found), len(found) > chosen.page * AT_ONCE)


def _place(known: list[str], one: str) -> int:
    return known.index(one) if one in known else len(known)
