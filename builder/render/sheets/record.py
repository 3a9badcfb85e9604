"""A set face as the cache keeps it: drawing, resources and used glyphs, apart from any document.

A record is a tree of PDF objects cut loose from the file it was set in: references are numbers within the record,
fonts are named instead of embedded, and names of resources are given anew in order of use, so that a face has the
same bytes whatever it was set together with.
"""

from __future__ import annotations

import json
import re
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from builder.render.sheets.pdfwriter import FilePart

if TYPE_CHECKING:
    from pydantic import JsonValue

T = TypeVar("T")
Edges: TypeAlias = tuple[float, float, float, float]

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

    box: Edges
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
            "fonts": fonts_to_json(self.fonts),
        }
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        rest = len(text).to_bytes(WORD, "big") + text + b"".join(blobs)
        return MAGIC + zlib.crc32(rest).to_bytes(WORD, "big") + rest

    @classmethod
    def load(cls, data: bytes) -> Record:
        """Read what `dump` wrote. Raises ValueError for anything else, be it a byte that changed."""
        if not data.startswith(MAGIC):
            raise ValueError("not a face record")
        summed = len(MAGIC) + WORD
        if zlib.crc32(memoryview(data)[summed:]) != int.from_bytes(
            data[len(MAGIC) : summed], "big"
        ):
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
        return cls(
            _edges(*head["box"]), blobs[0], blobs[1], objects, fonts_from_json(head["fonts"])
        )


@dataclass(frozen=True, slots=True)
class Form:
    """A face in a document: its object, and the record's box."""

    number: int
    box: Edges


@dataclass(frozen=True, slots=True)
class KeptSides:
    """Sides of sheets as they stood in a document: what was written, the numbers of pages and of all fonts so far,
    the faces that lie on them, and the glyphs that came with faces not seen before.

    `streams` are the numbers of the streams that these faces share with others, by digest.
    """

    stretch: FilePart
    pages: Sequence[int]
    fonts: Mapping[str, int]
    forms: Mapping[str, Form]
    uses: Mapping[str, FontUse]
    streams: Mapping[str, int]

    def to_json(self) -> dict[str, JsonValue]:
        """All but the bytes, as values that JSON can hold."""
        forms = [[key, form.number, *form.box] for key, form in self.forms.items()]
        told = {
            "offsets": [*self.stretch.offsets],
            "pages": [*self.pages],
            "fonts": {**self.fonts},
            "forms": forms,
            "streams": {**self.streams},
        }
        return cast("dict[str, JsonValue]", told | {"uses": fonts_to_json(self.uses)})

    @classmethod
    def from_json(cls, kept: Mapping[str, JsonValue], data: bytes) -> KeptSides:
        """Read what `to_json` made. TypeError and the like for anything else."""
        value = cast("dict[str, Any]", kept)
        fonts = {name: int(number) for name, number in value["fonts"].items()}
        forms = {key: Form(int(number), _edges(*box)) for key, number, *box in value["forms"]}
        stretch = FilePart(data, array("q", value["offsets"]))
        streams = {digest: int(number) for digest, number in value["streams"].items()}
        uses = fonts_from_json(value["uses"])
        return cls(stretch, array("q", value["pages"]), fonts, forms, uses, streams)


def _edges(left: float, bottom: float, right: float, top: float) -> Edges:
    return float(left), float(bottom), float(right), float(top)


def fonts_to_json(fonts: Mapping[str, FontUse]) -> dict[str, JsonValue]:
    """Uses of fonts as values that JSON can hold."""
    return {
        name: cast(
            "JsonValue", [use.file, use.family, use.ascent, use.descent, use.flags, *_columns(use)]
        )
        for name, use in sorted(fonts.items())
    }


def fonts_from_json(kept: JsonValue) -> dict[str, FontUse]:
    """Read what `fonts_to_json` made. TypeError and the like for anything else."""
    return {
        name: FontUse(file, _mapped(glyphs, widths), _mapped(glyphs, letters), *rest)
        for name, (file, *rest, glyphs, widths, letters) in cast("dict[str, Any]", kept).items()
    }


def _columns(use: FontUse) -> tuple[list[int], list[float | None], list[str | None]]:
    """Glyphs, their widths and their letters: three flat lists are read several times as fast as pairs."""
    glyphs = sorted(use.widths.keys() | use.letters.keys())
    return (
        glyphs,
        [use.widths.get(glyph) for glyph in glyphs],
        [use.letters.get(glyph) for glyph in glyphs],
    )


def _mapped(glyphs: list[int], values: list[T | None]) -> dict[int, T]:
    """Values by glyph, without those that are missing."""
    if None in values:
        return {
            glyph: value for glyph, value in zip(glyphs, values, strict=True) if value is not None
        }
    return dict(zip(glyphs, cast("list[T]", values), strict=True))


def pack(content: bytes) -> bytes:
    """Compress a drawing, always alike."""
    return zlib.compress(content, LEVEL)
