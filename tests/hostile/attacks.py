"""What the hostile tests share.

A project to attack, the program in this process, and what it must never do.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from builder.cli.main import squadpress
from builder.errors import SquadpressError
from builder.findings import has_errors
from builder.messages import translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.usecases.toy import toy_project

DAY = date(2026, 4, 1)


def call(project: Path, *words: str | Path) -> tuple[int, str]:
    """Return what a command about a project ends with and says."""
    return say(*words, "--project", project)


def say(*words: str | Path) -> tuple[int, str]:
    """Return the exit code and all that a command says.

    Whatever is no expected failure is raised.
    """
    done = CliRunner().invoke(squadpress, [*map(str, words)], standalone_mode=False)
    error = done.exception
    if error is None:
        return int(done.return_value or 0), done.output
    if isinstance(error, SquadpressError):
        return (
            error.exit_code,
            f"{done.output}{translate(error.message, 'en')}\n{translate(error.remedy, 'en')}",
        )
    if isinstance(error, click.ClickException):
        return error.exit_code, f"{done.output}{error.format_message()}"
    raise error


def released(folder: Path) -> Path:
    """Return a project with one release; the release's folder."""
    project = Project(toy_project(folder))
    made = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", DAY, DAY)
    )
    assert made.frozen, has_errors(made.findings)
    return project.get_cards_dir("lanterns") / "releases" / "1.0.0"


def forge(release: Path, part: str, change: Callable[[Any], object]) -> None:
    """Change a part of a release and make its manifest agree."""
    path = release / part
    value = json.loads(path.read_bytes())
    value = change(value) or value
    path.write_text(json.dumps(value))
    if part != "manifest.json":
        data = path.read_bytes()
        entry = {"path": part, "bytes": len(data), "sha256": sha256(data).hexdigest()}
        forge(release, "manifest.json", lambda all_: put(all_["files"], entry))


def put(files: list[dict[str, Any]], entry: dict[str, Any]) -> None:
    """An entry in the place of the one for the same path."""
    files[:] = [item for item in files if item["path"] != entry["path"]] + [entry]


def everything(folder: Path) -> dict[str, bytes]:
    """Return all that lies below a folder, links not followed."""
    found = {}
    for path in folder.rglob("*"):
        inside = path.relative_to(folder).as_posix()
        found[inside] = (
            str(path.readlink()).encode()
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else b""
        )
    return found
