"""A PDF file from ready-made objects. Equal objects give equal bytes: no clock, no random id."""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from typing import IO, NamedTuple

from builder.units import to_points

PDF_VERSION = "1.7"
BINARY_MARK = b"%\xe2\xe3\xcf\xd3\n"
"""By these bytes other programs know that a file is not text."""


RESERVED = -1
"""The offset of an object that is not written yet."""


class FilePart(NamedTuple):
    """A part of a PDF that can be copied: its bytes, and the offset of each object in them.

    An object that is only reserved has the offset RESERVED.
    """

    data: bytes
    offsets: Sequence[int]


class PdfWriter:
    """Writes numbered PDF objects to a file at once, and keeps only their offsets."""

    def __init__(self, out: IO[bytes], version: str = PDF_VERSION) -> None:
        self._out = out
        self._hash = hashlib.sha256()
        self._position = 0
        self._offsets = array("Q")
        self._recorded: list[bytes] | None = None
        self._write(b"%%PDF-%s\n%s" % (version.encode(), BINARY_MARK))

    @property
    def object_count(self) -> int:
        """The number of objects, including reserved ones."""
        return len(self._offsets)

    def reserve(self) -> int:
        """Return the number of an object that will be written later."""
        self._offsets.append(0)
        return len(self._offsets)

    def write_object(self, number: int, body: bytes) -> None:
        """Write an object whose number was reserved."""
        self._offsets[number - 1] = self._position
        self._write(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    def add(self, body: bytes) -> int:
        """Write a new object. Return its number."""
        number = self.reserve()
        self.write_object(number, body)
        return number

    def add_stream(self, entries: bytes, data: bytes) -> int:
        """Write a new stream of compressed data. Return its number."""
        return self.add(make_stream_body(entries, data))

    def record_part(self, write: Callable[[], None]) -> FilePart:
        """Call `write`, and return what it wrote as a part that can be copied.

        It may be copied behind as many objects of another file.
        """
        start = self._position
        first = self.object_count
        self._recorded = []
        write()
        data = b"".join(self._recorded)
        self._recorded = None
        # An offset of 0 stands for an object that is only reserved.
        offsets = [
            offset - start if offset else RESERVED for offset in self._offsets[first:]
        ]
        return FilePart(data, offsets)

    def copy(self, part: FilePart) -> None:
        """Write a part that was recorded earlier. It must get the same object numbers as then."""
        start = self._position
        self._offsets.extend(
            0 if offset == RESERVED else start + offset for offset in part.offsets
        )
        self._write(part.data)

    def finish(
        self, pages: Sequence[int], parent: int, title: str, catalogue: bytes = b""
    ) -> str:
        """Write the end of the file. Return the SHA-256 of the whole file.

        `parent` is the reserved number of the page tree. `catalogue` are more entries of the root.
        """
        self.write_page_tree(pages, parent)
        root = self.add(b"<</Type/Catalog/Pages %d 0 R%s>>" % (parent, catalogue))
        text = b"\xfe\xff" + title.encode("utf-16-be")  # holds any script
        info = self.add(b"<</Producer(squadpress)/Title <%s>>>" % text.hex().encode())
        return self.write_end(root, info)

    def write_page_tree(self, pages: Sequence[int], parent: int) -> None:
        """Write the list of pages, as the object with a reserved number."""
        kids = b" ".join(b"%d 0 R" % page for page in pages)
        self.write_object(
            parent, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids)
        )

    def write_end(self, root: int, info: int) -> str:
        """Write what follows the objects: the table of their offsets, and the trailer.

        Return the SHA-256 of the whole file.
        """
        assert all(self._offsets), "a reserved object was not written"
        # The id of the file is the hash of what is written so far.
        identity = self._hash.hexdigest()[:32].encode()
        start = self._position
        size = len(self._offsets) + 1
        self._write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
        # An entry of this table has exactly 20 bytes.
        for offset in self._offsets:
            self._write(b"%010d 00000 n \n" % offset)
        self._write(
            b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n"
            % (size, root, info, identity, identity, start)
        )
        return self._hash.hexdigest()

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        if self._recorded is not None:
            self._recorded.append(data)
        self._hash.update(data)
        self._position += len(data)


def make_stream_body(entries: bytes, data: bytes) -> bytes:
    """Return the text of a stream object."""
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def format_number(value: float) -> bytes:
    """Return a number with at most 4 decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".").encode() or b"0"


def format_points(mm: float) -> bytes:
    """Return a length in mm as a number of points."""
    return format_number(to_points(mm))
