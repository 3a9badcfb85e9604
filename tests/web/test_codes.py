"""A squad is taken in from a photo of its code: a token, or a link of this server's."""

from __future__ import annotations

import html
import re
from io import BytesIO

import pytest
import segno
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from builder.web import uploads
from builder.web.squads.models import SavedSquad


def photo(text: str, kind: str = "JPEG") -> SimpleUploadedFile:
    """A code on a table: grey, turned, in a corner."""
    out = BytesIO()
    segno.make(text, error="m").save(out, kind="png", scale=6, border=4)
    code = Image.open(out).convert("L").point(lambda value: 40 + value * 3 // 5)
    table = Image.new("L", (code.width + 500, code.height + 300), 90)
    table.paste(code.rotate(9, expand=True, fillcolor=90), (300, 120))
    made = BytesIO()
    table.save(made, kind)
    return SimpleUploadedFile("code.jpg", made.getvalue(), "image/jpeg")


def refused(client: Client, file: SimpleUploadedFile) -> str:
    answer = client.post("/import", {"file": file})
    assert answer.status_code == 400
    assert not SavedSquad.objects.filter(name__contains="Night", owner="").exists()
    return html.unescape(answer.content.decode())


def test_a_photo_of_a_token_brings_the_squad(client: Client, squad: str) -> None:
    client.post(f"{squad}/edit", {"do": "add captain-davis"})
    token = client.get(f"{squad}/as/token").content.decode().strip()
    other = Client()
    answer = other.post("/import", {"file": photo(token)})
    assert answer.status_code == 302
    assert (
        "captain-davis" in other.get(f"{answer['Location']}/as/yaml").content.decode()
    )


def test_a_photo_of_a_link_opens_it_and_so_does_a_pasted_one(
    client: Client, squad: str
) -> None:
    client.post(f"{squad}/links", {"do": "make view"})
    found = re.search(
        r"http://[^\"]+(/shared/[^\"]+)", client.get(f"{squad}/share").content.decode()
    )
    assert found is not None
    for form in (
        {"file": photo(found[0], "PNG")},
        {"file": photo(found[0], "BMP")},
        {"text": f" {found[0]}\n"},
    ):
        assert Client().post("/import", form)["Location"] == found[1]


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example/shared/1-a",
        "http://testserver/own/delete",
        "http://testserver/x",
        "https://[abc",
    ],
)
def test_a_link_elsewhere_is_named_and_not_followed(
    client: Client, address: str
) -> None:
    assert address in refused(client, photo(address))


@pytest.mark.parametrize("text", ["BMX riders\nGIF8 keepers", "https://[abc riders"])
def test_a_list_is_read_as_one_whatever_it_begins_with(
    client: Client, text: str
) -> None:
    assert "contains no card" in refused(
        client, SimpleUploadedFile("list.txt", text.encode(), "text/plain")
    )


def test_pictures_without_a_squad_are_refused_with_a_reason(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    blank = BytesIO()
    Image.new("L", (400, 300), 200).save(blank, "PNG")
    assert (
        "contains no readable code"
        in refused(
            client, SimpleUploadedFile("a.png", blank.getvalue(), "image/png")
        ).lower()
    )
    assert "cannot be read" in refused(
        client, SimpleUploadedFile("a.png", blank.getvalue()[:60], "image/png")
    )
    assert "contains no card" in refused(client, photo("good morning"))
    monkeypatch.setattr(uploads, "MAX_PICTURE_PIXELS", 100_000)
    assert "too large" in refused(
        client, SimpleUploadedFile("a.png", blank.getvalue(), "image/png")
    )
