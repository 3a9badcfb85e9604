"""A new squad starts with the release in force, not with edited or planned files."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from builder.web.cards import history
from builder.web.squads.models import SavedSquad

DAYS = [
    (date(2026, 11, 10), "1.0.0"),
    (date(2026, 11, 27), "2.0.0"),  # the third release is planned
    (date(2026, 12, 1), "3.0.0"),
    (date(2027, 1, 15), "3.1.0"),
]


@pytest.fixture
def today(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> date:
    day: date = request.param
    monkeypatch.setattr("builder.web.squads.views.games.localdate", lambda: day)
    monkeypatch.setattr(
        "builder.web.squads.views.games.choose_new_squad_version",
        history.choose_new_squad_version,
    )
    monkeypatch.setattr(
        history, "find_played_release", lambda _pack: ""
    )  # the game is being changed
    return day


@pytest.mark.parametrize(("today", "version"), DAYS, indirect=["today"])
@pytest.mark.usefixtures("today")
def test_a_new_squad_is_pinned_to_the_release_in_force(
    client: Client, version: str
) -> None:
    address = client.post("/squads", {"pack": "hydrophilia"})["Location"].partition(
        "?"
    )[0]
    squad = SavedSquad.objects.get()
    assert (squad.release, squad.based) == (version, version)
    assert f'version: "{version}"' in squad.text or f"version: {version}" in squad.text
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("today", [date(2026, 11, 27)], indirect=True)
@pytest.mark.usefixtures("today")
def test_a_game_without_releases_moves_with_its_cards(client: Client) -> None:
    client.post("/squads", {"pack": "zod"})
    assert SavedSquad.objects.get().release == ""


def test_a_game_that_plays_as_its_release_is_not_pinned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "find_played_release", lambda _pack: "3.0.0")
    assert history.choose_new_squad_version("hydrophilia", date(2026, 12, 1)) is None
    assert (
        history.choose_new_squad_version("hydrophilia", date(2026, 11, 27)) == "2.0.0"
    )


@pytest.mark.parametrize(("day", "version"), DAYS)
def test_an_event_is_checked_by_the_release_in_force_unless_requested_otherwise(
    client: Client, monkeypatch: pytest.MonkeyPatch, day: date, version: str
) -> None:
    monkeypatch.setattr("builder.web.events.views.organisers.localdate", lambda: day)
    page = client.get("/events/new/hydrophilia").content.decode()
    assert re.findall(r'<option value="([0-9.]+)" selected>', page) == [version]


def test_a_planned_release_is_offered_to_events_as_planned(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.web.events.views.organisers.localdate", lambda: date(2026, 11, 27)
    )
    page = client.get(
        "/events/new/hydrophilia", headers={"accept-language": "en"}
    ).content.decode()
    assert re.search(
        r'<option value="3.0.0">3.0.0 \(planned for [^)]*2026[^)]*\)</option>', page
    )
