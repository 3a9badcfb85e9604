"""The cards of a product in their decks, with all copies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.build_options import Selection
from builder.usecases.build.select import matches_selectors, sort_for_print
from builder.usecases.pack_states import check_languages

if TYPE_CHECKING:  # few builds are of a product
    from builder.model.product import BoxArt, GameProduct, ProductLine

SHEETS = ""
"""The deck name of sheets for the table, which are in no deck."""


def apply_product(
    project: Project, loaded: LoadedPack, select: Selection
) -> tuple[LoadedPack, Selection]:
    """Return the pack with today's products, and the selection with the product's languages.

    Without a product both are returned unchanged. Raise UsageError for an unknown product, for
    a language that it does not have, and if a squad is selected, too. Raise InputUnreadable if
    a picture of a box is missing.
    """
    pack = loaded.pack
    if select.product is None or pack is None:
        return loaded, select
    if select.roster is not None:
        message = _("a squad cannot be combined with a product")
        raise UsageError(message, _("Use either --roster or --product."))
    art = loaded.art
    if select.as_of is not None:  # releases store cards, not products
        today = PackFiles(project).load_pack(pack.id)
        loaded = replace(loaded, sources={**today.sources, **loaded.sources})
        art = today.art
    product = find_product(loaded, select.product)
    for deck in product.decks.values():
        if deck.box is not None:
            _check_box_art(pack, deck.box.front, art)
            _check_box_art(pack, deck.box.back, art)
    product_langs = product.languages or pack.manifest.languages.all
    requested_langs = () if "all" in select.langs else select.langs
    check_languages(select.product, product_langs, requested_langs)
    return loaded, replace(select, langs=requested_langs or product_langs)


def _check_box_art(pack: Pack, wall: BoxArt | None, art: Collection[str]) -> None:
    """Raise InputUnreadable if the card or the picture on a box's wall does not exist."""
    if wall is None:
        return
    if wall.card is not None:
        _check_card(pack, wall.card)
    elif wall.art not in art:
        name = wall.art or ""
        message = _("products.yaml: there is no picture {name!r}", name=name)
        raise InputUnreadable(
            message, suggest_word(name, art, _("Pictures in this folder"))
        )


def find_product(loaded: LoadedPack, name: str) -> GameProduct:
    """Return a product of the pack. Raises UsageError for an unknown name."""
    products = loaded.products.products if loaded.products is not None else {}
    if name in products:
        return products[name]
    message = _("{pack} has no product {name!r}", pack=loaded.whole.id, name=name)
    nowhere = _("Declare it in cards/{pack}/products.yaml.", pack=loaded.whole.id)
    raise UsageError(message, suggest_word(name, products, _("Products")) or nowhere)


def select_gauges(loaded: LoadedPack, select: Selection) -> Collection[str] | None:
    """Return the ids of the selected product's gauges, or None for all gauges of the pack."""
    if select.product is None:
        return None
    # A product lists its gauges, or has `true` for all of them.
    gauges = find_product(loaded, select.product).gauges
    return None if gauges is True else gauges or ()


def list_product_cards(
    pack: Pack, product: GameProduct, only: Sequence[str], lang: str
) -> list[tuple[str, str]]:
    """Return deck and id of a product's selected cards, each copy, in printing order.

    Sheets are last. Raises InputUnreadable for an unknown card, UsageError if no card matches.
    """
    decks = {name: deck.cards for name, deck in product.decks.items()}
    decks[SHEETS] = product.sheets
    product_cards: list[tuple[str, str]] = []
    for name, lines in decks.items():
        cards = _list_deck_cards(pack, lines, lang)
        cards = [
            card for card in cards if matches_selectors(pack, pack.cards[card], only)
        ]
        product_cards += [(name, card) for card in cards]
    if not product_cards:
        message = _("no card of the product is selected")
        hint = _("Correct the lines of the product in products.yaml, or change --only.")
        raise UsageError(message, hint)
    return product_cards


def list_main_deck_cards(loaded: LoadedPack) -> list[tuple[str, str]]:
    """Return deck and id of each copy of the first product's cards.

    Empty if the product has errors.
    """
    pack = loaded.pack
    products = loaded.products.products.values() if loaded.products else ()
    first_product = next(iter(products), None)
    if pack is None or first_product is None:
        return []
    # An unfinished product must not keep a table from being read; `check` reports its errors.
    with suppress(UsageError, InputUnreadable):
        return list_product_cards(
            pack, first_product, (), pack.manifest.languages.source
        )
    return []


def _list_deck_cards(pack: Pack, lines: Sequence[ProductLine], lang: str) -> list[str]:
    """Return the ids of one deck's cards, once per copy.

    A line that names a card overrides lines whose selectors match it. Among equal lines the
    last one decides.
    """
    copies: dict[str, int] = {}
    named_copies: dict[str, int] = {}
    for line in lines:
        cards = _find_line_cards(pack, line, lang)
        # A card keeps the place of the first line that has it.
        copies |= dict.fromkeys(cards, line.copies)
        if line.card is not None:
            named_copies[line.card] = line.copies
    deck: list[str] = []
    for card, count in copies.items():
        deck += [card] * named_copies.get(card, count)
    return deck


def _find_line_cards(pack: Pack, line: ProductLine, lang: str) -> Iterable[str]:
    if line.where is None:
        return [_check_card(pack, line.card or "")]
    from builder.roster.resolve import make_test_selection
    from builder.rules.query import compile_condition

    fits = compile_condition(line.where)
    matching_cards = (
        card for card in pack.cards.values() if fits(make_test_selection(card), None)
    )
    return sort_for_print(pack, matching_cards, lang)


def _check_card(pack: Pack, name: str) -> str:
    """Return the id of a card. Raises InputUnreadable for an unknown one."""
    if name in pack.cards:
        return name
    message = _("products.yaml: there is no card {name!r}", name=name)
    raise InputUnreadable(message, suggest_word(name, tuple(pack.cards), _("Cards")))
