"""An output that is closed or that nobody reads is no failure of the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checks.projects import ROOT


def test_a_pipe_that_nobody_reads_is_no_failure(tmp_path: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as pipe:
        command = [sys.executable, "-m", "builder", "--help"]
        process = subprocess.run(
            command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert b"Traceback" not in process.stderr


@pytest.mark.parametrize("closed", ["1>&-", "1>&- 2>&-"])
def test_an_output_that_the_shell_closed_is_no_failure(closed: str) -> None:
    command = f"{sys.executable} -m builder --version {closed}"
    process = subprocess.run(
        command, cwd=ROOT, shell=True, capture_output=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, b"")


BEGUN = """
import threading, time
from builder import __main__ as program
threading._register_atexit(print, "pools are ended")
program.main = lambda: threading.Thread(target=lambda: time.sleep(0.2) or print("thread is ended")).start()
program.run()
"""


def test_what_still_ends_processes_is_waited_for_before_the_interpreter_ends_them() -> (
    None
):
    """Two closing one pipe would sometimes print a traceback at the end of a build."""
    process = subprocess.run(
        [sys.executable, "-c", BEGUN],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stdout.split("\n") == ["thread is ended", "pools are ended", ""]


INTERRUPTED_WHILE_LOADING = """
import os, signal, sys
from importlib.abc import MetaPathFinder
from builder import __main__ as program

class Interrupter(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
program.run()
"""


def test_an_interruption_while_the_program_loads_prints_no_traceback() -> None:
    command = [sys.executable, "-c", INTERRUPTED_WHILE_LOADING, "check"]
    process = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (
        -signal.SIGINT,
        "",
        "",
    )


def test_an_interruption_that_the_shell_ignores_stays_ignored() -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        + INTERRUPTED_WHILE_LOADING
    )
    process = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
