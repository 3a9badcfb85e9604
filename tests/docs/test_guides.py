"""Every command of the README and of the guides runs as written, page by page.

The README and the guides for players, publishers and maintainers run in a copy of the project. The
guide for game authors runs in an empty folder. Of the guide for hosts, the commands of this program
run, with other paths.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.docs.commands import (
    Block,
    copy_project,
    read_blocks,
    run_blocks,
    run_line,
    shell_environment,
)
from tests.house.source import ROOT

PROJECT_PAGES = (
    "README.md",
    "docs/players.md",
    "docs/publishers.md",
    "docs/maintainers.md",
)
MAX_README_LINES = 150


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECT_PAGES)
def test_every_command_of_a_page_runs(name: str, tmp_path: Path) -> None:
    blocks = read_blocks(read_page(name))
    assert [block for block in blocks if block.language == "sh"]
    run_blocks(
        blocks,
        copy_project(tmp_path / "squadpress"),
        shell_environment(tmp_path / "bin"),
    )


@pytest.mark.slow
def test_the_guide_for_game_authors_leads_from_an_empty_folder_to_pdfs(
    tmp_path: Path,
) -> None:
    run_blocks(
        read_blocks(read_page("docs/game-authors.md")),
        tmp_path,
        shell_environment(tmp_path / "bin"),
    )
    files = {
        path.name for path in (tmp_path / "kites" / "output" / "kites").glob("*.pdf")
    }
    assert {
        "kites-en-home-a4.pdf",
        "kites-ru-home-a4.pdf",
        "spring-ru-home-a4.pdf",
    } <= files


@pytest.mark.slow
def test_the_commands_for_hosts_run(tmp_path: Path) -> None:
    """With SQLite instead of PostgreSQL, and in a folder of the test instead of /srv/squadpress."""
    project = copy_project(tmp_path / "squadpress")
    environment = {**shell_environment(tmp_path / "bin"), "PYTHONPATH": str(ROOT)}
    blocks = read_blocks(read_page("docs/hosting.md"))
    settings = tmp_path / "squadpress.env"
    settings.write_text(host_settings(blocks, tmp_path), encoding="utf-8")
    commands = [
        use_test_paths(line, tmp_path, settings) for line in host_commands(blocks)
    ]
    assert len(commands) >= 6
    for command in commands:
        run_line(command, project, environment)


def host_settings(blocks: tuple[Block, ...], folder: Path) -> str:
    """Return the environment file of the guide, without PostgreSQL."""
    (text,) = [block.text for block in blocks if block.file == "/etc/squadpress.env"]
    lines = [line for line in text.splitlines() if not line.startswith("DATABASE_URL=")]
    return (
        "\n".join(lines)
        .replace("/srv/squadpress/app", f"{folder}/squadpress")
        .replace("/srv", str(folder))
        + "\n"
    )


def host_commands(blocks: tuple[Block, ...]) -> list[str]:
    """Return the commands of this program, those of the timer too."""
    text = "\n".join(block.text for block in blocks if block.language in ("sh", "cron"))
    lines = [
        line
        for line in text.splitlines()
        if "-m django " in line or line.startswith("squadpress ")
    ]
    return [re.sub(r"^.*?(env |squadpress serve)", r"\1", line) for line in lines]


def use_test_paths(command: str, folder: Path, settings: Path) -> str:
    command = command.replace("/etc/squadpress.env", str(settings)).replace(
        ".venv/bin/python", sys.executable
    )
    return command.replace("/srv", str(folder))


def test_the_readme_is_short() -> None:
    assert len(read_page("README.md").splitlines()) <= MAX_README_LINES
