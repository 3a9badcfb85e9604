"""What the pages promise.

Sealed lists show no points, notes are the owner's alone, what is deleted is gone.
"""

from __future__ import annotations

import csv
import html
import json
import re
from hashlib import sha256
from io import StringIO

import pytest
from django.test import Client

from builder.usecases.roster.verdict import hash_roster
from builder.web.cards.library import get_library
from builder.web.events.models import Event, EventList
from builder.web.squads.models import PrintJob, SavedSquad
from tests.web.test_build import do
from tests.web.test_events import handed, made
from tests.web.test_share import link

SECRET = "Hold the left flank"


@pytest.fixture
def noted(client: Client, squad: str) -> str:
    """Return a squad with a note on a model and one on itself."""
    do(client, squad, "add captain-davis")
    assert (
        client.post(
            f"{squad}/edit", {"do": "note 1 captain-davis", "value": SECRET}
        ).status_code
        == 302
    )
    client.post(f"{squad}/keep", {"do": "notes", "notes": SECRET})
    assert SECRET in SavedSquad.objects.get().text
    return squad


def test_a_sealed_list_shows_no_points_before_it_is_revealed(client: Client) -> None:
    event, player = made(client), Client(headers={"accept-language": "en"})
    handed(event, player, "Ann")
    points = r"<small>\d+ / 30 "

    def row() -> dict[str, str]:
        text = client.get(f"/events/{event.pk}/lists.csv").content.decode("utf-8-sig")
        return next(csv.DictReader(StringIO(text)))

    assert not re.search(points, client.get(f"/events/{event.pk}").content.decode())
    assert (row()["legal"], row()["spent"], row()["allowed"]) == ("legal", "", "")
    assert re.search(
        points, player.get(f"/at/{event.code}").content.decode()
    )  # the player's own
    client.post(f"/events/{event.pk}", {"do": "lock"})
    client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"})
    assert re.search(points, client.get(f"/events/{event.pk}").content.decode())
    assert row()["allowed"] == "30"
    assert Event.objects.count() == 1


@pytest.mark.parametrize("form", ["text", "markdown", "json", "yaml", "token"])
def test_no_export_has_a_note(client: Client, noted: str, form: str) -> None:
    assert SECRET not in client.get(f"{noted}/as/{form}").content.decode()
    assert SECRET not in client.get(f"{noted}/play/file").content.decode()
    assert (
        SECRET in client.get(f"{noted}/play").content.decode()
    )  # for the owner's own eyes


def test_no_guest_reads_or_writes_a_note(client: Client, noted: str) -> None:
    address, guest = (
        link(client, noted, "edit"),
        Client(headers={"accept-language": "en"}),
    )
    assert guest.post(f"{address}/take")["Location"] == noted
    for page in (
        "",
        "?view=cards",
        "/models/1",
        "/about",
        "/play",
        "/play/file",
        "/print",
        "/share",
        "/as/yaml",
    ):
        assert SECRET not in html.unescape(
            guest.get(f"{noted}{page}").content.decode()
        ), page
        assert SECRET in client.get(f"{noted}/models/1").content.decode()
    assert (
        guest.post(
            f"{noted}/edit", {"do": "note 1 captain-davis", "value": "x"}
        ).status_code
        == 400
    )
    assert guest.post(f"{noted}/keep", {"do": "notes", "notes": "x"}).status_code == 400
    copy = guest.post(f"{noted}/keep", {"do": "copy"})["Location"]
    assert SECRET not in guest.get(f"{copy}/models/1").content.decode()
    guest.post(f"{noted}/print", {"what": "sheet"})
    assert SECRET not in PrintJob.objects.get().text
    assert do(guest, noted, "add patrolman").status_code == 302
    row = SavedSquad.objects.get(pk=noted.rpartition("/")[2])
    assert (SECRET in row.text, row.notes) == (
        True,
        SECRET,
    )  # what a guest changes leaves them as they are


