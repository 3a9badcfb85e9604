"""Warn about cards that readers of a language do not see in it."""

from collections.abc import Iterable

from builder.checks.cards.translations import MISSING
from builder.errata.notes import Notes
from builder.errata.snapshot import Snapshot
from builder.errata.translations import list_untranslated_cards
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.words import name_language


def warn_untranslated(
    state: Snapshot, all_notes: Iterable[Notes]
) -> tuple[Finding, ...]:
    """Return a warning for each card of some notes that lacks a translation in their language."""
    warnings: list[Finding] = []
    for notes in all_notes:
        cards = [note.card for note in notes.cards]
        for card in list_untranslated_cards(state, notes.lang, cards):
            form = _("{card} has texts that are not translated into {language}")
            message = _(form, card=card, language=name_language(notes.lang))
            place = Location(path=card)
            warnings.append(MISSING.finding(message, place, severity=Severity.WARNING))
    return tuple(warnings)
