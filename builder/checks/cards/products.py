"""products.yaml names only what is there, every line of it fits some card, and sheets are told from cards."""

from collections.abc import Collection, Iterator
from functools import partial

from builder.checks.cards.references import UNKNOWN_ART, KnownNames
from builder.dice.stats import alone
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Path, lookup
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.product import ProductLine
from builder.model.words import suggestion, term
from builder.rules.query import compile_where

UNKNOWN_NAME = define(
    "products/unknown-name",
    _("A language or gauge of a product that does not exist"),
    _("The box would lack what the product promises."),
    _("Correct the name, or add the language to pack.yaml or the gauge to gauges.yaml."),
)
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
    """Every line of every product, then its languages and gauges."""
    document, products = loaded.sources.get("products.yaml"), loaded.products
    if loaded.pack is None or document is None or products is None:
        return
    known, gauges = KnownNames.of(loaded), loaded.gauges
    ids = [gauge.id for group in (gauges.groups if gauges is not None else ()) for gauge in group.gauges]
    for name, product in products.products.items():
        path: Path = ("products", name)
        for deck, holds in product.decks.items():
            for index, line in enumerate(holds.cards):
                yield from _line(loaded, document, line, (*path, "decks", deck, "cards", index), known)
            for side in ("front", "back"):
                yield from _art(loaded, document, (*path, "decks", deck, "box", side), known)
        for index, line in enumerate(product.sheets):
            yield from _line(loaded, document, line, (*path, "sheets", index), known)
        yield from _names(document, product.languages, loaded.pack.manifest.languages.all, (*path, "languages"))
        if not isinstance(product.gauges, bool):
            yield from _names(document, product.gauges, ids, (*path, "gauges"))


def _art(loaded: LoadedPack, document: Document, path: Path, known: KnownNames) -> Iterator[Finding]:
    """The picture or the card that a wall of a box names."""
    card, art = (lookup(document.value, (*path, key)) for key in ("card", "art"))
    if isinstance(card, str) and (finding := known.judge("card", card, partial(document.locate, (*path, "card")))):
        yield finding
    if isinstance(art, str) and art not in loaded.art:
        message, hint = _("there is no picture {name}", name=art), suggestion(art, loaded.art, _("Pictures here"))
        yield UNKNOWN_ART.finding(message, document.locate((*path, "art")), hint)


def _names(document: Document, named: Collection[str], known: Collection[str], path: Path) -> Iterator[Finding]:
    what = term({"languages": "language", "gauges": "gauge"}[str(path[-1])])
    for index, name in enumerate(named):
        if name not in known:
            message = _("there is no {what} {name}", what=what, name=name)
            yield UNKNOWN_NAME.finding(message, document.locate((*path, index)), suggestion(name, known))


def _line(
    loaded: LoadedPack, document: Document, line: ProductLine, path: Path, known: KnownNames
) -> Iterator[Finding]:
    """The ids a line names, that some card fits it, and that all of them may lie where it stands."""
    if line.where is None:
        place, name = (*path, "card"), line.card or ""
        if finding := known.judge("card", name, partial(document.locate, place)):
            yield finding
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
