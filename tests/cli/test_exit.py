"""An output that is closed or that nobody reads is no failure of the program."""

from __future__ import annotations

import os
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
        done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "1>&- 2>&-"])
def test_an_output_that_the_shell_closed_is_no_failure(closed: str) -> None:
    command = f"{sys.executable} -m builder --version {closed}"
    done = subprocess.run(command, cwd=ROOT, shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
