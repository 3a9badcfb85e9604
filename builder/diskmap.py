"""A map for any number of values: some in memory, the rest in a temporary file."""

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from errno import ENOSPC
from itertools import islice
from threading import Lock
from typing import IO, Generic, TypeVar

from builder.errors import OutputNotWritten

K = TypeVar("K")
V = TypeVar("V")

ROOM = 1_000
"""Values held in memory for good. A card takes up some 10 kB there, the facts of a face 2."""
LATELY = 64
"""Values held besides, those read last: who works on a card asks for it more than once."""
MAX_UNWRITTEN_BYTES = 100_000_000
"""Bytes of values that stay in memory because the disk is full; a card takes up some 5,000."""


class DiskMap(Mapping[K, V], Generic[K, V]):
    """A dict that only grows, of values that nobody changes and that can be pickled.

    One thread fills it, any may read.

    The first `room` values stay in memory, and some more where the disk is full. Of the others
    everyone who asks gets a copy. Raises OutputNotWritten where neither disk nor memory has room.
    """

    def __init__(self, room: int = ROOM, lately: int = LATELY) -> None:
        self._room, self._most = room, lately
        self._near: dict[K, V] = {}
        self._lately: dict[K, V] = {}
        self._far: dict[K, int] = {}
        self._ends = array("Q", [0])
        self._file: IO[bytes] | None = None
        self._unwritten_bytes = 0
        self._reading = Lock()

    def __setitem__(self, key: K, value: V) -> None:
        if key in self._near or (key not in self._far and len(self._near) < self._room):
            self._near[key] = value
            return
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        try:
            self._write(data)
        except OutputNotWritten:
            self._unwritten_bytes += len(data)
            if key in self._far or self._unwritten_bytes > MAX_UNWRITTEN_BYTES:
                raise
            self._near[key] = value  # reading alone must work with a full disk
            return
        self._far[key] = len(self._ends)
        self._ends.append(self._ends[-1] + len(data))
        self._lately.pop(key, None)

    def _write(self, data: bytes) -> None:
        """Append data without a buffer, so that a full disk raises an error here.

        Raise OutputNotWritten if the disk is full.
        """
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (open as long as the map lives)
            self._file.seek(self._ends[-1])
            if self._file.write(data) < len(data):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        except OSError as error:
            raise OutputNotWritten.from_os_error("TMPDIR", error) from error

    def __getitem__(self, key: K) -> V:
        if key in self._near:
            return self._near[key]
        with self._reading:
            return self._read(key)

    def _read(self, key: K) -> V:
        if key in self._lately:
            return self._lately[key]
        number = self._far[key]
        start, end = self._ends[number - 1 : number + 1]
        assert self._file is not None
        self._file.seek(start)
        value: V = pickle.loads(
            self._file.read(end - start)
        )  # written by this very process, into a nameless file
        if len(self._lately) >= self._most:
            self._lately.pop(*islice(self._lately, 1))
        self._lately[key] = value
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._near or key in self._far

    def __iter__(self) -> Iterator[K]:
        yield from self._near
        yield from self._far

    def __len__(self) -> int:
        return len(self._near) + len(self._far)
