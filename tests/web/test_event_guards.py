"""Events refuse impossible values and equal names, and ask before what cannot be undone."""

from __future__ import annotations

import pytest
from django.test import Client

from builder.web.events.models import Event, EventList, EventMessage, Match
from tests.web.test_events import FORM, handed, made, new
from tests.web.test_rounds import pair


@pytest.fixture
def event(client: Client) -> Event:
    """Return a closed event with a list."""
    found = made(client)
    handed(found, new(), "Ann")
    client.post(f"/events/{found.pk}", {"do": "lock"})
    return found


@pytest.mark.parametrize(
    ("field", "value", "zone"),
    [
        ("deadline", "9999-12-31T23:59", "America/Los_Angeles"),
        ("deadline", "0001-01-01T00:00", "Europe/Berlin"),
        ("deadline", "1999-12-31T23:59", "UTC"),
        ("deadline", "2099-12-24T18:00+05:00", "UTC"),
        ("reveals", "9999-12-31T23:59", "America/Los_Angeles"),
        ("zone", "2099-12-24T18:00", "Mars/Base"),
        ("notes", "x" * 5_001, "UTC"),
    ],
)
def test_impossible_values_are_errors_next_to_their_fields(
    client: Client, field: str, value: str, zone: str
) -> None:
    form = {**FORM, "zone": zone}
    if field == "zone":
        form["zone"] = zone
    else:
        form[field] = value
    event = made(client)
    for place in ("/events/new/hydrophilia", f"/events/{event.pk}"):
        answer = client.post(place, {**form, "do": "save"})
        assert answer.status_code == 400
        assert f'id="error-{field}"' in answer.content.decode()
    assert Event.objects.count() == 1


@pytest.mark.parametrize("action", ["reveal", "remove"])
def test_an_action_without_a_way_back_asks_first(client: Client, action: str) -> None:
    event = made(client)
    handed(event, new(), "Ann")
    client.post(f"/events/{event.pk}", {"do": "lock"})
    key = EventList.objects.get().pk
    verb = f"remove {key}" if action == "remove" else action
    page = client.post(f"/events/{event.pk}", {"do": verb})
    assert page.status_code == 200
    assert f'name="do" value="{verb}"' in page.content.decode()
    assert EventList.objects.count() == 1
    assert not Event.objects.get().is_revealed
    client.post(f"/events/{event.pk}", {"do": verb, "sure": "1"})
    event_after = Event.objects.first()
    is_done = event_after is None or event_after.is_revealed
    assert is_done or not EventList.objects.exists()


def test_a_message_is_deleted_after_a_question(client: Client, event: Event) -> None:
    place = f"/events/{event.pk}"
    client.post(f"{place}/messages", {"do": "send", "text": "<b>Hall</b> 2"})
    key = EventMessage.objects.get().pk
    page = client.post(f"{place}/messages", {"do": f"delete {key}"}).content.decode()
    assert "&lt;b&gt;Hall&lt;/b&gt; 2" in page
    assert EventMessage.objects.exists()
    client.post(f"{place}/messages", {"do": f"delete {key}", "sure": "1"})
    assert not EventMessage.objects.exists()


def test_revealing_is_no_primary_button_of_a_closed_event(
    client: Client, event: Event
) -> None:
    page = client.get(f"/events/{event.pk}").content.decode()
    assert '<button name="do" value="reveal"' in page
    assert 'class="button primary" href' in page


def test_a_late_list_is_shown_again(client: Client) -> None:
    event = made(client)
    client.post(f"/events/{event.pk}", {"do": "lock"})
    late = handed(event, new(), "Ann", "pack: hydrophilia\nname: <Late>")
    page = late.content.decode()
    assert late.status_code == 400
    assert "The event is closed." in page
    assert "name: &lt;Late&gt;</textarea>" in page
    assert 'name="text"' not in page


def test_two_players_cannot_have_the_same_name(client: Client) -> None:
    event, ann = made(client), new()
    assert handed(event, ann, "Ann Straße").status_code == 302
    twin = handed(event, new(), "ANN STRASSE")
    assert twin.status_code == 400
    assert 'id="error-player"' in twin.content.decode()
    assert "Ann Straße already plays in this event." in twin.content.decode()
    assert handed(event, ann, "ann straße").status_code == 302
    client.post(f"/events/{event.pk}", {"do": "lock"})
    for names in ("Bob\nBOB", "ANN straße"):
        answer = pair(client, event, names=names)
        assert answer.status_code == 400
        assert 'id="error-names"' in answer.content.decode()
    assert not Match.objects.exists()


def test_equal_names_of_old_events_stay(client: Client) -> None:
    event, ann = made(client), new()
    handed(event, ann, "Ann")
    handed(event, new(), "Twin")
    EventList.objects.update(player="Ann")
    assert handed(event, ann, "Ann").status_code == 302
    client.post(f"/events/{event.pk}", {"do": "lock"})
    assert pair(client, event).status_code == 302
