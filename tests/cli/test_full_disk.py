"""A check only reads: it gives the same result where nothing can be written."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.usecases.toy import toy_project


def forbid_writing() -> None:
    """Let every write to a file fail, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize("cache", ["none", "filled"])
def test_check_works_on_a_full_disk(tmp_path: Path, cache: str) -> None:
    project = toy_project(tmp_path / "project")
    command = [
        sys.executable,
        "-m",
        "builder",
        "check",
        "lanterns",
        "--project",
        str(project),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    if cache == "none":
        shutil.rmtree(project / ".cache", ignore_errors=True)
    else:
        subprocess.run(command, env=environment, capture_output=True, check=True)
        (project / "cards/lanterns/spirit/old-wick.yaml").touch()
    process = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        preexec_fn=forbid_writing,
    )
    assert (process.stdout + process.stderr, process.returncode) == (
        "no errors or warnings\n",
        0,
    )


def test_check_works_where_no_folder_can_be_made(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "project")
    shutil.rmtree(project / ".cache", ignore_errors=True)
    (project / ".cache").write_text("a file where the cache's folder would be")
    command = [
        sys.executable,
        "-m",
        "builder",
        "check",
        "lanterns",
        "--project",
        str(project),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    process = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        preexec_fn=forbid_writing,
    )
    assert (process.stdout + process.stderr, process.returncode) == (
        "no errors or warnings\n",
        0,
    )
