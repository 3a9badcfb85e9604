"""Keeping a file in the cache: written beside its place and renamed, so that a reader never sees half of it."""

from __future__ import annotations

import os
from pathlib import Path

from builder.errors import OutputNotWritten


def keep(path: Path, data: bytes) -> None:
    """Write a file of the cache, with the folders above it.

    Raises OutputNotWritten.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        raise OutputNotWritten(
            f"the cache cannot be written: {path}: {error.strerror}",
            "Check that the project's folder may be written to and that the disk has room.",
        ) from error
