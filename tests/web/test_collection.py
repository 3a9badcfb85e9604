"""What somebody owns is counted, squads are built of it, and what two of them want is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from builder.web.cards import library
from builder.web.collection.models import SavedCollection
from builder.web.squads.models import SavedSquad
from tests.usecases.toy import toy_project
from tests.web.test_build import do

HERE = "/collection/hydrophilia"


def counted(client: Client, card: str) -> tuple[int, int]:
    page = client.get(f"{HERE}?have=1").content.decode()
    found = re.search(
        rf'value="less {card}".*?<b>(\d+)</b>.*?value="strip {card}".*?<b>(\d+)</b>',
        page,
        re.S,
    )
    return (int(found[1]), int(found[2])) if found else (0, 0)


def own(client: Client, *what: str) -> None:
    for one in what:
        assert client.post(HERE, {"do": one}).status_code == 302


def test_copies_and_painted_ones_are_counted_up_and_down(client: Client) -> None:
    own(client, "more patrolman", "more patrolman", "paint patrolman")
    assert counted(client, "patrolman") == (2, 1)
    own(client, "paint patrolman", "paint patrolman")
    assert counted(client, "patrolman") == (3, 3)  # a painted copy is a copy
    own(client, "less patrolman", "strip patrolman")
    assert counted(client, "patrolman") == (2, 1)
    own(client, *["less patrolman"] * 4)
    assert counted(client, "patrolman") == (0, 0)
    assert counted(Client(), "patrolman") == (0, 0)
    assert client.post(HERE, {"do": "more nobody"}).status_code == 404


def test_the_catalogue_offers_what_is_owned_and_left(
    client: Client, squad: str
) -> None:
    assert 'name="own"' not in client.get(squad).content.decode()
    own(client, "more captain-davis", "more patrolman", "paint patrolman")

    def offered(query: str) -> set[str]:
        page = client.get(
            f"{squad}?faction=all&kind=character&{query}"
        ).content.decode()
        return set(re.findall(r'value="add ([\w-]+)"', page))

    assert offered("own=own") == {"captain-davis", "patrolman"}
    assert offered("own=painted") == {"patrolman"}
    assert len(offered("")) > 2
    do(client, squad, "add captain-davis")
    assert (
        f'hx-get="{squad}/cards/captain-davis?own=own"'
        in client.get(f"{squad}?faction=all&own=own").content.decode()
    )
    page = client.get(f"{squad}/cards/captain-davis?own=own").content.decode()
    assert "already in the squad: 1" in page


def test_a_squad_is_completed_from_the_shelf(client: Client, squad: str) -> None:
    own(client, *["more patrolman"] * 3, "more captain-davis", "more shieldbearer")
    page = client.get(f"{squad}/complete?ask=1&own=own").content.decode()
    lines = re.findall(r"<li>([^<]*)</li>", page)
    assert any("Patrolman" in line for line in lines)
    assert not any("Marksman" in line for line in lines)


def test_what_two_squads_want_is_reported_beside_both(
    client: Client, squad: str
) -> None:
    other = client.post("/squads", {"pack": "hydrophilia", "name": "Friday"})[
        "Location"
    ].partition("?")[0]
    for one in (squad, other):
        do(client, one, "add captain-davis")
    together = f"{HERE}/squads"
    assert "You own nothing of this game" in client.get(together).content.decode()
    own(client, "more captain-davis")
    page = client.get(together).content.decode()
    assert "1 card is used more often than you own it" in page
    assert {"The Long Night", "Friday"} <= set(re.findall(r'">([^<]+)</a> ×1', page))
    assert "also in Friday" in client.get(squad).content.decode()
    alone = client.get(f"{together}?squad={squad.rpartition('/')[2]}").content.decode()
    assert "You own enough cards for all" in alone
    own(client, "more captain-davis")
    assert "also in Friday" not in client.get(squad).content.decode()


def test_a_collection_leaves_and_comes_as_the_file_of_the_command_line(
    client: Client,
) -> None:
    own(client, "more patrolman", "paint patrolman", "more shieldbearer")
    file = client.get(f"{HERE}/file.yaml").content
    assert file.decode().splitlines() == [
        "pack: hydrophilia", "owned:", "  patrolman: {count: 1, painted: 1}", "  shieldbearer: 1",
    ]  # fmt: skip
    other = Client()
    own(other, "more marksman", "more shieldbearer", "more shieldbearer")
    other.post(f"{HERE}/file", {"file": SimpleUploadedFile("shelf.yaml", file)})
    assert (counted(other, "patrolman"), counted(other, "shieldbearer")) == (
        (1, 1),
        (1, 0),
    )
    assert counted(other, "marksman") == (1, 0)  # what the file does not name stays


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"pack: [",
        b"pack: zod\nowned: {}",
        b"pack: hydrophilia\nowned: {nobody: 1}",
    ],
)
def test_what_is_no_collection_changes_nothing(client: Client, text: bytes) -> None:
    own(client, "more marksman")
    assert (
        client.post(f"{HERE}/file", {"file": SimpleUploadedFile("a", text)}).status_code
        == 400
    )
    assert counted(client, "marksman") == (1, 0)


def test_a_card_that_has_a_new_id_is_still_owned(client: Client, squad: str) -> None:
    own(client, "more gyrfalcon")
    SavedCollection.objects.update(owned={"falcon": {"count": 2, "painted": 1}})
    assert counted(client, "gyrfalcon") == (2, 1)


def test_a_collection_follows_to_another_device_and_goes_with_everything(
    client: Client, squad: str
) -> None:
    own(client, "more marksman", "more patrolman")
    phone = Client()
    own(phone, "more patrolman", "more patrolman")
    link = re.search(
        r'value="http://testserver(/own/come/[^"]+)"',
        client.post("/own/device").content.decode(),
    )
    assert link is not None
    phone.post(link[1], {"sure": "1"})
    assert (counted(phone, "marksman"), counted(client, "patrolman")) == (
        (1, 0),
        (2, 0),
    )
    client.post("/own/delete", {"sure": "1"})
    assert not SavedCollection.objects.exists()
    assert not SavedSquad.objects.exists()


def test_a_product_that_is_owned_fills_the_collection(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SQUADPRESS_PROJECT", str(toy_project(tmp_path)))
    monkeypatch.setattr(library, "library_cache", library.LibraryCache())
    here = "/collection/lanterns"
    assert "I own this product" in client.get(here).content.decode()
    assert client.post(here, {"do": "own marsh-box"}).status_code == 302
    owned = SavedCollection.objects.get().owned
    assert owned["dusk-moth"]["count"] == 3
    assert owned["willow-flute"]["count"] == 1
    assert "I own another one" in client.get(here).content.decode()
    client.post(here, {"do": "own marsh-box"})
    client.post(here, {"do": "disown marsh-box"})
    assert SavedCollection.objects.get().owned == owned
    assert client.post(here, {"do": "own no-box"}).status_code == 404
    (tmp_path / "cards/lanterns/products.yaml").write_text("products: 3\n")
    monkeypatch.setattr(library, "library_cache", library.LibraryCache())
    assert "I own this product" not in client.get(here).content.decode()
