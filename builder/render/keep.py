"""Keeping files in the cache: written beside their place and renamed, so that a reader never sees half of one.

What is kept beside the faces is forgotten by `prune` when nothing has used it for long; `used` tells that it was used.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from builder.errors import OutputNotWritten
from builder.messages import gettext as _
from builder.messages import os_error

DAY = 86400.0
"""Seconds within which a further use of a file is not noted."""

UNUSED = 60
"""Days after which what nothing used is forgotten."""

MOST = 1_000_000_000
"""Bytes a folder may take up: above that the longest unused goes, however young."""


def keep(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file of the cache, all at once or piece by piece, with the folders above it.

    Raises OutputNotWritten.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.writelines((data,) if isinstance(data, bytes) else data)
        partial.replace(path)
    except OSError as error:
        raise OutputNotWritten(
            _("the cache cannot be written: {file}: {reason}", file=path, reason=os_error(error)),
            _("Check that the project's folder may be written to and that the disk has room."),
        ) from error


def used(path: Path, now: float | None = None) -> None:
    """Note that a kept file was of use."""
    now = time.time() if now is None else now
    with suppress(OSError):  # it may be gone, or another's
        if now - path.stat().st_mtime > DAY:
            os.utime(path, (now, now))


def prune(folder: Path, *, days: float = UNUSED, most: int = MOST, now: float | None = None) -> int:
    """Forget what was not used for so many days, then the longest unused until the rest takes up no more than `most`.

    The bytes freed. What another process removes meanwhile, or holds, is passed over.
    """
    now, freed, left = time.time() if now is None else now, 0, 0
    kept: list[tuple[float, int, Path]] = []
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file():
                found = path.stat()
                kept.append((found.st_mtime, found.st_size, path))
    for since, size, path in sorted(kept, reverse=True):
        left += size
        if left > most or now - since > days * DAY:
            left -= size
            with suppress(OSError):
                path.unlink()
                freed += size
    return freed
