"""The appearance of imported cards: colours, column names, keyword groups. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from builder.imported.columns import ColumnNames

COLOURS = {
    "paper": "#fbfaf7",
    "ink": "#1d1c1a",
    "muted": "#5f5b54",
    "line": "#cfc9bd",
    "panel": "#ece8df",
    "accent": "#2f4858",
    "on-accent": "#ffffff",
    "second": "#7a3b2e",
}
"""The colours that a theme may set, and their defaults."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A design for the lists of some game systems.

    `phases` maps words at the start of abilities to the colour of their mark.
    """

    id: str
    name: str
    systems: tuple[str, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    column_names: ColumnNames = field(default_factory=lambda: ColumnNames({}))
    box_columns: tuple[str, ...] = ()
    first_keywords: tuple[str, ...] = ()
    omitted_keywords: tuple[str, ...] = ()
    phases: Mapping[str, str] = field(default_factory=dict)

    def format_variables(self) -> str:
        """Return the colours as variables of a style sheet."""
        colours = {**COLOURS, **self.colours}
        return " ".join(f"--{name}: {colour};" for name, colour in colours.items())

    def format_phases(self) -> Iterator[str]:
        """Yield a line of a style sheet for each phase."""
        for number, colour in enumerate(self.phases.values(), 1):
            yield f".passage.phase-{number} {{ border-left-color: {colour} }}"

    def find_phase(self, text: str) -> int:
        """Return the number of the phase that a text names at its start; 0 for none."""
        start = text[:60].lower()
        for number, word in enumerate(self.phases, 1):
            if re.search(rf"\b{re.escape(word.lower())}\b", start):
                return number
        return 0
