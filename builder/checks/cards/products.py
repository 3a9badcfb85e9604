"""products.yaml names only what is there, every line of it fits some card, and sheets are told from cards."""

from collections.abc import Iterator
from functools import partial

from builder.checks.cards.references import KnownNames, unknown
from builder.dice.stats import alone
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Path, lookup, walk
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.product import ProductLine
from builder.rules.query import compile_where

EMPTY = define(
    "products/no-card",
    _("No card fits a line of a product"),
    _("A condition that nothing fits is nearly always misspelt, and the box would lack its cards."),
    _("Correct the condition; it is written as in rules.yaml: {kind: id}, {faction: id}, {keywords: {has: id}}."),
)
MIXED = define(
    "products/sheet",
    _("A sheet for the table in a deck, or a card among the sheets"),
    _("Sheets are printed at home and lie beside the decks; shops and tuck boxes take cards only."),
    _("Move the line to `sheets`, or to a deck; `table` in pack.yaml says what is a sheet."),
    Severity.WARNING,
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """What walls of boxes show, every line of every product, then its languages and gauges."""
    document, products = loaded.sources.get("products.yaml"), loaded.products
    if loaded.pack is None or document is None or products is None:
        return
    known, gauges = KnownNames.of(loaded), loaded.gauges
    ids = [gauge.id for group in (gauges.groups if gauges is not None else ()) for gauge in group.gauges]
    for at, value in walk(document.value):  # walls of boxes show pictures or cards
        if at[-3:-2] == ("box",) and at[-1] in ("card", "art") and isinstance(value, str):
            yield from known.judge(str(at[-1]), value, partial(document.locate, at))
    languages = loaded.pack.manifest.languages.all
    for name, product in products.products.items():
        path: Path = ("products", name)
        for deck, holds in product.decks.items():
            for index, line in enumerate(holds.cards):
                yield from _line(loaded, document, line, (*path, "decks", deck, "cards", index), known)
        for index, line in enumerate(product.sheets):
            yield from _line(loaded, document, line, (*path, "sheets", index), known)
        for index, lang in enumerate(product.languages):
            yield from unknown("language", lang, languages, document, (*path, "languages", index))
        for index, gauge in enumerate(() if isinstance(product.gauges, bool) else product.gauges):
            yield from unknown("gauge", gauge, ids, document, (*path, "gauges", index))


def _line(
    loaded: LoadedPack, document: Document, line: ProductLine, path: Path, known: KnownNames
) -> Iterator[Finding]:
    """The ids a line names, that some card fits it, and that all of them may lie where it stands."""
    if line.where is None:
        place, name = (*path, "card"), line.card or ""
        yield from known.judge("card", name, partial(document.locate, place))
        cards = [loaded.whole.cards[name]] if name in loaded.whole.cards else []
    else:
        place, passes = (*path, "where"), compile_where(line.where)
        cards = [card for card in loaded.whole.cards.values() if passes(alone(card), None)]
        wrong = [
            finding
            for field in line.where.fields
            for finding in known.tested(field, lookup(document.value, (*place, field)), (*place, field), document)
        ]
        yield from wrong
        if not cards and not wrong and len(loaded.whole.cards) == len(loaded.files):  # else a card may have dropped out
            yield EMPTY.finding(_("no card fits"), document.locate(place))
    sheets = path[2] == "sheets"
    mixed = [card.id for card in cards if loaded.whole.manifest.kinds[card.kind].table != sheets]
    if mixed:
        form = _("{listed}: no sheet for the table") if sheets else _("{listed}: a sheet for the table")
        yield MIXED.finding(_(form, listed=", ".join(mixed[:3])), document.locate(place))