def test_who_deletes_everything_or_signs_out_clears_the_browser(
    client: Client, squad: str
) -> None:
    page = client.get("/own").content.decode()
    assert 'action="/own/delete" data-clear' in page
    client.post("/own/account", {"name": "Vera Holm", "password": "twelve grey drones"})
    assert client.post("/own/leave")["Clear-Site-Data"] == '"cache", "storage"'
    client.post("/own/enter", {"name": "Vera Holm", "password": "twelve grey drones"})
    assert "Clear-Site-Data" not in client.post("/own/delete")
    assert (
        client.post("/own/delete", {"sure": "1"})["Clear-Site-Data"]
        == '"cache", "storage"'
    )


@pytest.mark.parametrize(
    ("cards", "offered"),
    [
        (
            "entries: [{card: captain-davis, attachments: [veterans-badge]}]",
            False,
        ),  # unlimited uses
        (
            "entries: [{card: captain-davis, attachments: [smoke-canister]}]",
            False,
        ),  # one use: a box for it
        (
            "entries: [{card: captain-davis, attachments: [cordon]}]",
            True,
        ),  # says nothing of uses
    ],
)
def test_only_what_can_be_used_up_is_offered_as_used_up(
    client: Client, cards: str, offered: bool
) -> None:
    squad = client.post("/import", {"text": f"pack: hydrophilia\n{cards}\n"})[
        "Location"
    ]
    assert (
        'class="tick spent"' in client.get(f"{squad}/play").content.decode()
    ) is offered


def test_the_digest_of_a_list_is_a_commitment_that_is_verified_after_the_reveal(
    client: Client,
) -> None:
    event, player = made(client), Client(headers={"accept-language": "en"})
    handed(event, player, "Ann")
    one = EventList.objects.get()
    address, shown = (
        f"/at/{event.code}/lists/{one.pk}",
        r'class="mark long">([0-9a-f ]{79})<',
    )
    found = re.search(shown, player.get(f"/at/{event.code}").content.decode())
    assert found is not None
    before = (
        client.get(f"/events/{event.pk}").content.decode()
        + client.get(f"/events/{event.pk}/lists.csv").content.decode()
    )
    assert found[1][:19] in before
    assert one.verdict["salt"] not in before
    assert one.verdict["digest"] not in before
    client.post(f"/events/{event.pk}", {"do": "lock"})
    client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"})
    page = html.unescape(
        Client(headers={"accept-language": "en"}).get(address).content.decode()
    )
    line = re.search(r'class="mark long">([{].*[}])<', page)
    assert line is not None
    assert found[1] in page
    assert sha256(line[1].encode()).hexdigest() == found[1].replace(" ", "")
    roster = get_library().parse_squad(one.text, "").roster
    assert roster is not None
    assert json.loads(line[1])["digest"] == hash_roster(roster)

    saved = re.search(rf'href="({re.escape(address)}[.]yaml)"', page)
    assert saved is not None
    file = Client().get(saved[1]).content.decode()
    reread = get_library().parse_squad(file, "").roster
    assert reread is not None
    assert json.loads(line[1])["digest"] == hash_roster(reread)


def test_a_sealed_list_is_a_file_for_its_player_alone(client: Client) -> None:
    event, player = made(client), Client()
    handed(event, player, "Ann")
    one = EventList.objects.get()
    address = f"/at/{event.code}/lists/{one.pk}.yaml"
    assert [
        browser.get(address).status_code for browser in (player, client, Client())
    ] == [
        200,
        404,
        404,
    ]
    client.post(f"/events/{event.pk}", {"do": "lock"})
    client.post(f"/events/{event.pk}", {"do": "reveal", "sure": "1"})
    assert [
        browser.get(address).status_code for browser in (player, client, Client())
    ] == [
        200,
        200,
        200,
    ]
    EventList.objects.update(
        verdict={key: value for key, value in one.verdict.items() if key != "salt"}
    )
    assert Client().get(address).status_code == 404


def test_a_list_from_before_commitments_still_has_a_mark(client: Client) -> None:
    event = made(client)
    handed(event, Client(), "Ann")
    one = EventList.objects.get()
    EventList.objects.update(
        verdict={key: value for key, value in one.verdict.items() if key != "salt"}
    )
    page = client.get(f"/events/{event.pk}").content.decode()
    assert re.search(r'class="mark" title="Digest">[0-9a-f]{4} ', page)
    assert one.verdict["digest"][:4] + " " not in page
