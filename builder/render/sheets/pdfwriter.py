"""A PDF file from ready-made objects. Equal objects give equal bytes: no clock, no random id."""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from typing import IO, NamedTuple

from builder.units import to_points

VERSION = "1.7"
MARK = b"%\xe2\xe3\xcf\xd3\n"
"""Bytes by which other programs know that a file is not text."""


LATER = -1


class Stretch(NamedTuple):
    """A stretch of a file: its bytes, and where in them each of its objects begins; `LATER` of one that comes later."""

    data: bytes
    offsets: Sequence[int]


class PdfWriter:
    """Writes numbered objects into a buffered stream as soon as they are known; only where each begins is kept."""

    def __init__(self, out: IO[bytes], version: str = VERSION) -> None:
        self._out = out
        self._hash = hashlib.sha256()
        self._at = 0
        self._offsets = array("Q")
        self._part: list[bytes] | None = None
        self._write(b"%%PDF-%s\n%s" % (version.encode(), MARK))

    @property
    def objects(self) -> int:
        """How many numbers are taken."""
        return len(self._offsets)

    def reserve(self) -> int:
        """A number for an object whose body comes later. It has to come."""
        self._offsets.append(0)
        return len(self._offsets)

    def put(self, number: int, body: bytes) -> None:
        """The body of a reserved object."""
        self._offsets[number - 1] = self._at
        self._write(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    def add(self, body: bytes) -> int:
        """A new object; its number."""
        number = self.reserve()
        self.put(number, body)
        return number

    def stream(self, entries: bytes, data: bytes) -> int:
        """A new stream object with ready (compressed) data."""
        return self.add(stream_body(entries, data))

    def part(self, fill: Callable[[], None]) -> Stretch:
        """What `fill` writes, as it may be copied behind as many objects of another file."""
        start, first, self._part = self._at, self.objects, []
        fill()
        written, self._part = b"".join(self._part), None
        return Stretch(written, [at - start if at else LATER for at in self._offsets[first:]])

    def copy(self, part: Stretch) -> None:
        """Write a part behind as many objects as it was written behind."""
        self._offsets.extend(0 if offset == LATER else self._at + offset for offset in part.offsets)
        self._write(part.data)

    def finish(self, pages: Sequence[int], parent: int, title: str, catalogue: bytes = b"") -> str:
        """Write what ends a file; the whole file's SHA-256. `parent` is the reserved number of the page tree that the
        pages name, `catalogue` more entries of the root.
        """
        self.tree(pages, parent)
        root = self.add(b"<</Type/Catalog/Pages %d 0 R%s>>" % (parent, catalogue))
        text = b"\xfe\xff" + title.encode("utf-16-be")  # holds any script
        info = self.add(b"<</Producer(squadpress)/Title <%s>>>" % text.hex().encode())
        return self.end(root, info)

    def tree(self, pages: Sequence[int], parent: int) -> None:
        """The page tree, which has this reserved number."""
        kids = b" ".join(b"%d 0 R" % page for page in pages)
        self.put(parent, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids))

    def end(self, root: int, info: int) -> str:
        """Write what follows the objects, given the numbers of catalog and information; the whole file's SHA-256."""
        assert all(self._offsets), "an object was promised and not written"
        identity, start = self._hash.hexdigest()[:32].encode(), self._at
        size = len(self._offsets) + 1
        self._write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
        for offset in self._offsets:
            self._write(b"%010d 00000 n \n" % offset)
        self._write(
            b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n"
            % (size, root, info, identity, identity, start)
        )
        return self._hash.hexdigest()

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        if self._part is not None:
            self._part.append(data)
        self._hash.update(data)
        self._at += len(data)


def stream_body(entries: bytes, data: bytes) -> bytes:
    """The body of a stream object."""
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def number(value: float) -> bytes:
    """A number as short as it may be: at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".").encode() or b"0"


def pt(mm: float) -> bytes:
    """A length in mm as a number of points."""
    return number(to_points(mm))
