"""Every line of products.yaml fits some card, and sheets are told from cards."""

from collections.abc import Iterator

from builder.checks.cards.references import NOTHING_FITS, KnownNames
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, find_mentions, look_up
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.product import ProductLine
from builder.model.rules import Where
from builder.roster.resolve import make_test_selection
from builder.rules.query import compile_condition

MIXED = define(
    "products/sheet",
    _("A deck contains a sheet for the table, or a sheet list contains a card"),
    _(
        "Sheets for the table are printed at home. Shops and tuck boxes take cards only."
    ),
    _(
        "Move the line to `sheets` or to a deck. `table` in pack.yaml lists the kinds that "
        "are sheets."
    ),
    Severity.WARNING,
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that each line of every product names cards that may be there."""
    document = loaded.sources.get("products.yaml")
    products = loaded.products
    if loaded.pack is None or document is None or products is None:
        return
    for name, product in products.products.items():
        path: DataPath = ("products", name)
        for deck, holds in product.decks.items():
            deck_path = (*path, "decks", deck, "cards")
            for index, line in enumerate(holds.cards):
                yield from _check_line(loaded, document, line, (*deck_path, index))
        for index, line in enumerate(product.sheets):
            yield from _check_line(loaded, document, line, (*path, "sheets", index))


def _check_line(
    loaded: LoadedPack, document: Document, line: ProductLine, path: DataPath
) -> Iterator[Finding]:
    """Check that a line matches some card, and that sheets and cards are not mixed."""
    if line.where is None:
        place = (*path, "card")
        card = loaded.whole.cards.get(line.card or "")
        cards = [card] if card is not None else []
    else:
        place = (*path, "where")
        matches = compile_condition(line.where)
        cards = [
            card
            for card in loaded.whole.cards.values()
            if matches(make_test_selection(card), None)
        ]
        if not cards and _is_unexplained(loaded, document, line.where, place):
            yield NOTHING_FITS.finding(_("no card matches"), document.locate(place))
    is_sheet = path[2] == "sheets"
    kinds = loaded.whole.manifest.kinds
    wrong_ids = [card.id for card in cards if kinds[card.kind].table != is_sheet]
    if wrong_ids:
        form = _("{listed}: table sheets belong in `sheets`, not in a deck")
        if is_sheet:
            form = _("{listed}: `sheets` lists only table sheets (`table: true`)")
        yield MIXED.finding(
            _(form, listed=", ".join(wrong_ids[:3])), document.locate(place)
        )


def _is_unexplained(
    loaded: LoadedPack, document: Document, where: Where, place: DataPath
) -> bool:
    """Return True if a condition matches no card and no other finding explains why."""
    all_cards_are_valid = len(loaded.whole.cards) == len(loaded.files)
    return all_cards_are_valid and not _compares_with_unknown_name(
        loaded, document, where, place
    )


def _compares_with_unknown_name(
    loaded: LoadedPack, document: Document, where: Where, place: DataPath
) -> bool:
    """Return True if the condition compares with a name that does not exist.

    Another check reports the name.
    """
    known_names = KnownNames.collect(loaded)
    for mention in find_mentions(where, place):
        if mention.key:
            test = look_up(document.value, mention.path)
            findings = known_names.check_test(
                mention.value, test, mention.path, document
            )
            if any(True for _finding in findings):
                return True
    return False
