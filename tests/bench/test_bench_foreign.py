"""A bench whose cards repeat each other would look faster than it is on anyone's game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.bench.foreign import KIND, PACK, make_card, make_project


def test_no_card_has_the_text_of_another() -> None:
    cards = [make_card(index) for index in range(300)]
    texts = Counter(card["story"] for card in cards)
    texts.update(
        ability["text"] for card in cards for ability in card["abilities"].values()
    )
    assert len(texts) == 300 * 5
    assert max(texts.values()) == 1


def test_the_cards_are_cards_of_the_pack(tmp_path: Path) -> None:
    loaded = load_pack(Project(make_project(tmp_path, 20)), PACK)
    assert loaded.pack is not None
    assert not loaded.findings
    assert len(tuple(loaded.pack.list_cards_of_kind(KIND))) == 20
