"""Lists are handed in by link, checked, hidden while sealed, and shown when all are in."""

from __future__ import annotations

import csv
import json
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from builder.web.events.models import Event, EventList
from builder.web.squads.links import sign_link
from builder.web.squads.models import PrintJob, SavedSquad, SquadLink
from tests.house.source import ROOT
from tests.web.test_build import do

LEGAL = (ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml").read_text(
    encoding="utf-8"
)
FORM = {
    "name": "Spring cup",
    "deadline": "2099-05-30T18:00",
    "zone": "Europe/Berlin",
    "sealed": "1",
    "release": "2.0.0",
    "param-size": "30",
    "param-mode": "competitive",
    "notes": "Bring dice.",
}


def made(organiser: Client, pack: str = "hydrophilia", **form: str) -> Event:
    answer = organiser.post(f"/events/new/{pack}", {**FORM, **form})
    assert answer.status_code == 302
    return Event.objects.get(pk=answer["Location"].rpartition("/")[2])


def handed(event: Event, player: Client, name: str, text: str = LEGAL) -> HttpResponse:
    return player.post(f"/at/{event.code}", {"player": name, "text": text})


def table(organiser: Client, event: Event) -> list[dict[str, str]]:
    file = organiser.get(f"/events/{event.pk}/lists.csv").content.decode("utf-8-sig")
    return list(csv.DictReader(StringIO(file)))


def told(organiser: Client, event: Event) -> str:
    return organiser.get(f"/events/{event.pk}").content.decode()


def new() -> Client:
    return Client(headers={"accept-language": "en"})


