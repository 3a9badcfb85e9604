"""Every command of the README and of the guide to a new game runs as written, chapter by chapter.

The README's chapters run in a copy of the project, the guide in an empty folder. A block fenced `sh` holds commands. A
trailing `# exits N` states an exit code other than 0; a block of another language directly after a sentence ending in
`FILE:` (a path in backquotes and a colon) is written to that file.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.program import launcher

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXITS = re.compile(r"#\s*exits (\d+)\b")
TARGET = re.compile(r"`([^`\s]+)`:\s*$")
ELSEWHERE = ("make ", "git clone", "cd squadpress", "squadpress watch", "squadpress site")
"""Commands that this test must not run: the set-up and the tests themselves, fetching, what never ends, and the site of
a whole game with its thousand pictures: tests/web/test_cards.py writes that of a small one."""
SERVER = "dask "
"""Commands that run beside the others until the chapter ends."""


@dataclass(frozen=True)
class Chapter:
    title: str
    steps: tuple[tuple[str, str, str], ...]
    """Language of the fence, its text, and the file that a block of data is written to."""


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
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
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


def shell(tools: Path) -> dict[str, str]:
    """The environment: `squadpress` is this project, loaded once by the Python that runs the tests."""
    tools.mkdir()
    launcher(tools / "squadpress")
    return {
        **os.environ,
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TERM": "dumb",
        "XDG_CONFIG_HOME": str(tools.parent / "config"),
    }


README = chapters((ROOT / "README.md").read_text(encoding="utf-8"))
GUIDE = chapters((ROOT / "docs" / "new-game.md").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("chapter", README, ids=lambda chapter: chapter.title)
def test_a_chapter_runs(chapter: Chapter, tmp_path: Path) -> None:
    run_chapter(chapter, project_copy(tmp_path / "squadpress"), shell(tmp_path / "bin"))


@pytest.mark.slow
@pytest.mark.parametrize("chapter", GUIDE, ids=lambda chapter: chapter.title)
def test_the_guide_leads_from_an_empty_folder_to_paper(chapter: Chapter, tmp_path: Path) -> None:
    run_chapter(chapter, tmp_path, shell(tmp_path / "bin"))
    made = {path.name for path in (tmp_path / "kites" / "output" / "kites").glob("*.pdf")}
    assert {"kites-en-home-a4.pdf", "kites-ru-home-a4.pdf", "spring-ru-home-a4.pdf"} <= made


def run_chapter(chapter: Chapter, folder: Path, environment: dict[str, str]) -> None:
    """Write the files and run the commands of a chapter, in order."""
    with ExitStack() as servers:
        run_steps(chapter, folder, environment, servers)


def run_steps(
    chapter: Chapter, here: Path, environment: dict[str, str], servers: ExitStack
) -> None:
    """The same; what is to run beside it is put on the stack."""
    for language, text, target in chapter.steps:
        if target:
            (here / target).parent.mkdir(parents=True, exist_ok=True)
            (here / target).write_text(text, encoding="utf-8")
        for line in text.splitlines() if language == "sh" else ():
            if line.startswith(SERVER):
                servers.enter_context(server(line, here, environment))
            else:
                here = run_line(line, here, environment)


@contextmanager
def server(line: str, here: Path, environment: dict[str, str]) -> Iterator[None]:
    """A command that runs in the background, in a process group of its own."""
    command = line.split("  #")[0].strip()
    with (here.parent / "servers.log").open("ab") as log:
        own = {**environment, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command.split(), cwd=here, env=own, stdout=log, stderr=log, start_new_session=True
        )
    try:
        if "scheduler" in command:
            wait_for(8786, process)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Until something listens at the port, as a person waits for a server's first line."""
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.2)


def run_line(line: str, here: Path, environment: dict[str, str]) -> Path:
    """Run one line of a block; returns the folder the next one runs in."""
    command = line.split("  #")[0].strip()
    if not command or command.startswith(("#", *ELSEWHERE)):
        return here
    if command.startswith("cd "):
        return here / command[3:].strip()
    expected = EXITS.search(line)
    run = subprocess.run(
        command, shell=True, cwd=here, env=environment, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == (int(expected[1]) if expected else 0), (
        f"{line}\n{run.stdout}\n{run.stderr}"
    )
    assert "Traceback" not in run.stderr
    return here
