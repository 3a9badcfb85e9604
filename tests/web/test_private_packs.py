"""Imported packs are hidden by a server. With `--private`, nothing of them can be shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.web.cards import library
from builder.web.environment import shows_private_packs
from builder.web.squads.links import sign_link
from builder.web.squads.models import SavedSquad, SquadLink
from tests.cli.test_private_packs import mark_imported
from tests.usecases.toy import toy_project

DAY = date(2026, 4, 1)
NAME = "Lanterns"
VALUES = {
    "pack": "lanterns",
    "kind": "spirit",
    "card": "old-wick",
    "version": "1.0.0",
    "number": "1",
}
"""Values for the parts of addresses."""
Serve = Callable[[bool], None]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Return a function that serves an imported pack: as anyone does, or with `--private`."""
    project = Project(toy_project(tmp_path, known=False))
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", DAY, DAY)
    ).frozen
    mark_imported(project)
    monkeypatch.setenv("SQUADPRESS_PROJECT", str(project.root))

    def start(is_private: bool) -> None:
        monkeypatch.setenv("SQUADPRESS_PRIVATE", "1" if is_private else "")
        monkeypatch.setattr(library, "library_cache", library.LibraryCache())

    return start


def list_pack_addresses() -> Iterator[str]:
    """Yield the address of every page that is about a pack."""
    patterns: list[tuple[str, URLPattern | URLResolver]] = [
        ("/", pattern) for pattern in get_resolver().url_patterns
    ]
    while patterns:
        prefix, pattern = patterns.pop()
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            patterns += [(address, child) for child in pattern.url_patterns]
        elif "pack" in pattern.pattern.converters:
            for name in pattern.pattern.converters:
                for converter in ("slug", "str", "int"):
                    address = address.replace(
                        f"<{converter}:{name}>", VALUES.get(name, "")
                    )
            yield address


def begin(client: Client) -> str:
    answer = client.post("/squads", {"pack": "lanterns", "name": "Nightfall"})
    assert answer.status_code == 302
    return str(answer["Location"].split("?")[0])


def test_a_server_hides_private_packs(client: Client, serve: Serve) -> None:
    serve(False)
    addresses = sorted(list_pack_addresses())
    assert len(addresses) > 10
    for address in addresses:
        response = client.get(address)
        assert response.status_code in (400, 404, 405), address
        assert NAME not in response.content.decode(), address
    for address in ("/", "/cards/", "/events", "/collection", "/colours.css"):
        page = client.get(address)
        assert page.status_code == 200, address
        assert "lanterns" not in page.content.decode().lower(), address
    assert client.post("/squads", {"pack": "lanterns"}).status_code == 400
    for text in ("pack: lanterns\nentries: [old-wick]\n", "1x Old Wick"):
        assert client.post("/import", {"text": text}).status_code == 400


def test_squads_of_a_pack_that_became_private_are_hidden(
    client: Client, serve: Serve
) -> None:
    serve(True)
    squad = begin(client)
    assert "Nightfall" in client.get("/").content.decode()
    serve(False)
    assert "Nightfall" not in client.get("/").content.decode()
    for page in (
        "",
        "/play",
        "/share",
        "/print",
        "/play/file",
        "/cards/old-wick",
        "/rules",
    ):
        assert client.get(squad + page).status_code in (400, 404), page


def test_a_private_server_shows_them_but_shares_nothing(
    client: Client, serve: Serve
) -> None:
    serve(True)
    squad = begin(client)
    for page in ("", "/play", "/share", "/print", "/cards/old-wick"):
        assert client.get(squad + page).status_code == 200, page
    for address in list_pack_addresses():
        if address.startswith("/cards/"):
            assert client.get(address).status_code == 404, address
    assert "lanterns" not in client.get("/cards/").content.decode()
    assert "Create a link" not in client.get(f"{squad}/share").content.decode()
    for kind in SquadLink.KINDS:
        assert client.post(f"{squad}/links", {"do": f"make {kind}"}).status_code == 400
    assert client.post(f"{squad}/seals").status_code == 400
    assert client.get("/events/new/lanterns").status_code in (400, 404)


def test_links_from_before_open_nothing(client: Client, serve: Serve) -> None:
    serve(True)
    key = UUID(begin(client).rpartition("/")[2])
    for kind in SquadLink.KINDS:
        link = SquadLink.objects.create(squad=SavedSquad.objects.get(pk=key), kind=kind)
        address = f"/shared/{sign_link(link)}"
        friend = Client()
        assert friend.get(address).status_code == 400
        assert friend.post(f"{address}/take").status_code == 400


def test_a_public_address_is_never_private() -> None:
    private = {"SQUADPRESS_PRIVATE": "1"}
    assert shows_private_packs(private)
    assert not shows_private_packs(
        {**private, "SQUADPRESS_ORIGIN": "https://squads.example.org"}
    )
    assert not shows_private_packs({"SQUADPRESS_PRIVATE": ""})
