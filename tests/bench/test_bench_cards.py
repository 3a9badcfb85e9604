"""Cards of a bench must differ, or rendering looks faster than with real games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.bench.cards import KIND, NAMES, PACK, TEXTS, made, project_of, texts


def test_no_made_up_card_says_what_another_says() -> None:
    said = Counter(text for _, card in made(300) for text in texts(card))
    assert len(said) > 1000
    assert max(said.values()) == 1


def test_made_up_texts_are_about_as_long_as_the_packs_own() -> None:
    cards = [card for _, card in made(300)]
    for keys, natural in ((NAMES, (8, 16)), (TEXTS, (80, 160))):
        lengths = [len(text) for card in cards for text in texts(card, keys)]
        assert natural[0] < sum(lengths) / len(lengths) < natural[1]


def test_made_up_cards_are_cards_of_the_pack(tmp_path: Path) -> None:
    loaded = load_pack(Project(project_of(tmp_path, 60)), PACK)
    assert loaded.pack is not None
    assert not loaded.findings
    assert len(tuple(loaded.pack.list_cards_of_kind(KIND))) == 60
