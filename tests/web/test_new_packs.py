"""Packs made by `squadpress new` are played on the page, or it says what they need."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from builder.web.cards import library
from tests.program import run


def serve(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Path:
    """Serve a new pack. Return its folder."""
    assert run(folder, "new", "mygame", *words).returncode == 0
    monkeypatch.setenv("SQUADPRESS_PROJECT", str(folder / "mygame"))
    restart(monkeypatch)
    return folder / "mygame/cards/mygame"


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "library_cache", library.LibraryCache())


def play(client: Client) -> str:
    """Build a squad of one model. Return its page after its other pages were opened."""
    squad = client.post("/squads", {"pack": "mygame"})["Location"].partition("?")[0]
    action = re.search(r'value="(add [^"]+)"', client.get(squad).content.decode())
    assert action is not None
    assert client.post(f"{squad}/edit", {"do": action[1]}).status_code == 302
    for page in ("play", "print", "rules", "share", "about"):
        assert client.get(f"{squad}/{page}").status_code == 200
    return client.get(squad).content.decode()


@pytest.mark.parametrize("words", [(), ("--layout", "unit"), ("--layout", "poker")])
def test_a_new_pack_is_played(
    client: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    serve(tmp_path, monkeypatch, *words)
    page = play(client)
    assert ("No rules" in page) == bool(words)


def test_the_page_says_which_roles_to_add(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cards.csv").write_text("id,name,cost\nwolf,Wolf,5\nbear,Bear,8\n")
    pack = serve(tmp_path, monkeypatch, "--from", "cards.csv", "--kind", "beast")
    assert 'href="/games/mygame"' in client.get("/").content.decode()
    page = client.get("/games/mygame").content.decode()
    assert "cards/mygame/pack.yaml" in page
    assert re.search(r"kinds:\n  beast:\n    role: entry\n", page)
    assert client.post("/squads", {"pack": "mygame"}).status_code == 400
    file = pack / "pack.yaml"
    file.write_text(
        file.read_text().replace("  beast:\n", "  beast:\n    role: entry\n")
    )
    restart(monkeypatch)
    assert "No rules" in play(client)


def test_a_pack_that_lost_its_rules_gives_no_verdict(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = serve(tmp_path, monkeypatch)
    words = ("release", "new", "1.0.0", "--effective", "2026-01-01")
    result = run(tmp_path / "mygame", *words)
    assert result.returncode == 0, result.stderr
    (pack / "rules.yaml").unlink()
    restart(monkeypatch)
    squad = client.post("/squads", {"pack": "mygame"})["Location"].partition("?")[0]
    assert client.get(squad).status_code == 503
