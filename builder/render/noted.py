"""The facts of many faces in one file: a line each, found by its place and read only when it is asked for."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from contextlib import suppress
from io import FileIO
from pathlib import Path

DIGITS = 16
"""So much of a key finds its line. Another's might be found: the line says whose it is."""


class Noted:
    """The lines of such a file, `KEY FACTS` by key, at sixteen bytes of memory each.

    Where the file is absent or damaged nothing is found, or less: each face tells its facts itself.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._heads, self._starts = array("Q"), array("Q")
        self._file: FileIO | None = None
        if path is not None:
            with suppress(OSError):
                self._read(path)

    def _read(self, path: Path) -> None:
        """Learn where the lines begin."""
        at = 0
        with path.open("rb") as lines:
            for line in lines:
                with suppress(ValueError, OverflowError):
                    self._heads.append(int(line[:DIGITS], 16))
                    self._starts.append(at)
                at += len(line)
        self._starts.append(at)
        self._file = FileIO(path)

    def _index(self, key: str) -> int | None:
        """Which line tells of a face, by the first digits of its key."""
        head = int(key[:DIGITS], 16)
        index = bisect_left(self._heads, head)
        return index if index < len(self._heads) and self._heads[index] == head else None

    def __contains__(self, key: str) -> bool:
        return self._index(key) is not None

    def line(self, key: str) -> bytes | None:
        """The facts noted of a face, as they were written; None where there are none."""
        index = self._index(key)
        if index is None or self._file is None:
            return None
        start, end = self._starts[index : index + 2]
        self._file.seek(start)
        whose, _, facts = self._file.read(end - start).partition(b"\n")[0].partition(b" ")
        return facts if whose == key.encode() else None

    def close(self) -> None:
        """Let go of the file: it is about to be replaced."""
        if self._file is not None:
            self._file.close()
            self._file = None
