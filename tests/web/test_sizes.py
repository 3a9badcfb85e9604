"""Limits of squads are enforced by every way of writing.

Squads from before limits can be opened and made smaller.
"""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from builder.web.accounts.models import Tally
from builder.web.events.models import Event, EventList
from builder.web.squads import storage
from builder.web.squads.links import sign_link
from builder.web.squads.models import SavedSquad, SquadLink
from builder.web.squads.sizes import MAX_CARDS, MAX_CHARACTERS, MAX_LINES

HEAD = "pack: hydrophilia\nsize: 100\nmode: competitive\nentries:\n"
LINES_201 = f"{HEAD}  - captain-davis\n" + "  - patrolman\n" * 200
MANY_COPIES = HEAD + "  - {card: patrolman, count: 999}\n" * 200
ALLOWED = f"{HEAD}  - captain-davis\n" + "  - patrolman\n" * 199
LONG_NOTES = HEAD + f"  - {{card: patrolman, note: '{'x' * 1000}'}}\n" * 199
TOO_LARGE = pytest.mark.parametrize(
    "text", [LINES_201, MANY_COPIES], ids=["lines", "copies"]
)
PAGES = (
    "",
    "?view=cards",
    "/models/1",
    "/cards/patrolman",
    "/play",
    "/play/file",
    "/about",
    "/share",
    "/rules",
    "/print",
    "/complete",
    "/seals",
    "/as/yaml",
)


def store(client: Client, squad: str, text: str) -> str:
    """Put a text into a squad as an earlier version could."""
    assert SavedSquad.objects.filter(pk=squad.rpartition("/")[2]).update(text=text) == 1
    return squad


def do(client: Client, squad: str, what: str, **form: str) -> HttpResponse:
    return client.post(f"{squad}/edit", {"do": what, "next": squad, **form})


def models(squad: str) -> int:
    return SavedSquad.objects.get(pk=squad.rpartition("/")[2]).text.count("patrolman")


@TOO_LARGE
def test_no_import_takes_a_squad_above_the_limits(client: Client, text: str) -> None:
    with ZipFile(made := BytesIO(), "w") as archive:
        archive.writestr("squad.yaml", text)
    archived = SimpleUploadedFile("squads.zip", made.getvalue(), "application/zip")
    for form in (
        {"text": text},
        {"text": text, "keep": "1"},
        {"file": SimpleUploadedFile("a.yaml", text.encode())},
    ):
        answer = client.post("/import", form)
        assert answer.status_code == 400
        assert "are allowed" in answer.content.decode()
        assert (
            "Combine equal models into one line with a count" in answer.content.decode()
        )
    assert "are allowed" in client.post("/import", {"file": archived}).content.decode()
    assert not SavedSquad.objects.exists()


def test_a_squad_at_the_limits_is_imported_and_opened(client: Client) -> None:
    for text in (ALLOWED, HEAD + f"  - {{card: patrolman, count: {MAX_CARDS}}}\n"):
        squad = client.post("/import", {"text": text})["Location"]
        assert {client.get(f"{squad}{page}").status_code for page in PAGES} == {200}
        assert len(client.get(f"{squad}/play").content) < 1_500_000


@TOO_LARGE
def test_a_stored_squad_above_the_limits_opens_and_can_only_become_smaller(
    client: Client, squad: str, text: str
) -> None:
    store(client, squad, text)
    for page in PAGES:
        answer = client.get(f"{squad}{page}")
        assert answer.status_code == 200, page
        assert len(answer.content) < 1_500_000, page
    assert (
        "You can add models again when the squad is below the limit."
        in client.get(squad).content.decode()
    )
    for what in ("add patrolman", "duplicate 2 patrolman", "count 2 patrolman 1000"):
        assert do(client, squad, what).status_code == 400, what
    assert client.get(f"{squad}/complete?ask=1").status_code == 400
    assert client.get(f"{squad}/rules?ask=1").status_code == 400
    count = models(squad)
    assert do(client, squad, "rename", value="Still here").status_code == 302
    assert do(client, squad, "remove 2 patrolman").status_code == 302
    assert models(squad) == count - 1
    assert do(client, squad, "undo").status_code == 302  # what was there comes back
    assert models(squad) == count


