"""Fonts of a PDF: name, whether embedded, and as much of the metrics as a text's extent needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pikepdf import Array, Dictionary, Object

from builder.model.pdf import Font
from builder.pdfinfo.cmap import unicode_map
from builder.pdfinfo.heights import Heights, heights
from builder.pdfinfo.malformed import MALFORMED

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
        return _metrics(resource)
    except MALFORMED:
        return UNKNOWN


def _metrics(resource: Object) -> Metrics:
    kind = str(resource.get("/Subtype", "/"))[1:]
    composite = kind == "Type0"
    inner = resource
    if composite:
        inner = resource.get("/DescendantFonts", Array([Dictionary()]))[0]
    descriptor = inner.get("/FontDescriptor", Dictionary())
    name = str(resource.get("/BaseFont", "/"))[1:]
    embedded = kind == "Type3" or any(key in descriptor for key in FILES)
    font = Font(TAG.sub("", name), kind, embedded, bool(TAG.match(name)))
    ascent, descent = float(descriptor.get("/Ascent", 800)), float(descriptor.get("/Descent", -200))
    unit = 1000.0 * float(resource.get("/FontMatrix", [0.001])[0]) if kind == "Type3" else 1.0
    return Metrics(
        font,
        composite,
        _cid_widths(inner) if composite else _widths(resource, unit),
        float(inner.get("/DW", 1000)) if composite else float(descriptor.get("/MissingWidth", 500)),
        ascent if 200 < ascent < 1500 else 800.0,
        descent if -800 < descent <= 0 else -200.0,
        unicode_map(resource.get("/ToUnicode")),
        heights(resource, inner) if composite else None,
    )


def _widths(resource: Object, unit: float) -> dict[int, float]:
    first = int(resource.get("/FirstChar", 0))
    return {first + i: float(width) * unit for i, width in enumerate(resource.get("/Widths", Array([])))}


def _cid_widths(inner: Object) -> dict[int, float]:
    found: dict[int, float] = {}
    entries = list(inner.get("/W", Array([])))
    place = 0
    while place + 1 < len(entries):
        first, second = int(entries[place]), entries[place + 1]
        if isinstance(second, Array):
            found |= {first + i: float(width) for i, width in enumerate(second)}
            place += 2
        elif place + 2 < len(entries):
            found |= dict.fromkeys(range(first, int(second) + 1), float(entries[place + 2]))
            place += 3
        else:
            break
    return found
