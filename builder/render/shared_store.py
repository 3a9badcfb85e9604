"""Share rendered faces between machines, in a folder or behind any URL that fsspec opens."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar
from uuid import uuid4

from builder.errors import InputUnreadable, OutputNotWritten, ToolMissing, UsageError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.render.cache import FaceCache, convert_facts_to_json, parse_facts
from builder.render.engines import DEFAULT
from builder.render.jobs import FaceFacts, FaceHtml, split_into_chunks
from builder.render.keys import describe_environment, digest
from builder.render.sheets.record import Record

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

MAX_PARALLEL_REQUESTS = 8
"""The number of files requested at a time. Remote stores answer late, but many at once."""
FACES_PER_CHUNK = 64
"""Faces taken from a store at a time, or put into it: memory stays bounded."""

T = TypeVar("T")
R = TypeVar("R")
StoredFace: TypeAlias = tuple[FaceFacts, Record]


def call_all(call: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Call a function for each item, several at a time. Return the results in order."""
    with ThreadPoolExecutor(MAX_PARALLEL_REQUESTS) as pool:
        return list(pool.map(call, items))


@dataclass(frozen=True, slots=True)
class SharedStore:
    """A folder of rendered faces that several machines share.

    `url` opens it on another machine, `address` names it in messages. Raise InputUnreadable and
    OutputNotWritten if the store fails.
    """

    system: AbstractFileSystem
    root: str
    url: str
    address: str
    engine: str = DEFAULT

    def read_file(self, name: str) -> bytes | None:
        """Return the contents of a file, or None if it is absent or incomplete."""
        with _report_read_errors(self.address):
            try:
                data = bytes(self.system.cat_file(f"{self.root}/{name}"))
            except FileNotFoundError:
                return None
        # The hash of the rest comes first: a machine may have been stopped while it wrote.
        checksum = data[:32]
        contents = data[32:]
        return contents if sha256(contents).digest() == checksum else None

    def write_file(self, name: str, data: bytes) -> None:
        """Write a file, or replace it."""
        checked_data = sha256(data).digest() + data
        self._replace_file(
            name, lambda partial: self.system.pipe_file(partial, checked_data)
        )

    def send_file(self, name: str, path: Path) -> None:
        """Copy a local file into the store, unless a file of this name and size exists."""
        target = f"{self.root}/{name}"
        size = path.stat().st_size
        with _report_read_errors(self.address):
            is_there = self.system.exists(target) and self.system.size(target) == size
        if not is_there:
            self._replace_file(
                name, lambda partial: self.system.put_file(str(path), partial)
            )

    def fetch_file(self, name: str, path: Path) -> bool:
        """Copy a file from the store to a local path. Return False if there is none."""
        with _report_read_errors(self.address):
            try:
                self.system.get_file(f"{self.root}/{name}", str(path))
            except FileNotFoundError:
                return False
        return True

    def _replace_file(self, name: str, write: Callable[[str], object]) -> None:
        """Write a file under another name first, because others may read it meanwhile."""
        folder, _slash, last = f"{self.root}/{name}".rpartition("/")
        partial = f"{folder}/.{uuid4().hex}"
        try:
            self.system.makedirs(folder, exist_ok=True)
            write(partial)
            self.system.mv(partial, f"{folder}/{last}")
        except Exception as error:  # each kind of store raises errors of its own
            form = _("the store {store} cannot be written: {reason}")
            message = _(form, store=self.address, reason=_describe_error(error))
            hint = _(
                "Check that it is writable and not full. Rendered faces are kept in the cache."
            )
            raise OutputNotWritten(message, hint) from error

    def get(self, face: FaceHtml) -> StoredFace | None:
        """Return a rendered face, or None if it is absent or damaged."""
        data = self.read_file(make_address(face, self.engine)) or b""
        # The length of the facts, the facts, then the drawing.
        end = 4 + int.from_bytes(data[:4], "big")
        try:
            facts = parse_facts(json.loads(data[4:end]))
            record = Record.load(data[end:])
        except ValueError:
            return None
        return (facts, record) if facts.key == face.key else None

    def store_face(self, face: FaceHtml, facts: FaceFacts, record: Record) -> None:
        """Store a rendered face."""
        value = convert_facts_to_json(facts)
        head = json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
        data = len(head).to_bytes(4, "big") + head + record.dump()
        self.write_file(make_address(face, self.engine), data)

    def get_all(self, faces: Sequence[FaceHtml]) -> dict[str, StoredFace]:
        """Return the stored ones of these faces, by key."""
        describe_environment(self.engine)  # once, before many ask
        stored_faces: dict[str, StoredFace] = {}
        for stored_face in call_all(self.get, faces):
            if stored_face is not None:
                facts, _record = stored_face
                stored_faces[facts.key] = stored_face
        return stored_faces

    def load_into_cache(
        self, faces: Iterable[FaceHtml], cache: FaceCache
    ) -> Iterator[tuple[FaceHtml, FaceFacts | None]]:
        """Copy faces from the store into the cache.

        Yield each face with its facts, or None if it is not stored.
        """
        for chunk in split_into_chunks(faces, FACES_PER_CHUNK):
            stored = self.get_all(chunk)
            for facts, record in stored.values():
                cache.store_face(facts, record)
            for face in chunk:
                yield face, stored[face.key][0] if face.key in stored else None

    def store_from_cache(
        self,
        faces: Mapping[str, FaceHtml],
        rendered_facts: Iterable[FaceFacts],
        cache: FaceCache,
    ) -> Iterator[FaceFacts]:
        """Copy faces from the cache into the store as they are rendered.

        `faces` are their HTML by key.
        """

        def store_rendered(facts: FaceFacts) -> None:
            self.store_face(faces[facts.key], facts, cache.record(facts.key))

        for chunk in split_into_chunks(rendered_facts, FACES_PER_CHUNK):
            call_all(
                store_rendered,
                [facts for facts in chunk if not has_errors(facts.findings)],
            )
            yield from chunk


