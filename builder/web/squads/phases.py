"""Reminders by phase: the texts of a squad's cards that name a phase at their start."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from builder.imported.theme import MAX_PHASE_CHARACTERS


@dataclass(frozen=True, slots=True)
class PhaseReminder:
    """A card text that a player needs in a phase. `title` is its heading, or empty."""

    card: str
    title: str
    text: Markup


def group_by_phase(
    phases: Sequence[str], reminders: Iterable[PhaseReminder]
) -> Mapping[str, Sequence[PhaseReminder]]:
    """Return the reminders of each phase that has any, once for cards with equal texts."""
    groups: dict[str, dict[PhaseReminder, None]] = {phase: {} for phase in phases}
    for reminder in reminders:
        start = f"{reminder.title} {reminder.text.striptags()}"[:MAX_PHASE_CHARACTERS]
        for phase in phases:
            if re.search(rf"\b{re.escape(phase)}\b", start, re.IGNORECASE):
                groups[phase][reminder] = None
    return {phase: tuple(group) for phase, group in groups.items() if group}


def list_texts(
    card: str, parts: Iterable[tuple[str, Iterable[Markup]]]
) -> Iterator[PhaseReminder]:
    """Yield the texts of a card's parts, which are titles with texts."""
    for title, texts in parts:
        for text in texts:
            yield PhaseReminder(card, title, text)
