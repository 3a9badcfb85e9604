"""Files under preflight are read in a process with limits.

What exceeds them is told, and the others are judged.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder import limits
from builder.errors import InputUnreadable, UsageError
from builder.limits import begin_file, enter_page, limit_this_process
from builder.packs.profiles import load_preset
from builder.packs.project import Project
from builder.usecases.preflight import checked_files, order_folder
from builder.usecases.preflight.checked_files import FileReader
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
    limit_this_process(300_000_000)
    kept = []
    for number in range(100):
        kept.append(b"%d" % number * 10_000_000)
        time.sleep(0.05)


def refuses(file: str) -> None:
    raise UsageError(f"{file} is wrong", "Mend it.")


def reads(work: Callable[[], None], files: int, page: int) -> None:
    for _unused in range(files):
        begin_file()
    enter_page(page)
    work()


NAMED_LIMITS = [
    (dies, r"900 MB of memory, or is nested too deeply \(SIGKILL\)"),
    (hangs, "2 seconds of processor time"),
    (eats, "900 MB of memory$"),
    (eats_elsewhere, "900 MB of memory$"),
]


@pytest.mark.parametrize(("work", "limit"), NAMED_LIMITS)
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_a_file_that_exceeds_a_limit_ends_its_process_alone_and_the_error_names_the_limit(
    work: Callable[[], None], limit: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_files, "MAX_SECONDS", 2)
    monkeypatch.setattr("sys.platform", system)
    with FileReader() as reader:
        with pytest.raises(
            InputUnreadable, match=f"a: reading it needs more than {limit}"
        ):
            reader.run_work(("a",), work)
        assert reader.run_work(("b",), str, "b") == "b"


def waits() -> str:
    """Use hardly any processor time, as on a machine that is busy with other programs."""
    time.sleep(2.5)
    return "read"


def test_time_on_the_clock_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_files, "MAX_SECONDS", 1)
    with FileReader() as reader:
        assert reader.run_work(("a",), waits) == "read"


def test_without_limits_of_processor_time_the_clock_counts_and_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "CAN_LIMIT_PROCESSOR_TIME", False)
    monkeypatch.setattr(limits, "CLOCK_FACTOR", 3)
    monkeypatch.setattr(checked_files, "MAX_SECONDS", 1)
    with FileReader() as reader:
        assert reader.run_work(("a",), waits) == "read"
        with pytest.raises(
            InputUnreadable, match=r"a: reading it needs more than 3 seconds$"
        ):
            reader.run_work(("a",), hangs)
        assert reader.run_work(("b",), str, "b") == "b"


@pytest.mark.parametrize(
    ("files", "page", "told"),
    [(1, 7, "a: reading page 7"), (2, 3, "b: reading page 3")],
)
def test_the_page_is_named_that_takes_too_much(
    files: int, page: int, told: str
) -> None:
    with FileReader() as reader, pytest.raises(InputUnreadable, match=told):
        reader.run_work(("a", "b"), reads, dies, files, page)


def test_what_is_wrong_is_reported_as_it_would_be_without_a_process() -> None:
    with (
        FileReader() as reader,
        pytest.raises(UsageError, match="a is wrong") as caught,
    ):
        reader.run_work(("a",), refuses, "a")
    assert caught.value.remedy == "Mend it."


def test_one_file_of_a_folder_that_takes_too_much_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(_pdf()[0])
    checker = checked_files.check_file

    def greedy(path: Path, *given: object) -> object:
        return hangs() if path.name == "b.pdf" else checker(path, *given)  # type: ignore[arg-type]

    greedy.__module__, greedy.__qualname__ = checked_files.__name__, "check_file"
    monkeypatch.setattr(checked_files, "check_file", greedy)
    monkeypatch.setattr(order_folder, "check_file", greedy)
    monkeypatch.setattr(checked_files, "MAX_SECONDS", 3)
    judged, findings = order_folder.check_folder(
        tmp_path, load_preset(Project(ROOT), "drivethrucards")
    )
    assert [one.name for one in judged] == ["a.pdf", "c.pdf"]
    assert any(
        one.location.file == "b.pdf" and "3 seconds of processor time" in one.message
        for one in findings
    )
