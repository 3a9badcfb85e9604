"""Start a project of one's own."""

from __future__ import annotations

from pathlib import Path

from builder.store.scaffold import write_project


def new_project(folder: Path) -> tuple[str, int]:
    """Write a small project; its pack id and how many files were written."""
    pack, written = write_project(folder)
    return pack, len(written)
