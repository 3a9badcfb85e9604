"""Reading the data files of one project.

Documents and models, their findings kept together, little held in memory.
"""

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
from builder.diskmap import ROOM, DiskMap
from builder.files import is_within
from builder.findings import Finding, Location, Position
from builder.messages import describe_os_error, gettext as _
from builder.model.base import DataPath, Json
from builder.model.loaded import Document
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.validation import parse_model

Marks: TypeAlias = Mapping[DataPath, Position]
Values: TypeAlias = DiskMap[str, Json] | dict[str, Json]
"""What files hold, by file."""
_loads = count()
"""A number for each reading of a pack: what was seen of a file then is not told of it in another.
"""


class StoredDocument(Document):
    """A document that was read from `root / file`, its value among others.

    Values and places take up some 20 kB a card, and hardly ever does anyone ask for a place.
    """

    __slots__ = ("_load", "_root", "_values")

    _root: str
    _values: Values
    _load: int

    def __init__(self, root: str, file: str, values: Values, load: int) -> None:
        for name, value in (("file", file), ("_root", root), ("_values", values), ("_load", load)):
            object.__setattr__(self, name, value)

    @property
    def value(self) -> Json:
        """The value that the file had when it was read."""
        return self._values[self.file]

    @property
    def marks(self) -> Marks:
        """The places of values."""
        return _read_places(self._root, self.file, self._load)[0]

    @property
    def key_marks(self) -> Marks:
        """The places of keys."""
        return _read_places(self._root, self.file, self._load)[1]


@lru_cache(ROOM)
def _read_places(root: str, file: str, load: int) -> tuple[Marks, Marks]:
    """Return the places of values and of keys as the file is now.

    None where it cannot be read any more.
    """
    from builder.packs.yaml.reading import read_document

    document = read_document(Path(root, file), file)[0]
    return (document.marks, document.key_marks) if document is not None else ({}, {})


M = TypeVar("M", bound=BaseModel)

AREA = "read"
MAX_UNSAVED_FILES = 200
"""So many files read anew are written down at a time: a thousand at once would take up memory."""
MIN_FILE_AGE_NS = 50_000_000
"""Ns within which a file may change again without its times changing; a file this young is not
remembered.
"""


