"""Files under preflight are read in a process with limits: what exceeds them is told, and the others are judged."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from builder.store.profiles import load_preset
from builder.store.project import Project
from builder.usecases.preflight import limits, preflight
from builder.usecases.preflight.limits import LimitedProcess
from tests.fuzz.kinds import _pdf
from tests.house.source import ROOT


def dies(_file: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hangs(_file: Path) -> None:
    while True:
        pass


def eats(_file: Path) -> None:
    kept = []
    while True:
        kept.append(bytearray(50_000_000))


def refuses(file: Path) -> None:
    raise UsageError(f"{file} is wrong", "Mend it.")


@pytest.mark.parametrize("work", [dies, hangs, eats])
def test_what_takes_too_much_ends_its_process_alone(work, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(limits, "SECONDS", 2)
    with LimitedProcess() as process:
        with pytest.raises(InputUnreadable, match="more memory or time"):
            process.run(Path("a"), work)
        assert process.run(Path("b"), str) == "b"


def test_what_is_wrong_is_told_as_it_would_be_without_a_process() -> None:
    with LimitedProcess() as process, pytest.raises(UsageError, match="a is wrong") as caught:
        process.run(Path("a"), refuses)
    assert caught.value.remedy == "Mend it."


def test_one_file_of_a_folder_that_takes_too_much_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(_pdf()[0])
    judge = preflight.preflight_file

    def greedy(path: Path, *given: object) -> object:
        return hangs(path) if path.name == "b.pdf" else judge(path, *given)  # type: ignore[arg-type]

    greedy.__module__, greedy.__qualname__ = preflight.__name__, "preflight_file"
    monkeypatch.setattr(preflight, "preflight_file", greedy)
    monkeypatch.setattr(limits, "SECONDS", 5)
    judged, findings = preflight.preflight_folder(tmp_path, load_preset(Project(ROOT), "drivethrucards"))
    assert [one.name for one in judged] == ["a.pdf", "c.pdf"]
    assert any(one.location.file == "b.pdf" and "more memory or time" in one.message for one in findings)
