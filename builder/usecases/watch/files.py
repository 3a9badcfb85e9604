"""What was saved since the last look: sizes and times of the files of some folders."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from builder.store.project import Project

Stamps: TypeAlias = dict[str, tuple[int, int]]
"""By path: size and time of the last change, in ns."""

SETTLED = 0.015
"""Seconds without another change until a save counts as whole: editors empty a file before they fill it."""

_PATIENCE = 20
_SKIPPED = frozenset({"releases", "rosters"})
"""Folders of a pack that hold no part of a card as it is edited now."""


def stamps(folders: Iterable[Path]) -> Stamps:
    """All files below these folders, apart from hidden ones and editors' copies."""
    found: Stamps = {}
    todo = [str(folder) for folder in folders]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith("~"):
                continue
            try:
                if entry.is_dir():
                    todo += [] if entry.name in _SKIPPED else [entry.path]
                else:
                    status = entry.stat()
                    found[entry.path] = (status.st_size, status.st_mtime_ns)
            except OSError:
                continue
    return found


class Watched:
    """The files of one pack and the templates all packs share, and what changed among them."""

    def __init__(self, project: Project, pack: str) -> None:
        self._project = project
        own = (project.cards_dir(pack), project.templates_dir(pack), project.schemas_dir(pack))
        self._folders = (*own, project.base_templates)
        self._stamps = stamps(self._folders)

    def latest(self) -> tuple[str, ...]:
        """All files as findings name them, the last saved first."""
        newest = sorted(self._stamps, key=lambda path: self._stamps[path][1], reverse=True)
        return tuple(self._project.relative(Path(path)) for path in newest)

    def saved(self) -> tuple[str, ...]:
        """The files that came, went or changed since the last call, once nobody is writing them any more."""
        now = stamps(self._folders)
        if now == self._stamps:
            return ()
        for _ in range(_PATIENCE):
            time.sleep(SETTLED)
            before, now = now, stamps(self._folders)
            if before == now:
                break
        changed = [path for path in now.keys() | self._stamps.keys() if now.get(path) != self._stamps.get(path)]
        self._stamps = now
        return tuple(sorted(self._project.relative(Path(path)) for path in changed))
