"""Names in any language reach any terminal.

A locale that lacks their letters must not end the work.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.checks.projects import ROOT

pytestmark = pytest.mark.slow

ROSTER = "cards/hydrophilia/rosters/legal-varga-drones.yaml"
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def shown(command: str, **settings: str) -> bytes:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON")
    } | settings
    command_line = [
        sys.executable,
        "-m",
        "builder",
        "roster",
        command,
        ROSTER,
        "--lang",
        "ru",
    ]
    process = subprocess.run(
        command_line, cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, b"")
    return process.stdout


@pytest.mark.parametrize("command", ["check", "show", "order"])
def test_a_pipe_gets_every_letter_whatever_the_locale(command: str) -> None:
    assert "арг" in shown(command, **PLAIN).decode("utf-8")


@pytest.mark.parametrize("command", ["check", "show", "order"])
def test_an_encoding_that_is_asked_for_is_kept(command: str) -> None:
    assert "?" in shown(command, PYTHONIOENCODING="ascii").decode("ascii")
