"""Move texts that many cards share to reference cards. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from builder.imported.card import ImportedCard, TitledText

CARDS_PER_SHARED_TEXT = 3
"""A text goes to a reference card if at least 1 card in 3 has it, but at least 2 cards."""
MIN_SHARED_CHARACTERS = 60
"""A shorter text stays on its cards: a reference would need as much space."""
MIN_LONG_CHARACTERS = 400
"""A text of at least this length goes to a reference card if 2 cards have it."""


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text that belongs to no single card, and the id of its profile or rule."""

    passage: TitledText
    source: str


def move_shared_texts(
    cards: Sequence[ImportedCard], shared_texts: Iterable[SharedText]
) -> tuple[list[ImportedCard], list[SharedText]]:
    """Return the cards with only the titles of shared texts, and the texts for the references."""
    counts: Counter[TitledText] = Counter()
    for card in cards:
        counts.update(set(card.passages))
    min_count = max(2, -(-len(cards) // CARDS_PER_SHARED_TEXT))
    texts = [text for text in shared_texts if text.passage.title or text.passage.text]
    moved = {text.passage for text in texts if text.passage.text}
    for passage, count in counts.items():
        is_long = len(passage.text) >= MIN_LONG_CHARACTERS
        if len(passage.text) >= MIN_SHARED_CHARACTERS and count >= (2 if is_long else min_count):
            moved.add(passage)
            texts.append(SharedText(passage, ""))
    shorter_cards = [
        replace(card, passages=_drop_moved_texts(card.passages, moved)) for card in cards
    ]
    return shorter_cards, texts


def _drop_moved_texts(
    passages: Iterable[TitledText], moved: set[TitledText]
) -> tuple[TitledText, ...]:
    shorter = []
    for passage in passages:
        # Without a title, nothing would lead to the reference.
        is_moved = passage in moved and passage.title
        shorter.append(TitledText(passage.title) if is_moved else passage)
    return tuple(dict.fromkeys(shorter))


def make_references(texts: Sequence[SharedText]) -> Iterator[ImportedCard]:
    """Yield the reference card with all shared texts in the order of their titles."""
    passages = sorted({text.passage for text in texts}, key=lambda passage: passage.title.lower())
    if passages:
        sources = frozenset(text.source for text in texts if text.source)
        yield ImportedCard("", passages=tuple(passages), sources=sources)
