"""Roster commands recognise lists of other programs, and say what can be done with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lanterns import LANTERNS
from tests.interchange.systems import SYSTEMS, WRITERS, make_skirmish
from tests.program import run

COMMANDS = {
    "check": ("check", "FILE"),
    "check as a table": ("check", "FILE", "--csv", "table.csv"),
    "share": ("share", "FILE"),
    "open": ("open", "FILE"),
    "open a file": ("open", "@FILE"),
    "show": ("show", "FILE"),
    "stats": ("stats", "FILE"),
    "rename": ("rename", "FILE", "Patrol"),
    "undo": ("undo", "FILE"),
    "complete": ("complete", "FILE"),
    "choices": ("choices", "FILE"),
    "seal": ("seal", "FILE"),
}


def run_roster(folder: Path, *words: str) -> tuple[int, str]:
    """Return the exit code and everything that was printed."""
    process = run(folder, "roster", *words, "--project", str(LANTERNS))
    return process.returncode, process.stdout + process.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_can_be_done(tmp_path: Path, command: str) -> None:
    (tmp_path / "my list.rosz").write_bytes(WRITERS["zip"](make_skirmish()))
    words = [word.replace("FILE", "my list.rosz") for word in COMMANDS[command]]
    exit_code, output = run_roster(tmp_path, *words)
    assert exit_code == 2, output
    assert "my list.rosz is a list of another program" in output
    assert "squadpress print 'my list.rosz'" in output
    assert "squadpress import 'my list.rosz' --into DIR" in output


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_format_is_recognised_by_its_content(
    tmp_path: Path, system: str, writer: str
) -> None:
    (tmp_path / "list.yaml").write_bytes(WRITERS[writer](SYSTEMS[system]()))
    for command in ("check", "share", "open"):
        exit_code, output = run_roster(tmp_path, command, "list.yaml")
        assert exit_code == 2, output
        assert "squadpress print list.yaml" in output


def test_pasted_lists_and_links_are_recognised(tmp_path: Path) -> None:
    for writer in ("link", "new-recruit"):
        exit_code, output = run_roster(
            tmp_path, "open", WRITERS[writer](make_skirmish()).decode()
        )
        assert exit_code == 2, output
        assert "Save it in FILE" in output
    exit_code, output = run_roster(tmp_path, "open", "https://lists.example/list/x7Gh")
    assert exit_code == 2
    assert "this link does not contain the list" in output


@pytest.mark.parametrize("name", ["list.ros", "list.rosz", "units.cat"])
def test_a_damaged_list_is_unreadable(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(
        WRITERS["xml"](make_skirmish())[:900].replace(b"roster", b"x")
    )
    for command in ("check", "share", "open"):
        exit_code, output = run_roster(tmp_path, command, name)
        assert exit_code == 3, output
        assert f"{name}: the file is" in output


def test_build_recognises_a_list(tmp_path: Path) -> None:
    (tmp_path / "list.ros").write_bytes(WRITERS["xml"](make_skirmish()))
    process = run(tmp_path, "build", "--roster", "list.ros", "--project", str(LANTERNS))
    assert process.returncode == 2, process.stderr
    assert "squadpress print list.ros" in process.stderr
