"""Find the theme of a list, and read themes from their files."""

from __future__ import annotations

from builder.imported.card import ImportedList
from builder.imported.theme import Theme


def choose_theme(imported: ImportedList, name: str | None) -> Theme:
    """Return the theme of this name, else that of the list's game system."""
    return Theme("plain", "Plain")
