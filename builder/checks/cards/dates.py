"""A card's revision and dates agree with its history."""

from __future__ import annotations

from collections.abc import Iterator

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack

REVISION = define(
    "cards/revision",
    _("The revision does not agree with the history"),
    _("Players compare revisions to know whether their printed card is current."),
    _("Keep one history entry per revision, numbered from 1, and write the last number as `revision`."),
)
RELEASED = define(
    "cards/released",
    _("The release date does not agree with the history"),
    _("The printed date is the day of the last change."),
    _("Write the date of the last history entry as `released`."),
)
DATE_ORDER = define(
    "cards/date-order",
    _("Dates that go backwards"),
    _("A later revision cannot be published, and none can take effect, before what it follows."),
    _("Correct the date."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every valid card."""
    assert loaded.pack is not None
    for card_id, card in loaded.pack.cards.items():
        document = loaded.documents[card_id]
        yield from _numbers(card, document)
        yield from _days(card, document)


def _numbers(card: Card, document: Document) -> Iterator[Finding]:
    for index, entry in enumerate(card.history):
        if entry.revision != index + 1:
            place = document.locate(("history", index, "revision"))
            yield REVISION.finding(
                _("entry {number} of the history is called revision {stated}", number=index + 1, stated=entry.revision),
                place,
            )
    if card.revision != len(card.history):
        count = len(card.history)
        message = _(
            "the card is at revision {revision}, but its history counts {count}", revision=card.revision, count=count
        )
        yield REVISION.finding(message, document.locate(("revision",)))


def _days(card: Card, document: Document) -> Iterator[Finding]:
    for index, entry in enumerate(card.history):
        if index and entry.released < card.history[index - 1].released:
            place = document.locate(("history", index, "released"))
            message = _(
                "{released} is before {earlier}, the revision before it",
                released=entry.released,
                earlier=card.history[index - 1].released,
            )
            yield DATE_ORDER.finding(message, place)
        if entry.effective is not None and entry.effective < entry.released:
            place = document.locate(("history", index, "effective"))
            yield DATE_ORDER.finding(
                _(
                    "{effective} is before the release on {released}",
                    effective=entry.effective,
                    released=entry.released,
                ),
                place,
            )
    if card.history and card.released != card.history[-1].released:
        message = _(
            "released is {stated}, but the last change is of {last}",
            stated=card.released,
            last=card.history[-1].released,
        )
        yield RELEASED.finding(message, document.locate(("released",)))
