"""What reading a release can find."""

from __future__ import annotations

from builder.findings import Severity
from builder.model.codes import define

UNREADABLE = define(
    "release/unreadable",
    "A part of a release cannot be read",
    "A release is the only witness of what was published; the rest of it is used all the same.",
    "Restore the file from your repository or from a published copy.",
)
ALTERED = define(
    "release/altered",
    "A part of a release is not as it was published",
    "A published version never changes: squads, prints and verdicts refer to its bytes.",
    "Restore the file from your repository; changes belong into a new release.",
)
OUTDATED = define(
    "release/outdated",
    "A frozen part no longer fits the program's formats",
    "Formats grow; what an old release says in an older form is compared as it stands but not played or printed.",
    "Use the version of squadpress that made the release, or go without this card.",
)
NEWER = define(
    "release/newer",
    "A newer release than the squad's own is in force",
    "A squad may stay with the cards it was built for; at the next table the newer ones may count.",
    "`squadpress release impact OLD NEW FILE` says what the newer release does to it.",
    Severity.NOTE,
)
UNKNOWN = define(
    "release/unknown",
    "A squad is pinned to a release that does not exist",
    "It cannot be judged by cards that nobody has.",
    "Correct `version` in the roster, or remove it to use the cards as they are.",
)
