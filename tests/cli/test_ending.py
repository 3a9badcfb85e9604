"""The program ends at once, and still says all it has to say with the exit code it always had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checks.projects import ROOT

KEPT = """
import atexit, sys, threading
sys.argv = ["squadpress", *sys.argv[1:]]
atexit.register(lambda: print("promised"))
threading.Thread(target=lambda: (threading.main_thread().join(), print("waited for"))).start()
class Slow:
    def __del__(self):
        print("taken apart")
kept = Slow()
from builder.cli.entry_point import run
run()
"""


def end(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KEPT, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("arguments", "code"), [(("--version",), 0), (("explain", "no/such"), 2), (("nonsense",), 2)])
def test_it_says_all_and_keeps_what_was_promised(arguments: tuple[str, ...], code: int) -> None:
    done = end(*arguments)
    assert done.returncode == code
    assert done.stdout.endswith("waited for\npromised\n")
    assert "taken apart" not in done.stdout
    assert ("squadpress" if code == 0 else "rror") in done.stdout + done.stderr


def test_a_pipe_that_nobody_reads_is_no_failure(tmp_path: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as pipe:
        command = [sys.executable, "-m", "builder", "--help"]
        done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "1>&- 2>&-"])
def test_an_output_that_the_shell_closed_is_no_failure(closed: str) -> None:
    command = f"{sys.executable} -m builder --version {closed}"
    done = subprocess.run(command, cwd=ROOT, shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_text_as_exit_code_is_printed() -> None:
    stop = "import builder.cli.entry_point as e\ndef main(): raise SystemExit('so it ends')\ne.main = main\ne.run()"
    done = subprocess.run([sys.executable, "-c", stop], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "so it ends\n")
