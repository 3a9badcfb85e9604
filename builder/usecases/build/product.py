"""What a product holds: its cards in their decks, with all copies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.build_options import Selection
from builder.usecases.build.select import matches_selector, sort_for_print
from builder.usecases.pack_states import check_languages

if TYPE_CHECKING:  # few builds are of a product
    from builder.model.product import GameProduct, ProductLine

SHEETS = ""
"""The name of what lies in no deck: sheets for the table."""


def apply_product(
    project: Project, loaded: LoadedPack, select: Selection
) -> tuple[LoadedPack, Selection]:
    """The pack with the products that are declared today, and the selection with the product's languages.

    Without a product both stay as they are. UsageError for a product that there is not, a language it is not made in,
    or a squad besides; InputUnreadable where a box shows what is not there.
    """
    if select.product is None or (pack := loaded.pack) is None:
        return loaded, select
    if select.roster is not None:
        raise UsageError(_("a squad is no part of a product"), _("Choose --roster or --product."))
    art = loaded.art
    if select.as_of is not None:  # releases freeze cards, not what is sold
        today = PackFiles(project).load(pack.id)
        loaded, art = replace(loaded, sources={**today.sources, **loaded.sources}), today.art
    product = find_product(loaded, select.product)
    for box in (deck.box for deck in product.decks.values() if deck.box is not None):
        for shown in (one for one in (box.front, box.back) if one is not None):
            if shown.card is not None:
                _card(pack, shown.card)
            elif shown.art not in art:
                message = _("products.yaml: no picture {name!r}", name=shown.art or "")
                raise InputUnreadable(
                    message, suggest_word(shown.art or "", art, _("Pictures here"))
                )
    known = product.languages or pack.manifest.languages.all
    asked = () if "all" in select.langs else select.langs
    check_languages(select.product, known, asked)
    return loaded, replace(select, langs=asked or known)


def find_product(loaded: LoadedPack, name: str) -> GameProduct:
    """A product of the pack. UsageError where there is none of that name."""
    products = loaded.products.products if loaded.products is not None else {}
    if name in products:
        return products[name]
    message = _("{pack} has no product {name!r}", pack=loaded.whole.id, name=name)
    nowhere = _("Declare it in cards/{pack}/products.yaml.", pack=loaded.whole.id)
    raise UsageError(message, suggest_word(name, products, _("Products")) or nowhere)


def select_gauges(loaded: LoadedPack, select: Selection) -> Collection[str] | None:
    """The ids of the gauges that come with the product that is selected; None for all of the pack's."""
    gauges = find_product(loaded, select.product).gauges if select.product is not None else True
    return None if gauges is True else gauges or ()


def list_product_cards(
    pack: Pack, product: GameProduct, only: Sequence[str], lang: str
) -> list[tuple[str, str]]:
    """Deck and id of every card of a product that passes the selectors, copies repeated, in order of printing; sheets
    come last.

    InputUnreadable where it names a card that there is not; UsageError where nothing is left.
    """
    decks = {name: deck.cards for name, deck in product.decks.items()} | {SHEETS: product.sheets}
    found = [(name, card) for name, lines in decks.items() for card in _cards(pack, lines, lang)]
    found = [
        one
        for one in found
        if all(matches_selector(pack, pack.cards[one[1]], selector) for selector in only)
    ]
    if not found:
        raise UsageError(
            _("no card of the product is meant"),
            _("Correct its lines in products.yaml, or --only."),
        )
    return found


def list_main_deck_cards(loaded: LoadedPack) -> list[tuple[str, str]]:
    """Deck and id of every card of the first product, copies repeated; nothing where it cannot be said."""
    pack, products = loaded.pack, loaded.products.products.values() if loaded.products else ()
    with suppress(UsageError, InputUnreadable):
        first = next(iter(products), None)
        return (
            list_product_cards(pack, first, (), pack.manifest.languages.source)
            if pack and first
            else []
        )
    return []


def _cards(pack: Pack, lines: Sequence[ProductLine], lang: str) -> Iterable[str]:
    """The ids of one deck; a line that names a card goes before one that finds it, a later one before an earlier."""
    said = [(line, list(_found(pack, line, lang))) for line in lines]
    copies: dict[str, int] = {}
    for line, cards in sorted(said, key=lambda pair: pair[0].card is not None):
        copies |= dict.fromkeys(cards, line.copies)
    order = dict.fromkeys(card for _line, cards in said for card in cards)
    return (card for card in order for _copy in range(copies[card]))


def _found(pack: Pack, line: ProductLine, lang: str) -> Iterable[str]:
    if line.where is None:
        return [_card(pack, line.card or "")]
    from builder.roster.resolve import alone
    from builder.rules.query import compile_where

    fits = compile_where(line.where)
    found: list[Card] = [card for card in pack.cards.values() if fits(alone(card), None)]
    return sort_for_print(pack, found, lang)


def _card(pack: Pack, name: str) -> str:
    if name in pack.cards:
        return name
    message = _("products.yaml: no card {name!r}", name=name)
    raise InputUnreadable(message, suggest_word(name, tuple(pack.cards), _("Cards")))
