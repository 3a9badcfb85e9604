"""The site imports its own export: squads with notes and games, and collections.

Hostile archives are refused.
"""

from __future__ import annotations

import json
import secrets
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from builder.usecases.roster import check_roster
from builder.web.collection.models import SavedCollection
from builder.web.squads import archive as archive_module
from builder.web.squads.models import SavedSquad, SquadGame
from tests.web.test_own import begin

GAME = {"round": 3, "mine": 1, "theirs": 2, "marks": ["captain-davis.1.wound"]}
SMALL = "pack: hydrophilia\nname: Small\nentries: [captain-davis]\n"
FALCON = "pack: hydrophilia\nname: Old\nentries: [falcon]\n"


def upload(client: Client, data: bytes) -> str:
    response = client.post(
        "/import", {"file": SimpleUploadedFile("squads.zip", data, "application/zip")}
    )
    upload.status = response.status_code  # type: ignore[attr-defined]
    return " ".join(response.content.decode().split())


def archive(**files: str) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name.replace("__", "."), text)
    return out.getvalue()


def exported(client: Client) -> bytes:
    return client.get("/own/squads.zip").content


def test_an_export_is_imported_with_notes_games_and_collections(
    client: Client, squad: str
) -> None:
    client.post(f"{squad}/keep", {"do": "notes", "notes": "Beat the flood first."})
    SquadGame.objects.create(squad=SavedSquad.objects.get(), state=GAME)
    client.post("/collection/hydrophilia", {"do": "more captain-davis"})
    original, data = SavedSquad.objects.get(), exported(client)

    other = Client()
    page = upload(other, data)
    assert "1 squad was imported." in page
    copy = SavedSquad.objects.exclude(owner=original.owner).get()
    assert (copy.text, copy.name, copy.notes) == (
        original.text,
        original.name,
        "Beat the flood first.",
    )
    assert copy.id != original.id
    assert SquadGame.objects.get(squad=copy).state == GAME
    assert SavedCollection.objects.get(owner=copy.owner).owned == {
        "captain-davis": {"count": 1, "painted": 0}
    }
    assert other.get(f"/squads/{copy.id}").status_code == 200


def test_what_is_there_already_is_not_imported_twice(
    client: Client, squad: str
) -> None:
    page = upload(client, exported(client))
    assert "0 squads were imported." in page
    assert "1 squad was already here." in page
    assert SavedSquad.objects.count() == 1


def test_renamed_cards_are_followed_and_reported(client: Client) -> None:
    owned = json.dumps(
        {"pack": "hydrophilia", "owned": {"falcon": {"count": 2, "painted": 1}}}
    )
    page = upload(
        client, archive(**{"a__yaml": FALCON, "collection-hydrophilia__json": owned})
    )
    assert "falcon is now gyrfalcon" in page
    row = SavedSquad.objects.get()
    assert "gyrfalcon" in row.text
    assert SavedCollection.objects.get().owned == {
        "gyrfalcon": {"count": 2, "painted": 1}
    }


def test_one_bad_squad_does_not_hide_the_others(client: Client) -> None:
    data = archive(
        a__yaml="pack: [",
        b__yaml=FALCON,
        c__yaml="pack: nowhere\nentries: []\n",
        b__json="[[[",
    )
    page = upload(client, data)
    assert "1 squad was imported." in page
    assert "a.yaml" in page
    assert "c.yaml" in page
    assert SavedSquad.objects.count() == 1


def test_a_game_that_no_page_wrote_is_reported_and_left_out(client: Client) -> None:
    page = upload(
        client,
        archive(
            a__yaml=FALCON, a__json=json.dumps({"name": "Mine", "game": {"marks": "x"}})
        ),
    )
    assert "Mine: " in page
    assert SquadGame.objects.count() == 0
    assert SavedSquad.objects.count() == 1


