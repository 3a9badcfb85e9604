"""The story of a game author's first hour.

New, check, build in both languages, and judge the sample squad.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.program import run


def squadpress(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(folder, *words, env={"PATH": "/usr/bin:/bin"})


@pytest.mark.slow
def test_a_new_game_checks_builds_and_has_a_legal_squad(tmp_path: Path) -> None:
    assert squadpress(tmp_path, "new", "mygame").returncode == 0
    game = tmp_path / "mygame"
    for words in (
        ("check",),
        ("build", "--pack", "mygame", "--lang", "en"),
        ("build", "--pack", "mygame", "--lang", "ru"),
        ("roster", "check", "cards/mygame/rosters/first-squad.yaml"),
    ):
        process = squadpress(game, *words)
        assert (process.returncode, process.stderr) == (0, ""), (
            words,
            process.stdout,
            process.stderr,
        )
    assert {
        path.name.split("-")[1] for path in (game / "output" / "mygame").glob("*.pdf")
    } >= {
        "en",
        "ru",
    }


@pytest.mark.slow
def test_a_card_added_as_the_readme_says_is_asked_for_its_translation(
    tmp_path: Path,
) -> None:
    squadpress(tmp_path, "new", "mygame")
    fighters = tmp_path / "mygame" / "cards" / "mygame" / "fighter"
    copied = (
        (fighters / "cub.yaml")
        .read_text("utf-8")
        .replace("id: cub", "id: vixen")
        .replace("name: Cub", "name: Vixen")
    )
    (fighters / "vixen.yaml").write_text(copied, "utf-8")
    process = squadpress(tmp_path / "mygame", "check")
    assert process.returncode == 1
    assert "i18n/missing: vixen is not translated into ru" in process.stdout
    assert "cards/mygame/i18n/ru/fighter/vixen.yaml" in process.stdout
