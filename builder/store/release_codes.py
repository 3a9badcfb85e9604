"""What reading a release can find."""

from __future__ import annotations

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
