"""A list that is handed in has a receipt, which stays when the list does not."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.http import HttpResponse
from django.test import Client

from builder.web.events.models import Event, EventList, Receipt
from tests.web.test_events import FORM, LEGAL, handed, made, new, over

OTHER = "pack: hydrophilia\nname: Two\nentries: [remora]"


def read(who: Client, answer: HttpResponse | str) -> str:
    address = answer if isinstance(answer, str) else answer["Location"]
    return who.get(address).content.decode()


def test_a_player_gets_a_receipt_that_proves_the_list(client: Client) -> None:
    event, player = made(client), new()
    answer = handed(event, player, "Ann")
    receipt = Receipt.objects.get()
    assert answer["Location"] == f"/at/{event.code}/receipts/{receipt.pk}"
    page = read(player, answer)
    for text in (
        f"Receipt {receipt.number[:4]}-{receipt.number[4:]}",
        "Spring cup",
        "2.0.0",
        receipt.verdict["data"],
        "Engineer Varga",
    ):
        assert text in page
    line = re.search(r"\{&#34;digest&#34;.*?\}|\{\"digest\".*?\}", page)
    assert line is not None
    digest = sha256(line[0].replace("&#34;", '"').encode()).hexdigest()
    assert digest in page.replace(" ", "")
    assert json.loads(line[0].replace("&#34;", '"'))["digest"]
    assert player.get(f"{answer['Location']}.yaml").content.decode() == receipt.text


def test_others_see_the_receipt_but_not_the_list(client: Client) -> None:
    event = made(client, sealed="0")
    answer = handed(event, new(), "Ann")
    for who in (client, new()):
        page = read(who, answer)
        assert "Ann" in page
        assert "Varga" not in page
        assert "controller" not in page
        assert who.get(f"{answer['Location']}.yaml").status_code == 404
        assert 'class="proof"' in page


def test_a_receipt_stays_when_its_list_is_replaced_withdrawn_or_removed(
    client: Client,
) -> None:
    event, player = made(client), new()
    first = handed(event, player, "Ann", OTHER)
    assert "Counts" in read(player, first)
    second = handed(event, player, "Ann")
    assert "Replaced" in read(client, first)
    assert "Two" in read(player, first)
    assert "Counts" in read(player, second)
    player.post(f"/at/{event.code}", {"do": "withdraw"})
    assert "Withdrawn" in read(client, second)
    third = handed(event, player, "Ann")
    key = EventList.objects.get().pk
    client.post(f"/events/{event.pk}", {"do": f"remove {key}", "sure": "1"})
    assert "Removed by the organiser" in read(player, third)
    page = read(player, f"/at/{event.code}")
    assert len(re.findall(r"/receipts/[0-9a-f-]{36}\"", page)) == 3


def test_the_organiser_finds_a_receipt_by_its_number(client: Client) -> None:
    event = made(client)
    handed(event, new(), "Ann")
    receipt = Receipt.objects.get()
    Receipt.objects.update(number="AB01CD23")
    place = f"/events/{event.pk}/receipts"
    for typed in ("AB01CD23", "ab01-cd23", " abO1 cdZ3".replace("Z", "2"), "abol cd23"):
        answer = client.get(place, {"number": typed})
        assert answer["Location"].endswith(str(receipt.pk)), typed
    for wrong in ("", "0000-0000", "<b>"):
        answer = client.get(place, {"number": wrong})
        assert answer.status_code == 400
        assert 'id="error-number"' in answer.content.decode()
    other = made(client)
    assert (
        client.get(f"/events/{other.pk}/receipts", {"number": "AB01CD23"}).status_code
        == 400
    )
    assert client.get(f"/at/{other.code}/receipts/{receipt.pk}").status_code == 404
    assert new().get(place, {"number": "AB01CD23"}).status_code == 404


def test_receipts_go_with_all_data_of_a_player(client: Client) -> None:
    event, player = made(client), new()
    handed(event, player, "Ann", OTHER)
    handed(event, player, "Ann")
    names = ZipFile(BytesIO(player.get("/own/squads.zip").content)).namelist()
    assert sum(name.startswith("receipt-") for name in names) == 2
    player.post("/own/delete", {"sure": "1"})
    assert not Receipt.objects.exists()


def test_of_two_devices_the_later_receipt_counts(client: Client) -> None:
    event, phone, desk = made(client), new(), new()
    handed(event, phone, "Ann", OTHER)
    later = handed(event, desk, "Ann B")
    link = re.search(
        r'value="http://testserver(/own/come/[^"]+)"',
        phone.post("/own/device").content.decode(),
    )
    assert link is not None
    desk.post(link[1], {"sure": "1"})
    counting = Receipt.objects.filter(ended=None)
    assert [str(one.pk) for one in counting] == [later["Location"].rpartition("/")[2]]
    assert "Varga" in read(phone, later)


WRONG_EVENTS = [
    ("name", {"name": " "}),
    ("deadline", {"deadline": "soon"}),
    ("deadline", {"deadline": "2001-01-01T10:00"}),
    ("release", {"release": "9.9.9"}),
    ("reveals", {"reveals": "2099-01-01T10:00"}),
    ("reveals", {"reveals": "never"}),
    ("param-size", {"param-size": "-7"}),
]


@pytest.mark.parametrize(("field", "wrong"), WRONG_EVENTS)
def test_an_error_of_an_event_stands_at_its_field_and_the_form_keeps_its_content(
    client: Client, field: str, wrong: dict[str, str]
) -> None:
    form = {**FORM, "notes": "Bring <dice>.", **wrong}
    page = client.post("/events/new/hydrophilia", form).content.decode()
    assert f'id="error-{field}"' in page
    assert re.search(rf'name="{field}"[^>]*aria-invalid', page)
    assert "Bring &lt;dice&gt;." in page
    assert "<option selected>Europe/Berlin" in page
    for name in ("name", "deadline", "reveals", "param-size"):
        value = form.get(name, "")
        assert re.search(rf'name="{name}" value="{value}"|name="{name}".*{value}', page)


def test_a_refused_change_of_an_event_keeps_its_form(client: Client) -> None:
    event = made(client)
    form = {**FORM, "name": "", "notes": "Another hall.", "do": "save"}
    answer = client.post(f"/events/{event.pk}", form)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'id="error-name"' in page
    assert "Another hall." in page
    assert "<details open><summary>Change the event" in page
    assert Event.objects.get().notes == "Bring dice."


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("player", {"player": ""}),
        ("text", {"text": ""}),
        ("squad", {"text": "pack: zod\nentries: []"}),
        ("squad", {"squad": "x"}),
        ("text", {"text": "one: two: three"}),
    ],
)
def test_an_error_of_a_list_stands_at_its_field(
    client: Client, field: str, wrong: dict[str, str]
) -> None:
    event = made(client)
    form = {"player": "Ann of <Ulm>", "text": LEGAL, **wrong}
    answer = new().post(f"/at/{event.code}", form)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert f'id="error-{field}"' in page
    if field != "player":
        assert "Ann of &lt;Ulm&gt;" in page
    if form["text"]:
        assert form["text"].splitlines()[0].partition(":")[0] in page


def test_what_cannot_be_done_is_said_on_the_page_of_the_event(client: Client) -> None:
    event, player = made(client), new()
    for address, form in (
        (f"/events/{event.pk}", {"do": "reveal", "sure": "1"}),
        (f"/events/{event.pk}/print", {"paper": "a4"}),
    ):
        answer = client.post(address, form)
        assert answer.status_code == 400
        assert "<h1>Spring cup</h1>" in answer.content.decode()
    handed(event, player, "Ann")
    over(event)
    answer = player.post(f"/at/{event.code}", {"do": "withdraw"})
    assert answer.status_code == 400
    assert "The event is closed." in answer.content.decode()
