"""PDF files of one make put behind one another: objects that are equal are written once, however many files hold them.

The files are read one after another and their objects written at once, so that no more than one is in memory.
"""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from builder.pdf import Array, Dictionary, Name, Object, Pdf, Stream
from builder.render.sheets.pdfwriter import PdfWriter, stream_body

KNOWN = 10_000
"""How many objects are remembered, those met last, to be written once."""


def concatenate(parts: Sequence[Path], path: Path) -> None:
    """One file of the pages of all; what it says of itself is what the first says. A single one is moved there."""
    if len(parts) == 1:
        shutil.move(parts[0], path)
        return
    with path.open("wb") as out:
        with Pdf.open(parts[0]) as first:
            binder = _Concatenation(out, first.pdf_version)
        for part in parts:
            with Pdf.open(part) as pdf:
                binder.pages(pdf)
        with Pdf.open(parts[0]) as first:
            binder.end(first)


class _Concatenation:
    """Writes the objects of one file after another."""

    def __init__(self, out: IO[bytes], version: str) -> None:
        self._writer = PdfWriter(out, version)
        self._parent = self._writer.reserve()
        self._pages: list[int] = []
        self._known: dict[bytes, int] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    def pages(self, pdf: Pdf) -> None:
        """The pages of a file, with all they refer to."""
        self._numbers = {}
        for page in pdf.pages:
            entries = self._entries(page.obj, "/Parent")
            self._pages.append(self._writer.add(b"<<%s/Parent %d 0 R>>" % (entries, self._parent)))

    def end(self, pdf: Pdf) -> None:
        """What the file says of itself, from this one."""
        self._numbers = {}
        info = self._number(pdf.trailer["/Info"])
        self._writer.tree(self._pages, self._parent)
        root = self._writer.add(b"<<%s/Pages %d 0 R>>" % (self._entries(pdf.Root, "/Pages"), self._parent))
        self._writer.end(root, info)

    def _number(self, item: Object) -> int:
        """An object's number here; one that is equal to what was written lately is not written again."""
        if item.objgen not in self._numbers:
            body = self._body(item)
            key = hashlib.sha256(body).digest()
            number = self._known.pop(key, None) or self._writer.add(body)
            self._known[key] = self._numbers[item.objgen] = number
            if len(self._known) > KNOWN:
                del self._known[next(iter(self._known))]
        return self._numbers[item.objgen]

    def _body(self, item: Object) -> bytes:
        """An object in full, what it refers to by numbers of this file."""
        if isinstance(item, Stream):
            return stream_body(self._entries(item, "/Length"), item.read_raw_bytes())
        if isinstance(item, Dictionary):
            return b"<<%s>>" % self._entries(item)
        if isinstance(item, Array):
            return b"[%s]" % b" ".join(self._value(part) for part in item)
        return Array([item]).unparse()[2:-2]

    def _entries(self, item: Object, but: str = "") -> bytes:
        """The entries of a dictionary or stream, less one of them."""
        named = [(Name(key).unparse(), item[key]) for key in sorted(item.keys()) if key != but]
        return b" ".join(name + b" " + self._value(value) for name, value in named)

    def _value(self, item: Object) -> bytes:
        """An object within another."""
        if isinstance(item, Object) and item.is_indirect:
            return b"%d 0 R" % self._number(item)
        return self._body(item)
