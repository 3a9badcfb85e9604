"""A play format goes with a squad and with an event.

What it bans is refused with its reason, and told everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from builder.packs.project import Project
from builder.web.cards import library
from builder.web.events.models import Event, EventList
from builder.web.squads.models import SavedSquad
from tests.usecases.toy import toy_project

FORMATS = """formats:
  standard:
    name: {en: Standard, de: Standard}
    banned:
      - {cards: [old-wick], reason: {en: Never lit in time., de: Nie rechtzeitig angezündet.}}
      - {cards: [dusk-moth], from: 2090-01-01}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a game with a play format."""
    project = Project(toy_project(tmp_path))
    (project.get_cards_dir("lanterns") / "formats.yaml").write_text(FORMATS, "utf-8")
    monkeypatch.setattr(library.library_cache, "library", library.Library(project))
    monkeypatch.setattr(library.library_cache, "next_scan", float("inf"))
    return project


def begin(client: Client, played: str) -> str:
    answer = client.post(
        "/squads", {"pack": "lanterns", "name": "Nightfall", "format": played}
    )
    return str(answer["Location"].split("?")[0])


def read(client: Client, address: str) -> str:
    return client.get(address, follow=True).content.decode()


@pytest.mark.usefixtures("game")
def test_a_banned_card_is_folded_away_with_its_reason_and_reported_when_it_is_there(
    client: Client,
) -> None:
    assert 'name="format"' in read(client, "/games/lanterns")
    squad = begin(client, "standard")
    page = read(client, f"{squad}?faction=all&refused=1")
    refused = page.partition('id="refused"')[2]
    assert "Old Wick" in refused
    why = read(client, f"{squad}/cards/old-wick")
    assert "<b>Banned in Standard · Never lit in time:</b> " in why
    assert "standard:banned" not in why  # a page has no use for a rule's id
    assert "Dusk Moth" not in refused  # its ban begins later
    client.post(f"{squad}/edit", {"do": "add old-wick"})
    assert "Banned in Standard" in read(client, squad).partition('id="troubles"')[2]
    assert "· Standard</small>" in read(client, squad)
    client.post(f"{squad}/keep", {"do": "format", "format": ""})
    assert "Banned in Standard" not in read(client, squad)
    assert "Undo: Play format: –" in read(client, squad)
    client.post(f"{squad}/edit", {"do": "undo"})
    assert "Banned in Standard" in read(client, squad)
    client.post(f"{squad}/edit", {"do": "redo"})
    assert "Banned in Standard" not in read(client, squad)


@pytest.mark.usefixtures("game")
def test_copies_keep_the_play_format_and_one_that_is_gone_is_reported(
    client: Client,
) -> None:
    squad = begin(client, "standard")
    client.post(f"{squad}/keep", {"do": "copy"})
    client.post(f"{squad}/links", {"do": "make copy"})
    found = re.search(r"/shared/[^\"]+", read(client, f"{squad}/share"))
    assert found is not None
    Client().post(f"{found[0]}/take")
    token = read(client, f"{squad}/as/token")
    client.post("/import", {"text": token})
    kept = SavedSquad.objects.values_list("text", flat=True)
    assert [text.count("play_format: standard\n") for text in kept] == [1] * 4
    client.post(f"{squad}/keep", {"do": "format", "format": "nonsense"})
    assert [text.count("play_format: standard\n") for text in kept.all()] == [1] * 4
    SavedSquad.objects.update(text="pack: lanterns\nplay_format: bygone\n")
    assert "bygone is not a play format of this game" in read(client, squad)
    assert (
        '<option value="bygone" selected>bygone (no longer offered)</option>'
        in read(client, f"{squad}/about")
    )
    client.post(f"{squad}/keep", {"do": "format", "format": ""})
    assert "bygone" not in read(client, squad).partition('id="troubles"')[2]


def test_a_squad_is_freed_of_the_last_play_format_when_its_game_drops_it(
    client: Client, game: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad = begin(client, "standard")
    assert '<option value="standard" selected>Standard</option>' in read(
        client, f"{squad}/about"
    )
    (game.get_cards_dir("lanterns") / "formats.yaml").unlink()
    monkeypatch.setattr(library.library_cache, "library", library.Library(game))
    assert "standard is not a play format of this game" in read(client, squad)
    offered = re.findall(
        r'<option value="([^"]*)"( selected)?>',
        read(client, f"{squad}/about").partition('"format"')[2],
    )
    assert offered == [("", ""), ("standard", " selected")]
    client.post(f"{squad}/keep", {"do": "format", "format": ""})
    assert "not a play format" not in read(client, squad)
    assert 'name="format"' not in read(client, f"{squad}/about")


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("day", "legal"), [("2089-12-31", True), ("2090-01-01", False)]
)
def test_an_event_checks_by_its_play_format_on_the_day_of_play(
    client: Client, day: str, legal: bool
) -> None:
    form = {
        "name": "Cup",
        "deadline": "2089-05-30T18:00",
        "zone": "UTC",
        "sealed": "0",
        "format": "standard",
    }
    assert (
        client.post("/events/new/lanterns", {**form, "day": "2089-05-29"}).status_code
        == 400
    )
    own = client.post("/events/new/lanterns", {**form, "day": day})["Location"]
    assert (
        client.post(
            own, {**form, "do": "save", "deadline": "2095-01-01T18:00"}
        ).status_code
        == 400
    )
    squad = begin(client, "")
    for card in ("old-wick", "dusk-moth"):
        client.post(f"{squad}/edit", {"do": f"add {card}"})
    client.post(f"{squad}/edit", {"do": "remove 1 old-wick"})
    event = Event.objects.get()
    client.post(
        f"/at/{event.code}", {"player": "Ann", "squad": squad.rpartition("/")[2]}
    )
    broken = EventList.objects.get().verdict["broken"]
    assert ("standard:banned-dusk-moth" not in broken) == legal
    assert ("Banned in Standard" not in read(client, own)) == legal
    assert "Standard (" in read(client, f"/at/{event.code}")
    assert f",standard,{day}," in client.get(f"{own}/lists.csv").content.decode()