def over(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(
        deadline=timezone.now() - timedelta(minutes=1)
    )


def test_a_sealed_list_shows_its_verdict_and_nothing_that_is_in_it(
    client: Client,
) -> None:
    event, player = made(client), new()
    assert handed(event, player, "Ann").status_code == 302
    assert (
        handed(
            event, new(), "Bob", "pack: hydrophilia\nname: Two\nentries: [remora]"
        ).status_code
        == 302
    )
    page = told(client, event)
    assert re.findall(r"<b>(Ann|Bob)</b>", page) == ["Ann", "Bob"]
    assert "Varga" not in page
    assert "controller" not in page
    rows = table(client, event)
    assert [
        (row["player"], row["legal"], row["squad"], row["broken"]) for row in rows
    ] == [
        ("Ann", "legal", "", ""),
        ("Bob", "ILLEGAL", "", ""),
    ]
    one = EventList.objects.get(player="Ann")
    assert (
        rows[0]["digest"] not in one.verdict["digest"]
    )  # nobody can try lists against it
    address = f"/at/{event.code}/lists/{one.pk}"
    assert [who.get(address).status_code for who in (client, new(), player)] == [
        404,
        404,
        200,
    ]
    assert client.post(f"/events/{event.pk}/print", {"paper": "a4"}).status_code == 400
    assert "Engineer Varga" in player.get(f"/at/{event.code}").content.decode()


def test_lists_are_locked_then_revealed_to_all(client: Client) -> None:
    event = made(client)
    handed(event, new(), "Ann")
    assert (
        client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"}).status_code
        == 400
    )  # it still takes lists
    client.post(f"/events/{event.pk}", {"do": "lock"})
    assert handed(event, new(), "Late").status_code == 400
    client.post(f"/events/{event.pk}", {"do": "open"})
    assert handed(event, new(), "Bob").status_code == 302
    client.post(f"/events/{event.pk}", {"do": "lock"})
    client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"})
    page = new().get(f"/at/{event.code}").content.decode()
    assert len(re.findall(rf"/at/{event.code}/lists/", page)) == 2
    one = EventList.objects.get(player="Ann")
    assert (
        "Engineer Varga"
        in new().get(f"/at/{event.code}/lists/{one.pk}").content.decode()
    )
    assert table(client, event)[0]["digest"] == one.verdict["digest"]
    assert client.post(f"/events/{event.pk}", {"do": "open"}).status_code == 400


def test_a_promised_moment_is_kept_by_the_organiser_too(client: Client) -> None:
    event = made(client, reveals="2099-05-31T10:00")
    handed(event, new(), "Ann")
    for change in (
        {"reveals": "2099-05-30T20:00"},
        {"sealed": "0", "reveals": "2099-05-31T10:00"},
        {"reveals": ""},
    ):
        assert (
            client.post(
                f"/events/{event.pk}", {**FORM, **change, "do": "save"}
            ).status_code
            == 400
        )
    over(event)
    assert (
        client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"}).status_code
        == 400
    )
    Event.objects.update(reveals=timezone.now() - timedelta(seconds=1))
    assert "Revealed" in new().get(f"/at/{event.code}").content.decode()


def test_after_the_deadline_nothing_comes_changes_or_goes(client: Client) -> None:
    event, player = made(client), new()
    handed(event, player, "Ann")
    over(event)
    assert (
        handed(event, player, "Ann", "pack: hydrophilia\nentries: [remora]").status_code
        == 400
    )
    assert player.post(f"/at/{event.code}", {"do": "withdraw"}).status_code == 400
    assert EventList.objects.get().verdict["legal"]


def test_a_player_has_one_list_and_may_take_it_back(client: Client) -> None:
    event, player = made(client), new()
    handed(event, player, "Ann", "pack: hydrophilia\nentries: [remora]")
    assert handed(event, player, "Ann").status_code == 302
    assert [one.verdict["legal"] for one in EventList.objects.all()] == [True]
    new().post(f"/at/{event.code}", {"do": "withdraw"})
    assert EventList.objects.count() == 1
    player.post(f"/at/{event.code}", {"do": "withdraw"})
    assert not EventList.objects.exists()


def test_a_list_is_checked_as_the_event_states_and_stays_so(
    client: Client, squad: str
) -> None:
    event = made(client, release="1.0.0", **{"param-size": "40"})
    do(client, squad, "add captain-davis")
    client.post(
        f"/at/{event.code}", {"player": "Me", "squad": squad.rpartition("/")[2]}
    )
    one = EventList.objects.get()
    assert (one.verdict["allowed"], one.verdict["adapted"]) == (40, ["size"])
    assert (
        "It was checked with the values of the event"
        in client.get(f"/at/{event.code}").content.decode()
    )
    assert re.search(r'version: "?1.0.0', one.text)
    do(client, squad, "remove 1 captain-davis")
    again = EventList.objects.get()
    assert (again.text, again.verdict) == (one.text, one.verdict)
    assert (
        "size: 30" in client.get(f"{squad}/as/yaml").content.decode()
    )  # the squad itself is as it was


def test_a_name_is_no_formula_in_the_table(client: Client) -> None:
    event = made(client, sealed="0")
    handed(
        event,
        new(),
        '=HYPERLINK("http://evil")',
        LEGAL.replace("name: ", "name: '=1+1' #", 1),
    )
    row = table(client, event)[0]
    assert row["player"].startswith("'=")
    assert row["squad"].startswith("'=")


def test_a_name_turns_nothing_round(client: Client) -> None:
    event = made(client, sealed="0", name="Cup\u202e\x07")
    handed(event, new(), "Ann\u202e\n Lee")
    assert (Event.objects.get().name, EventList.objects.get().player) == (
        "Cup",
        "Ann Lee",
    )


def test_all_sheets_are_one_print_with_the_players_names(client: Client) -> None:
    event = made(client, sealed="0")
    for name in ("Ann", "Bob"):
        handed(event, new(), name)
    answer = client.post(f"/events/{event.pk}/print", {"paper": "letter"})
    job = PrintJob.objects.get()
    assert answer["Location"] == f"/prints/{job.pk}"
    assert [player for player, _text in json.loads(job.text)] == ["Ann", "Bob"]
    assert "Ann – " in json.loads(job.text)[0][1]
    assert client.get(answer["Location"]).status_code == 200
    assert new().get(answer["Location"]).status_code == 404


def test_a_list_that_cannot_be_read_is_reported_by_the_print_not_left_out(
    client: Client,
) -> None:
    event = made(client, sealed="0")
    for name in ("Cid", "Ann", "Bob"):
        handed(event, new(), name)
    EventList.objects.filter(player="Bob").update(text="no squad")
    client.post(f"/events/{event.pk}/print", {"paper": "a4"})
    lists = json.loads(PrintJob.objects.get().text)
    assert [player for player, _text in lists] == ["Ann", "Bob", "Cid"]
    assert lists[1][1] == "no squad"


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"deadline": "soon"},
        {"deadline": "2001-01-01T10:00"},
        {"release": "9.9.9"},
        {"reveals": "2099-01-01T10:00"},
    ],
)
def test_what_makes_no_event_is_refused(client: Client, wrong: dict[str, str]) -> None:
    assert client.post("/events/new/hydrophilia", {**FORM, **wrong}).status_code == 400
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [{"player": ""}, {"text": ""}, {"text": "pack: zod\nentries: []"}, {"squad": "x"}],
)
def test_what_is_no_list_is_refused(client: Client, wrong: dict[str, str]) -> None:
    event = made(client)
    assert new().post(
        f"/at/{event.code}", {"player": "Ann", "text": LEGAL, **wrong}
    ).status_code in (400, 404)
    assert not EventList.objects.exists()


