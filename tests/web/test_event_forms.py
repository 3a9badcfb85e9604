"""Pages of events with several forms: a refused form changes no field of the others."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from builder.web.events.models import (
    Entrant,
    Event,
    EventList,
    EventMessage,
    Match,
    Receipt,
)
from builder.web.events.recheck import recheck_lists
from builder.web.squads.models import SavedSquad
from tests.web.test_events import FORM, LEGAL, handed, made, new
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
    for name in ("csrfmiddlewaretoken", "next"):
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
    assert {**read_fields(answer), "number": ""} == {**before, "number": ""}
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


@pytest.mark.parametrize("path", ["", "/rounds", "/rounds/1", "/messages"])
def test_a_button_that_a_page_does_not_have_is_refused(
    client: Client, event: Event, path: str
) -> None:
    pair(client, event)
    finish(client, event, 1)
    form = {"do": "nonsense", "text": "Hello", "plays": "", "result-1": "draw"}
    answer = client.post(f"/events/{event.pk}{path}", {**form, "names": "Cid\nDan"})
    assert answer.status_code == 400
    assert "Nonsense is not allowed here." in answer.content.decode()
    assert 'id="error-do"' in answer.content.decode()
    assert set(Match.objects.values_list("round_number", "outcome")) == {(1, "first")}
    assert not EventMessage.objects.exists()


def test_a_player_cannot_press_a_button_that_does_not_exist(client: Client) -> None:
    event, player = made(client), new()
    form = {"do": "nonsense", "player": "Ann", "text": LEGAL}
    answer = player.post(f"/at/{event.code}", form)
    assert answer.status_code == 400
    assert 'id="error-do"' in answer.content.decode()


@pytest.mark.parametrize("path", ["", "/rounds/1"])
def test_a_deletion_without_its_tick_is_refused_at_the_tick(
    client: Client, event: Event, path: str
) -> None:
    pair(client, event)
    answer = client.post(f"/events/{event.pk}{path}", {"do": "delete"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'id="error-sure"' in page
    assert "<details open><summary>Delete" in page
    assert Match.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"), [("zone", "Mars/Olympus"), ("notes", "x" * 5_001)]
)
def test_a_wrong_value_of_an_event_is_refused_and_not_replaced(
    client: Client, field: str, value: str
) -> None:
    for place in ("/events/new/hydrophilia", f"/events/{made(client).pk}"):
        answer = client.post(place, {**FORM, "do": "save", field: value})
        assert answer.status_code == 400
        assert f'id="error-{field}"' in answer.content.decode()
        assert re.search(rf'name="{field}"[^>]*aria-invalid', answer.content.decode())
    event = Event.objects.get()
    assert (event.zone, event.notes) == ("Europe/Berlin", "Bring dice.")


def test_a_line_break_counts_as_one_character(client: Client) -> None:
    event = made(client, notes="x\r\n" * 2_000)
    assert event.notes == ("x\n" * 2_000).strip()
    place = f"/events/{event.pk}/messages"
    answer = client.post(place, {"do": "send", "text": "x\r\n" * 1_000})
    assert answer.status_code == 302
    assert EventMessage.objects.get().text == ("x\n" * 1_000).strip()


def test_points_with_leading_zeros_are_read_whole(client: Client, event: Event) -> None:
    place = f"/events/{event.pk}/rounds"
    form = {"do": "points", "win": "00003", "draw": "0001", "loss": "000000"}
    assert client.post(place, form).status_code == 302
    event.refresh_from_db()
    assert (event.win_points, event.draw_points, event.loss_points) == (3, 1, 0)
    assert client.post(place, {**form, "win": "00500"}).status_code == 400
    assert client.post(place, {**form, "win": "9" * 5_000}).status_code == 400


def test_a_print_that_is_refused_says_why_and_can_be_loaded_again(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}"
    answer = client.post(f"{place}/print", {"paper": "a4"})
    assert answer.status_code == 400
    assert "The lists are sealed." in answer.content.decode()
    assert client.get(f"{place}/print")["Location"] == place


def test_a_recheck_without_affected_lists_says_so(client: Client) -> None:
    event = made(client)
    page = client.get(f"/events/{event.pk}/recheck").content.decode()
    release = re.findall(r'<option value="([^"]+)"', page)[0]
    form = {"do": "send", "release": release, "text": "Look."}
    answer = client.post(f"/events/{event.pk}/recheck", form)
    assert answer.status_code == 400
    assert "No list is affected." in answer.content.decode()


def test_an_address_for_forms_answers_with_a_page(client: Client) -> None:
    for address in ("/own/delete", "/squads"):
        answer = client.get(address)
        assert answer.status_code == 405
        assert answer["Allow"] == "POST"
        assert "<h1>This address cannot be opened</h1>" in answer.content.decode()


def test_a_page_says_what_is_deleted_with_an_event(
    client: Client, event: Event
) -> None:
    for place in (f"/events/{event.pk}", "/events"):
        page = client.get(place).content.decode()
        for word in ("receipts", "rounds", "messages"):
            assert re.search(
                rf"[^.<>]*\b{word}\b[^.<>]* deleted|deleted[^.<>]*{word}", page
            )


def test_a_player_has_a_maximum_of_receipts(client: Client) -> None:
    event, player, other = made(client), new(), new()
    handed(event, other, "Bob")
    last = [handed(event, player, "Ann")["Location"] for _turn in range(23)][-1]
    assert Receipt.objects.filter(player="Ann").count() == 20
    assert Receipt.objects.filter(player="Bob", ended=None).exists()
    assert player.get(last).status_code == 200
    page = player.get(f"/at/{event.code}").content.decode()
    assert len(re.findall(r"/receipts/[0-9a-f-]{36}\"", page)) == 20


def test_lists_are_rechecked_without_a_query_for_each(
    client: Client, event: Event
) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert len(recheck_lists(Event.objects.get(), "2.0.0")) == 2
    assert len(queries) == 2


def test_a_form_that_is_sent_twice_pairs_one_round(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}/rounds"
    form = {
        "do": "pair",
        "names": "Zoe",
        "number": read_fields(client.get(place))["number"],
    }
    assert client.post(place, form).status_code == 302
    answer = client.post(place, form)
    assert answer.status_code == 400
    assert (
        "The rounds have changed since this page was loaded." in answer.content.decode()
    )
    assert Match.objects.count() == 1


def test_the_own_table_stands_above_the_newest_message(
    client: Client, event: Event
) -> None:
    player = new()
    Event.objects.update(locked=None)
    handed(event, player, "Cid")
    client.post(f"/events/{event.pk}", {"do": "lock"})
    pair(client, event)
    for text in ("First message", "Second message", "Third message"):
        client.post(f"/events/{event.pk}/messages", {"do": "send", "text": text})
    for path in ("", "/rounds/1"):
        page = player.get(f"/at/{event.code}{path}").content.decode()
        parts = ("own-match", "Third message", "2 earlier messages", "Second", "First")
        places = [page.index(part) for part in parts]
        assert places == sorted(places)


def test_no_name_is_left_of_a_player_whose_list_was_removed(
    client: Client, event: Event
) -> None:
    Event.objects.update(locked=None)
    player = new()
    handed(event, player, "Cidney")
    client.post(f"/events/{event.pk}", {"do": "lock"})
    pair(client, event)
    key = EventList.objects.get(player="Cidney").pk
    client.post(f"/events/{event.pk}", {"do": f"remove {key}", "sure": "1"})
    assert not EventList.objects.filter(pk=key).exists()
    assert "Cidney" in new().get(f"/at/{event.code}/standings").content.decode()
    player.post("/own/delete", {"sure": "1"})
    assert "Cidney" not in new().get(f"/at/{event.code}/standings").content.decode()


def test_a_round_is_paired_with_as_many_queries_for_more_players(
    client: Client, event: Event
) -> None:
    counts = []
    for names in ("Cid", "\n".join(f"Player {number}" for number in range(20))):
        plays = [str(entrant.pk) for entrant in Entrant.objects.all()]
        form = {"do": "pair", "plays": plays, "names": names}
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(f"/events/{event.pk}/rounds", form)
        assert answer.status_code == 302
        counts.append(len(queries))
        Match.objects.update(outcome="first")
    assert counts[1] - counts[0] <= 2


def test_checks_of_all_lists_are_counted(client: Client, event: Event) -> None:
    place = f"/events/{event.pk}/recheck"
    release = re.findall(r'<option value="([^"]+)"', client.get(place).content.decode())
    answers = [client.get(place, {"release": release[0]}) for _turn in range(61)]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200] * 60 + [429]
    assert client.get(place).status_code == 200


def test_notes_of_a_squad_are_kept_whole(client: Client, squad: str) -> None:
    row = SavedSquad.objects.get()
    place = f"{squad}/keep"
    assert (
        client.post(place, {"do": "notes", "notes": "x\r\n" * 5_000}).status_code < 400
    )
    row.refresh_from_db()
    assert row.notes == "x\n" * 5_000
    answer = client.post(place, {"do": "notes", "notes": "x" * 10_001})
    assert answer.status_code == 400
    row.refresh_from_db()
    assert row.notes == "x\n" * 5_000
