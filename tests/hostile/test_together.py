"""Two at once, interrupted, without room, without output: nothing that was told as done is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder.errors import OutputNotWritten
from builder.files import write_atomic
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.usecases.roster import roster_files as history
from builder.usecases.roster.roster_files import RosterFiles
from tests.hostile.attacks import call
from tests.house.source import ROOT
from tests.usecases.toy import toy_project

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "SQUADPRESS_LANG": "en"}


def start(folder: Path, *words: str | Path, **more: object) -> subprocess.Popen[str]:
    """Return the program, started as a user would."""
    command = [sys.executable, "-m", "builder", *map(str, words)]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=ENVIRONMENT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,  # type: ignore[call-overload]
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    toy_project(tmp_path)
    source = (tmp_path / "cards/lanterns/rosters/marsh-walk.yaml").read_text(
        encoding="utf-8"
    )
    (tmp_path / "squad.yaml").write_text(source, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_edits_of_one_squad_at_the_same_moment_are_all_kept(project: Path) -> None:
    before = (project / "squad.yaml").read_text(encoding="utf-8").count("dusk-moth")
    running = [
        start(project, "roster", "add", "squad.yaml", "dusk-moth")
        for _unused in range(4)
    ]
    assert {one.wait() in (0, 1) for one in running} == {True}
    assert (project / "squad.yaml").read_text(encoding="utf-8").count(
        "dusk-moth"
    ) == before + 4
    running = [start(project, "roster", "undo", "squad.yaml") for _unused in range(4)]
    assert {one.wait() in (0, 1) for one in running} == {True}
    source = (project / "cards/lanterns/rosters/marsh-walk.yaml").read_text(
        encoding="utf-8"
    )
    assert (project / "squad.yaml").read_text(encoding="utf-8") == source


@pytest.mark.slow
def test_two_builds_of_one_pack_do_not_harm_each_other(project: Path) -> None:
    words = (
        "build",
        "--pack",
        "lanterns",
        "--lang",
        "en",
        "--only",
        "dusk-moth,old-wick",
    )
    running = [start(project, *words) for _unused in range(2)]
    ended = [one.communicate() for one in running]
    assert [one.returncode for one in running] == [0, 0], ended
    made = {
        path.name: path.read_bytes() for path in (project / "output").rglob("*.pdf")
    }
    assert made
    assert call(project, *words)[0] == 0
    assert {
        path.name: path.read_bytes() for path in (project / "output").rglob("*.pdf")
    } == made


def test_two_orders_may_end_at_the_same_moment(tmp_path: Path) -> None:
    target = tmp_path / "order"
    with open_package(target) as first, open_package(target) as second:
        for one in (first, second):
            one.write_file("a.txt", b"a")
            one.write_sums()
    assert (target / "a.txt").read_bytes() == b"a"
    assert {path.name for path in tmp_path.iterdir()} == {"order"}


def test_a_line_by_its_number_is_that_line_until_it_is_changed(project: Path) -> None:
    rosters = RosterFiles(Project(project))
    with rosters.lock(str(project / "squad.yaml")):
        other = start(project, "roster", "remove", "squad.yaml", "#1")
        time.sleep(1.5)
        assert other.poll() is None  # it waits
        first = rosters.load(str(project / "squad.yaml")).roster
    other.communicate()
    after = rosters.load(str(project / "squad.yaml")).roster
    assert first is not None
    assert after is not None
    assert (
        len(after.entries) < len(first.entries)
        or after.entries[0].count < first.entries[0].count
    )


def test_who_interrupts_too_late_is_informed_that_it_is_done(project: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from builder.usecases.roster import roster_files as history\n"
        "write = history.write_atomic\n"
        "def interrupted(path, data):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    write(path, data)\n"
        "history.write_atomic = interrupted\n"
        "from builder.cli.main import main\n"
        "main()\n"
    )
    words = [sys.executable, "-c", code, "roster", "add", "squad.yaml", "dusk-moth"]
    before = (project / "squad.yaml").read_text(encoding="utf-8").count("dusk-moth")
    done = subprocess.run(
        words, cwd=project, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert "Do not run it again" in done.stderr
    assert (project / "squad.yaml").read_text(encoding="utf-8").count(
        "dusk-moth"
    ) == before + 1


@pytest.mark.parametrize("failing", [1, 2])
def test_a_full_disk_under_an_edit_or_undo_loses_nothing(
    project: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    squad, rosters = project / "squad.yaml", RosterFiles(Project(project))
    assert call(project, "roster", "add", squad, "dusk-moth")[0] in (0, 1)
    before, write, writes = squad.read_bytes(), write_atomic, [0]

    def full(path: Path, data: bytes) -> None:
        writes[0] += 1
        if writes[0] == failing:
            raise OutputNotWritten("no room")
        write(path, data)

    for words in (("undo", squad), ("add", squad, "dusk-moth")):
        writes[0] = 0
        monkeypatch.setattr(history, "write_atomic", full)
        assert call(project, "roster", *words)[0] == 5
        monkeypatch.setattr(history, "write_atomic", write)
        assert squad.read_bytes() == before
    rosters.undo(str(squad))
    assert (
        squad.read_bytes()
        == (project / "cards/lanterns/rosters/marsh-walk.yaml").read_bytes()
    )


@pytest.mark.parametrize(
    "output", ["/dev/full", "closed", "closed both", "gone folder"]
)
def test_without_an_output_or_a_folder_the_program_ends_in_order(
    project: Path, output: str
) -> None:
    shell = {
        "/dev/full": "exec {program} roster check squad.yaml > /dev/full",
        "closed": "exec {program} roster check squad.yaml >&-",
        "closed both": "exec {program} roster check squad.yaml >&- 2>&- <&-",
        "gone folder": "mkdir d && cd d && rmdir ../d && exec {program} check",
    }[output].format(program=f"{sys.executable} -m builder")
    done = subprocess.run(
        ["sh", "-c", shell],
        cwd=project,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 5), done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_file_names_that_are_no_text_are_reported_and_checked(project: Path) -> None:
    name = os.fsdecode(b"cards/lanterns/spirit/\xff\xfe.yaml")
    (project / name).write_text("id: x\n")
    (project / os.fsdecode(b"\xffsquad.yaml")).write_bytes(
        (project / "squad.yaml").read_bytes()
    )
    (project / os.fsdecode(b"templates/lanterns/\xff.css")).write_bytes(b"a{}")
    for words in (
        ("check", "lanterns"),
        ("roster", "check", "."),
        ("release", "diff", "work"),
        ("roster", "show", os.fsdecode(b"\xffsquad.yaml")),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "builder", *words],
            cwd=project,
            env=ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        assert done.returncode in (0, 1, 3), done.stderr
