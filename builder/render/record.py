"""A set face as the cache keeps it: drawing, resources and used glyphs, apart from any document.

A record is a tree of PDF objects cut loose from the file it was set in: references are numbers within the record,
fonts are named instead of embedded, and names of resources are given anew in order of use, so that a face has the
same bytes whatever it was set together with.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MAGIC = b"SQUADPRESS FACE 2\n"
REF = re.compile(rb"\x01(\d+)\x01")
FONT = re.compile(rb"\x02([^\x02]+)\x02")

_USE = re.compile(rb"/([^\s/<>\[\]()]+)(\s+(?:gs|Do|sh|scn|SCN|cs|CS)\b|\s+-?[\d.]+\s+Tf\b)")
_GROUPS = {b"gs": "ExtGState", b"Do": "XObject", b"sh": "Shading", b"scn": "Pattern", b"SCN": "Pattern"}
_GROUPS |= {b"cs": "ColorSpace", b"CS": "ColorSpace", b"Tf": "Font"}
_DEVICE = frozenset({"DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"})


@dataclass(frozen=True, slots=True)
class FontUse:
    """The glyphs of one font that a face draws: the font file's hash, widths and letters by glyph id."""

    file: str
    widths: Mapping[int, float]
    letters: Mapping[int, str]
    family: str = ""
    ascent: int = 0
    descent: int = 0
    flags: int = 4


@dataclass(frozen=True, slots=True)
class Loose:
    """One PDF object: its text with placeholders for references, and its compressed data if it is a stream."""

    head: bytes
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One face. `box` is the bleed box in PDF points within the drawing's own space."""

    box: tuple[float, float, float, float]
    content: bytes
    resources: bytes
    objects: tuple[Loose, ...] = ()
    fonts: Mapping[str, FontUse] = field(default_factory=dict)

    def dump(self) -> bytes:
        """The record as bytes; equal records give equal bytes."""
        blobs = [self.content, self.resources]
        for loose in self.objects:
            blobs += [loose.head, loose.data or b""]
        head = {
            "box": self.box,
            "sizes": [len(blob) for blob in blobs],
            "streams": [loose.data is not None for loose in self.objects],
            "fonts": {
                name: [use.file, use.family, use.ascent, use.descent, use.flags, *_columns(use)]
                for name, use in sorted(self.fonts.items())
            },
        }
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        return MAGIC + len(text).to_bytes(4, "big") + text + b"".join(blobs)

    @classmethod
    def load(cls, data: bytes) -> Record:
        """Read what `dump` wrote. Raises ValueError for anything else."""
        if not data.startswith(MAGIC):
            raise ValueError("not a face record")
        start = len(MAGIC) + 4
        size = int.from_bytes(data[len(MAGIC) : start], "big")
        head = json.loads(data[start : start + size])
        blobs, at = [], start + size
        for length in head["sizes"]:
            blobs.append(data[at : at + length])
            at += length
        if at != len(data):
            raise ValueError("a face record is cut short")
        objects = tuple(
            Loose(blobs[2 + 2 * index], blobs[3 + 2 * index] if stream else None)
            for index, stream in enumerate(head["streams"])
        )
        fonts = {
            name: FontUse(file, _mapped(glyphs, widths), _mapped(glyphs, letters), *rest)
            for name, (file, *rest, glyphs, widths, letters) in head["fonts"].items()
        }
        left, bottom, right, top = head["box"]
        return cls((left, bottom, right, top), blobs[0], blobs[1], objects, fonts)


def _columns(use: FontUse) -> tuple[list[int], list[float | None], list[str | None]]:
    """Glyphs, their widths and their letters: three flat lists are read several times as fast as pairs."""
    glyphs = sorted(use.widths.keys() | use.letters.keys())
    return glyphs, [use.widths.get(glyph) for glyph in glyphs], [use.letters.get(glyph) for glyph in glyphs]


def _mapped(glyphs: list[int], values: list[Any]) -> dict[int, Any]:
    """Values by glyph, without those that are missing."""
    found = dict(zip(glyphs, values, strict=True))
    return {glyph: value for glyph, value in found.items() if value is not None} if None in values else found


