"""The cards that may stand in a squad, as tiles: filtered, searched, each with whether it fits now and why not."""

from collections.abc import Collection
from dataclasses import dataclass

from builder.model.card import Card
from builder.roster.operations import Operations
from builder.rules.choices import Option
from builder.usecases.roster.choices import Offer
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language
from builder.web.cards.search import CardFilter, load_card_words
from builder.web.squads.squad_view import SquadSight

AT_ONCE, REFUSED_AT_ONCE = 60, 20
"""Tiles and refused cards of a page, which weighs less than 100 kB then."""
OPENED = 12
"""So few refused cards are told of without being asked for."""


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


def catalogue(sight: SquadSight, chosen: CardFilter, kept: Collection[str] = ()) -> Catalogue:
    """The cards that pass a filter, in the order in which the game lists its kinds and sides.

    Those in the squad, and the `kept` that a page shows already, stay among the tiles when they fit no more: nothing
    moves under the thumb.
    """
    pack = sight.pack
    wanted = chosen.words.casefold().split()
    words = (
        load_card_words(pack.id, sight.row.release, choose_card_language(pack, sight.lang))
        if wanted
        else {}
    )
    kinds, sides = list(pack.manifest.kinds), list(pack.vocabulary.factions)
    found = sorted(
        (card for card in pack.cards.values()
         if pack.role(card) != "none" and chosen.accepts(card) and all(word in words[card.id] for word in wanted)
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
