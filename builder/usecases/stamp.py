"""Remembers from what a finished file was made, so that an unchanged one is not made again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.store.atomic import write_atomic
from builder.store.project import Project

SHEETS = "3"
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
            same = noted["wanted"] == self.wanted and noted["sha"] == hashlib.sha256(self.path.read_bytes()).hexdigest()
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return noted if same else None

    def write(self, data: bytes, notes: dict[str, int]) -> bool:
        """Write the file (unless its bytes are there already) and note its origin. True if it changed."""
        same = self.path.is_file() and self.path.read_bytes() == data
        if not same:
            write_atomic(self.path, data)
        sha = hashlib.sha256(data).hexdigest()
        write_atomic(self.place, json.dumps({**notes, "wanted": self.wanted, "sha": sha}).encode())
        return not same
