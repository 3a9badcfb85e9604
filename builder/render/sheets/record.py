"""The record of a rendered face in the cache."""

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
NUMBER_BYTES = 4
"""Size of the two numbers after it: a checksum of what follows, and the length of the head."""
COMPRESSION_LEVEL = 4
"""Level 5 takes half as long again for 2.5 % less."""
REFERENCE = re.compile(rb"\x01(\d+)\x01")
FONT_NAME = re.compile(rb"\x02([^\x02]+)\x02")


@dataclass(frozen=True, slots=True)
class FontUse:
    """The glyphs of one font that a face uses, with their widths and characters.

    `file` is the hash of the font file.
    """

    file: str
    widths: Mapping[int, float]
    letters: Mapping[int, str]
    family: str = ""
    ascent: int = 0
    descent: int = 0
    flags: int = 4


@dataclass(frozen=True, slots=True)
class PdfObject:
    """One PDF object: its text with placeholders, and its compressed data if it is a stream."""

    head: bytes
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The drawing of a face. `box` is its bleed box in points."""

    box: Edges
    content: bytes
    resources: bytes
    objects: tuple[PdfObject, ...] = ()
    fonts: Mapping[str, FontUse] = field(default_factory=dict)

    def dump(self) -> bytes:
        """Return the drawing as bytes. Equal drawings give equal bytes."""
        blobs = [self.content, self.resources]
        for item in self.objects:
            blobs += [item.head, item.data or b""]
        head = {
            "box": self.box,
            "sizes": [len(blob) for blob in blobs],
            "streams": [item.data is not None for item in self.objects],
            "fonts": dump_fonts(self.fonts),
        }
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        rest = len(text).to_bytes(NUMBER_BYTES, "big") + text + b"".join(blobs)
        return MAGIC + zlib.crc32(rest).to_bytes(NUMBER_BYTES, "big") + rest

    @classmethod
    def load(cls, data: bytes) -> Record:
        """Return the drawing from the bytes of `dump`.

        Raises ValueError for anything else, also for one changed byte.
        """
        if not data.startswith(MAGIC):
            raise ValueError("not a face record")
        size_start = len(MAGIC) + NUMBER_BYTES
        checksum = int.from_bytes(data[len(MAGIC) : size_start], "big")
        # A view, because a slice would copy the whole record.
        if zlib.crc32(memoryview(data)[size_start:]) != checksum:
            raise ValueError("a face record is damaged")
        head_start = size_start + NUMBER_BYTES
        position = head_start + int.from_bytes(data[size_start:head_start], "big")
        head = json.loads(data[head_start:position])
        blobs: list[bytes] = []
        for length in head["sizes"]:
            blobs.append(data[position : position + length])
            position += length
        # After these, head and data of each object in turn.
        content, resources, *parts = blobs
        objects: list[PdfObject] = []
        for item_head, item_data, is_stream in zip(
            parts[::2], parts[1::2], head["streams"], strict=True
        ):
            objects.append(PdfObject(item_head, item_data if is_stream else None))
        box = _read_edges(*head["box"])
        fonts = load_fonts(head["fonts"])
        return cls(box, content, resources, tuple(objects), fonts)


@dataclass(frozen=True, slots=True)
class Form:
    """A face that is written in a document: its object number, and its box."""

    number: int
    box: Edges


@dataclass(frozen=True, slots=True)
class CachedSides:
    """The sides of printed sheets as they were written in a document.

    `part` was written, `pages` and `fonts` are object numbers, `forms` the faces on the sides.
    `font_uses` are the glyphs of faces not seen before. `streams` are the numbers of the streams
    that these faces share with others, by hash.
    """

    part: FilePart
    pages: Sequence[int]
    fonts: Mapping[str, int]
    forms: Mapping[str, Form]
    font_uses: Mapping[str, FontUse]
    streams: Mapping[str, int]

    def to_json(self) -> dict[str, JsonValue]:
        """Return everything except the bytes as JSON values."""
        forms = [[key, form.number, *form.box] for key, form in self.forms.items()]
        value = {
            "offsets": [*self.part.offsets],
            "pages": [*self.pages],
            "fonts": {**self.fonts},
            "forms": forms,
            "streams": {**self.streams},
            "uses": dump_fonts(self.font_uses),
        }
        return cast("dict[str, JsonValue]", value)

    @classmethod
    def from_json(cls, stored: Mapping[str, JsonValue], data: bytes) -> CachedSides:
        """Return the sides from the JSON values of `to_json`.

        Raise TypeError or the like for anything else.
        """
        value = cast("dict[str, Any]", stored)
        fonts = {name: int(number) for name, number in value["fonts"].items()}
        forms: dict[str, Form] = {}
        for key, number, *edges in value["forms"]:
            forms[key] = Form(int(number), _read_edges(*edges))
        part = FilePart(data, array("q", value["offsets"]))
        streams = {digest: int(number) for digest, number in value["streams"].items()}
        font_uses = load_fonts(value["uses"])
        return cls(part, array("q", value["pages"]), fonts, forms, font_uses, streams)


def _read_edges(x_min: float, y_min: float, x_max: float, y_max: float) -> Edges:
    return float(x_min), float(y_min), float(x_max), float(y_max)


def dump_fonts(uses: Mapping[str, FontUse]) -> dict[str, JsonValue]:
    """Return the used fonts as JSON values.

    Glyphs, widths and characters are flat lists: these are read several times as fast as pairs.
    """
    value: dict[str, JsonValue] = {}
    for name, use in sorted(uses.items()):
        glyphs = sorted(use.widths.keys() | use.letters.keys())
        widths = [use.widths.get(glyph) for glyph in glyphs]
        characters = [use.letters.get(glyph) for glyph in glyphs]
        fields = [use.file, use.family, use.ascent, use.descent, use.flags]
        value[name] = cast("JsonValue", [*fields, glyphs, widths, characters])
    return value


def load_fonts(stored: JsonValue) -> dict[str, FontUse]:
    """Return the used fonts from the JSON values of `dump_fonts`.

    Raise TypeError or the like for anything else.
    """
    uses: dict[str, FontUse] = {}
    for name, fields in cast("dict[str, Any]", stored).items():
        file, *names, glyphs, widths, characters = fields
        widths_by_glyph = _map_present(glyphs, widths)
        uses[name] = FontUse(
            file, widths_by_glyph, _map_present(glyphs, characters), *names
        )
    return uses


def _map_present(glyphs: list[int], values: list[T | None]) -> dict[int, T]:
    """Return the values by glyph, without missing ones."""
    # Values are rarely missing: without any, the fast way is enough.
    if None in values:
        pairs = zip(glyphs, values, strict=True)
        return {glyph: value for glyph, value in pairs if value is not None}
    return dict(zip(glyphs, cast("list[T]", values), strict=True))


def compress(content: bytes) -> bytes:
    """Compress a drawing. Equal drawings give equal bytes."""
    return zlib.compress(content, COMPRESSION_LEVEL)