@dataclass
class Reader:
    """Reads files of a project and collects the findings.

    `read` are the files that were not remembered.

    What a file holds is remembered in the cache as long as it keeps its size and times, if the
    reader `remembers`; a file with findings never is.
    """

    project: Project
    findings: list[Finding] = field(default_factory=list)
    remembers: bool = False
    read_paths: set[str] = field(default_factory=set)
    _at_hand: tuple[str, Value] = ("", {})
    _ahead: dict[str, Value] = field(default_factory=dict)
    _changed: bool = False
    _new: dict[str, Value] = field(default_factory=dict)
    _folders: dict[str, Path | None] = field(default_factory=dict)
    _load: int = field(default_factory=lambda: next(_loads))

    @cached_property
    def _cache(self) -> Cache:
        return self.project.cache

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Keep findings."""
        self.findings.extend(findings)

    def read_document(self, path: Path) -> Document | None:
        """Return a parsed file.

        None if it cannot be parsed, or is a link that leads out of the project.
        """
        file = self.project.shorten_path(path)
        self._put_away()
        if not self._is_inside(path):
            message = _("the link {name} leads outside the pack", name=path.name)
            self.add_findings(
                [
                    file_codes.UNREADABLE.finding(
                        message, Location(file=file), _("Replace the link with the file itself.")
                    )
                ]
            )
            return None
        state = _state_of(path) if self.remembers else None
        if state:
            entry = self._ahead.pop(file, None) or self._cache.value(AREA, file)
            if entry is not None and entry.get("state") == state and "value" in entry:
                self._at_hand = file, entry
                return self.keep_value(Document(file, entry["value"]), {})
        self.read_paths.add(file)
        from builder.packs.yaml.reading import (
            read_document,
        )  # the scanner is loaded only when something must be read

        document, document_findings = read_document(path, file)
        self.add_findings(document_findings)
        if state and document is not None and not document_findings and _is_settled(state):
            self._at_hand, self._changed = (
                (file, {"state": [*state], "value": document.value}),
                True,
            )
        return document

    def report_unreadable(self, error: OSError) -> None:
        """Report a folder that cannot be listed.

        What lies in it is not known, which is not the same as nothing.
        """
        path = Path(os.fsdecode(error.filename)) if error.filename else self.project.root
        if os.path.lexists(path):
            message = _("cannot be read: {reason}", reason=describe_os_error(error))
            self.add_findings(
                [
                    file_codes.UNREADABLE.finding(
                        message, Location(file=self.project.shorten_path(path))
                    )
                ]
            )

    def list_folder(self, folder: Path) -> list[Path]:
        """Return the entries of a folder in a stable order.

        Report a folder that cannot be listed, and dead links.
        """
        try:
            paths = sorted(folder.iterdir())
        except OSError as error:
            self.report_unreadable(error)
            return []
        # Editors lock with hidden files. A dead link to a data file is reported where the file is
        # read.
        for path in paths:
            is_read_elsewhere = path.suffix == ".yaml" or path.name.startswith(".")
            if not is_read_elsewhere and path.is_symlink() and not path.exists():
                message = _("the link {name} is broken: its target does not exist", name=path.name)
                self.add_findings(
                    [
                        file_codes.UNREADABLE.finding(
                            message, Location(file=self.project.shorten_path(path))
                        )
                    ]
                )
        return paths

    def look_ahead(self, paths: Iterable[Path]) -> None:
        """Load the cache records of files that will be read next, in one query."""
        self._ahead = self._cache.values(AREA, [*map(self.project.shorten_path, paths)])

    def make_state_key(self, path: Path) -> Sequence[str | int] | None:
        """Return a key that changes with the file.

        None if the file is so new that it may still change.
        """
        state = _state_of(path) if self._is_inside(path) else None
        return state if state and _is_settled(state) else None

    def _is_inside(self, path: Path) -> bool:
        """Return True if a file, links resolved, is in the project or in its pack's own folder."""
        folder = str(path).rpartition(os.sep)[0]
        if folder not in self._folders:
            roots = (self.project.root, self.project.base_templates, *self.project.list_links())
            self._folders[folder] = next(
                (root for root in roots if is_within(root, path.parent)), None
            )
        root = self._folders[folder]
        return root is not None and (not path.is_symlink() or is_within(root, path))

    def keep_value(self, document: Document, values: Values) -> Document:
        """Return a document of which only the value is kept, among those."""
        values[document.file] = document.value
        return StoredDocument(str(self.project.root), document.file, values, self._load)

    def find_note(self, document: Document, name: str) -> Json:
        """Return the note about the document read last; None if there is none."""
        file, entry = self._at_hand
        return entry.get(name) if file == document.file else None

    def take_note(self, document: Document, name: str, value: Json) -> None:
        """Store a result computed from the document that was read last, for its next reading."""
        file, entry = self._at_hand
        if file == document.file:
            entry[name] = value
            self._changed = True

    def save_cache(self) -> None:
        """Cache the files that were read. Ignore a cache that cannot be written."""
        self._put_away()
        self._write_cache()

    def _write_cache(self) -> None:
        """Write what is out of hand."""
        self._cache.write_all(AREA, ((file, entry, b"") for file, entry in self._new.items()))
        self._new.clear()

    def _put_away(self) -> None:
        """Take the file at hand out of hand."""
        if self._changed:
            file, entry = self._at_hand
            self._new[file] = entry
        self._at_hand, self._changed = ("", {}), False
        if len(self._new) >= MAX_UNSAVED_FILES:
            self._write_cache()

    def read_model(self, document: Document, model: type[M]) -> M | None:
        """Return a document as a model; None where it is wrong."""
        parsed, model_findings = parse_model(model, document)
        self.add_findings(model_findings)
        return parsed


OnUnreadable: TypeAlias = Callable[[OSError], None]
"""Gets the error of each folder that cannot be listed."""


def list_yaml_files(folder: Path, on_unreadable: OnUnreadable | None = None) -> Iterator[Path]:
    """Yield all .yaml files below a folder in a stable order, without hidden ones."""
    for path in list_named_files(folder, ".yaml", on_unreadable):
        if not path.name.startswith("."):
            yield path


def list_named_files(
    folder: Path, end: str, on_unreadable: OnUnreadable | None = None
) -> Iterator[Path]:
    """Return all files and folders under a folder whose names end with `end`, in a stable order."""
    paths: list[str] = []
    for parent, folders, files in os.walk(folder, onerror=on_unreadable):
        paths += [f"{parent}{os.sep}{name}" for name in (*folders, *files) if name.endswith(end)]
    return map(Path, sorted(paths))


def _state_of(path: Path) -> list[str | int] | None:
    """Return the program's version, and a file's size and times, as a key of the cache.

    None if it cannot be read.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    reader = fingerprint(
        "model", "packs", libraries=("jsonschema", "jsonschema-rs", "pydantic", "ruamel.yaml")
    )
    return [reader, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def _is_settled(state: Sequence[str | int]) -> bool:
    return time.time_ns() - max(map(int, state[2:])) > MIN_FILE_AGE_NS


@contextmanager
def pause_garbage_collector() -> Iterator[None]:
    """Hold the garbage collector while a great many small values are made that all stay.

    It would find nothing.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
