"""Checks a card's file, id, kind, revision, dates and history, and that its name is unique."""

from collections.abc import Iterator

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack

FILE_NAME = define(
    "cards/file-name",
    _("The name or folder of the file does not match the card's id or kind"),
    _(
        "Cards are found by file name and folder. With two names one card would count as "
        "two, and in another folder it would be missing."
    ),
    _(
        "Rename the file to <id>.yaml in the folder of its kind, or correct `id` or `kind`."
    ),
)
DUPLICATE_ID = define(
    "cards/duplicate-id",
    _("Two cards share an id"),
    _("References, rosters and releases name a card only by its id."),
    _("Give one of the cards another id."),
)
REVISION = define(
    "cards/revision",
    _("The revision or its date does not match the card's history"),
    _(
        "Both are printed on the card. Players compare them to see if their card is current."
    ),
    _(
        "Write one history entry per revision, numbered from 1. `revision` and `released` "
        "must match the last entry."
    ),
)
DATE_ORDER = define(
    "cards/date-order",
    _("The dates are not in order"),
    _("A revision cannot be released or take effect before the previous revision."),
    _("Correct the date."),
)
SAME_NAME = define(
    "cards/same-name",
    _("Two cards of one kind have the same name"),
    _(
        "Squad sheets, messages and players use the printed name. Nobody could tell which "
        "card is meant."
    ),
    _("Rename one of them, or add a byword to distinguish them."),
    Severity.WARNING,
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the file name, id, history and dates of every card, and find equal names."""
    yield from _check_file_names(loaded)
    for card_id, card in loaded.whole.cards.items():
        yield from _check_history(card, loaded.documents[card_id])
    # Two units of one name in lists of another program differ in equipment. Their names are right.
    if not loaded.whole.manifest.imported:
        yield from _find_same_names(loaded)


def _check_file_names(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that each card file has its own id, and the name and folder of its card."""
    first_documents: dict[str, Document] = {}
    for file in loaded.files:
        if file.id is not None:
            first = first_documents.setdefault(file.id, file.document)
            if first is not file.document:
                message = _(
                    "{id} is already the id of {file}", id=file.id, file=first.file
                )
                yield DUPLICATE_ID.finding(message, file.document.locate(("id",)))
        if file.id is not None and file.id != file.stem:
            names = {"id": file.id, "stem": file.stem}
            hint = _("Rename the file to {id}.yaml, or set id: {stem}.", **names)
            message = _("the id is {id}, but the file is {stem}.yaml", **names)
            yield FILE_NAME.finding(message, file.document.locate(("id",)), hint)
        if file.kind in loaded.whole.manifest.kinds and file.kind != file.folder:
            message = _(
                "the kind is {kind}, but the folder is {folder}",
                kind=file.kind,
                folder=file.folder,
            )
            yield FILE_NAME.finding(message, file.document.locate(("kind",)))


def _check_history(card: Card, document: Document) -> Iterator[Finding]:
    for index, entry in enumerate(card.history):
        path = ("history", index)
        if entry.revision != index + 1:
            form = _("history entry {number} has revision {stated}")
            message = _(form, number=index + 1, stated=entry.revision)
            yield REVISION.finding(message, document.locate((*path, "revision")))
        if index and entry.released < card.history[index - 1].released:
            form = _(
                "{released} is before {earlier}, the date of the previous revision"
            )
            earlier = card.history[index - 1]
            message = _(form, released=entry.released, earlier=earlier.released)
            yield DATE_ORDER.finding(message, document.locate((*path, "released")))
        if entry.effective is not None and entry.effective < entry.released:
            form = _(
                "effective on {effective}, which is before the release on {released}"
            )
            message = _(form, effective=entry.effective, released=entry.released)
            yield DATE_ORDER.finding(message, document.locate((*path, "effective")))
    if card.revision != len(card.history):
        form = _(
            "the card has revision {revision}, but its history has {count} entries"
        )
        message = _(form, revision=card.revision, count=len(card.history))
        yield REVISION.finding(message, document.locate(("revision",)))
    if card.history and card.released != card.history[-1].released:
        form = _("released is {stated}, but the last history entry is dated {last}")
        message = _(form, stated=card.released, last=card.history[-1].released)
        yield REVISION.finding(message, document.locate(("released",)))


def _find_same_names(loaded: LoadedPack) -> Iterator[Finding]:
    """Report cards of one kind that have the same name in some language.

    Case and spaces do not tell names apart. A reprint has the name of its original.
    """
    pack = loaded.whole
    kinds = {}
    names = {}
    for item in pack.cards.values():
        if item.reprint_of is None:
            kinds[item.id] = item.kind
            names[item.id] = item.name
    reported_pairs = set()
    for card, first_card in _pair_cards_by_name(kinds, names):
        reported_pairs.add((card, first_card))
        yield _report_same_name(
            names[card], first_card, loaded.documents[card].locate(("name",))
        )
    for lang, cards in pack.translations.items():
        names_in_lang = {}
        for card in kinds:
            if "name" in cards.get(card, {}):
                names_in_lang[card] = cards[card]["name"].text
        for card, first_card in _pair_cards_by_name(kinds, names_in_lang):
            if (card, first_card) not in reported_pairs:
                place = loaded.translations[lang, card].locate(
                    ("strings", "name", "text")
                )
                yield _report_same_name(names_in_lang[card], first_card, place)


def _pair_cards_by_name(
    kinds: dict[str, str], names: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield each card with the earlier card of its kind that has the same name."""
    first_cards: dict[tuple[str, str], str] = {}
    for card, name in names.items():
        key = (kinds[card], " ".join(name.split()).casefold())
        first_card = first_cards.setdefault(key, card)
        if first_card != card:
            yield card, first_card


def _report_same_name(name: str, first_card: str, place: Location) -> Finding:
    message = _("{other} already has the name {name}", name=name, other=first_card)
    return SAME_NAME.finding(message, place)
