"""A map for any number of values: some in memory, the rest in a temporary file."""

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from errno import ENOSPC
from threading import Lock
from typing import IO, Generic, TypeVar

from builder.errors import OutputNotWritten

K = TypeVar("K")
V = TypeVar("V")

MAX_VALUES_IN_MEMORY = 1_000
"""Values that stay in memory. A card takes 10 kB there, the facts of a face 2 kB."""
MAX_RECENT_VALUES = 64
"""Values that were read last and stay in memory besides: a card is often read several times."""
MAX_UNWRITTEN_BYTES = 100_000_000
"""Bytes of values that stay in memory because the disk is full. A card takes 5,000."""


class DiskMap(Mapping[K, V], Generic[K, V]):
    """A dict that keeps its first values in memory and the others in a temporary file.

    It only grows. Values are pickled, so each reader gets a copy. One thread fills it, any may
    read. If the disk is full, up to 100 MB more stay in memory, and then OutputNotWritten is
    raised.
    """

    def __init__(
        self,
        max_in_memory: int = MAX_VALUES_IN_MEMORY,
        max_recent: int = MAX_RECENT_VALUES,
    ) -> None:
        self._max_in_memory = max_in_memory
        self._max_recent = max_recent
        self._values: dict[K, V] = {}
        self._recent_values: dict[K, V] = {}
        # The n-th stored value lies between the ends n - 1 and n.
        self._number_by_key: dict[K, int] = {}
        self._ends = array("Q", [0])
        self._file: IO[bytes] | None = None
        self._unwritten_bytes = 0
        self._read_lock = Lock()

    def __setitem__(self, key: K, value: V) -> None:
        is_stored = key in self._number_by_key
        has_space = not is_stored and len(self._values) < self._max_in_memory
        if key in self._values or has_space:
            self._values[key] = value
            return
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        try:
            self._append_data(data)
        except OutputNotWritten:
            self._unwritten_bytes += len(data)
            if is_stored or self._unwritten_bytes > MAX_UNWRITTEN_BYTES:
                raise
            # Commands that only read must work with a full disk.
            self._values[key] = value
            return
        self._number_by_key[key] = len(self._ends)
        self._ends.append(self._ends[-1] + len(data))
        self._recent_values.pop(key, None)

    def _append_data(self, data: bytes) -> None:
        """Append data to the temporary file. Raise OutputNotWritten if the disk is full.

        There is no buffer, so that a full disk raises an error here and not later.
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
        if key in self._values:
            return self._values[key]
        with self._read_lock:
            return self._read_value(key)

    def _read_value(self, key: K) -> V:
        if key in self._recent_values:
            return self._recent_values[key]
        number = self._number_by_key[key]
        start, end = self._ends[number - 1 : number + 1]
        assert self._file is not None
        self._file.seek(start)
        # Unpickling is safe: this process wrote the data, into a file without a name.
        value: V = pickle.loads(self._file.read(end - start))
        if len(self._recent_values) >= self._max_recent:
            oldest_key, *_newer_keys = self._recent_values
            del self._recent_values[oldest_key]
        self._recent_values[key] = value
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._values or key in self._number_by_key

    def __iter__(self) -> Iterator[K]:
        yield from self._values
        yield from self._number_by_key

    def __len__(self) -> int:
        return len(self._values) + len(self._number_by_key)
