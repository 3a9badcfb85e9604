"""Pages extracted from the document they were drawn in: from anything PDF objects can be read from, to records."""

import re
from abc import ABC, abstractmethod
from binascii import unhexlify
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from io import BytesIO
from struct import unpack
from typing import Generic, NamedTuple, TypeVar

import pikepdf

from builder.pdf import Object
from builder.render.sheets.record import FontUse, PdfObject, Record, pack

_USE = re.compile(rb"/([^\s/<>\[\]()]+)(\s+(?:gs|Do|sh|scn|SCN|cs|CS)\b|\s+-?[\d.]+\s+Tf\b)")
_GROUPS = {
    b"gs": "ExtGState",
    b"Do": "XObject",
    b"sh": "Shading",
    b"scn": "Pattern",
    b"SCN": "Pattern",
}
_GROUPS |= {b"cs": "ColorSpace", b"CS": "ColorSpace", b"Tf": "Font"}
_DEVICE = frozenset({"DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"})
_TEXT = re.compile(
    rb"/([^\s/<>\[\]()]+)\s+-?[\d.]+\s+Tf\b|<([0-9a-fA-F]+)>|q(?<!\S.)(?!\S)|Q(?<!\S.)(?!\S)"
)
"""Each way begins with a letter of its own: so others are skipped at once."""

T = TypeVar("T")
Edges = tuple[float, float, float, float]


class Drawing(NamedTuple, Generic[T]):
    """A content stream, the resources it names, and the glyph ids it shows by font name."""

    content: bytes
    resources: T
    glyphs: Mapping[str, set[int]]


class Extractor(ABC, Generic[T]):
    """Extracts one page's objects. What they are read from, and what such an object is, is told by the subclass."""

    def __init__(self) -> None:
        self.glyphs: dict[str, set[int]] = {}
        self.objects: list[PdfObject | None] = []
        self.numbers: dict[Hashable, int] = {}

    @abstractmethod
    def resource(self, resources: T, group: str, name: str) -> bytes:
        """One of a drawing's resources as text."""

    @abstractmethod
    def entries(self, item: T) -> Mapping[str, T] | None:
        """The entries of a stream by their names; None for any other object."""

    @abstractmethod
    def data(self, item: T) -> bytes:
        """A stream's data as they lie in a file."""

    @abstractmethod
    def drawing_of(self, item: T, resources: T) -> Drawing[T]:
        """A stream as a drawing."""

    @abstractmethod
    def text(self, item: T) -> bytes:
        """Any value as text; indirect objects become references within the record."""

    @abstractmethod
    def direct(self, item: T) -> bytes:
        """A value written out where it stands."""

    def record(
        self, drawing: Drawing[T], edges: Edges, height: float, fonts: Mapping[str, FontUse]
    ) -> Record:
        """The record of a page with these edges; only its top `height` points are the face."""
        left, _, right, top = edges
        content, own = self.drawing(drawing)
        objects = tuple(loose for loose in self.objects if loose is not None)
        used = {
            name: self.used(fonts, name, glyphs) for name, glyphs in sorted(self.glyphs.items())
        }
        return Record((left, round(top - height, 4), right, top), pack(content), own, objects, used)

    def used(self, fonts: Mapping[str, FontUse], name: str, glyphs: set[int]) -> FontUse:
        """The part of a font that a face draws."""
        use = fonts[name]
        widths = {glyph: width for glyph, width in use.widths.items() if glyph in glyphs}
        letters = {glyph: letter for glyph, letter in use.letters.items() if glyph in glyphs}
        return replace(use, widths=widths, letters=letters)

    def drawing(self, drawing: Drawing[T]) -> tuple[bytes, bytes]:
        """A content stream with its resources named anew, and those resources as text."""
        names: dict[tuple[str, str], str] = {}
        again: dict[bytes, bytes] = {}

        def renamed(match: re.Match[bytes]) -> bytes:
            used = match[0]
            if used not in again:
                again[used] = anew(match)
            return again[used]

        def anew(match: re.Match[bytes]) -> bytes:
            name, tail = match[1].decode("latin-1"), match[2]
            group = _GROUPS[tail.split()[-1]]
            if group == "ColorSpace" and name in _DEVICE:
                return match[0]
            if group == "Font":
                names[group, name] = name
            else:
                names.setdefault((group, name), f"n{len(names)}")
            return b"/" + names[group, name].encode("latin-1") + tail

        for font, glyphs in drawing.glyphs.items():
            self.glyphs.setdefault(font, set()).update(glyphs)
        content = _USE.sub(renamed, drawing.content)
        groups: dict[str, list[bytes]] = {}
        for (group, old), new in names.items():
            marked = b"\x02" + old.encode("latin-1") + b"\x02"
            text = marked if group == "Font" else self.resource(drawing.resources, group, old)
            groups.setdefault(group, []).append(b"/" + new.encode("latin-1") + b" " + text)
        parts = [
            b"/" + group.encode() + b"<<" + b" ".join(sorted(items)) + b">>"
            for group, items in groups.items()
        ]
        return content, b"<<" + b"".join(sorted(parts)) + b">>"

    def reference(self, key: Hashable, item: T) -> bytes:
        """An indirect object's place in the record as text; it is cut loose at first sight."""
        if key not in self.numbers:
            self.numbers[key] = index = len(self.objects)
            self.objects.append(None)
            self.objects[index] = self.loose(item)
        return b"\x01%d\x01" % self.numbers[key]

    def loose(self, item: T) -> PdfObject:
        """One indirect object, cut loose; drawings inside drawings are renamed too, images keep their compression."""
        entries = self.entries(item)
        if entries is None:
            return PdfObject(self.direct(item))
        # The engine gives each drawing the whole document's resources: only those it uses are cut loose.
        told = {
            key: self.text(entries[key])
            for key in sorted(entries)
            if key not in ("Length", "Resources")
        }
        if "Resources" in entries:
            content, told["Resources"] = self.drawing(self.drawing_of(item, entries["Resources"]))
            data, told["Filter"] = pack(content), b"/FlateDecode"
            told.pop("DecodeParms", None)
        else:
            data = self.data(item)
        return PdfObject(
            b" ".join(b"/%s %s" % (key.encode(), told[key]) for key in sorted(told)), data
        )


