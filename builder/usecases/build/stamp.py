"""Remembers from what a finished file was made, so that an unchanged one is not made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from builder.store.atomic import atomic_stream, write_atomic
from builder.store.hashes import file_hash
from builder.store.project import Project

SHEETS = "5"
"""Raise it whenever the way from set faces to sheets changes: files made the old way are then made again."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """One output file and the hash of everything that shapes it."""

    project: Project
    path: Path
    wanted: str

    @property
    def place(self) -> Path:
        """Where the stamp is kept."""
        name = hashlib.sha256(str(self.path.resolve()).encode()).hexdigest()[:32]
        return self.project.cache_dir / "outputs" / f"{name}.json"

    def known(self) -> dict[str, Any] | None:
        """What was noted when the file was written, if it is still that very file; else None."""
        try:
            noted: dict[str, Any] = json.loads(self.place.read_bytes())
            same = noted["wanted"] == self.wanted and noted["sha"] == file_hash(self.path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return noted if same else None

    def write(self, fill: Callable[[IO[bytes]], tuple[str, dict[str, int]]]) -> tuple[dict[str, int], bool]:
        """Write the file (unless its bytes are there already) and note its origin.

        `fill` writes it, and gives its SHA-256 and what to note; that is given back, with True if the file changed.
        """
        changed = False
        with suppress(_Same), atomic_stream(self.path) as out:
            sha, notes = fill(out)
            if self.path.is_file() and file_hash(self.path) == sha:
                raise _Same
            changed = True
        write_atomic(self.place, json.dumps({**notes, "wanted": self.wanted, "sha": sha}).encode())
        return notes, changed


class _Same(Exception):
    """The very same file is there already: it is left untouched."""
