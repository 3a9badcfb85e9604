"""The cards that may stand in a squad, as tiles: filtered, searched, each with whether it fits now and why not."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from builder.model.card import Card
from builder.roster.operations import Operations
from builder.rules.choices import Option
from builder.usecases.roster.choices import Offer
from builder.web.cardtext import card_text
from builder.web.faces import FacePicture
from builder.web.library import card_language, library, remembered
from builder.web.sight import SquadSight

AT_ONCE, REFUSED_AT_ONCE = 60, 20
"""Tiles and refused cards of a page, which weighs less than 100 kB then."""
OPENED = 12
"""So few refused cards are told of without being asked for."""
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


@dataclass(frozen=True, slots=True)
class Tile:
    """One card of the catalogue: its copies in the squad, and what may be done with it.

    `ways` are the buttons that put it in, by what they say; one without a name is pressed at once.
    """

    card: Card
    name: str
    side: str
    face: FacePicture | None
    offer: Offer | None
    copies: int
    ways: tuple[tuple[str, str], ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Why it does not fit, or what it would need then."""
        return self.offer.notes if self.offer is not None else ()

    @property
    def swaps(self) -> tuple[tuple[str, Operations], ...]:
        """What could leave for it."""
        return self.offer.swaps if self.offer is not None else ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tiles of one page: cards that fit, and those that do not (`many_refused` in all; none of them while they are
    folded away)."""

    tiles: tuple[Tile, ...]
    refused: tuple[Tile, ...]
    many_refused: int
    page: int
    pages: int


@remembered(50)
def words_of(pack: str, release: str, lang: str) -> Mapping[str, str]:
    """All that each card says, in small letters."""
    found = library().pack(pack, release)
    return {card.id: card_text(found, card, lang).words for card in found.cards.values()}


def catalogue(sight: SquadSight, chosen: Filter, kept: Collection[str] = ()) -> Catalogue:
    """The cards that pass a filter, in the order in which the game lists its kinds and sides.

    Those in the squad, and the `kept` that a page shows already, stay among the tiles when they fit no more: nothing
    moves under the thumb.
    """
    pack = sight.pack
    wanted = chosen.words.casefold().split()
    words = words_of(pack.id, sight.row.release, card_language(pack, sight.lang)) if wanted else {}
    kinds, sides = list(pack.manifest.kinds), list(pack.vocabulary.factions)
    found = sorted(
        (card for card in pack.cards.values()
         if pack.role(card) != "none" and chosen.takes(card) and all(word in words[card.id] for word in wanted)
         and (dict(sight.shelf).get(card.id, 1) or sight.copies[card.id])),
        key=lambda card: (kinds.index(card.kind), _place(sides, card.faction), card.cost or 0, card.name),
    )  # fmt: skip
    fitting: list[Card] = []
    refused: list[Card] = []
    for card in found:
        offer = sight.offers.get(card.id)
        stays = card.id in kept or sight.copies[card.id] > 0
        (fitting if stays or (offer is not None and offer.open) else refused).append(card)
    told = chosen.refused or wanted or not fitting or len(refused) <= OPENED
    shown = refused if told and not chosen.fits else []
    pages = max(1, -(-len(fitting) // AT_ONCE), -(-len(shown) // REFUSED_AT_ONCE))
    page = min(chosen.page, pages)
    return Catalogue(
        tuple(tile(sight, card) for card in fitting[(page - 1) * AT_ONCE : page * AT_ONCE]),
        tuple(
            tile(sight, card)
            for card in shown[(page - 1) * REFUSED_AT_ONCE : page * REFUSED_AT_ONCE]
        ),
        0 if chosen.fits else len(refused),
        page,
        pages,
    )


def tile(sight: SquadSight, card: Card) -> Tile:
    """One card as a tile."""
    offer = sight.offers.get(card.id)
    ways = _ways(sight, offer) if offer is not None else ()
    face, copies = sight.front(card.id), sight.copies[card.id]
    return Tile(card, sight.names.card(card.id), card.faction or "", face, offer, copies, ways)


def _ways(sight: SquadSight, offer: Offer) -> tuple[tuple[str, str], ...]:
    """The buttons that put a card in: one for each bearer, or for each way of choosing."""
    ways = tuple((_way(sight, option), _button(sight, option)) for option in offer.fitting)
    return (("", ways[0][1]),) if len(ways) == 1 else ways


def _way(sight: SquadSight, option: Option) -> str:
    if option.line >= 0:
        return f"{option.line + 1}. {sight.lines[option.line].name}"
    return ", ".join(
        sight.names.value(f"choice.{name}", value) for name, value in option.choices.items()
    )


def _button(sight: SquadSight, option: Option) -> str:
    if option.line >= 0:
        return f"give {option.line + 1} {sight.lines[option.line].entry.card} {option.card.id}"
    return " ".join(
        ("add", option.card.id, *(f"{name}={value}" for name, value in option.choices.items()))
    )


def _place(known: list[str], one: str | None) -> int:
    return known.index(one) if one in known else len(known)
