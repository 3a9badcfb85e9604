"""`squadpress import`: an editable pack of lists from other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from builder.cli.imports import import_lists as import_command
from builder.errors import OutputNotWritten
from builder.files import write_files
from builder.interchange.reading import read_foreign_roster
from builder.usecases.imports.import_design import ImportRequest
from builder.usecases.imports.import_lists import import_lists
from tests.interchange.systems import WRITERS, cost, make_skirmish, write_xml
from tests.program import run


def run_import(folder: Path, *words: str) -> tuple[int, str]:
    """Return the exit code and everything that was printed."""
    process = run(folder, "import", *words)
    return process.returncode, process.stdout + process.stderr


def test_a_list_becomes_a_pack_that_all_commands_use(tmp_path: Path) -> None:
    (tmp_path / "patrol.json").write_bytes(WRITERS["list-forge"](make_skirmish()))
    exit_code, output = run_import(tmp_path, "patrol.json", "--into", "game")
    assert exit_code == 0, output
    assert "Total 68 pts: 68 on cards, 0 without a card" in output
    assert "Squad: game/cards/game/rosters/harbour-patrol.yaml" in output
    game, squad = tmp_path / "game", "cards/game/rosters/harbour-patrol.yaml"
    assert run(game, "check").returncode == 0
    checked = run(game, "roster", "check", squad)
    assert (checked.returncode, "legal" in checked.stdout) == (0, True)
    assert run(game, "roster", "complete", squad).returncode == 0
    assert "`squadpress watch` shows the cards in a browser" in output
    refused = run(game, "print", squad, "--theme", "steel", "--only", "Fog hound")
    assert refused.returncode == 2
    assert "use `squadpress build game --only CARD_ID`" in refused.stderr
    assert "import the list into a new folder with --theme." in refused.stderr
    built = run(game, "print", squad)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "output/game/harbour-patrol-en-home-a4.pdf" in built.stdout


def test_a_dry_run_shows_changes_and_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "patrol.ros"
    file.write_bytes(write_xml(make_skirmish()))
    exit_code, output = run_import(
        tmp_path, "patrol.ros", "--into", "game", "--dry-run"
    )
    assert exit_code == 0, output
    assert "Nothing was written." in output
    assert not (tmp_path / "game").exists()
    run_import(tmp_path, "patrol.ros", "--into", "game")
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["costs"] = [cost(11)]
    file.write_bytes(write_xml(roster))
    exit_code, output = run_import(
        tmp_path, "patrol.ros", "--into", "game", "--dry-run"
    )
    assert exit_code == 0, output
    assert "changed cards/game/unit/fog-hound.yaml" in output
    assert "cost: 9 -> 11" in output
    assert "Fog hound on the title card: 9 -> 11" in output
    assert "The text of the QR code is updated." in output
    assert "front." not in output
    assert "2 cards changed" in output
    hound = tmp_path / "game/cards/game/unit/fog-hound.yaml"
    assert "cost: 9" in hound.read_text("utf-8")


def test_nothing_is_written_if_one_of_two_files_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "patrol.ros").write_bytes(write_xml(make_skirmish()))
    (tmp_path / "broken.ros").write_bytes(write_xml(make_skirmish())[:900])
    exit_code, output = run_import(
        tmp_path, "patrol.ros", "broken.ros", "--into", "game"
    )
    assert exit_code == 3, output
    assert "broken.ros: the file is not valid XML" in output
    assert not (tmp_path / "game").exists()


def test_a_list_with_characters_without_a_font_still_becomes_a_pack(
    tmp_path: Path,
) -> None:
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["name"] = "Hund \U00013000"
    (tmp_path / "patrol.ros").write_bytes(write_xml(roster))
    exit_code, output = run_import(tmp_path, "patrol.ros", "--into", "game")
    assert exit_code == 0, output
    assert "warning import/characters" in output
    assert (tmp_path / "game/cards/game/pack.yaml").exists()


def test_a_squad_of_a_pack_is_refused(tmp_path: Path) -> None:
    (tmp_path / "squad.yaml").write_text("pack: game\n", "utf-8")
    exit_code, output = run_import(tmp_path, "squad.yaml", "--into", "game")
    assert exit_code == 2
    assert "is already a squad of a pack" in output


def test_a_squad_is_shared_as_a_file_of_the_other_program(tmp_path: Path) -> None:
    data = write_xml(make_skirmish())
    (tmp_path / "patrol.ros").write_bytes(data)
    run_import(tmp_path, "patrol.ros", "--into", "game")
    game, squad = tmp_path / "game", "cards/game/rosters/harbour-patrol.yaml"
    for form in ("ros", "rosz", "newrecruit"):
        process = run(
            game, "roster", "share", squad, "--as", form, "--output", f"out.{form}"
        )
        assert process.returncode == 0, process.stdout + process.stderr
        written = (game / f"out.{form}").read_bytes()
        assert read_foreign_roster(written) == read_foreign_roster(data)
    printed = run(game, "roster", "share", squad, "--as", "ros")
    assert printed.stdout.startswith("<?xml")
    assert run(game, "roster", "share", squad, "--as", "rosz").returncode == 2
    original = "cards/game/imports/harbour-patrol.ros"
    process = run(game, "roster", "share", squad, "--as", "ros", "--output", original)
    assert process.returncode == 2, process.stdout + process.stderr
    assert "contains the original files" in process.stderr


def test_an_interrupted_first_import_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "patrol.ros"
    file.write_bytes(write_xml(make_skirmish()))
    result = import_lists(tmp_path / "game", [file], ImportRequest())

    def write_half(files: Mapping[Path, bytes | None]) -> None:
        write_files(dict(list(files.items())[:9]))
        raise OSError(28, "full")

    with monkeypatch.context() as patch:
        patch.setattr(import_command, "write_files", write_half)
        with pytest.raises(OutputNotWritten):
            import_command.write_project(result)
    assert list(tmp_path.iterdir()) == [file]
    import_command.write_project(result)
    assert set(result.files) <= set((tmp_path / "game").rglob("*"))
