"""Writing so that nothing is lost: beside the target first, then renamed over it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from builder.errors import OutputNotWritten


@contextmanager
def atomic_stream(path: Path) -> Iterator[IO[bytes]]:
    """A binary stream that becomes `path` when the block ends well; otherwise `path` stays as it was.

    Raises OutputNotWritten when the disk refuses.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            yield stream
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise OutputNotWritten(
            f"{path} could not be written: {error.strerror or error}",
            "Check that the folder may be written to and that the disk has room; earlier files are untouched.",
        ) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def write_atomic(path: Path, data: bytes) -> None:
    """Write a whole file; OutputNotWritten on failure, the old file then untouched."""
    with atomic_stream(path) as stream:
        stream.write(data)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
