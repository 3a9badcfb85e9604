"""Fonts of a PDF: widths, characters, and how far letters reach; what reading a damaged file raises."""

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf

from builder.model.pdf import Font
from builder.pdf import Array, Dictionary, Object, Stream, cid_widths

MALFORMED = (TypeError, ValueError, AttributeError, LookupError, OverflowError, pikepdf.PdfError)
"""An object of the wrong type or a missing one: what cannot be followed is counted and passed over, as viewers do."""

SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
PAIR = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>")
RANGE = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(<[0-9A-Fa-f\s]*>|\[[^\]]*\])")
HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>")


def unicode_map(stream: Object | None) -> dict[int, str]:
    """Code -> text; empty where there is no map."""
    if not isinstance(stream, Stream):
        return {}
    found: dict[int, str] = {}
    for kind, body in SECTION.findall(stream.read_bytes()):
        if kind == b"bfchar":
            found |= {_code(code): _text(value) for code, value in PAIR.findall(body)}
        else:
            for first, last, target in RANGE.findall(body):
                found |= _range(_code(first), _code(last), target)
    return found


def _range(first: int, last: int, target: bytes) -> dict[int, str]:
    values, codes = [_text(value) for value in HEX.findall(target)], range(first, min(last, first + 0xFFFF) + 1)
    if target.startswith(b"["):
        return dict(zip(codes, values, strict=False))
    start = values[0] if values else ""
    return {code: start[:-1] + chr(min(ord(start[-1]) + code - first, 0x10FFFF)) for code in codes if start}


def _text(digits: bytes) -> str:
    raw = bytes.fromhex(digits.decode("ascii"))
    return raw.decode("utf-16-be", "replace") if len(raw) > 1 else raw.decode("latin-1")


def _code(digits: bytes) -> int:
    return int(b"".join(digits.split()) or b"0", 16)


@dataclass
class Heights:
    """The letters of one TrueType font whose codes are glyph ids; the program is opened when first asked."""

    program: Object
    _glyphs: Any = None
    _known: dict[int, tuple[float, float] | None] = field(default_factory=dict)

    def of(self, codes: Sequence[int]) -> tuple[float, float] | None:
        """Lowest and highest ink in thousandths of the type size; None where the program does not tell."""
        for code in codes:
            if code not in self._known:
                self._known[code] = self._read(code)
        found = [one for code in codes if (one := self._known[code]) is not None]
        return (min(low for low, _ in found), max(high for _, high in found)) if found else None

    def _read(self, code: int) -> tuple[float, float] | None:
        from fontTools.ttLib import TTFont, TTLibError

        try:
            if self._glyphs is None:
                font = TTFont(BytesIO(self.program.read_bytes()), lazy=True)
                self._glyphs = font["glyf"], font.getGlyphOrder(), 1000 / font["head"].unitsPerEm
            table, names, unit = self._glyphs
            glyph = table[names[code]]
            return (glyph.yMin * unit, glyph.yMax * unit) if glyph.numberOfContours else None
        except (*MALFORMED, TTLibError, struct.error, AssertionError, ZeroDivisionError):
            return None


def heights(resource: Object, inner: Object) -> Heights | None:
    """For a composite font and the one inside it; None for fonts of another make, whose codes name no glyph."""
    program = inner.get("/FontDescriptor", Dictionary()).get("/FontFile2")
    identity = str(resource.get("/Encoding")) == "/Identity-H" and str(inner.get("/CIDToGIDMap", "/Identity"))
    return Heights(program) if program is not None and identity == "/Identity" else None


TAG = re.compile(r"^[A-Z]{6}\+")
FILES = ("/FontFile", "/FontFile2", "/FontFile3")


@dataclass(frozen=True, slots=True)
class Metrics:
    """A font ready to measure strings; widths, ascent and descent in thousandths of the type size."""

    font: Font
    two_bytes: bool = False
    widths: dict[int, float] = field(default_factory=dict)
    default: float = 500.0
    ascent: float = 800.0
    descent: float = -200.0
    characters: dict[int, str] = field(default_factory=dict)
    letters: Heights | None = field(default=None, compare=False)

    def codes(self, raw: bytes) -> list[int]:
        """The character codes in a string."""
        if not self.two_bytes:
            return list(raw)
        return [int.from_bytes(raw[i : i + 2], "big") for i in range(0, len(raw) - 1, 2)]

    def width(self, code: int) -> float:
        """The advance of one code, in thousandths."""
        return self.widths.get(code, self.default)

    def text(self, codes: list[int]) -> str:
        """The string as Unicode, as far as the font tells."""
        plain = not self.two_bytes
        return "".join(self.characters.get(code, chr(code) if plain else "\ufffd") for code in codes)


UNKNOWN = Metrics(Font("", "", embedded=False, subset=False))


def metrics(resource: Object) -> Metrics:
    """Read one font resource; a damaged one is a font without a name, which is not embedded."""
    try:
        return _read(resource)
    except MALFORMED:
        return UNKNOWN


def _read(resource: Object) -> Metrics:
    kind = str(resource.get("/Subtype", "/"))[1:]
    composite = kind == "Type0"
    inner = resource.get("/DescendantFonts", Array([Dictionary()]))[0] if composite else resource
    descriptor = inner.get("/FontDescriptor", Dictionary())
    name = str(resource.get("/BaseFont", "/"))[1:]
    embedded = kind == "Type3" or any(key in descriptor for key in FILES)
    font = Font(TAG.sub("", name), kind, embedded, bool(TAG.match(name)))
    ascent, descent = float(descriptor.get("/Ascent", 800)), float(descriptor.get("/Descent", -200))
    unit = 1000.0 * float(resource.get("/FontMatrix", [0.001])[0]) if kind == "Type3" else 1.0
    return Metrics(
        font,
        composite,
        cid_widths(inner) if composite else _widths(resource, unit),
        float(inner.get("/DW", 1000)) if composite else float(descriptor.get("/MissingWidth", 500)),
        ascent if 200 < ascent < 1500 else 800.0,
        descent if -800 < descent <= 0 else -200.0,
        unicode_map(resource.get("/ToUnicode")),
        heights(resource, inner) if composite else None,
    )


def _widths(resource: Object, unit: float) -> dict[int, float]:
    first = int(resource.get("/FirstChar", 0))
    return {first + i: float(width) * unit for i, width in enumerate(resource.get("/Widths", Array([])))}
