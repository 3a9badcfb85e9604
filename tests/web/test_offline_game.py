"""What browsers store to build squads without a network, and what they send later."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.test import Client

from builder.web.squads.models import SavedSquad, SquadStep

KEY = "9d1fc0de-0000-4000-8000-000000000001"


@pytest.fixture(autouse=True)
def current_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store the cards of today, whatever the last release has."""
    monkeypatch.setattr(
        "builder.web.squads.offline_game.choose_new_squad_version",
        lambda _pack, _day: None,
    )


def test_a_game_has_its_cards_their_hosts_and_their_marks(client: Client) -> None:
    game = client.get("/games/hydrophilia/offline.json").json()
    cards = {card["id"]: card for card in game["cards"]}
    captain = cards["captain-davis"]
    assert captain["role"] == "entry"
    assert captain["cost"] > 0
    assert captain["each"].count('data-mark="@mark@.@copy@.b') == 6
    assert "@copy@" not in captain["once"]
    canister = cards["smoke-canister"]
    assert canister["each"].count('data-mark="@mark@.@copy@.n1.') == 1
    models = [card["id"] for card in game["cards"] if card["role"] == "entry"]
    hosts = {models[number] for number in game["hosts"].get("smoke-canister", [])}
    assert not hosts or "dispatcher" in hosts
    assert game["hosts"]  # some equipment is not for everyone
    assert "faces" in game


def test_the_games_texts_follow_the_language_of_the_page(client: Client) -> None:
    client.post("/language", {"language": "ru", "next": "/"})
    game = client.get("/games/hydrophilia/offline.json").json()
    captain = next(card for card in game["cards"] if card["id"] == "captain-davis")
    assert "Activated" not in captain["each"]


def test_the_address_of_a_game_changes_with_the_language(client: Client) -> None:
    page = client.get("/games/hydrophilia").content.decode()
    assert 'data-offline-game="/games/hydrophilia/offline.json?lang=en&amp;v=' in page


def test_a_squad_that_is_sent_twice_is_created_once(client: Client) -> None:
    form = {"pack": "hydrophilia", "param-size": "30", "name": "Twice", "key": KEY}
    for _attempt in range(2):
        answer = client.post("/squads", form)
        assert answer["Location"].startswith(f"/squads/{KEY}")
    assert SavedSquad.objects.filter(name="Twice").count() == 1


def test_nobody_takes_the_squad_of_another_by_its_id(client: Client) -> None:
    form = {"pack": "hydrophilia", "param-size": "30", "name": "Mine", "key": KEY}
    client.post("/squads", form)
    other = Client(headers={"accept-language": "en"})
    answer = other.post("/squads", {**form, "name": "Theirs"})
    assert answer.status_code == 404
    assert SavedSquad.objects.get(id=UUID(KEY)).name == "Mine"


def test_an_import_that_is_sent_twice_is_stored_once(client: Client) -> None:
    text = "pack: hydrophilia\nname: Again\nentries: [{card: captain-davis}]\n"
    for _attempt in range(2):
        answer = client.post("/import", {"text": text, "keep": "1", "key": KEY})
        assert answer["Location"] == f"/squads/{KEY}"
    assert SavedSquad.objects.filter(name="Again").count() == 1


def test_a_change_that_is_sent_twice_is_made_once(client: Client, squad: str) -> None:
    form = {"do": "add captain-davis", "change": str(uuid4())}
    for _attempt in range(2):
        assert client.post(f"{squad}/edit", form).status_code == 302
    assert SquadStep.objects.count() == 1
    client.post(f"{squad}/edit", {"do": "add captain-davis"})
    assert SquadStep.objects.count() == 2


def test_a_count_that_a_line_has_already_is_no_error(
    client: Client, squad: str
) -> None:
    client.post(f"{squad}/edit", {"do": "add captain-davis"})
    answer = client.post(f"{squad}/edit", {"do": "count 1 captain-davis 1"})
    assert answer.status_code == 302
    assert SquadStep.objects.count() == 1


def test_the_head_of_the_offline_page_has_a_token_for_waiting_changes() -> None:
    strict = Client(enforce_csrf_checks=True)
    token = strict.head("/offline")["X-CSRFToken"]
    form = {"pack": "hydrophilia", "param-size": "30"}
    assert strict.post("/squads", form).status_code == 403
    answer = strict.post("/squads", form, headers={"X-CSRFToken": token})
    assert answer.status_code == 302
