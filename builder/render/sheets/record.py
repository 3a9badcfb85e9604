"""A set face as the cache keeps it: drawing, resources and used glyphs, apart from any document.

A record is a tree of PDF objects cut loose from the file it was set in: references are numbers within the record,
fonts are named instead of embedded, and names of resources are given anew in order of use, so that a face has the
same bytes whatever it was set together with.
"""

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

T = TypeVar("T")

MAGIC = b"SQUADPRESS FACE 3\n"
WORD = 4
"""Bytes of each of the two numbers after it: a checksum of all that follows the first, and the length of the head."""
LEVEL = 4
"""How hard drawings are compressed: 5 takes half as long again for a fortieth less."""
REF = re.compile(rb"\x01(\d+)\x01")
FONT = re.compile(rb"\x02([^\x02]+)\x02")


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
class PdfObject:
    """One PDF object: its text with placeholders for references, and its compressed data if it is a stream."""

    head: bytes
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One face. `box` is the bleed box in PDF points within the drawing's own space."""

    box: tuple[float, float, float, float]
    content: bytes
    resources: bytes
    objects: tuple[PdfObject, ...] = ()
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
        rest = len(text).to_bytes(WORD, "big") + text + b"".join(blobs)
        return MAGIC + zlib.crc32(rest).to_bytes(WORD, "big") + rest

    @classmethod
    def load(cls, data: bytes) -> "Record":
        """Read what `dump` wrote. Raises ValueError for anything else, be it a byte that changed."""
        if not data.startswith(MAGIC):
            raise ValueError("not a face record")
        summed = len(MAGIC) + WORD
        if zlib.crc32(memoryview(data)[summed:]) != int.from_bytes(data[len(MAGIC) : summed], "big"):
            raise ValueError("a face record is damaged")
        start = summed + WORD
        size = int.from_bytes(data[summed:start], "big")
        head = json.loads(data[start : start + size])
        blobs, at = [], start + size
        for length in head["sizes"]:
            blobs.append(data[at : at + length])
            at += length
        objects = tuple(
            PdfObject(blobs[2 + 2 * index], blobs[3 + 2 * index] if stream else None)
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


def _mapped(glyphs: list[int], values: list[T | None]) -> dict[int, T]:
    """Values by glyph, without those that are missing."""
    if None in values:
        return {glyph: value for glyph, value in zip(glyphs, values, strict=True) if value is not None}
    return dict(zip(glyphs, cast("list[T]", values), strict=True))


def pack(content: bytes) -> bytes:
    """Compress a drawing, always alike."""
    return zlib.compress(content, LEVEL)
