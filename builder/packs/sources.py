"""Read the data files of one project as documents and models, and collect their findings."""

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import BaseModel

from builder.cache import Cache, Value, fingerprint
from builder.diskmap import MAX_VALUES_IN_MEMORY, DiskMap
from builder.files import is_within
from builder.findings import Finding, Location, Position
from builder.messages import Message, describe_os_error, gettext as _
from builder.model.base import DataPath, Json
from builder.model.loaded import Document
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.validation import parse_model

Marks: TypeAlias = Mapping[DataPath, Position]
Values: TypeAlias = DiskMap[str, Json] | dict[str, Json]
"""The content of files, by file."""
_load_numbers = count()
"""A number for each load of a pack, so that positions in a changed file are not reused."""


class StoredDocument(Document):
    """A document whose value is stored in a shared map, and whose positions are read again.

    Positions take most of the 20 kB of a card, and are needed only for findings.
    """

    __slots__ = ("_load", "_root", "_values")

    _root: str
    _values: Values
    _load: int

    def __init__(self, root: str, file: str, values: Values, load: int) -> None:
        # The class is frozen. The constructor of its base would store the value and positions.
        object.__setattr__(self, "file", file)
        object.__setattr__(self, "_root", root)
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_load", load)

    @property
    def value(self) -> Json:
        """The value of the file when it was read."""
        return self._values[self.file]

    @property
    def marks(self) -> Marks:
        """The line and column of each value, by path."""
        return _read_positions(self._root, self.file, self._load)[0]

    @property
    def key_marks(self) -> Marks:
        """The line and column of each key, by path."""
        return _read_positions(self._root, self.file, self._load)[1]


@lru_cache(MAX_VALUES_IN_MEMORY)
def _read_positions(root: str, file: str, load: int) -> tuple[Marks, Marks]:
    """Return the positions of values and of keys in a file.

    Both are empty if it cannot be read any more. `load` only distinguishes cached results.
    """
    from builder.packs.yaml.reading import read_document

    document, _findings = read_document(Path(root, file), file)
    if document is None:
        return {}, {}
    return document.marks, document.key_marks


M = TypeVar("M", bound=BaseModel)

AREA = "read"
MAX_UNSAVED_FILES = 200
"""Files that are read before their records are cached. More would fill the memory."""
MIN_FILE_AGE_NS = 50_000_000
"""Nanoseconds within which a file may change without a change of its times.

A younger file is not cached.
"""


