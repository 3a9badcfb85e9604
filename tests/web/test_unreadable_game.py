"""A game whose files are broken gives no verdict on any page.

Pages say which file, and other games go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from builder.errors import PackUnreadable
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.web.cards import library
from builder.web.events.models import Event, EventList
from builder.web.site import write_site
from builder.web.squads.models import SavedSquad
from tests.usecases.toy import toy_project

FIRST = date(2026, 4, 1)
PAGES = (
    "",
    "/rules",
    "/complete",
    "/share",
    "/seals",
    "/about",
    "/play",
    "/cards/old-wick",
    "/as/token",
)
EVENT = {
    "name": "Cup",
    "deadline": "2099-05-30T18:00",
    "zone": "UTC",
    "sealed": "",
    "release": "1.0.0",
    "param-embers": "12",
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Two games with one release of the first."""
    project = Project(toy_project(tmp_path, known=False))
    toy_project(tmp_path / "second", "brigade", known=False)
    for part in ("cards", "schemas", "templates"):
        (tmp_path / "second" / part / "brigade").rename(tmp_path / part / "brigade")
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    ).frozen
    serve(project, monkeypatch)
    return project


def serve(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve a project as its files are now."""
    monkeypatch.setattr(library.library_cache, "library", library.Library(project))
    monkeypatch.setattr(library.library_cache, "next_scan", float("inf"))


def begin(client: Client, pack: str = "lanterns") -> str:
    answer = client.post("/squads", {"pack": pack, "name": "Nightfall"})
    assert answer.status_code == 302
    return str(answer["Location"].split("?")[0])


def read(client: Client, address: str) -> str:
    return client.get(address, follow=True).content.decode()


def break_file(path: Path) -> None:
    path.write_text('rules: [\n - "\n', encoding="utf-8")


FILES = ("rules.yaml", "pack.yaml", "vocabulary.yaml", "spirit/dusk-moth.yaml")


@pytest.mark.parametrize("change", [break_file, Path.unlink])
@pytest.mark.parametrize("file", FILES)
def test_a_squad_gets_no_verdict_and_other_games_go_on(
    client: Client,
    game: Project,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    change: Callable[[Path], None],
) -> None:
    if change is Path.unlink and file == "spirit/dusk-moth.yaml":
        pytest.skip("nobody knows of a card that is not there")
    squad, other = begin(client), begin(client, "brigade")
    SavedSquad.objects.filter(pack="lanterns").update(
        text="pack: lanterns\nembers: 12\nentries: [old-wick]\n"
    )
    assert "Legal" in read(client, squad)
    change(game.get_cards_dir("lanterns") / file)
    serve(game, monkeypatch)
    for page in PAGES:
        answer = client.get(f"{squad}{page}")
        told = answer.content.decode()
        assert answer.status_code == 503, page
        assert f"no verdict: cards/lanterns/{file}" in told, page
        assert "Legal" not in told, page
    answer = client.post(f"{squad}/edit", {"do": "add old-wick"})
    assert answer.status_code == 503
    assert SavedSquad.objects.get(pack="lanterns").text.count("old-wick") == 1
    assert client.get(other).status_code == 200
    home = client.get("/")
    assert home.status_code == 200
    told = home.content.decode()
    assert "No verdict" in told
    assert f"no verdict: cards/lanterns/{file}" in told
    assert "Legal" not in told.partition("No verdict")[2].partition("</li>")[0]


def test_an_event_takes_no_list_that_nobody_can_check(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client.post("/events/new/lanterns", EVENT)
    event = Event.objects.get(pk=answer["Location"].rpartition("/")[2])
    form = {
        "player": "Ann",
        "text": "pack: lanterns\nembers: 12\nentries: [old-wick]\n",
    }
    for file in (
        "releases/1.0.0/rules.json",
        "releases/1.0.0/cards.json",
        "migrations.yaml",
    ):
        path = game.get_cards_dir("lanterns") / file
        before = path.read_bytes() if path.is_file() else None
        break_file(path)
        serve(game, monkeypatch)
        answer = client.post(f"/at/{event.code}", form)
        assert (
            answer.status_code,
            f"cards/lanterns/{file}" in answer.content.decode(),
        ) == (
            503,
            True,
        ), file
        assert not EventList.objects.exists()
        path.unlink() if before is None else path.write_bytes(before)
    serve(game, monkeypatch)
    assert client.post(f"/at/{event.code}", form).status_code == 302


@pytest.mark.parametrize("file", ["rules.yaml", "pack.yaml"])
def test_a_text_is_not_blamed_for_a_broken_game(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    event = Event.objects.get(
        pk=client.post("/events/new/lanterns", EVENT)["Location"].rpartition("/")[2]
    )
    text = "pack: lanterns\nembers: 12\nentries: [old-wick]\n"
    break_file(game.get_cards_dir("lanterns") / file)
    serve(game, monkeypatch)
    for address in ("/import", f"/at/{event.code}"):
        answer = client.post(
            address, {"player": "Ann", "text": text}, headers={"accept-language": "en"}
        )
        told = answer.content.decode()
        assert answer.status_code == 503, address
        assert f"no verdict: cards/lanterns/{file}" in told.replace(
            "No verdict", "no verdict"
        ), address
        assert "contains no roster" not in told, address
    assert not SavedSquad.objects.exists()
    assert not EventList.objects.exists()


def test_a_squad_of_a_broken_release_gets_no_verdict(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad = begin(client)
    text = "pack: lanterns\nversion: 1.0.0\nembers: 12\nentries: [old-wick]\n"
    SavedSquad.objects.update(text=text, release="1.0.0", based="1.0.0")
    assert "Legal" in read(client, squad)
    for name in ("rules.json", "cards.json"):
        path = game.get_cards_dir("lanterns") / "releases/1.0.0" / name
        before = path.read_bytes()
        break_file(path)
        serve(game, monkeypatch)
        answer = client.get(squad)
        told = answer.content.decode()
        assert (
            answer.status_code,
            f"cards/lanterns/releases/1.0.0/{name}" in told,
        ) == (503, True)
        path.write_bytes(before)


def test_cards_of_a_broken_game_are_shown_but_not_where_they_may_be_used(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    break_file(game.get_cards_dir("lanterns") / "spirit/dusk-moth.yaml")
    serve(game, monkeypatch)
    assert "Old Wick" in read(client, "/cards/lanterns/spirit/")
    assert client.get("/cards/lanterns/spirit/old-wick/").status_code == 503
    for name in ("SQUADPRESS_PROJECT", "SQUADPRESS_DATA"):
        monkeypatch.setenv(
            name, os.environ[name]
        )  # writing a site sets them for its process
    with pytest.raises(PackUnreadable, match=r"spirit/dusk-moth\.yaml"):
        write_site(game, {"lanterns": "work"}, tmp_path / "site", "", tmp_path)


def test_a_pack_of_cards_alone_is_shown(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game.get_cards_dir("brigade") / "rules.yaml").unlink()
    serve(game, monkeypatch)
    assert client.get("/cards/brigade/cuistot/gros-pilon/").status_code == 200