def test_an_event_goes_with_its_lists_when_its_organiser_says_so(
    client: Client,
) -> None:
    event = made(client)
    handed(event, new(), "Ann")
    client.post(f"/events/{event.pk}", {"do": "delete"})
    assert Event.objects.exists()  # nobody was sure
    client.post(f"/events/{event.pk}", {"do": "delete", "sure": "1"})
    assert not Event.objects.exists()
    assert new().get(f"/at/{event.code}").status_code == 404


def test_a_player_who_deletes_everything_leaves_no_list_behind(client: Client) -> None:
    event, player = made(client), new()
    handed(event, player, "Ann")
    handed(event, new(), "Bob")
    player.post("/own/delete", {"sure": "1"})
    assert [one.player for one in EventList.objects.all()] == ["Bob"]


def test_of_two_lists_that_one_player_handed_in_the_later_counts(
    client: Client,
) -> None:
    event, phone, desk = made(client), new(), new()
    handed(event, phone, "Ann", "pack: hydrophilia\nname: Old\nentries: [remora]")
    handed(event, desk, "Ann B", "pack: hydrophilia\nname: New\nentries: [remora]")
    link = re.search(
        r'value="http://testserver(/own/come/[^"]+)"',
        phone.post("/own/device").content.decode(),
    )
    assert link is not None
    desk.post(link[1], {"sure": "1"})
    assert [one.verdict["squad"] for one in EventList.objects.all()] == ["New"]
    assert "handed in" in phone.get(f"/at/{event.code}").content.decode()


def test_an_event_goes_two_years_after_its_deadline(client: Client) -> None:
    event = made(client)
    handed(event, new(), "Ann")
    for days, left in ((700, 1), (740, 0)):
        Event.objects.update(deadline=timezone.now() - timedelta(days=days))
        call_command("forget_squads", verbosity=0)
        assert EventList.objects.count() == left


def test_a_list_of_a_game_without_releases_keeps_the_verdict_of_its_day(
    client: Client,
) -> None:
    event = made(
        client,
        "zod",
        **{
            "release": "",
            "sealed": "0",
            "param-size": "500",
            "param-mission": "head-on",
        },
    )
    handed(
        event,
        new(),
        "Ann",
        "pack: zod\nname: Two\nentries: [{card: alabai, seat: pilot}]",
    )
    one, note = EventList.objects.get(), "The game has changed since"
    address = f"/at/{event.code}/lists/{one.pk}"
    assert note not in client.get(address).content.decode()
    EventList.objects.update(
        verdict={**one.verdict, "data": "of another day", "legal": True, "broken": []}
    )
    page = client.get(address).content.decode()
    assert note in page
    assert 'class="proof"' in page  # it was legal then


def test_an_event_leaves_the_side_to_each_player(client: Client) -> None:
    page = client.get("/events/new/killteam").content.decode()
    team, stage = (
        page.partition(f'<select name="param-{name}">')[2].partition("</select>")[0]
        for name in ("team", "stage")
    )
    assert "ashen-oath" in team
    assert " selected" not in team
    assert " selected" in stage


def test_the_link_of_a_squad_hands_it_in_where_it_may_be_copied(client: Client) -> None:
    event, player = made(client), new()
    player.post("/import", {"text": LEGAL})
    squad = SavedSquad.objects.get()
    for kind in (SquadLink.VIEW, SquadLink.COPY):
        address = f"http://testserver/shared/{sign_link(SquadLink.objects.create(squad=squad, kind=kind))}"
        assert handed(event, player, "Ann", address).status_code == 302
        answer = handed(event, new(), "Bob", address)
        assert answer.status_code == (302 if kind == SquadLink.COPY else 400)
    assert [row["legal"] for row in table(client, event)] == ["legal", "legal"]
    assert (
        "does not belong to a squad"
        in handed(
            event, new(), "Cid", f"http://testserver/at/{event.code}"
        ).content.decode()
    )
