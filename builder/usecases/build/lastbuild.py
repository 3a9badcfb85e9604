"""The last build of the very same things: where nothing was edited since, its outcome stands and nothing is loaded.

Every file a build may read is known by its place, size and times: those of the pack, the program and its packages.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from builder.errors import OutputNotWritten
from builder.findings import Finding, has_errors
from builder.render.fonts import font_folders
from builder.store.atomic import write_atomic
from builder.store.project import Project
from builder.store.settings import settings_folder
from builder.usecases.build.options import BuildResult, Built

PROGRAM = Path(__file__).resolve().parent.parent
YOUNG = 50_000_000
"""Ns within which a file may change again without its times changing: what was edited just now is not relied on."""


class LastBuild:
    """One pack built in one way. Made before anything is read: what is edited meanwhile counts as edited since."""

    def __init__(self, project: Project, pack: str, asked: Mapping[str, object]) -> None:
        said = sorted((name, _said(value)) for name, value in asked.items())
        name = hashlib.sha256(repr((pack, said)).encode()).hexdigest()[:32]
        self.place = project.cache_dir / "builds" / f"{name}.json"
        roster = asked.get("roster")
        inputs = sorted(_files(_folders(project, pack, Path(str(roster)) if roster else None)))
        self.settled = max((times[-1] for _, times in inputs), default=0) < time.time_ns() - YOUNG
        self.inputs = hashlib.sha256(repr(inputs).encode()).hexdigest()

    def known(self) -> BuildResult | None:
        """The outcome, if nothing was edited since and the files are still those that were written."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            noted: dict[str, Any] = json.loads(self.place.read_bytes())
            if noted["inputs"] != self.inputs:
                return None
            files = [Built(Path(path), *facts) for path, _, *facts in noted["files"]]
            if all(list(_times(Path(path).stat())) == times for path, times, *_ in noted["files"]):
                findings = tuple(Finding.from_json(value) for value in noted["findings"])
                return BuildResult(tuple(files), findings, 0, noted["known"])
        return None

    def note(self, result: BuildResult) -> None:
        """Remember an outcome without errors. A cache that cannot be written is done without."""
        if not self.settled or has_errors(result.findings):
            return
        files = [replace(file, path=file.path.resolve(), changed=False) for file in result.files]
        with suppress(OSError, OutputNotWritten):
            noted = {
                "inputs": self.inputs,
                "files": [
                    [str(file.path), _times(file.path.stat()), file.pages, file.cards, file.changed, file.unit]
                    for file in files
                ],
                "findings": [finding.to_json() for finding in result.findings],
                "known": result.fresh + result.known,
            }
            write_atomic(self.place, json.dumps(noted, ensure_ascii=False).encode())


def _said(value: object) -> str:
    """An option as text; a path as what it means from here."""
    return str(value.resolve()) if isinstance(value, Path) else repr(value)


def _folders(project: Project, pack: str, roster: Path | None) -> Iterator[str]:
    """All files and folders a build may read something from."""
    templates = project.root / "templates"
    yield from map(str, (project.cards_dir(pack), project.root / "schemas", project.core_schemas))
    yield from map(str, (templates / pack, templates / "profiles", templates / "presets", project.base_templates))
    yield from map(str, (PROGRAM, settings_folder(), *font_folders()))
    yield from [str(roster)] if roster else []
    # Installing a package changes the folder it is installed in.
    yield from (f"{path}/." for path in sys.path if path.endswith("-packages"))


def _files(places: Iterable[str]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """All files at or below these places by size and times; of a place that ends in `/.` only the folder itself."""
    todo = list(dict.fromkeys(places))
    while todo:
        place = todo.pop()
        with suppress(OSError):
            if place.endswith("/.") or not Path(place).is_dir():
                yield place, _times(Path(place).stat())
                continue
            for entry in os.scandir(place):
                if not entry.is_dir():
                    yield entry.path, _entry_times(entry)
                elif entry.name != "__pycache__":
                    todo.append(entry.path)


def _entry_times(entry: os.DirEntry[str]) -> tuple[int, int, int]:
    """The times of a file in a folder; of a link that leads nowhere, an editor's lock for one, its own."""
    try:
        return _times(entry.stat())
    except OSError:
        return _times(entry.stat(follow_symlinks=False))


def _times(status: os.stat_result) -> tuple[int, int, int]:
    """Size, last change of contents, last change of anything."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
