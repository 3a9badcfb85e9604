"""Fit the names at the heads of cards. What is cut there is printed in full below. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from builder.imported.card import ImportedCard, TitledText
from builder.imported.measure import BOLD_WIDTH_FACTOR, count_lines
from builder.imported.pages import MM_PER_PT
from builder.model.markup import escape_markup

COST_MM = 16.0
"""The width at the right of a name that the cost takes."""
MIN_NAME_PT = 7.0
"""The type size to which long names are reduced before they are cut."""
MAX_NAME_LINES = 2
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Heads:
    """The heading lines of a card: its name, the line below it, and the name on its back."""

    name: str
    side: str
    back_name: str


def fit_heads(
    card: ImportedCard, side: str, width: float
) -> tuple[Heads, list[TitledText]]:
    """Cut the headings of a card to a width in mm. Return them, and the full texts of those cut."""
    em = MIN_NAME_PT * MM_PER_PT
    # The letter of a unit and the number of a further card are printed after the name.
    name_width = (width - COST_MM) / em / BOLD_WIDTH_FACTOR
    name = _cut_text(card.name, " W (9)", name_width, MAX_NAME_LINES)
    back_name = _cut_text(card.name, " W", width / em / BOLD_WIDTH_FACTOR, 1)
    side_line = " · ".join(text for text in (card.custom_name, side) if text)
    side_head = _cut_text(side_line, "", width / em / 1.06, 1)
    cut_texts = []
    if name != card.name:
        cut_texts.append(TitledText("", escape_markup(card.name)))
    if side_head != side_line:
        cut_texts.append(TitledText("", escape_markup(side_line)))
    return Heads(name, side_head, back_name), cut_texts


def _cut_text(text: str, ending: str, width: float, max_lines: int) -> str:
    """Cut a text with an ellipsis until it and the `ending` fit a number of lines."""
    if count_lines(text + ending, width) <= max_lines:
        return text
    length = len(text) - 1
    while (
        length > 1 and count_lines(text[:length] + ELLIPSIS + ending, width) > max_lines
    ):
        length -= 1
    return text[:length].rstrip() + ELLIPSIS