def damaged() -> bytes:
    data = bytearray(archive(a__yaml=FALCON * 50))
    data[45:60] = bytes(15)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 nothing", "the archive cannot be read"),
        (damaged(), "the archive cannot be read"),
        (archive(readme__txt="hello"), "no squads and no collections"),
        (
            archive(**{f"{number}__yaml": "" for number in range(10_001)}),
            "the archive is too large",
        ),
    ],
    ids=["no archive", "damaged", "of another program", "many files"],
)
def test_a_hostile_archive_is_refused(client: Client, data: bytes, reason: str) -> None:
    assert reason in upload(client, data).lower()
    assert upload.status == 400  # type: ignore[attr-defined]
    assert SavedSquad.objects.count() == 0


def test_an_archive_that_is_too_large_to_read_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.web.squads.views.imports.MAX_ARCHIVE_BYTES", 100)
    assert "larger than" in upload(client, archive(a__yaml=FALCON))
    assert archive_module.MAX_ARCHIVE_BYTES == 10_000_000


def test_a_collection_file_follows_renamed_cards_and_says_so(client: Client) -> None:
    begin(client, "Any")
    text = "pack: hydrophilia\nowned: {falcon: 2, gyrfalcon: 1}\n"
    page = client.post(
        "/collection/hydrophilia/file", {"text": text}, follow=True
    ).content.decode()
    assert SavedCollection.objects.get().owned["gyrfalcon"] == {
        "count": 3,
        "painted": 0,
    }
    assert "falcon is now called Gyrfalcon" in page


def test_one_file_that_is_too_large_does_not_hide_the_others(client: Client) -> None:
    huge = json.dumps({"name": "Long history", "steps": "x" * 20_000_001})
    page = upload(
        client, archive(a__yaml=" " * 20_000_001, b__yaml=SMALL, b__json=huge)
    )
    assert "1 squad was imported." in page
    assert "a.yaml: the file is larger than 20000 kB" in page
    assert "b.json: the file is larger than 20000 kB" in page


def test_an_export_with_long_histories_is_imported_again(client: Client) -> None:
    """It is larger than any other form, and a thousand squads are more than 2,000 files."""
    history = {
        f"{number}__yaml": SMALL.replace("Small", f"Squad {number}")
        for number in range(2)
    }
    history |= {
        "0__json": json.dumps(
            {"name": "0", "notes": "kept", "steps": secrets.token_hex(2_500_000)}
        )
    }
    history |= {f"event-{number}__json": "{}" for number in range(3_000)}
    data = archive(**history)
    assert len(data) > 2_000_000
    assert "2 squads were imported." in upload(client, data)
    assert upload.status == 200  # type: ignore[attr-defined]
    assert set(SavedSquad.objects.values_list("notes", flat=True)) == {"kept", ""}


def test_a_form_that_is_too_large_is_refused_with_its_limit(client: Client) -> None:
    assert (
        "2000 kB" in client.post("/squads", {"name": "x" * 2_000_000}).content.decode()
    )
    data = secrets.token_bytes(10_500_000)
    assert "10500 kB" in upload(client, data)
    assert upload.status == 413  # type: ignore[attr-defined]


def test_archives_read_each_pack_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(client, archive(a__yaml=SMALL))
    loads: list[str] = []
    monkeypatch.setattr(
        check_roster, "load_pack_as_of", lambda _packs, pack, _state: loads.append(pack)
    )
    assert "20 squads were imported." in upload(
        client,
        archive(
            **{
                f"{number}__yaml": SMALL.replace("Small", f"Squad {number}")
                for number in range(20)
            }
        ),
    )
    assert loads == []


def test_browsers_of_one_address_import_a_limited_number_of_squads(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.web.squads.views.imports.MAX_ARCHIVE_SQUADS_PER_HOUR", 3
    )
    two = {
        f"{number}__yaml": SMALL.replace("Small", f"Squad {number}")
        for number in range(2)
    }
    assert "2 squads were imported." in upload(client, archive(**two))
    page = upload(Client(), archive(**two))
    assert "1 squad was imported." in page
    assert "too many attempts" in page
