"""Documents of which little is held: the value lies on a shelf, its places are read again when someone asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import count
from pathlib import Path as FilePath
from typing import TypeAlias

from builder.diskmap import ROOM, Shelf
from builder.model.base import Json, Path
from builder.model.loaded import Document, Mark

Marks: TypeAlias = Mapping[Path, Mark]
Values: TypeAlias = Shelf[str, Json] | dict[str, Json]
"""What files hold, by file."""

_loads = count()


def new_load() -> int:
    """A number for one reading of a pack: what was seen of a file then is not told of it in another."""
    return next(_loads)


class Kept(Document):
    """A document that was read from `root / file`, its value among others.

    Values and places take up some 20 kB a card, and hardly ever does anyone ask for a place.
    """

    __slots__ = ("_load", "_root", "_values")

    _root: str
    _values: Values
    _load: int

    def __init__(self, root: str, file: str, values: Values, load: int) -> None:
        for name, given in (("file", file), ("_root", root), ("_values", values), ("_load", load)):
            object.__setattr__(self, name, given)

    @property
    def value(self) -> Json:
        """What the file held when it was read."""
        return self._values[self.file]

    @property
    def marks(self) -> Marks:
        """The places of values."""
        return _places(self._root, self.file, self._load)[0]

    @property
    def key_marks(self) -> Marks:
        """The places of keys."""
        return _places(self._root, self.file, self._load)[1]


@lru_cache(ROOM)
def _places(root: str, file: str, load: int) -> tuple[Marks, Marks]:
    """The places of values and of keys as the file is now; none where it cannot be read any more."""
    from builder.store.yaml import read_document

    document = read_document(FilePath(root, file), file)[0]
    return (document.marks, document.key_marks) if document is not None else ({}, {})
