"""Pages of events with several forms: a refused form changes no field of the others."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from builder.web.events.models import Event
from tests.web.test_events import handed, made, new
from tests.web.test_rounds import finish, pair


@pytest.fixture
def event(client: Client) -> Event:
    """Return a closed event with two lists, a reveal time and reports of players."""
    found = made(client, reveals="2099-06-01T10:00")
    for name in ("Ann", "Bob"):
        handed(found, new(), name)
    client.post(f"/events/{found.pk}", {"do": "lock"})
    Event.objects.update(takes_reports=True)
    return found


def read_fields(answer: HttpResponse) -> dict[str, str]:
    """Return what a browser would send for all forms of a page."""
    page = answer.content.decode()
    fields = dict(
        re.findall(r'<input (?:[^>]* )?name="([\w-]+)" value="([^"]*)"', page)
    )
    fields |= dict(re.findall(r'<textarea name="(\w+)"[^>]*>([^<]*)', page))
    checked = r'type="(?:checkbox|radio)" name="(\w+)"(?: value="([^"]+)")? checked'
    ticks = re.findall(checked, page)
    fields |= dict(ticks)
    fields["plays"] = " ".join(value for name, value in ticks if name == "plays")
    fields["reports"] = str('name="reports" checked' in page)
    fields["zone"] = "".join(re.findall(r"<option selected>([^<]*)", page))
    for name in ("csrfmiddlewaretoken", "next", "number"):
        fields.pop(name, None)
    return fields


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/receipts?number=ABCD", None),
        ("", {"do": "reveal"}),
        ("/print", {"paper": "a4"}),
    ],
)
def test_a_refused_form_keeps_the_form_that_changes_the_event(
    client: Client, event: Event, path: str, form: dict[str, str] | None
) -> None:
    place = f"/events/{event.pk}"
    before = read_fields(client.get(place))
    assert before["notes"] == "Bring dice."
    assert before["reveals"] == "2099-06-01T10:00"
    assert before["zone"] == "Europe/Berlin"
    answer = (
        client.get(place + path) if form is None else client.post(place + path, form)
    )
    assert answer.status_code == 400
    assert read_fields(answer) == before
    assert ('value="ABCD"' in answer.content.decode()) == (form is None)


@pytest.mark.parametrize(
    "form", [{"do": "pair"}, {"do": "points", "win": "3", "draw": "9", "loss": "0"}]
)
def test_a_refused_form_keeps_the_other_form_of_rounds(
    client: Client, event: Event, form: dict[str, str]
) -> None:
    place = f"/events/{event.pk}/rounds"
    before = read_fields(client.get(place))
    assert before["reports"] == "True"
    assert len(before["plays"].split()) == 2
    answer = client.post(place, form)
    assert answer.status_code == 400
    after = read_fields(answer)
    own_fields = {"pair": ["plays"], "points": ["draw", "reports"]}[form["do"]]
    for name in own_fields:
        del before[name]
        after.pop(name, None)
    assert after == before


def test_a_refused_deletion_of_a_round_keeps_the_results(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}/rounds"
    pair(client, event)
    finish(client, event, 1, "draw")
    pair(client, event)
    answer = client.post(f"{place}/1", {"do": "delete", "sure": "1"})
    assert answer.status_code == 400
    assert '<option value="draw" selected' in answer.content.decode()
