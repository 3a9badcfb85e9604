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
REMARKS = (
    REMARK,
    Commentary.model_validate(
        {"card": "hunter", "release": "2.0.0", "text": {"en": "Now in force."}}
    ),
    Commentary.model_validate(
        {"card": "hunter", "release": "3.1.0", "text": {"en": "Only planned."}}
    ),
)
LATER_RULING = RULING.model_copy(update={"id": "later", "date": date(2199, 1, 1)})


@pytest.fixture(autouse=True)
def rulings(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_named_state(get_library().packs, "hydrophilia", "2.0.0")[0]
    read = RulingReader(
        Rulings(
            tuple(LocatedRuling(item, Location()) for item in (RULING, LATER_RULING)),
            REMARKS,
        ),
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
    assert "Now in force." in page
    assert "<small>2.0.0</small>" in page
    assert "Only planned." in page, "the working files are shown"
    other = client.get("/cards/hydrophilia/character/rigger/").content.decode()
    assert "zugzwang" not in other
    data = client.get("/cards/hydrophilia/character/hunter.json").json()
    assert [(item["id"], item["date"]) for item in data["rulings"]] == [
        ("later", "2199-01-01"),
        ("hunt", "2020-01-01"),
    ]
    assert date.fromisoformat(data["rulings"][0]["date"])


def test_a_release_in_force_shows_nothing_of_later_releases_and_days(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = {"hydrophilia": "2.0.0"}
    monkeypatch.setattr(views, "get_site_states", lambda _request: states)
    monkeypatch.setattr(views, "localdate", lambda: date(2026, 11, 27))
    page = client.get("/cards/hydrophilia/character/hunter/").content.decode()
    assert "Our favourite." in page
    assert "Now in force." in page
    assert "Only planned." not in page
    assert 'id="hunt"' in page
    assert 'id="later"' not in page


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
