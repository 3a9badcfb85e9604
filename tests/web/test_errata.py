"""A squad stays on its release, is shown what a new one changes, and moves on request."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from builder.web.squads import newer as impact, storage
from builder.web.squads.models import SavedSquad
from tests.web.test_build import do, text


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third release is in force, whatever the day is."""
    monkeypatch.setattr(impact, "localdate", lambda: date(2027, 1, 15))


VARGA = """# The workshop, as built in spring
pack: hydrophilia
version: 1.0.0
name: Varga's workshop
size: 30
mode: competitive
entries:
  - {card: engineer-varga, id: varga}
  - {card: rigger, id: rigger}  # never without him
  - {card: remora, count: 2, controller: varga}
  - {card: falcon, controller: rigger}
  - {card: hydroid, count: 3}
"""


def taken_in(client: Client, squad: str) -> str:
    answer = client.post("/import", {"text": squad, "keep": "1"})
    assert answer.status_code == 302
    SavedSquad.objects.update(text=squad)
    return str(answer["Location"])


@pytest.fixture
def varga(client: Client) -> str:
    return taken_in(client, VARGA)


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game stands at its first release until the test says otherwise."""
    monkeypatch.setattr(storage, "find_played_release", lambda _pack: "1.0.0")


def test_a_squad_of_an_older_release_is_shown_what_the_new_one_changes(
    client: Client, varga: str
) -> None:
    page = client.get(varga).content.decode()
    assert "Release 3.1.0 is out." in page
    told = client.get(f"{varga}/release").content.decode()
    points = re.findall(r'class="points">([\d.]+)', told.partition("before-after")[2])
    assert len(points) >= 2
    assert points[0] != points[1]
    assert "Falcon → Gyrfalcon" in told
    assert re.search(r"<h3>Hydroid</h3>.*?<del>|<h3>Hydroid</h3>.*?<td>", told, re.S)
    assert "1.0.0" in text(varga)


def test_before_its_day_a_release_is_reported_as_coming(
    client: Client, varga: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(impact, "localdate", lambda: date(2026, 11, 30))
    for address in (varga, "/"):
        page = client.get(address).content.decode()
        assert "Release 3.1.0 takes effect on" in page
        assert "is out" not in page


def test_it_moves_with_one_tap_keeps_its_remarks_and_comes_back_with_another(
    client: Client, varga: str
) -> None:
    before = text(varga)
    assert (
        client.post(f"{varga}/release", {"do": "move", "version": "3.1.0"}).status_code
        == 302
    )
    after = text(varga)
    assert re.search(r'^version: "?3.1.0"?$', after, re.M)
    assert "card: gyrfalcon" in after
    assert "# never without him" in after
    assert "is out." not in client.get(varga).content.decode()
    do(client, varga, "undo")
    assert text(varga) == before


def test_it_stays_when_its_owner_says_so_and_is_asked_no_more(
    client: Client, varga: str
) -> None:
    before = text(varga)
    client.post(f"{varga}/release", {"do": "stay", "version": "3.1.0"})
    page = client.get(varga).content.decode()
    assert "is out." not in page
    assert "What release 3.1.0 changes" in page  # it can still be looked up
    assert text(varga) == before
    assert (
        client.post(f"{varga}/release", {"do": "move", "version": "9.0.0"}).status_code
        == 400
    )
    assert text(varga) == before


def test_no_squad_changes_silently_when_its_game_is_released_anew(
    client: Client, released: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad = taken_in(client, VARGA.replace("version: 1.0.0\n", ""))
    assert "version" not in text(squad)
    monkeypatch.setattr(storage, "find_played_release", lambda _pack: "3.1.0")
    page = client.get(squad).content.decode()
    assert re.search(r'^version: "?1.0.0"?$', text(squad), re.M)
    assert "# never without him" in text(squad)
    assert "Falcon" in page
    assert "Release 3.1.0 is out." in page
    assert "kept at release 1.0.0" in page  # told as a change that can be taken back


def test_a_friend_who_has_a_link_sees_the_squad_as_it_was(
    client: Client, released: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad = taken_in(client, VARGA.replace("version: 1.0.0\n", ""))
    client.post(f"{squad}/links", {"do": "make view"})
    link = re.search(
        r'value="http://testserver(/shared/[^"]+)"',
        client.get(f"{squad}/share").content.decode(),
    )
    assert link is not None
    monkeypatch.setattr(storage, "find_played_release", lambda _pack: "3.1.0")
    assert "Falcon" in Client().get(link[1]).content.decode()
    assert "1.0.0" in text(squad)


def test_a_squad_of_before_belongs_to_the_release_that_it_is_first_seen_with(
    client: Client, released: None
) -> None:
    squad = taken_in(client, VARGA.replace("version: 1.0.0\n", ""))
    SavedSquad.objects.update(based="")
    client.get(squad)
    assert SavedSquad.objects.get().based == "1.0.0"
    assert "version" not in text(squad)


def test_a_game_whose_newest_release_is_its_work_says_nothing(
    client: Client, squad: str
) -> None:
    assert "uses the newest release" in client.get(f"{squad}/release").content.decode()
