"""Work on drawings that is done once: its result is kept under the hash of all that it depends on.

A second order, or one in which a card changed, takes what is known; the bytes are the same either way.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.render.keep import keep, used

FORMAT = "2"
"""Raise it whenever anything that is kept here would come out otherwise."""

Result = tuple[bytes, Sequence[str]]
"""Data, and words that go with it."""


@dataclass(frozen=True, slots=True)
class Memo:
    """Results under a folder; without one everything is done anew. `setting` is what all of them depend on."""

    folder: Path | None = None
    setting: bytes = b""

    def under(self, *parts: str) -> Memo:
        """The same with more that all results depend on."""
        return Memo(self.folder, self.setting + "\0".join(parts).encode() + b"\0")

    def get(self, job: str, parts: Sequence[bytes], make: Callable[[], Result]) -> Result:
        """What was kept of a job, else what `make` gives, which is kept. Raises OutputNotWritten."""
        if self.folder is None:
            return make()
        found = hashlib.sha256(b"\0".join((FORMAT.encode(), self.setting, job.encode())))
        for part in parts:
            found.update(b"%d\0" % len(part) + part)
        key = found.hexdigest()[:40]
        path = self.folder / key[:2] / key
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            known = zlib.decompress(body), json.loads(head)
        except (OSError, ValueError, zlib.error):
            data, words = make()
        else:
            used(path)
            return known
        keep(path, json.dumps(list(words)).encode() + b"\n" + zlib.compress(data, 1))
        return data, words


def content(item: Any) -> bytes:
    """The bytes of a page's or form's drawing."""
    if item.get("/Type") == "/Page":
        import pikepdf

        return b"\n".join(part.read_bytes() for part in _parts(item.get("/Contents"), pikepdf.Array))
    return bytes(item.read_bytes())


def _parts(contents: Any, array: Any) -> list[Any]:
    if contents is None:
        return []
    return list(contents) if isinstance(contents, array) else [contents]


def stated(resources: Any, *names: str) -> bytes:
    """These parts of a resource dictionary in full, streams by their data."""
    found = hashlib.sha256()
    for name in names:
        found.update(name.encode())
        part = resources.get(name) if resources is not None else None
        if part is not None:
            _walk(part, found, set())
    return found.digest()


def _walk(item: Any, found: Any, seen: set[tuple[int, int]]) -> None:
    """Feed an object and all it refers to; a font counts by its name, which tells fonts of a press apart."""
    import pikepdf

    if isinstance(item, pikepdf.Object) and item.is_indirect:
        if item.objgen in seen:
            return
        seen.add(item.objgen)
    if isinstance(item, pikepdf.Stream):
        found.update(item.read_raw_bytes())
    if isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        if item.get("/Type") == "/Font":
            found.update(str(item.get("/BaseFont")).encode())
            return
        for key in sorted(item.keys()):
            if key != "/Parent":
                found.update(key.encode())
                _walk(item[key], found, seen)
    elif isinstance(item, pikepdf.Array):
        found.update(b"[%d" % len(item))
        for part in list(item):
            _walk(part, found, seen)
    else:
        found.update(repr(item).encode() if not isinstance(item, pikepdf.Object) else item.unparse())