@TOO_LARGE
def test_no_copy_is_made_and_no_list_handed_in_above_the_limits(
    client: Client, squad: str, text: str
) -> None:
    store(client, squad, text)
    row = SavedSquad.objects.get()
    assert client.post(f"{squad}/keep", {"do": "copy"}).status_code == 400
    address = (
        f"/shared/{sign_link(SquadLink.objects.create(squad=row, kind=SquadLink.COPY))}"
    )
    friend = Client()
    assert friend.get(address).status_code == 200
    assert friend.post(f"{address}/take").status_code == 400
    form = {
        "name": "Cup",
        "deadline": "2099-05-30T18:00",
        "zone": "UTC",
        "sealed": "1",
        "release": "2.0.0",
    }
    assert client.post("/events/new/hydrophilia", form).status_code == 302
    hand_in = f"/at/{Event.objects.get().code}"
    for what in (
        {"squad": str(row.pk)},
        {"text": text},
        {"text": f"http://testserver{address}"},
    ):
        assert client.post(hand_in, {"player": "Ann", **what}).status_code == 400
    assert SavedSquad.objects.count() == 1
    assert not EventList.objects.exists()


def test_no_edit_goes_beyond_the_limits(client: Client) -> None:
    squad = client.post("/import", {"text": ALLOWED})["Location"]
    assert ALLOWED.count("- ") == MAX_LINES
    for what in ("add patrolman", "duplicate 2 patrolman", "count 2 patrolman 400"):
        answer = do(client, squad, what)
        assert answer.status_code == 400, what
        assert "are allowed" in answer.content.decode()
    assert models(squad) == MAX_LINES - 1
    assert do(client, squad, "remove 200 patrolman").status_code == 302
    assert do(client, squad, "add patrolman").status_code == 302


def test_a_text_stays_short_enough_to_be_imported_again(client: Client) -> None:
    long = client.post("/import", {"text": LONG_NOTES})
    assert len(LONG_NOTES) > MAX_CHARACTERS
    assert long.status_code == 400
    squad = client.post("/import", {"text": LONG_NOTES.replace("x" * 1000, "x" * 960)})[
        "Location"
    ]
    answers = [
        do(client, squad, f"note {line} patrolman", value="y" * 1000).status_code
        for line in range(1, 199)
    ]
    assert {302, 400} == set(answers)
    taken = client.get(f"{squad}/as/yaml").content
    assert len(taken) <= MAX_CHARACTERS
    assert (
        client.post(
            "/import", {"file": SimpleUploadedFile("a.yaml", taken)}
        ).status_code
        == 302
    )


def test_squads_are_not_created_without_end(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad = client.post("/squads", {"pack": "hydrophilia"})["Location"].partition("?")[
        0
    ]
    link = sign_link(
        SquadLink.objects.create(squad=SavedSquad.objects.get(), kind=SquadLink.COPY)
    )
    ways = [
        ("/squads", {"pack": "hydrophilia"}),
        ("/import", {"text": f"{HEAD}  - patrolman\n"}),
        (f"{squad}/keep", {"do": "copy"}),
        (f"/shared/{link}/take", {}),
    ]
    answers = [client.post(*ways[number % 4]).status_code for number in range(120)]
    assert set(answers[:119]) == {302}
    assert [client.post(*way).status_code for way in ways] == [429] * 4
    assert Client().post(*ways[0]).status_code == 302  # others go on
    Tally.objects.all().delete()
    monkeypatch.setattr(
        storage,
        "MAX_SQUADS",
        SavedSquad.objects.filter(
            owner=SavedSquad.objects.get(pk=squad.rpartition("/")[2]).owner
        ).count(),
    )
    assert [client.post(*way).status_code for way in ways] == [400] * 4
