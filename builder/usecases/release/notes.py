"""Release notes of one step, in each language."""

from __future__ import annotations

from builder.errata.difference import difference
from builder.errata.notes import Notes, notes
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.messages import gettext as _


def release_notes(old: Snapshot, new: Snapshot, langs: tuple[str, ...]) -> tuple[Notes, ...]:
    """The notes in the asked languages, or in all of the pack's. UsageError for one it does not have."""
    known = new.languages or ("en",)
    for lang in langs:
        if lang not in known:
            raise UsageError(
                _("{pack} has no language {lang}", pack=new.pack, lang=lang),
                _("Its languages: {listed}.", listed=", ".join(known)),
            )
    changes = difference(old, new)
    return tuple(notes(old, new, changes, lang) for lang in langs or known)
