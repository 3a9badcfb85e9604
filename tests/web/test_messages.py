"""An organiser writes to players, and checks all lists under another release."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from builder.web.events.models import Event, EventList, EventMessage
from tests.web.test_events import LEGAL, handed, made, new, over

OLD = """pack: hydrophilia
name: Varga's workshop
entries:
  - {card: engineer-varga, id: varga}
  - {card: rigger, id: rigger}
  - {card: remora, count: 2, controller: varga}
  - {card: hydroid, count: 3}
"""


@pytest.fixture
def players() -> tuple[Client, Client]:
    return new(), new()


@pytest.fixture
def event(client: Client, players: tuple[Client, Client]) -> Event:
    """Return an event under the first release: one list has cards that changed later."""
    found = made(client, sealed="0", release="1.0.0", **{"param-size": "21"})
    assert handed(found, players[0], "Ann", OLD).status_code == 302
    harmless = "pack: hydrophilia\nname: Two\nentries: [remora]"
    assert handed(found, players[1], "Bob", harmless).status_code == 302
    return found


def test_all_players_see_a_message_with_its_time(
    client: Client, event: Event, players: tuple[Client, Client]
) -> None:
    place = f"/events/{event.pk}/messages"
    form = {"do": "send", "text": " Doors open <b>at nine</b>.\nNot at ten. "}
    assert client.post(place, form).status_code == 302
    for who in (*players, new()):
        page = who.get(f"/at/{event.code}").content.decode()
        assert "Doors open &lt;b&gt;at nine&lt;/b&gt;.\nNot at ten.<" in page
        assert re.search(r"\(Berlin\)</p>\n<p class=\"written\">Doors", page)
    key = EventMessage.objects.get().pk
    client.post(place, {"do": f"delete {key}", "sure": "1"})
    assert "Doors" not in players[0].get(f"/at/{event.code}").content.decode()


@pytest.mark.parametrize("wrong", [" ", "x" * 2_001])
def test_an_error_of_a_message_stands_at_its_field(
    client: Client, event: Event, wrong: str
) -> None:
    answer = client.post(f"/events/{event.pk}/messages", {"do": "send", "text": wrong})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'id="error-text"' in page
    assert f">{wrong}</textarea>" in page
    assert not EventMessage.objects.exists()


def test_there_is_a_limit_of_messages(client: Client, event: Event) -> None:
    for _turn in range(50):
        client.post(f"/events/{event.pk}/messages", {"do": "send", "text": "Again"})
    answer = client.post(f"/events/{event.pk}/messages", {"do": "send", "text": "One"})
    assert "Delete an old message." in answer.content.decode()
    assert EventMessage.objects.count() == 50


def test_a_recheck_shows_what_changes_and_leaves_the_lists_as_they_are(
    client: Client, event: Event
) -> None:
    before = list(EventList.objects.values("text", "verdict", "handed"))
    place = f"/events/{event.pk}/recheck"
    assert 'value="3.1.0"' in client.get(place).content.decode()
    page = client.get(place, {"release": "3.1.0"}).content.decode()
    ann, bob = page.partition("<b>Ann</b>")[2].split("<b>Bob</b>")
    assert re.search(r"<small>\d+ → \d+ ", ann)
    assert "→" not in bob.partition("</li>")[0]
    assert "2 lists under release 3.1.0" in page
    assert list(EventList.objects.values("text", "verdict", "handed")) == before


def test_the_reasons_are_shown(client: Client, event: Event) -> None:
    assert EventList.objects.get(player="Ann").verdict["legal"]
    place = f"/events/{event.pk}/recheck"
    page = client.get(place, {"release": "3.1.0"}).content.decode()
    assert "No longer legal" in page
    assert '<ul class="rules"><li>Squad size: 24' in page
    assert "1 is no longer legal" in page


def test_only_those_affected_get_the_message_with_their_changes(
    client: Client, event: Event, players: tuple[Client, Client]
) -> None:
    place = f"/events/{event.pk}/recheck"
    form = {"release": "3.1.0", "text": "Costs have changed."}
    assert client.post(place, form).status_code == 302
    ann, bob = (who.get(f"/at/{event.code}").content.decode() for who in players)
    assert "Costs have changed." in ann
    assert re.search(r"Your list under this release:.*?\d+ → \d+ ", ann, re.S)
    assert "Costs have changed." not in bob
    assert "Costs have changed." not in new().get(f"/at/{event.code}").content.decode()
    assert "to 1 player" in client.get(f"/events/{event.pk}/messages").content.decode()


def test_what_cannot_be_checked_or_sent_is_an_error_at_its_field(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}/recheck"
    for release in ("9.9.9", "1.0.0"):
        answer = client.get(place, {"release": release})
        assert answer.status_code == 400
        assert 'id="error-release"' in answer.content.decode()
    answer = client.post(place, {"release": "3.1.0", "text": ""})
    assert answer.status_code == 400
    assert 'id="error-text"' in answer.content.decode()
    EventList.objects.filter(player="Ann").delete()
    answer = client.post(place, {"release": "3.1.0", "text": "Hello"})
    assert answer.status_code == 400
    assert not EventMessage.objects.exists()


def test_sealed_lists_give_nothing_away(client: Client) -> None:
    event = made(client, release="1.0.0")
    handed(event, new(), "Ann", OLD)
    page = client.get(
        f"/events/{event.pk}/recheck", {"release": "3.1.0"}
    ).content.decode()
    assert "The lists are sealed." in page
    assert "→" not in page
    assert "workshop" not in page
    assert '<ul class="rules">' not in page
    over(event)
    client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"})
    page = client.get(
        f"/events/{event.pk}/recheck", {"release": "3.1.0"}
    ).content.decode()
    assert "→" in page


def test_an_older_release_and_a_game_without_releases(client: Client) -> None:
    event = made(client)
    handed(event, new(), "Ann", LEGAL)
    place = f"/events/{event.pk}/recheck"
    answer = client.get(place, {"release": "1.0.0"})
    assert answer.status_code == 200
    assert "1 list under release 1.0.0" in answer.content.decode()
    form = {"release": "", "param-size": "500", "param-mission": "head-on"}
    event = made(client, "zod", **form)
    page = client.get(f"/events/{event.pk}/recheck").content.decode()
    assert "without a release" in page
