"""Every command of the README runs as written, chapter by chapter, in a copy of the project.

A block fenced `sh` holds commands. A trailing `# exits N` states an exit code other than 0; a block fenced `yaml`
directly after a sentence ending in `FILE:` (a path in backquotes and a colon) is written to that file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.source import ROOT

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXITS = re.compile(r"#\s*exits (\d+)\b")
TARGET = re.compile(r"`([^`\s]+)`:\s*$")
ELSEWHERE = ("make ", "git clone", "cd squadpress", "squadpress watch")
"""Commands that this test must not run: the set-up and the tests themselves, fetching, and what never ends."""


@dataclass(frozen=True)
class Chapter:
    title: str
    steps: tuple[tuple[str, str, str], ...]
    """Language of the fence, its text, and the file a YAML block is written to."""


def chapters(text: str) -> list[Chapter]:
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        steps = []
        for fence in FENCE.finditer(part):
            target = TARGET.search(part[: fence.start()].rstrip())
            steps.append((fence[1], fence[2], target[1] if target else ""))
        if any(language == "sh" for language, _, _ in steps):
            found.append(Chapter(part.partition("\n")[0].lstrip("# "), tuple(steps)))
    return found


def test_the_readme_shows_commands() -> None:
    assert [chapter.title for chapter in chapters((ROOT / "README.md").read_text(encoding="utf-8"))]


def project_copy(folder: Path) -> Path:
    """The files under version control (new ones too), as a stranger would have them; the cache of faces is shared."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        if name.startswith(("tests/", ".git")) or not (ROOT / name).is_file():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    (ROOT / ".cache").mkdir(exist_ok=True)
    (folder / ".cache").symlink_to(ROOT / ".cache")
    return folder


def shell(folder: Path, tools: Path) -> dict[str, str]:
    """The environment: `squadpress` is this project, run by the Python that runs the tests."""
    tools.mkdir()
    program = tools / "squadpress"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" -m builder "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}", "TERM": "dumb"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "chapter", chapters((ROOT / "README.md").read_text(encoding="utf-8")), ids=lambda chapter: chapter.title
)
def test_a_chapter_runs(chapter: Chapter, tmp_path: Path) -> None:
    folder = project_copy(tmp_path / "squadpress")
    environment = shell(folder, tmp_path / "bin")
    here = folder
    for language, text, target in chapter.steps:
        if language == "yaml" and target:
            (here / target).parent.mkdir(parents=True, exist_ok=True)
            (here / target).write_text(text, encoding="utf-8")
        for line in text.splitlines() if language == "sh" else ():
            here = run_line(line, here, environment)


def run_line(line: str, here: Path, environment: dict[str, str]) -> Path:
    """Run one line of a block; returns the folder the next one runs in."""
    command = line.split("  #")[0].strip()
    if not command or command.startswith(("#", *ELSEWHERE)):
        return here
    if command.startswith("cd "):
        return here / command[3:].strip()
    expected = EXITS.search(line)
    run = subprocess.run(command, shell=True, cwd=here, env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == (int(expected[1]) if expected else 0), f"{line}\n{run.stdout}\n{run.stderr}"
    assert "Traceback" not in run.stderr
    return here
