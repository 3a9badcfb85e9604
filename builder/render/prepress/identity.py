"""What a drawing and its resources are, as bytes that are equal where they look equal."""

from __future__ import annotations

import hashlib
from typing import Any


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
