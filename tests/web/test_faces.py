"""Pictures of faces for the pages."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from builder.packs.project import Project
from builder.web.cards import faces, library, picture_queue
from builder.web.cards.faces import PictureLimits, make_pictures, schedule_pictures
from builder.web.server import prepare_process
from builder.web.squads import print_queue as printing
from tests.usecases.toy import edit, toy_project


@pytest.mark.slow
def test_a_card_that_cannot_be_set_hides_no_other(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path))
    edit(
        project.get_cards_dir("lanterns") / "spirit/reed-mother.yaml",
        "Place one",
        "Place one " + "very " * 900,
    )
    make_pictures(project, tmp_path / "faces", "lanterns", "en", None)
    pictured = json.loads(
        (tmp_path / "faces/lanterns-en.json").read_text(encoding="utf-8")
    )["faces"]
    assert "reed-mother" not in pictured
    assert {"old-wick", "dusk-moth"} <= set(pictured)
    (lost := next((tmp_path / "faces").glob("*/*.webp"))).unlink()
    make_pictures(project, tmp_path / "faces", "lanterns", "en", None)
    assert lost.is_file()


def begun(project: Project, into: Path) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "builder.web.cards.faces",
        str(project.root),
        str(into),
        "lanterns",
        "en",
        "",
    ]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_what_sets_faces_ends_with_the_server_and_without_its_folder(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path / "games"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with begun(project, tmp_path / "file" / "faces") as lost:
        lost.wait(timeout=60)
        told = lost.stderr.read() if lost.stderr else ""
    assert told.startswith("lanterns en: ")
    assert "Traceback" not in told
    (into := tmp_path / "faces").mkdir()
    with FileLock(into / "lock"):
        assert begun(project, into).communicate(timeout=60)[1] == ""


class AtOnce:
    """A thread that is over when it was started."""

    def __init__(
        self,
        target: Callable[..., None],
        args: tuple[object, ...] = (),
        daemon: bool = True,
    ) -> None:
        self.start = lambda: target(*args)


def test_pictures_of_the_main_language_are_requested_until_they_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, requested = library.Library(Project(toy_project(tmp_path))), list[str]()

    def fail(command: list[str], **_named: object) -> None:
        requested.append(command[-2])
        raise OSError("no process can be begun")

    for place, name, value in (
        (library.library_cache, "library", games),
        (library.library_cache, "next_scan", float("inf")),
        (printing, "start_worker", lambda: None),
        (faces, "get_pictures_folder", lambda: tmp_path),
        (faces, "schedule_pictures", schedule_pictures),
        (picture_queue, "Thread", AtOnce),
        (subprocess, "Popen", fail),
        (gc, "freeze", lambda: None),
    ):
        monkeypatch.setattr(place, name, value)
    prepare_process()
    prepare_process()
    assert requested == ["en", "en"]  # other languages when a reader asks for them
    (tmp_path / "lanterns-en.json").write_text(
        json.dumps({"files": games.stamps["lanterns"], "faces": {}})
    )
    prepare_process()
    assert requested == ["en", "en"]


def test_the_game_requested_last_comes_first_and_unfinished_ones_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = picture_queue.PictureQueue()
    made = list[str]()
    waiting = [
        picture_queue.PictureTask(name, "en", None, "") for name in ("a", "b", "c")
    ]

    def make(command: list[str]) -> int:
        made.append(command[-3])
        if len(made) == 1:  # while the first process runs, two more games are requested
            queue.add(waiting[1], [])
            queue.add(waiting[2], [])
            queue.add(waiting[1], [])
            return picture_queue.EXIT_UNFINISHED
        return 0

    monkeypatch.setattr(queue, "_run_process", make)
    monkeypatch.setattr(picture_queue, "Thread", AtOnce)
    queue.add(waiting[0], [])
    assert made == ["a", "b", "c", "a"]


@pytest.mark.slow
def test_sample_pictures_come_first_and_a_later_call_makes_the_others(
    tmp_path: Path,
) -> None:
    project, folder = Project(toy_project(tmp_path)), tmp_path / "faces"
    index = folder / "lanterns-en.json"
    make_pictures(project, folder, "lanterns", "en", None, PictureLimits(max_seconds=0))
    first = json.loads(index.read_text(encoding="utf-8"))
    assert first["files"] == ""
    pack = library.Library(project).get_pack("lanterns")
    assert set(first["faces"]) <= set(faces.list_sample_cards(pack))
    while not json.loads(index.read_text(encoding="utf-8"))["files"]:
        make_pictures(
            project, folder, "lanterns", "en", None, PictureLimits(max_seconds=0)
        )
    last = json.loads(index.read_text(encoding="utf-8"))
    assert set(last["faces"]) == set(pack.cards)


FORKS = """import os, time
os.nice = os.sched_setscheduler = lambda *_: None
from multiprocessing import get_context
from builder.web.cards.faces import _run_in_background
_run_in_background()
time.sleep(0.3)
one = get_context("fork").Process(target=int)
one.start()
one.join(20)
print(one.exitcode, flush=True)
"""


def test_what_sets_faces_can_begin_processes_of_its_own() -> None:
    """They close the input on which it waits for the end of the server."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", FORKS], stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        process.kill()
