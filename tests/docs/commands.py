"""Run the commands of a page of documentation, as a reader would.

A block fenced `sh` contains commands. A trailing `# exits N` states an exit code other than 0. A
block of another language directly after a sentence that ends in `FILE:` (a path in backquotes and a
colon) is written to that file.
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

from tests.house.source import ROOT
from tests.program import launcher

FENCE_PATTERN = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT_CODE_PATTERN = re.compile(r"#\s*exits (\d+)\b")
FILE_PATTERN = re.compile(r"`([^`\s]+)`:\s*$")
SKIPPED_COMMANDS = (
    "make ",
    "git clone",
    "cd squadpress",
    ". .venv",
    "squadpress watch",
    "squadpress site",
)
"""Commands that do not run: set-up, tests, download, commands that never end, and the website of a
whole game with its 1,000 pictures. tests/web/test_cards.py writes the website of a small game.
"""
SERVER_COMMAND = "dask "
"""Commands that start with this run in the background until the page ends."""
COMMAND_TIMEOUT_SECONDS = 600
SCHEDULER_PORT = 8786


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and its file (empty for commands)."""

    language: str
    text: str
    file: str


@dataclass(frozen=True)
class Chapter:
    """A section of a page with its blocks."""

    title: str
    blocks: tuple[Block, ...]


def read_blocks(text: str) -> tuple[Block, ...]:
    """Return the fenced blocks of a page or of a part of it."""
    blocks = []
    for fence in FENCE_PATTERN.finditer(text):
        file = FILE_PATTERN.search(text[: fence.start()].rstrip())
        blocks.append(Block(fence[1], fence[2], file[1] if file else ""))
    return tuple(blocks)


def read_chapters(text: str) -> list[Chapter]:
    """Return the sections of a page that contain commands."""
    chapters = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        blocks = read_blocks(section)
        if any(block.language == "sh" for block in blocks):
            chapters.append(Chapter(section.partition("\n")[0].lstrip("# "), blocks))
    return chapters


def copy_project(folder: Path) -> Path:
    """Copy the files under version control, and new ones, to a folder.

    The cache of faces is shared.
    """
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
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


def shell_environment(tools: Path) -> dict[str, str]:
    """Return an environment in which `squadpress` is this project, loaded once for all tests."""
    tools.mkdir()
    launcher(tools / "squadpress")
    return {
        **os.environ,
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TERM": "dumb",
        "XDG_CONFIG_HOME": str(tools.parent / "config"),
    }


def run_blocks(
    blocks: tuple[Block, ...], folder: Path, environment: dict[str, str]
) -> None:
    """Write the files and run the commands, in order."""
    with ExitStack() as servers:
        for block in blocks:
            if block.file:
                (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.file).write_text(block.text, encoding="utf-8")
            if block.language != "sh":
                continue
            for line in block.text.splitlines():
                if line.startswith(SERVER_COMMAND):
                    servers.enter_context(run_server(line, folder, environment))
                else:
                    folder = run_line(line, folder, environment)


@contextmanager
def run_server(line: str, folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run a command in the background, in a process group of its own."""
    command = line.split("  #")[0].strip()
    server_environment = {**environment, "PYTHONPATH": str(ROOT)}
    with (folder.parent / "servers.log").open("ab") as log:
        process = subprocess.Popen(
            command.split(),
            cwd=folder,
            env=server_environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        if "scheduler" in command:
            wait_for_port(SCHEDULER_PORT, process)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the process listens at the port, or has ended."""
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.2)


def run_line(line: str, folder: Path, environment: dict[str, str]) -> Path:
    """Run one line of a block. Return the folder in which the next line runs."""
    command = line.split("  #")[0].strip()
    if not command or command.startswith(("#", *SKIPPED_COMMANDS)):
        return folder
    if command.startswith("cd "):
        return folder / command[3:].strip()
    exit_code = EXIT_CODE_PATTERN.search(line)
    run = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_SECONDS,
    )
    assert run.returncode == (int(exit_code[1]) if exit_code else 0), (
        f"{line}\n{run.stdout}\n{run.stderr}"
    )
    assert "Traceback" not in run.stderr
    return folder