class _Cutter:
    """Cuts one page's objects loose from its document."""

    def __init__(self) -> None:
        self.glyphs: dict[str, set[int]] = {}
        self.objects: list[Loose | None] = []
        self.numbers: dict[tuple[int, int], int] = {}

    def drawing(self, content: bytes, resources: Any) -> tuple[bytes, bytes]:
        """A content stream with its resources named anew, and those resources as text."""
        names: dict[tuple[str, str], str] = {}

        def renamed(match: re.Match[bytes]) -> bytes:
            name, tail = match[1].decode("latin-1"), match[2]
            group = _GROUPS[tail.split()[-1]]
            if group == "ColorSpace" and name in _DEVICE:
                return match[0]
            if group == "Font":
                names[group, name] = name
            else:
                names.setdefault((group, name), f"n{len(names)}")
            return b"/" + names[group, name].encode("latin-1") + tail

        for font, glyphs in glyphs_of(content).items():
            self.glyphs.setdefault(font, set()).update(glyphs)
        content = _USE.sub(renamed, content)
        groups: dict[str, list[bytes]] = {}
        for (group, old), new in names.items():
            if group == "Font":
                text = b"\x02" + old.encode("latin-1") + b"\x02"
            else:
                text = self.text(resources["/" + group]["/" + old])
            groups.setdefault(group, []).append(b"/" + new.encode("latin-1") + b" " + text)
        parts = [b"/" + group.encode() + b"<<" + b" ".join(sorted(items)) + b">>" for group, items in groups.items()]
        return content, b"<<" + b"".join(sorted(parts)) + b">>"

    def text(self, item: Any) -> bytes:
        """Any PDF value as text; indirect objects become references within the record."""
        import pikepdf

        if isinstance(item, pikepdf.Object) and item.is_indirect:
            return b"\x01%d\x01" % self.number(item)
        return self.direct(item)

    def number(self, item: Any) -> int:
        """The place of an indirect object in the record, cutting it loose at first sight."""
        if item.objgen not in self.numbers:
            self.numbers[item.objgen] = index = len(self.objects)
            self.objects.append(None)
            self.objects[index] = self.loose(item)
        return self.numbers[item.objgen]

    def loose(self, item: Any) -> Loose:
        """One indirect object; drawings inside drawings are renamed too, images keep their compression."""
        import pikepdf

        if not isinstance(item, pikepdf.Stream):
            return Loose(self.direct(item))
        # The engine gives each drawing the whole document's resources: only those it uses are cut loose, below.
        kept = (key for key in item.stream_dict.keys() if key not in ("/Length", "/Resources"))  # noqa: SIM118
        entries = {key: self.text(item.stream_dict[key]) for key in kept}
        if "/Resources" in item.stream_dict:
            content, entries["/Resources"] = self.drawing(item.read_bytes(), item.stream_dict["/Resources"])
            data, entries["/Filter"] = pack(content), b"/FlateDecode"
            entries.pop("/DecodeParms", None)
        else:
            data = item.read_raw_bytes()
        return Loose(b" ".join(key.encode() + b" " + entries[key] for key in sorted(entries)), data)

    def direct(self, item: Any) -> bytes:
        """A value written out where it stands."""
        import pikepdf

        if isinstance(item, pikepdf.Dictionary):
            parts = [key.encode() + b" " + self.text(item[key]) for key in sorted(item.keys())]
            return b"<<" + b" ".join(parts) + b">>"
        if isinstance(item, pikepdf.Array):
            return b"[" + b" ".join(self.text(part) for part in list(item)) + b"]"
        return bytes(item.unparse(resolved=True)) if isinstance(item, pikepdf.Object) else _scalar(item)


def _scalar(item: Any) -> bytes:
    """A value that the PDF library hands over as plain Python."""
    if isinstance(item, bool):
        return b"true" if item else b"false"
    if item is None:
        return b"null"
    return (str(item) if isinstance(item, int) else f"{float(item):.6f}".rstrip("0").rstrip(".")).encode()


def pack(content: bytes) -> bytes:
    """Compress a drawing, always alike."""
    return zlib.compress(content, 9)


def cut(page: Any, height: float, fonts: Mapping[str, FontUse]) -> Record:
    """The record of a page of an opened document; only its top `height` points are the face."""
    left, _, right, top = (float(edge) for edge in page.mediabox)
    cutter = _Cutter()
    content, resources = cutter.drawing(page.Contents.read_bytes(), page.Resources)
    objects = tuple(loose for loose in cutter.objects if loose is not None)
    used = {name: _used(fonts[name], glyphs) for name, glyphs in sorted(cutter.glyphs.items())}
    box = (left, round(top - height, 4), right, top)
    return Record(box, pack(content), resources, objects, used)


def _used(use: FontUse, glyphs: set[int]) -> FontUse:
    """The part of a font that a face draws."""
    return replace(
        use,
        widths={glyph: width for glyph, width in use.widths.items() if glyph in glyphs},
        letters={glyph: letter for glyph, letter in use.letters.items() if glyph in glyphs},
    )


_TEXT = re.compile(rb"/([^\s/<>\[\]()]+)\s+-?[\d.]+\s+Tf\b|<([0-9a-fA-F]+)>|(?<!\S)([qQ])(?!\S)")


def glyphs_of(content: bytes) -> dict[str, set[int]]:
    """The glyph ids a drawing shows, by font name. The engine writes glyphs as four hexadecimal digits each."""
    found: dict[str, set[int]] = {}
    font, saved = "", []
    for match in _TEXT.finditer(content):
        if match[1] is not None:
            font = match[1].decode("latin-1")
            found.setdefault(font, set())
        elif match[2] is not None and font:
            digits = match[2]
            found[font].update(int(digits[at : at + 4], 16) for at in range(0, len(digits), 4))
        elif match[3] == b"q":
            saved.append(font)
        elif match[3] == b"Q" and saved:
            font = saved.pop()
    return found
