"""Printers that two processes note at once are all kept."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from builder.errors import OutputNotWritten
from builder.files import lock_file
from builder.packs.profiles import load_printers
from builder.packs.project import find_settings_folder

WRITER = """
import sys
from builder.model.profile import Printer
from builder.packs.profiles import store_printer
for number in range(15):
    store_printer(f"{sys.argv[1]}-{number}", Printer())
"""


def test_settings_lie_where_the_system_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert find_settings_folder() == tmp_path / "squadpress"
        monkeypatch.delenv("XDG_CONFIG_HOME")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert find_settings_folder() == tmp_path / ".config" / "squadpress"


def test_two_processes_lose_no_printer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], env=os.environ)
        for name in ("one", "other")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert load_printers().printers.keys() == {
        f"{name}-{n}" for name in ("one", "other") for n in range(15)
    }


def test_a_file_that_another_process_holds_is_waited_for_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.files.LOCK_TIMEOUT_SECONDS", 0.05)

    def again() -> None:
        with lock_file(tmp_path / "file"):
            pass

    with lock_file(tmp_path / "file"), ThreadPoolExecutor(1) as other:
        again()  # who holds it may lock it again
        with pytest.raises(OutputNotWritten, match="in use") as caught:
            other.submit(again).result()
    assert caught.value.remedy
    with lock_file(tmp_path / "file"):
        pass


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputNotWritten), lock_file(tmp_path / "file" / "below"):
        pass
