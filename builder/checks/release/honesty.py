"""What a history entry calls a misprint, a wording or art must not change a number."""

from __future__ import annotations

from collections.abc import Iterator

from builder.errata.change import ChangeClass, FieldChange, substance
from builder.errata.proposal import Proposal
from builder.findings import Finding
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.codes import define

HARMLESS = frozenset({"misprint", "wording", "art"})

CODE = define(
    "release/number-in-misprint",
    _("An entry says misprint, wording or art while a number changed"),
    _("Players skip misprints when they read release notes; a changed number hidden there spoils games."),
    _("Give the history entry the type balance or rules, or take the number back."),
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Judge the cards whose every new entry is of a harmless type."""
    for change in proposal.difference.cards:
        types = {str(entry.get("type")) for entry in change.history}
        if not change.old_id or not types or not types <= HARMLESS:
            continue
        for field in change.fields:
            if number_changed(field):
                form = _("{card}: the history says {types}, but {path} changed from {old!r} to {new!r}")
                said = joined(sorted(types), _("{first} and {rest}"))
                message = _(form, card=change.id, types=said, path=field.path, old=field.old, new=field.new)
                yield CODE.finding(message, proposal.place(change.id, field.path))


def number_changed(field: FieldChange) -> bool:
    """True if a number of the game differs: a number itself, or one written inside a text."""
    if field.type is ChangeClass.TRANSLATION:
        return False
    if any(isinstance(value, int | float) and not isinstance(value, bool) for value in (field.old, field.new)):
        return True
    if isinstance(field.old, str) and isinstance(field.new, str):
        return _numbers(field.old) != _numbers(field.new)
    return False


def _numbers(text: str) -> list[str]:
    return sorted(part for part in substance(text) if any(character.isdigit() for character in part))
