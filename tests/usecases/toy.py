"""A project in a temporary folder that holds a toy pack."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import fields
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from builder.model.card import ChangeType, HistoryEntry
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.cache import FACES
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import (
    BuildOptions,
    PublishOptions,
    Selection,
    WorkerPool,
)
from builder.usecases.release.cards import bump_cards
from tests.house.source import ROOT


def toy_project(folder: Path, pack: str = "lanterns", *, known: bool = True) -> Path:
    """Return the toy pack in a project of its own.

    Its faces as they are need not be set, unless none is to be `known`.
    """
    source = ROOT / "tests" / "toys" / pack
    for part in ("cards", "schemas", "templates"):
        if (source / part).is_dir():
            shutil.copytree(source / part, folder / part)
    if known:
        know_faces(folder, pack)
    return folder


def know_faces(
    folder: Path, pack: str, engine: str | None = None, *, faces: bool = True
) -> None:
    """Give a project the cache of one in which this toy pack was built before.

    Without `faces` all but these.
    """
    target = Project(folder).cache_dir
    shutil.copytree(
        _built(pack, engine),
        target,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("*.db*"),
    )
    shutil.copy(_built(pack, engine) / "whole.db", target / "cache.db")
    if not faces:
        database = sqlite3.connect(target / "cache.db")
        with database:
            database.execute("DELETE FROM entries WHERE area = ?", (FACES,))
        database.close()


@cache
def _built(pack: str, engine: str | None) -> Path:
    """Return the cache after a build of a toy pack."""
    folder = TemporaryDirectory(prefix="squadpress-toy-")
    _FOLDERS.append(folder)
    project = Project(toy_project(Path(folder.name), pack, known=False))
    build_result = build_pack(project, pack, build_options(workers=0, engine=engine))
    assert build_result.files
    database = sqlite3.connect(project.cache_dir / "cache.db")
    database.execute("VACUUM INTO ?", (str(project.cache_dir / "whole.db"),))
    database.close()
    return project.cache_dir


_FOLDERS: list[TemporaryDirectory[str]] = []


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def bump(project: Project, card: str, notes: dict[str, str], day: date) -> None:
    """Give a card of the pack its next revision."""
    packs = PackFiles(project)
    entry = HistoryEntry(revision=1, released=day, type=ChangeType.BALANCE, note=notes)
    bump_cards(packs, "lanterns", packs.load_pack("lanterns"), {card: entry})


def build_options(**options: Any) -> BuildOptions:
    """Options of a build by their names alone."""
    parts = [
        {name: options.pop(name) for name in vars_of(part) if name in options}
        for part in (Selection, PublishOptions)
    ]
    workers = WorkerPool(
        options.pop("workers", 2),
        options.pop("shared", None),
        options.pop("progress", None),
    )
    assert not options
    return BuildOptions(Selection(**parts[0]), PublishOptions(**parts[1]), workers)


def vars_of(part: type[Selection | PublishOptions]) -> list[str]:
    """Return the names of its fields."""
    return [item.name for item in fields(part)]
