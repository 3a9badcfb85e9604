"""What reading files gave last time, so that an unchanged pack is not parsed and judged again.

Plain JSON under the project's cache folder, never code: a foreign project may bring any cache it likes. An entry counts
only while its file has the same size and times; files with findings are never remembered.
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from builder.errors import OutputNotWritten
from builder.model.base import Json, Path
from builder.model.document import Document, Mark
from builder.store.atomic import write_atomic

Stamp: TypeAlias = list[int]
"""Size, time of the last change of contents and of anything, in ns."""

FEW = 40
"""So many files read anew are kept in a small file beside the large one, which is not written again for them."""

YOUNG = 50_000_000
"""Ns within which a file may change again without its times changing; a file this young is not remembered."""


class Memory:
    """The remembered files of one pack. Anything wrong with the cache is the same as an empty one."""

    def __init__(self, path: FilePath) -> None:
        self.path = path
        self.late = path.with_suffix(".late.json")
        self.used: set[str] = set()
        base, late = _saved(self.path), _saved(self.late)
        self.entries = base | late
        self.new = set(late)
        self.changed = False

    def recall(self, file: str, stamp: Stamp) -> dict[str, Any] | None:
        """What is known of a file, if it is still the same."""
        entry = self.entries.get(file)
        if not isinstance(entry, dict) or entry.get("stamp") != stamp or "value" not in entry:
            return None
        self.used.add(file)
        return entry

    def remember(self, file: str, stamp: Stamp, value: Json) -> dict[str, Any]:
        """Keep what a file holds; the entry may be added to."""
        entry: dict[str, Any] = {"stamp": stamp, "value": value}
        if time.time_ns() - max(stamp[1:]) > YOUNG:
            self.entries[file] = entry
            self.used.add(file)
            self.touch(file)
        return entry

    def touch(self, file: str) -> None:
        """An entry was made or added to."""
        self.new.add(file)
        self.changed = True

    def save(self) -> None:
        """Write what was used this time, if it differs. A cache that cannot be written is done without."""
        gone = self.entries.keys() - self.used
        with suppress(OutputNotWritten):
            if len(self.new) + len(gone) > FEW or (self.changed and not self.path.exists()):
                self._write(self.path, self.used)
                self._write(self.late, ())
            elif self.changed:
                self._write(self.late, self.new & self.used)

    def _write(self, path: FilePath, files: Collection[str]) -> None:
        kept = {file: self.entries[file] for file in sorted(files)}
        text = json.dumps({"key": engine_key(), "files": kept}, ensure_ascii=False, separators=(",", ":"))
        write_atomic(path, text.encode())


def _saved(path: FilePath) -> dict[str, dict[str, Any]]:
    """The entries of one file of the cache."""
    with suppress(OSError, ValueError, RecursionError):
        saved = json.loads(path.read_text("utf-8"))
        if isinstance(saved, dict) and saved.get("key") == engine_key() and isinstance(saved.get("files"), dict):
            return dict(saved["files"])
    return {}


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
        return f"1-{sum(stat.st_size for stat in stats)}-{max(stat.st_mtime_ns for stat in stats)}-{len(stats)}"
    return "1"


def remembered(file: str, path: FilePath, value: Json) -> Document:
    """A document whose places are looked up in the file only when someone asks for one."""
    source = _Source(file, path)
    return Document(file, value, _Marks(source, keys=False), _Marks(source, keys=True))


class _Source:
    """The file behind a remembered document."""

    def __init__(self, file: str, path: FilePath) -> None:
        self.file = file
        self.path = path

    @cached_property
    def document(self) -> Document | None:
        """The file read again."""
        from builder.store.yaml import read_document

        return read_document(self.path, self.file)[0]


class _Marks(Mapping[Path, Mark]):
    """The marks of values or of keys, read when first asked for."""

    def __init__(self, source: _Source, *, keys: bool) -> None:
        self._source = source
        self._keys = keys

    @property
    def _marks(self) -> Mapping[Path, Mark]:
        document = self._source.document
        if document is None:
            return {}
        return document.key_marks if self._keys else document.marks

    def __getitem__(self, path: Path) -> Mark:
        return self._marks[path]

    def __contains__(self, path: object) -> bool:
        return path in self._marks

    def __iter__(self) -> Iterator[Path]:
        return iter(self._marks)

    def __len__(self) -> int:
        return len(self._marks)