@dataclass
class Reader:
    """Reads files of a project and collects what is wrong with them.

    With `uses_cache` the content of a file is cached while its size and times stay the same. A file
    with findings is never cached. `read_paths` are the files that were not in the cache.
    """

    project: Project
    findings: list[Finding] = field(default_factory=list)
    uses_cache: bool = False
    read_paths: set[str] = field(default_factory=set)
    _current_file: str = ""
    """The file that was read last."""
    _current_record: Value = field(default_factory=dict)
    """Its record in the cache, to which results are added."""
    _is_record_changed: bool = False
    _prefetched_records: dict[str, Value] = field(default_factory=dict)
    _unsaved_records: dict[str, Value] = field(default_factory=dict)
    _root_by_folder: dict[str, Path | None] = field(default_factory=dict)
    _load_number: int = field(default_factory=lambda: next(_load_numbers))

    @cached_property
    def _cache(self) -> Cache:
        return self.project.cache

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Add errors and warnings to those found so far."""
        self.findings.extend(findings)

    def add_finding(self, finding: Finding) -> None:
        """Add one error or warning to those found so far."""
        self.findings.append(finding)

    def _report_unreadable_path(
        self, path: Path, message: Message, hint: str = ""
    ) -> None:
        location = Location(file=self.project.shorten_path(path))
        self.add_finding(file_codes.UNREADABLE.finding(message, location, hint))

    def read_document(self, path: Path) -> Document | None:
        """Parse a file. Return None if it cannot be parsed or its link leads out of the project."""
        file = self.project.shorten_path(path)
        self._close_record()
        if not self._is_inside(path):
            message = _("the link {name} leads outside the pack", name=path.name)
            self._report_unreadable_path(
                path, message, _("Replace the link with the file itself.")
            )
            return None
        state = _read_state(path) if self.uses_cache else None
        if state is not None:
            record = self._prefetched_records.pop(file, None) or self._cache.value(
                AREA, file
            )
            if (
                record is not None
                and record.get("state") == state
                and "value" in record
            ):
                self._current_file = file
                self._current_record = record
                return self.store_value(Document(file, record["value"]), {})
        self.read_paths.add(file)
        # The YAML scanner takes long to import, and is needed only for files that have changed.
        from builder.packs.yaml.reading import read_document

        document, document_findings = read_document(path, file)
        self.add_findings(document_findings)
        can_be_cached = (
            state is not None and not document_findings and _is_old_enough(state)
        )
        if state is not None and document is not None and can_be_cached:
            self._current_file = file
            self._current_record = {"state": [*state], "value": document.value}
            self._is_record_changed = True
        return document

    def report_unreadable(self, error: OSError) -> None:
        """Report a folder that cannot be listed.

        Its files are unknown, and must not count as deleted.
        """
        path = (
            Path(os.fsdecode(error.filename)) if error.filename else self.project.root
        )
        if os.path.lexists(path):
            message = _("cannot be read: {reason}", reason=describe_os_error(error))
            self._report_unreadable_path(path, message)

    def list_folder(self, folder: Path) -> list[Path]:
        """Return the paths in a folder, sorted.

        Report a folder that cannot be listed, and broken links.
        """
        try:
            paths = sorted(folder.iterdir())
        except OSError as error:
            self.report_unreadable(error)
            return []
        # Editors lock with hidden links. Links to data files are reported where these are read.
        for path in paths:
            is_read_elsewhere = path.suffix == ".yaml" or path.name.startswith(".")
            if not is_read_elsewhere and path.is_symlink() and not path.exists():
                message = _(
                    "the link {name} is broken: its target does not exist",
                    name=path.name,
                )
                self._report_unreadable_path(path, message)
        return paths

    def prefetch_records(self, paths: Iterable[Path]) -> None:
        """Load the cache records of the files that are read next, with one query."""
        files = list(map(self.project.shorten_path, paths))
        self._prefetched_records = self._cache.load_values(AREA, files)

    def make_state_key(self, path: Path) -> Sequence[str | int] | None:
        """Return a key that differs after each change of a file.

        None if it may still be changing.
        """
        state = _read_state(path) if self._is_inside(path) else None
        return state if state is not None and _is_old_enough(state) else None

    def _is_inside(self, path: Path) -> bool:
        """Return True if a file is inside the project or a linked pack."""
        folder = str(path.parent)
        if folder not in self._root_by_folder:
            roots = (
                self.project.root,
                self.project.base_templates,
                *self.project.list_links(),
            )
            enclosing_roots = [root for root in roots if is_within(root, path.parent)]
            self._root_by_folder[folder] = (
                enclosing_roots[0] if enclosing_roots else None
            )
        root = self._root_by_folder[folder]
        if root is None:
            return False
        # Resolving every file takes long, so only links are resolved.
        return not path.is_symlink() or is_within(root, path)

    def store_value(self, document: Document, values: Values) -> Document:
        """Store the value of a document in `values`. Return the document without positions."""
        values[document.file] = document.value
        return StoredDocument(
            str(self.project.root), document.file, values, self._load_number
        )

    def find_result(self, document: Document, name: str) -> Json:
        """Return a cached result for the document that was read last, or None."""
        return (
            self._current_record.get(name)
            if document.file == self._current_file
            else None
        )

    def cache_result(self, document: Document, name: str, value: Json) -> None:
        """Cache a result that was computed from the document that was read last."""
        if document.file == self._current_file:
            self._current_record[name] = value
            self._is_record_changed = True

    def save_cache(self) -> None:
        """Write all new records to the cache. Errors of the cache are ignored."""
        self._close_record()
        self._write_records()

    def _write_records(self) -> None:
        records = (
            (file, record, b"") for file, record in self._unsaved_records.items()
        )
        self._cache.write_all(AREA, records)
        self._unsaved_records.clear()

    def _close_record(self) -> None:
        """Finish the cache record of the current file before the next file is read."""
        if self._is_record_changed:
            self._unsaved_records[self._current_file] = self._current_record
        self._current_file = ""
        self._current_record = {}
        self._is_record_changed = False
        if len(self._unsaved_records) >= MAX_UNSAVED_FILES:
            self._write_records()

    def read_model(self, document: Document, model: type[M]) -> M | None:
        """Validate a document as a model. Return None and report its errors if it is invalid."""
        parsed, model_findings = parse_model(model, document)
        self.add_findings(model_findings)
        return parsed


OnUnreadable: TypeAlias = Callable[[OSError], None]
"""Gets the error of each folder that cannot be listed."""


def list_yaml_files(
    folder: Path, on_unreadable: OnUnreadable | None = None
) -> Iterator[Path]:
    """Yield all .yaml files in a folder and its subfolders, sorted, except hidden ones."""
    for path in list_named_files(folder, ".yaml", on_unreadable):
        if not path.name.startswith("."):
            yield path


def list_named_files(
    folder: Path, name_end: str, on_unreadable: OnUnreadable | None = None
) -> Iterator[Path]:
    """Return the paths in a folder and its subfolders whose names end with `name_end`, sorted."""
    paths: list[str] = []
    for parent, folders, files in os.walk(folder, onerror=on_unreadable):
        names = [name for name in folders + files if name.endswith(name_end)]
        paths += [f"{parent}{os.sep}{name}" for name in names]
    return map(Path, sorted(paths))


def _read_state(path: Path) -> list[str | int] | None:
    """Return a cache key for a file: its size and times, and the program's version, or None.

    None if it cannot be read.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    # Another version of these may read another value, or find other mistakes.
    reader = fingerprint(
        "model",
        "packs",
        libraries=("jsonschema", "jsonschema-rs", "pydantic", "ruamel.yaml"),
    )
    return [reader, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def _is_old_enough(state: Sequence[str | int]) -> bool:
    """Return True if the file's time is old enough that every further change would change it."""
    _reader, _size, *times = state
    return time.time_ns() - max(map(int, times)) > MIN_FILE_AGE_NS


@contextmanager
def pause_garbage_collector() -> Iterator[None]:
    """Pause the garbage collector during a block that creates many lasting values.

    It would run often and free nothing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
