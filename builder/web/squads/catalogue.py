"""The cards that a squad may have, as tiles.

Filtered and searched, with the reason where one does not fit.
"""

from collections.abc import Collection
from dataclasses import dataclass

from builder.model.card import Card
from builder.roster.operations import Operations
from builder.rules.choices import Option
from builder.usecases.roster.choices import Offer
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language
from builder.web.cards.search import CardFilter, find_cards, sort_squad_cards
from builder.web.squads.squad_view import SquadView

MAX_TILES, MAX_REFUSED_TILES = 60, 20
"""Fitting and refused cards of one page, which has less than 100 kB then."""
MAX_REFUSED_UNASKED = 12
"""The number of refused cards that are shown without a request."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A card in the catalogue of a squad page: its copies, and the buttons that add it.

    `ways` are the texts and values of the buttons that add it. A single button has no text.
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
        """The reasons why the card cannot be added, or other cards that it needs."""
        return self.offer.notes if self.offer is not None else ()

    @property
    def swaps(self) -> tuple[tuple[str, Operations], ...]:
        """Edits that replace other cards by this one."""
        return self.offer.swaps if self.offer is not None else ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One page of the catalogue.

    `refused` is empty while refused cards are folded away, `many_refused` counts all.
    """

    tiles: tuple[Tile, ...]
    refused: tuple[Tile, ...]
    many_refused: int
    page: int
    pages: int


def make_catalogue(
    view: SquadView, card_filter: CardFilter, displayed_ids: Collection[str] = ()
) -> Catalogue:
    """Return a catalogue page with the cards that match a filter, by kind and side.

    Cards in the squad, and those that the page displays already, stay among the tiles when they no
    longer fit: nothing moves under the thumb.
    """
    fitting: list[Card] = []
    refused: list[Card] = []
    for card in _filter_cards(view, card_filter):
        offer = view.offers.get(card.id)
        stays = card.id in displayed_ids or view.copies[card.id] > 0
        fits = offer is not None and offer.open
        (fitting if stays or fits else refused).append(card)
    shows_refused = (
        card_filter.refused
        or card_filter.words
        or not fitting
        or len(refused) <= MAX_REFUSED_UNASKED
    )
    shown_refused = refused if shows_refused and not card_filter.fits else []
    pages = max(
        1,
        _count_pages(fitting, MAX_TILES),
        _count_pages(shown_refused, MAX_REFUSED_TILES),
    )
    page = min(card_filter.page, pages)
    return Catalogue(
        _make_tiles(view, fitting, page, MAX_TILES),
        _make_tiles(view, shown_refused, page, MAX_REFUSED_TILES),
        0 if card_filter.fits else len(refused),
        page,
        pages,
    )


def _filter_cards(view: SquadView, card_filter: CardFilter) -> list[Card]:
    pack = view.pack
    available = dict(view.available)
    cards = []
    for card in sort_squad_cards(pack):
        is_available = available.get(card.id, 1) > 0 or view.copies[card.id] > 0
        if is_available and card_filter.accepts(card):
            cards.append(card)
    lang = choose_card_language(pack, view.lang)
    return find_cards(cards, card_filter.words, pack.id, view.row.release, lang)


def _count_pages(cards: list[Card], cards_per_page: int) -> int:
    return -(-len(cards) // cards_per_page)


def _make_tiles(
    view: SquadView, cards: list[Card], page: int, cards_per_page: int
) -> tuple[Tile, ...]:
    start = (page - 1) * cards_per_page
    return tuple(
        make_tile(view, card) for card in cards[start : start + cards_per_page]
    )


def make_tile(view: SquadView, card: Card) -> Tile:
    """Return the tile of a card."""
    offer = view.offers.get(card.id)
    return Tile(
        card,
        view.names.name_card(card.id),
        card.faction or "",
        view.get_front(card.id),
        offer,
        view.copies[card.id],
        _list_ways(view, offer) if offer is not None else (),
    )


def _list_ways(view: SquadView, offer: Offer) -> tuple[tuple[str, str], ...]:
    """Return the buttons that add a card: one for each host or choice."""
    ways = [
        (_describe_option(view, option), _make_button(view, option))
        for option in offer.fitting
    ]
    if len(ways) == 1:
        return (("", ways[0][1]),)
    return tuple(ways)


def _describe_option(view: SquadView, option: Option) -> str:
    if option.line >= 0:
        return f"{option.line + 1}. {view.entries[option.line].name}"
    names = [
        view.names.name_value(f"choice.{key}", value)
        for key, value in option.choices.items()
    ]
    return ", ".join(names)


def _make_button(view: SquadView, option: Option) -> str:
    if option.line >= 0:
        return f"give {option.line + 1} {view.entries[option.line].entry.card} {option.card.id}"
    choices = [f"{key}={value}" for key, value in option.choices.items()]
    return " ".join(["add", option.card.id, *choices])
