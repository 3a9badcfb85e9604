"""The appearance of imported cards: colours, names and order of columns, keywords. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from pydantic import Field

from builder.imported.card import ImportedCard, ImportedList
from builder.imported.columns import ColumnNames
from builder.model.base import Model
from builder.model.gauge import Colour

ColourName = Literal["paper", "ink", "muted", "line", "panel", "accent", "on-accent"]
COLOURS: Mapping[ColourName, str] = {
    "paper": "#fbfaf7",
    "ink": "#1d1c1a",
    "muted": "#5f5b54",
    "line": "#cfc9bd",
    "panel": "#ece8df",
    "accent": "#2f4858",
    "on-accent": "#ffffff",
}
"""The colours that a theme may set, and their defaults."""
UNLABELLED_COLUMNS = (
    "keywords", "abilities", "traits", "special rules", "type", "text", "description", "effect",
)  # fmt: skip
"""Columns whose notes are printed without the name of the column."""
MAX_PHASE_CHARACTERS = 60
"""The start of a text in which a phase is searched."""


class KeywordGroups(Model):
    """Keywords that a theme prints first, in this order, and keywords that it omits."""

    first: tuple[str, ...] = Field(default=(), description="Keywords that come first.")
    omitted: tuple[str, ...] = Field(
        default=(), description="Keywords that are left out."
    )


class Theme(Model):
    """A design for imported lists of one or more game systems."""

    name: str = Field(description="The theme's name.")
    systems: tuple[str, ...] = Field(
        default=(),
        description="The ids of the game systems whose lists get this theme.",
    )
    colours: Mapping[ColourName, Colour] = Field(
        default_factory=dict, description="Colours of cards."
    )
    column_order: tuple[str, ...] = Field(
        default=(), description="Columns that come first in tables, in this order."
    )
    short_names: Mapping[str, str] = Field(
        default_factory=dict,
        description="Names of columns that are used in narrow tables.",
    )
    box_columns: tuple[str, ...] = Field(
        default=(), description="Columns of stat lines whose numbers become boxes."
    )
    keywords: KeywordGroups = Field(
        default_factory=KeywordGroups, description="Groups of keywords."
    )
    phases: Mapping[str, Colour] = Field(
        default_factory=dict,
        description="Words at the start of abilities, and the colours of their marks.",
    )

    @property
    def column_names(self) -> ColumnNames:
        """The order and the short names of columns, in lower case."""
        short_names = {name.lower(): short for name, short in self.short_names.items()}
        order = tuple(name.lower() for name in self.column_order)
        return ColumnNames(short_names, order, UNLABELLED_COLUMNS)

    def format_css_variables(self) -> str:
        """Format the theme's colours as CSS variables."""
        colours = {**COLOURS, **self.colours}
        return " ".join(f"--{name}: {colour};" for name, colour in colours.items())

    def format_phase_styles(self) -> Iterator[str]:
        """Yield a CSS rule with the mark's colour for each phase of the game."""
        for number, colour in enumerate(self.phases.values(), 1):
            yield f".passage.phase-{number} {{ border-left-color: {colour} }}"

    def find_phase(self, text: str) -> int:
        """Return the number of the phase that the start of an ability names, from 1, or 0."""
        start = text[:MAX_PHASE_CHARACTERS].lower()
        for number, word in enumerate(self.phases, 1):
            if re.search(rf"\b{re.escape(word.lower())}\b", start):
                return number
        return 0


def apply_theme(imported: ImportedList, theme: Theme) -> ImportedList:
    """Return an imported list with its keywords sorted and filtered by a theme."""
    cards: list[ImportedCard] = []
    for card in imported.cards:
        keywords = sort_keywords(card.keywords, theme.keywords)
        cards.append(replace(card, keywords=tuple(keywords)))
    return replace(imported, cards=tuple(cards))


def sort_keywords(keywords: Iterable[str], groups: KeywordGroups) -> list[str]:
    """Return the keywords without omitted ones, those of the theme first."""
    first = [word.lower() for word in groups.first]
    omitted = [word.lower() for word in groups.omitted]
    printed_keywords = [word for word in keywords if word.lower() not in omitted]

    def get_rank(keyword: str) -> int:
        word = keyword.lower()
        return first.index(word) if word in first else len(first)

    # Sorting is stable: the other keywords stay in their order.
    return sorted(printed_keywords, key=get_rank)
