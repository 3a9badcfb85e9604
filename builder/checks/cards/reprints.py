"""Check that an erratum to a card reaches its reprints."""

from collections.abc import Iterator, Mapping

from builder.errata.reprints import find_missed_errata, group_reprints
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import LoadedPack

MISSED_ERRATUM = define(
    "cards/reprint-unchanged",
    _("A card was changed, but its reprint was not"),
    _("Players read the same card with two texts, and do not know which one is right."),
    _(
        "Change the reprint too, and use `squadpress card bump ID --reprints`, which adds the "
        "history entry to all prints of a card."
    ),
    Severity.WARNING,
)


def find_reprints(loaded: LoadedPack) -> dict[str, tuple[str, ...]]:
    """Return the ids of the other prints of each card that was printed more than once."""
    cards = loaded.whole.cards.values()
    return group_reprints(
        {card.id: card.reprint_of for card in cards if card.reprint_of}
    )


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Report cards that were corrected while another print of them was not."""
    groups = find_reprints(loaded)
    raw_cards = {}
    for card in groups:
        value = loaded.documents[card].value if card in loaded.documents else None
        if isinstance(value, Mapping):
            raw_cards[card] = value
    for missed in find_missed_errata(raw_cards, groups):
        form = _(
            "{card} is a print of {other}, which got a {type} change on {day}; they differ in "
            "{fields}"
        )
        message = _(
            form,
            card=missed.card,
            other=missed.changed_card,
            type=missed.type,
            day=missed.day,
            fields=", ".join(missed.fields),
        )
        yield MISSED_ERRATUM.finding(
            message, loaded.documents[missed.card].locate(("history",))
        )
