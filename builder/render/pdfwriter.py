"""A PDF file from ready-made objects. Equal objects give equal bytes: no clock, no random id."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from builder.units import to_points

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


class PdfWriter:
    """Collects numbered objects and writes them with their table."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        """A number for an object whose body comes later."""
        self._bodies.append(b"null")
        return len(self._bodies)

    def put(self, number: int, body: bytes) -> None:
        """The body of a reserved object."""
        self._bodies[number - 1] = body

    def add(self, body: bytes) -> int:
        """A new object; its number."""
        self._bodies.append(body)
        return len(self._bodies)

    def stream(self, entries: bytes, data: bytes) -> int:
        """A new stream object with ready (compressed) data."""
        return self.add(stream_body(entries, data))

    def finish(self, pages: Sequence[int], parent: int, title: str) -> bytes:
        """The whole file. `parent` is the reserved number of the page tree that the pages name."""
        kids = b" ".join(b"%d 0 R" % page for page in pages)
        self.put(parent, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids))
        root = self.add(b"<</Type/Catalog/Pages %d 0 R>>" % parent)
        info = self.add(b"<</Producer(squadpress)/Title %s>>" % text_string(title))
        parts, offsets, at = [HEADER], [], len(HEADER)
        for number, body in enumerate(self._bodies, 1):
            part = b"%d 0 obj\n%s\nendobj\n" % (number, body)
            offsets.append(at)
            parts.append(part)
            at += len(part)
        identity = hashlib.sha256(b"".join(parts)).hexdigest()[:32].encode()
        table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(offsets) + 1, table))
        parts.append(
            b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n"
            % (len(offsets) + 1, root, info, identity, identity, at)
        )
        return b"".join(parts)


def stream_body(entries: bytes, data: bytes) -> bytes:
    """The body of a stream object."""
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def text_string(text: str) -> bytes:
    """A text as a PDF string, any script."""
    return b"<" + (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode() + b">"


def number(value: float) -> bytes:
    """A number as short as it may be: at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".").encode() or b"0"


def pt(mm: float) -> bytes:
    """A length in mm as a number of points."""
    return number(to_points(mm))
