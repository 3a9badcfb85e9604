"""Files under preflight are read in a process with limits: what exceeds them is told, and the others are judged."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from builder.limits import begun, limit, reached
from builder.store.profiles import load_preset
from builder.store.project import Project
from builder.usecases import preflight
from builder.usecases.preflight import FileReader
from tests.fuzz.kinds import _pdf
from tests.house.source import ROOT


def dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hangs() -> None:
    while True:
        pass


def eats() -> None:
    kept = []
    while True:
        kept.append(bytearray(50_000_000))


def eats_elsewhere() -> None:
    """As where the system sets no limit: memory counts once something is written into it."""
    sys.platform = "freebsd"
    limit(300_000_000)
    kept = []
    for number in range(100):
        kept.append(b"%d" % number * 10_000_000)
        time.sleep(0.05)


def refuses(file: str) -> None:
    raise UsageError(f"{file} is wrong", "Mend it.")


def reads(work: Callable[[], None], files: int, page: int) -> None:
    for _unused in range(files):
        begun()
    reached(page)
    work()


@pytest.mark.parametrize("work", [dies, hangs, eats, eats_elsewhere])
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_what_takes_too_much_ends_its_process_alone(
    work: Callable[[], None], system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "SECONDS", 2)
    monkeypatch.setattr("sys.platform", system)
    with FileReader() as reader:
        with pytest.raises(InputUnreadable, match="a: to read it takes more memory or time"):
            reader.read(("a",), work)
        assert reader.read(("b",), str, "b") == "b"


@pytest.mark.parametrize(("files", "page", "told"), [(1, 7, "a: to read page 7"), (2, 3, "b: to read page 3")])
def test_the_page_is_named_that_takes_too_much(files: int, page: int, told: str) -> None:
    with FileReader() as reader, pytest.raises(InputUnreadable, match=told):
        reader.read(("a", "b"), reads, dies, files, page)


def test_what_is_wrong_is_told_as_it_would_be_without_a_process() -> None:
    with FileReader() as reader, pytest.raises(UsageError, match="a is wrong") as caught:
        reader.read(("a",), refuses, "a")
    assert caught.value.remedy == "Mend it."


def test_one_file_of_a_folder_that_takes_too_much_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(_pdf()[0])
    judge = preflight.preflight_file

    def greedy(path: Path, *given: object) -> object:
        return hangs() if path.name == "b.pdf" else judge(path, *given)  # type: ignore[arg-type]

    greedy.__module__, greedy.__qualname__ = preflight.__name__, "preflight_file"
    monkeypatch.setattr(preflight, "preflight_file", greedy)
    monkeypatch.setattr(preflight, "SECONDS", 3)
    judged, findings = preflight.preflight_folder(tmp_path, load_preset(Project(ROOT), "drivethrucards"))
    assert [one.name for one in judged] == ["a.pdf", "c.pdf"]
    assert any(one.location.file == "b.pdf" and "more memory or time" in one.message for one in findings)
