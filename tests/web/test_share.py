"""A squad is handed on by links, tokens, lists and files, and taken in from all of them."""

from __future__ import annotations

import html
import re
from io import BytesIO

import pytest
import zxingcpp
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from PIL import Image

from builder.web.squads.models import SavedSquad, SquadLink

BUILT = (
    "add captain-davis",
    "add dispatcher",
    "give 2 dispatcher smoke-canister",
    "add gyrfalcon",
)


def do(client: Client, squad: str, what: str) -> HttpResponse:
    return client.post(f"{squad}/edit", {"do": what, "next": squad})


def text(squad: str) -> str:
    return SavedSquad.objects.get(id=squad.rpartition("/")[2]).text


@pytest.fixture
def built(client: Client, squad: str) -> str:
    for what in BUILT:
        assert do(client, squad, what).status_code == 302
    return squad


def link(client: Client, squad: str, kind: str) -> str:
    client.post(f"{squad}/links", {"do": f"make {kind}"})
    page = client.get(f"{squad}/share").content.decode()
    made = SquadLink.objects.get(kind=kind)
    found = re.search(rf'value="http://testserver(/shared/{made.code}-[^"]+)"', page)
    assert found is not None
    return found[1]


def test_a_link_to_look_at_shows_the_squad_and_changes_nothing(
    client: Client, built: str
) -> None:
    address, friend = link(client, built, "view"), Client()
    page = friend.get(address).content.decode()
    assert "The Long Night" in page
    assert "Smoke Canister" in page
    assert "<button class=" not in page
    assert friend.post(f"{address}/take").status_code == 400
    assert SavedSquad.objects.count() == 1


@pytest.mark.parametrize(
    ("shape", "size"),
    [("square", (1080, 1080)), ("story", (1080, 1920)), ("preview", (1200, 630))],
)
def test_the_picture_of_a_shared_squad_leads_to_its_page(
    client: Client, built: str, shape: str, size: tuple[int, int]
) -> None:
    address, friend = link(client, built, "view"), Client()
    answer = friend.get(f"{address}/{shape}.png")
    assert answer["Content-Type"] == "image/png"
    picture = Image.open(BytesIO(answer.content))
    assert picture.size == size
    codes = zxingcpp.read_barcodes(picture)
    assert [code.text for code in codes] == [f"http://testserver{address}"]
    assert friend.get(f"{address}/poster.png").status_code == 404
    client.post(f"{built}/links", {"do": "withdraw view"})
    assert friend.get(f"{address}/{shape}.png").status_code == 404


def test_the_page_of_a_link_has_a_preview_with_name_and_points(
    client: Client, built: str
) -> None:
    address = link(client, built, "view")
    page = Client().get(address).content.decode()
    assert '<meta property="og:title" content="The Long Night">' in page
    assert (
        f'<meta property="og:image" content="http://testserver{address}/preview.png">'
        in page
    )
    assert re.search(r'og:description" content="[^"]* · \d+', page)


def test_a_link_to_copy_gives_a_friend_a_squad_of_their_own(
    client: Client, built: str
) -> None:
    address, friend = (
        link(client, built, "copy"),
        Client(headers={"accept-language": "en"}),
    )
    mine = friend.post(f"{address}/take")["Location"]
    assert mine != built
    assert "The Long Night (copy)" in friend.get(mine).content.decode()
    assert do(friend, mine, "remove 1 captain-davis").status_code == 302
    assert "captain-davis" in text(built)


def test_a_link_to_edit_opens_the_squad_elsewhere_until_it_is_withdrawn(
    client: Client, built: str
) -> None:
    address, phone = link(client, built, "edit"), Client()
    assert phone.get(built).status_code == 404
    assert phone.post(f"{address}/take")["Location"] == built
    assert do(phone, built, "remove 1 captain-davis").status_code == 302
    assert "captain-davis" not in text(built)
    assert (
        phone.post(f"{built}/links", {"do": "make view"}).status_code == 400
    )  # the owner alone makes links
    client.post(f"{built}/links", {"do": "withdraw edit"})
    assert phone.get(built).status_code == 404
    assert phone.get(address).status_code == 404
    assert link(client, built, "edit") != address


def test_a_link_cannot_be_guessed_from_another(client: Client, built: str) -> None:
    address = link(client, built, "view")
    link(client, built, "edit")
    code, _dash, signature = address.rpartition("/")[2].partition("-")
    other = SquadLink.objects.get(kind="edit").code
    assert Client().get(f"/shared/{other}-{signature}").status_code == 404
    assert Client().get(f"/shared/{code}-").status_code == 404


@pytest.mark.parametrize("form", ["text", "markdown", "json", "yaml", "token"])
def test_what_is_taken_along_can_be_taken_in(
    client: Client, built: str, form: str
) -> None:
    taken = client.get(f"{built}/as/{form}")
    assert "attachment" in taken["Content-Disposition"]
    other = Client()
    answer = other.post("/import", {"file": SimpleUploadedFile("squad", taken.content)})
    assert answer.status_code == 302
    again = other.get(f"{answer['Location']}/as/text").content
    assert again == client.get(f"{built}/as/text").content


def test_what_was_not_understood_is_named_before_anything_is_kept(
    client: Client, built: str
) -> None:
    told = client.get(f"{built}/as/text").content.decode() + "\nA Dragon (40)\n"
    page = client.post("/import", {"text": told}).content.decode()
    assert "<li>A Dragon (40)</li>" in page
    assert SavedSquad.objects.count() == 1
    kept = re.search(r'name="text" value="([^"]*)"', page)
    assert kept is not None
    assert (
        client.post(
            "/import", {"text": html.unescape(kept[1]), "keep": "1"}
        ).status_code
        == 302
    )
    assert SavedSquad.objects.count() == 2


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("SQP1.AAAA", "the token is damaged"),
        ("{", "contains no roster"),
        ("pack: chess\nentries: []", 'chess" does not exist'),
        ("pack: [", "contains no roster"),
        ("nobody knows this", "contains no card"),
        ("", "contains no card"),
    ],
)
def test_what_is_no_squad_is_refused_with_a_reason(
    client: Client, given: str, told: str
) -> None:
    answer = client.post("/import", {"text": given})
    assert answer.status_code == 400
    assert told in html.unescape(answer.content.decode()).replace("The ", "the ")
    assert not SavedSquad.objects.exists()


def test_uploads_are_bounded(client: Client) -> None:
    assert (
        client.post(
            "/import", {"file": SimpleUploadedFile("a", b"x" * 900_000)}
        ).status_code
        == 400
    )
    assert (
        client.post(
            "/import", {"file": SimpleUploadedFile("a", b"x" * 2_100_000)}
        ).status_code
        == 400
    )
    assert (
        client.post(
            "/import", {"file": SimpleUploadedFile("a", b"x" * 10_600_000)}
        ).status_code
        == 413
    )
    assert (
        client.post(
            "/import", {"file": SimpleUploadedFile("a", b"\xff\xfe\x00")}
        ).status_code
        == 400
    )
