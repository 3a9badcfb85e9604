"""Move texts that many cards share to reference cards. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil

from builder.imported.card import ImportedCard, TitledText

CARDS_PER_SHARED_TEXT = 3
"""A text goes to a reference card if at least 1 card in 3 has it, but at least 2 cards."""
MIN_SHARED_CHARACTERS = 60
"""A shorter text stays on its cards: a reference would need as much space."""
MIN_LONG_CHARACTERS = 400
"""A text of at least this length goes to a reference card if 2 cards have it."""


def move_shared_texts(
    cards: Sequence[ImportedCard], shared_texts: Iterable[TitledText]
) -> tuple[list[ImportedCard], list[TitledText]]:
    """Move texts that many cards share to reference cards.

    Return the shorter cards and the texts.

    `shared_texts` are those that belong to no single card.
    """
    counts: Counter[TitledText] = Counter()
    for card in cards:
        # A text that a card has twice is on one card only.
        counts.update(set(card.passages))
    min_count = max(2, ceil(len(cards) / CARDS_PER_SHARED_TEXT))
    texts = [text for text in shared_texts if text.title or text.text]
    moved_texts = {text for text in texts if text.text}
    for text, count in counts.items():
        length = len(text.text)
        min_cards = 2 if length >= MIN_LONG_CHARACTERS else min_count
        if length >= MIN_SHARED_CHARACTERS and count >= min_cards:
            moved_texts.add(text)
            texts.append(text)
    shorter_cards = [
        replace(card, passages=_drop_moved_texts(card.passages, moved_texts))
        for card in cards
    ]
    return shorter_cards, texts


def _drop_moved_texts(
    passages: Iterable[TitledText], moved_texts: set[TitledText]
) -> tuple[TitledText, ...]:
    shorter = []
    for passage in passages:
        # Without a title, nothing would lead to the reference.
        is_moved = passage in moved_texts and passage.title
        shorter.append(TitledText(passage.title) if is_moved else passage)
    return tuple(dict.fromkeys(shorter))


def make_references(texts: Iterable[TitledText]) -> Iterator[ImportedCard]:
    """Yield the reference card with all shared texts, sorted by title. None without texts."""
    # A set would change the order of texts with equal titles from run to run.
    passages = sorted(dict.fromkeys(texts), key=lambda text: text.title.lower())
    if passages:
        yield ImportedCard("", passages=tuple(passages))
