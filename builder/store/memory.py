"""What reading files gave last time, so that an unchanged pack is not parsed and judged again.

Plain JSON under the project's cache folder, never code: a foreign project may bring any cache it likes. An entry counts
only while its file has the same size and times; files with findings are never remembered.
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path as FilePath
from typing import IO, Any, TypeAlias

from builder.diskmap import Shelf
from builder.errors import OutputNotWritten
from builder.model.base import Json
from builder.store.atomic import atomic_stream

Stamp: TypeAlias = list[int]
"""Size, time of the last change of contents and of anything, in ns."""

FEW = 40
"""So many files read anew are written behind the others, which are not written again for them."""

YOUNG = 50_000_000
"""Ns within which a file may change again without its times changing; a file this young is not remembered."""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Memory:
    """The remembered files of one pack, one at hand at a time. Anything wrong with the cache is the same as no cache.

    After a first line with the key of the program, each line tells of one file: its name, a tab, what is known of it.
    Of two lines about one file the later counts, so that two builds may write at once.
    """

    def __init__(self, path: FilePath) -> None:
        self.path = path
        self._known: dict[bytes, int] = {}
        self._lines = 0
        self._cache = self._opened()
        self._used: dict[str, None] = {}
        self._new: Shelf[str, bytes] = Shelf()
        self._file = ""
        self._entry: dict[str, Any] = {}
        self._changed = False

    def recall(self, file: str, stamp: Stamp) -> dict[str, Any] | None:
        """What is known of a file, if it is still the same; the file is then at hand."""
        self._put_away()
        with suppress(OSError, ValueError, RecursionError):
            entry = json.loads(self._line(_text(file)))
            if isinstance(entry, dict) and entry.get("stamp") == stamp and "value" in entry:
                self._used[file] = None
                self._file, self._entry = file, entry
                return entry
        return None

    def remember(self, file: str, stamp: Stamp, value: Json) -> None:
        """Keep what a file holds; the file is then at hand."""
        self._put_away()
        if time.time_ns() - max(stamp[1:]) > YOUNG:
            self._used[file] = None
            self._file, self._entry, self._changed = file, {"stamp": stamp, "value": value}, True

    def note(self, file: str, name: str) -> Any:
        """What was noted of the file at hand; None where nothing was, and for any other file."""
        return self._entry.get(name) if file == self._file else None

    def take_note(self, file: str, name: str, value: Any) -> None:
        """Note something of the file at hand (JSON)."""
        if file == self._file:
            self._entry[name] = value
            self._changed = True

    def save(self) -> None:
        """Write what was used this time, if it differs. A cache that cannot be written is done without."""
        self._put_away()
        idle = self._lines + len(self._new) - len(self._used)
        with suppress(OSError, OutputNotWritten):
            if len(self._new) > FEW or idle > FEW or (self._new and self._cache is None):
                self._write()
            elif self._new:
                self._append()
        if self._cache is not None:
            self._cache.close()

    def _opened(self) -> IO[bytes] | None:
        """The cache, and in `_known` where each file's line stands; None where it cannot be used."""
        with suppress(OSError):
            cache = self.path.open("rb")
            at = len(_first_line())
            if cache.read(at) == _first_line():
                for line in cache:
                    self._known[line.partition(b"\t")[0]] = at
                    at += len(line)
                    self._lines += 1
                return cache
            cache.close()
        return None

    def _line(self, name: bytes) -> bytes:
        """What the cache's line about a file tells; empty where there is none."""
        at = self._known.get(name)
        if at is None or self._cache is None:
            return b""
        self._cache.seek(at + len(name) + 1)
        return self._cache.readline()

    def _put_away(self) -> None:
        """Take the file at hand out of hand."""
        if self._changed:
            line = b"\t".join((_text(self._file), _text(self._entry)))
            self._new[self._file] = line + b"\n"
        self._file, self._entry, self._changed = "", {}, False

    def _append(self) -> None:
        """Write what is new behind the rest, at one go."""
        with self.path.open("a+b", buffering=0) as stream:
            stream.seek(0)
            if stream.read(len(_first_line())) == _first_line():  # another program's may stand there by now
                stream.write(b"".join(self._new.values()))

    def _write(self) -> None:
        """Write the cache anew."""
        with atomic_stream(self.path) as stream:
            stream.write(_first_line())
            for file in self._used:
                name = _text(file)
                stream.write(self._new.get(file) or b"\t".join((name, self._line(name))))
            if self._cache is not None:
                self._cache.close()  # elsewhere than on Linux an open file cannot be replaced


def _text(value: object) -> bytes:
    """A JSON text without tabs and ends of lines. A file's name may hold what is no letter."""
    return _JSON(value).encode("utf-8", "surrogatepass")


def _first_line() -> bytes:
    return _text({"key": engine_key()}) + b"\n"


def stamp_of(path: FilePath) -> Stamp | None:
    """The stamp of a file; None where it cannot be had."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


@contextmanager
def collector_off() -> Iterator[None]:
    """Hold the garbage collector while a great many small values are made that all stay: it would find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@cache
def engine_key() -> str:
    """Changes whenever the program's own reading changes: sizes and times of its modules."""
    folders = (FilePath(__file__).parent, FilePath(__file__).parent.parent / "model")
    with suppress(OSError):
        stats = [entry.stat() for folder in folders for entry in os.scandir(folder) if entry.name.endswith(".py")]
        return f"2-{sum(stat.st_size for stat in stats)}-{max(stat.st_mtime_ns for stat in stats)}-{len(stats)}"
    return "2"
