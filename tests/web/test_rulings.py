"""Rulings on card pages, on a page of their own, in search and in data."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from builder.errata.reader import NoteReader
from builder.errata.rulings import LocatedRuling, RulingReader, Rulings
from builder.findings import Location
from builder.model.ruling import Commentary, Ruling
from builder.usecases.pack_states import load_named_state
from builder.web.cards import search, views
from builder.web.cards.library import get_library

RULING = Ruling.model_validate(
    {
        "id": "hunt",
        "date": "2020-01-01",
        "cards": ["hunter"],
        "question": {"en": "Does zugzwang count?", "ru": "Считается?"},
        "answer": {"en": "It counts.", "ru": "Да."},
        "source": "https://forum.example.org/1",
    }
)
REMARK = Commentary.model_validate({"card": "hunter", "text": {"en": "Our favourite."}})


@pytest.fixture(autouse=True)
def rulings(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_named_state(get_library().packs, "hydrophilia", "2.0.0")[0]
    read = RulingReader(
        Rulings((LocatedRuling(RULING, Location()),), (REMARK,)),
        NoteReader(state, "en"),
    )
    for module in (views, search):
        monkeypatch.setattr(module, "get_rulings", lambda *_named: read)


def test_a_card_shows_its_rulings_and_commentary(client: Client) -> None:
    page = client.get("/cards/hydrophilia/character/hunter/").content.decode()
    assert "Does zugzwang count?" in page
    assert "Our favourite." in page
    assert 'id="hunt"' in page
    assert "changed since." in page  # the card has later history entries
    other = client.get("/cards/hydrophilia/character/rigger/").content.decode()
    assert "zugzwang" not in other
    data = client.get("/cards/hydrophilia/character/hunter.json").json()
    assert [(item["id"], item["date"]) for item in data["rulings"]] == [
        ("hunt", "2020-01-01")
    ]
    assert date.fromisoformat(data["rulings"][0]["date"])


def test_a_page_lists_all_rulings(client: Client) -> None:
    assert (
        "cards/hydrophilia/rulings/"
        in client.get("/cards/hydrophilia/").content.decode()
    )
    page = client.get("/cards/hydrophilia/rulings/").content.decode()
    assert "By card" in page
    assert "It counts." in page


def test_search_finds_words_of_rulings() -> None:
    words = search.load_card_words.__wrapped__("hydrophilia", "2.0.0", "en")  # type: ignore[attr-defined]
    assert [card for card, text in words.items() if "zugzwang" in text] == ["hunter"]