def open_store(place: str, engine: str = DEFAULT) -> SharedStore:
    """Open the store at a path or URL, for faces of one engine.

    Raise UsageError if the address is wrong, ToolMissing if a library is missing.
    """
    from fsspec.core import url_to_fs

    # Messages must not show a password in the address.
    display_name = re.sub(r"//[^/@]*@", "//...@", place)
    if re.match(r"(file|local)://(?!localhost/)[^/]", place):
        remedy = _("Use three slashes: file:///srv/faces.")
        raise UsageError(
            _("{store!r} is not a folder of this machine", store=place), remedy
        )
    try:
        with _report_read_errors(display_name, ImportError, ValueError):
            system, path = url_to_fs(place)
    except ImportError as error:
        message = _(
            "the store {store} needs a library: {reason}",
            store=display_name,
            reason=error,
        )
        raise ToolMissing(message, _("Install it here and on all workers.")) from None
    except ValueError as error:
        message = _(
            "{store!r} is not a store: {reason}", store=display_name, reason=error
        )
        raise UsageError(
            message, _("Use a folder, or a URL such as s3://bucket/faces.")
        ) from None
    root = str(path).rstrip("/")
    if "://" in place:
        return SharedStore(system, root, place, display_name, engine)
    return SharedStore(system, root, root, root, engine)


@contextmanager
def _report_read_errors(
    display_name: str, *passed_errors: type[Exception]
) -> Iterator[None]:
    """Convert errors of the storage library to InputUnreadable, except `passed_errors`."""
    try:
        yield
    except Exception as error:
        if isinstance(error, passed_errors):
            raise
        form = _("the store {store} cannot be read: {reason}")
        message = _(form, store=display_name, reason=_describe_error(error))
        raise InputUnreadable(
            message, _("Check its address and your permissions.")
        ) from error


def _describe_error(error: Exception) -> str:
    # An OSError's own text repeats the number and the file.
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0]


def make_address(face: FaceHtml, engine: str = DEFAULT) -> str:
    """Return the name of a face in the store.

    Two machines share it if they would render it equally.
    """
    environment = repr(sorted(describe_environment(engine).items()))
    deps = repr(sorted(face.deps.items()))
    address = digest(environment, face.key, face.html, face.file, face.template, deps)
    return f"faces/{address[:2]}/{address}"
