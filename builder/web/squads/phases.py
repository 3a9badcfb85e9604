"""Reminders by phase: the texts of a squad's cards that name a phase at their start."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from markupsafe import Markup

from builder.imported.theme import MAX_PHASE_CHARACTERS

MAX_CONDITION_CHARACTERS = 100
"""A text that is not longer may only say when the next one is used."""


@dataclass(frozen=True, slots=True)
class PhaseReminder:
    """A card text that a player needs in a phase. `title` is its heading, or empty.

    `start` is where it may name the phase: the beginning of heading and text.
    """

    card: str
    title: str
    text: Markup
    start: str


def group_by_phase(
    phases: Iterable[Sequence[str]], reminders: Iterable[PhaseReminder]
) -> Mapping[str, Sequence[PhaseReminder]]:
    """Return the reminders of each phase that has any, once for cards with equal texts.

    A phase is given by its name and the other forms that texts have of it.
    """
    patterns = {}
    for forms in phases:
        # Longer forms come first: one may begin another.
        words = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        patterns[forms[0]] = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    groups: dict[str, dict[PhaseReminder, None]] = {phase: {} for phase in patterns}
    for reminder in reminders:
        for phase, pattern in patterns.items():
            if pattern.search(reminder.start):
                groups[phase][reminder] = None
    return {phase: tuple(group) for phase, group in groups.items() if group}


def list_texts(
    card: str, parts: Iterable[tuple[str, Iterable[Markup]]]
) -> Iterator[PhaseReminder]:
    """Yield the texts of a card's parts, which are titles with texts.

    A short text may only say when the next one is used, so it comes with that one.
    """
    for title, texts in parts:
        part_texts = tuple(texts)
        for text, next_text in zip_longest(
            part_texts, part_texts[1:], fillvalue=Markup("")
        ):
            plain_text = text.striptags()
            if len(plain_text) <= MAX_CONDITION_CHARACTERS:
                text += next_text
            start = f"{title} {plain_text}"[:MAX_PHASE_CHARACTERS]
            yield PhaseReminder(card, title, text, start)