def glyphs_of(content: bytes) -> dict[str, set[int]]:
    """The glyph ids a drawing shows, by font name. The engine writes glyphs as four hexadecimal digits each."""
    if b"Tf" not in content:
        return {}
    found: dict[str, list[bytes]] = {}
    font, saved = "", []
    for match in _TEXT.finditer(content):
        if match[1] is not None:
            font = match[1].decode("latin-1")
            found.setdefault(font, [])
        elif match[2] is not None and font:
            found[font].append(match[2])
        elif match[0] == b"q":
            saved.append(font)
        elif match[0] == b"Q" and saved:
            font = saved.pop()
    return {font: glyph_ids(texts) for font, texts in found.items()}


def glyph_ids(texts: Iterable[bytes]) -> set[int]:
    """The glyph ids in texts of hexadecimal digits."""
    digits = b"".join(text.zfill(-(-len(text) // 4) * 4) for text in texts)
    return set(unpack(f">{len(digits) // 4}H", unhexlify(digits)))


def extract_file(data: bytes, height: float, fonts: Mapping[str, FontUse]) -> list[Record]:
    """The records of all pages of a file; only the top `height` points of each are the face."""
    records = []
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            left, bottom, right, top = (float(edge) for edge in page.mediabox)
            reader = FileExtractor()
            drawing = reader.drawing_of(page.Contents, page.Resources)
            records.append(reader.record(drawing, (left, bottom, right, top), height, fonts))
    return records


class FileExtractor(Extractor[Object]):
    """Reads from an opened file."""

    def drawing_of(self, item: Object, resources: Object) -> Drawing[Object]:
        """A stream as a drawing."""
        content = item.read_bytes()
        return Drawing(content, resources, glyphs_of(content))

    def resource(self, resources: Object, group: str, name: str) -> bytes:
        """One of a drawing's resources as text."""
        return self.text(resources["/" + group]["/" + name])

    def entries(self, item: Object) -> Mapping[str, Object] | None:
        """The entries of a stream by their names; None for any other object."""
        return (
            {key[1:]: value for key, value in item.items()}
            if isinstance(item, pikepdf.Stream)
            else None
        )

    def data(self, item: Object) -> bytes:
        """A stream's data as they lie in a file."""
        return item.read_raw_bytes()

    def text(self, item: Object) -> bytes:
        """Any PDF value as text; indirect objects become references within the record."""
        if isinstance(item, pikepdf.Object) and item.is_indirect:
            return self.reference(item.objgen, item)
        return self.direct(item)

    def direct(self, item: Object) -> bytes:
        """A value written out where it stands."""
        if isinstance(item, pikepdf.Dictionary):
            parts = [key.encode() + b" " + self.text(item[key]) for key in sorted(item.keys())]
            return b"<<" + b" ".join(parts) + b">>"
        if isinstance(item, pikepdf.Array):
            return b"[" + b" ".join(self.text(part) for part in list(item)) + b"]"
        return (
            bytes(item.unparse(resolved=True))
            if isinstance(item, pikepdf.Object)
            else _scalar(item)
        )


def _scalar(item: object) -> bytes:
    """A value that the PDF library hands over as plain Python."""
    if isinstance(item, bool):
        return b"true" if item else b"false"
    if item is None:
        return b"null"
    return (
        str(item) if isinstance(item, int) else f"{float(str(item)):.6f}".rstrip("0").rstrip(".")
    ).encode()
