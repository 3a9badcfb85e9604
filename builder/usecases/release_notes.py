"""Release notes of one step, in each language."""

from __future__ import annotations

from builder.errata.difference import difference
from builder.errata.notes import Notes, notes
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError


def release_notes(old: Snapshot, new: Snapshot, langs: tuple[str, ...]) -> tuple[Notes, ...]:
    """The notes in the asked languages, or in all of the pack's. UsageError for one it does not have."""
    known = new.languages or ("en",)
    for lang in langs:
        if lang not in known:
            raise UsageError(f"{new.pack} has no language {lang}", f"Its languages: {', '.join(known)}.")
    changes = difference(old, new)
    return tuple(notes(old, new, changes, lang) for lang in langs or known)
