"""Fonts of a PDF: widths, characters, and how far letters reach; what reading a damaged file raises."""

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Protocol, TypeAlias

import pikepdf
from fontTools.agl import UV2AGL, toUnicode
from fontTools.encodings.StandardEncoding import StandardEncoding

from builder.model.pdf import Font
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Stream, read_cid_widths, to_numbers

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

MALFORMED = (
    *(
        TypeError,
        ValueError,
        AttributeError,
        LookupError,
        ArithmeticError,
        AssertionError,
        EOFError,
        struct.error,
    ),
    pikepdf.PdfError,
)
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
    values, codes = (
        [_text(value) for value in HEX.findall(target)],
        range(first, min(last, first + 0xFFFF) + 1),
    )
    if target.startswith(b"["):
        return dict(zip(codes, values, strict=False))
    start = values[0] if values else ""
    return {
        code: start[:-1] + chr(min(ord(start[-1]) + code - first, 0x10FFFF))
        for code in codes
        if start
    }


def _text(digits: bytes) -> str:
    # An odd last digit stands for itself and a zero.
    plain = b"".join(digits.split())
    raw = bytes.fromhex((plain + b"0" * (len(plain) % 2)).decode("ascii"))
    return raw.decode("utf-16-be", "replace") if len(raw) > 1 else raw.decode("latin-1")


def _code(digits: bytes) -> int:
    return int(b"".join(digits.split()) or b"0", 16)


Reach: TypeAlias = tuple[float, float] | None
"""Lowest and highest ink in thousandths of the type size; None for a letter without ink."""

BASES = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman"}
DRAWN = re.compile(rb"([-+.\d\s]+)\bd([01])\b")
"""How a Type3 glyph begins: d0 is one that has its colours, d1 a mere shape, whose box is told."""


@dataclass
class Heights:
    """The letters of one embedded font; the program is opened when first asked."""

    resource: Object
    inner: Object
    _reach: Callable[[int], Reach] | None = None
    _known: dict[int, Reach] = field(default_factory=dict)
    _silent: bool = False

    @property
    def key(self) -> bytes:
        """The same for fonts whose codes show the same letters: files put together hold many such. Empty: none is like
        it, as far as is told.
        """
        asked = [
            (one, key)
            for one in (self.resource, self.inner)
            for key in ("/Encoding", "/CIDToGIDMap", "/Subtype")
        ]
        try:
            held = self.inner.get("/FontDescriptor", Dictionary())
            program = b"".join(bytes(held[key].read_raw_bytes()) for key in FILES if key in held)
            said = [one[key] for one, key in asked if key in one]
            if not program or any(isinstance(one, Stream) for one in said):
                return b""
            return sha256(b"".join(one.unparse() for one in said) + program).digest()
        except MALFORMED:
            return b""

    def of(self, codes: Sequence[int]) -> Reach:
        """The reach of some letters together; None where the program does not tell that of each."""

        try:
            for code in () if self._silent else codes:
                if code not in self._known:
                    self._reach = self._reach or _reaches(self.resource, self.inner)
                    self._known[code] = self._reach(code)
        except MemoryError:
            raise
        except Exception:  # whatever the library meets in an embedded font
            self._silent = True
        found = (
            ()
            if self._silent
            else [one for code in codes if (one := self._known[code]) is not None]
        )
        return (min(low for low, _ in found), max(high for _, high in found)) if found else None


def _reaches(resource: Object, inner: Object) -> Callable[[int], Reach]:
    """What tells how far the letter of a code reaches. Raises LookupError and others where nothing does."""
    descriptor = inner.get("/FontDescriptor", Dictionary())
    if resource.get("/Subtype") == Name.Type3:
        return partial(_shape, _glyphs(resource), 1000 * float(resource["/FontMatrix"][3]))
    if "/FontFile" in descriptor:
        return _type1(bytes(descriptor["/FontFile"].read_bytes()), _names(resource))
    embedded = descriptor["/FontFile2" if "/FontFile2" in descriptor else "/FontFile3"]
    data = bytes(embedded.read_bytes())
    composite = resource.get("/Subtype") == Name.Type0
    if composite and str(resource.get("/Encoding")) not in ("/Identity-H", "/Identity-V"):
        raise LookupError
    if str(embedded.get("/Subtype", "")) in ("/Type1C", "/CIDFontType0C"):
        return _compact(data, None if composite else _names(resource))
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), lazy=True)
    # Letters are told by their numbers: the names that a font gives them take long to read.
    font.setGlyphOrder([f"glyph{number:05}" for number in range(font["maxp"].numGlyphs)])
    chosen = _glyph_ids(inner) if composite else _glyph_numbers(font, _names(resource))
    unit = 1000 / font["head"].unitsPerEm
    if "glyf" not in font:
        return partial(_bounds, font.getGlyphSet(), lambda code: f"glyph{chosen(code):05}", unit)
    return partial(
        _header,
        font.reader["loca"],
        font.reader["glyf"],
        font["head"].indexToLocFormat,
        chosen,
        unit,
    )


def _header(
    places: bytes, glyphs: bytes, long: int, chosen: Callable[[int], int], unit: float, code: int
) -> Reach:
    """What a TrueType glyph says of its own box (ISO 14496-22, glyf and loca)."""
    number = chosen(code)
    start, end = struct.unpack_from(">2L" if long else ">2H", places, number * (4 if long else 2))
    if start == end:
        return None
    contours, _left, low, _right, high = struct.unpack_from(
        ">5h", glyphs, start if long else start * 2
    )
    return (low * unit, high * unit) if contours else None


class Glyph(Protocol):
    """A letter that can be drawn."""

    def draw(self, pen: object) -> object:
        """Draw it with one of the library's pens."""


def _bounds(
    glyphs: "Mapping[str, Glyph]", name_of: Callable[[int], str], unit: float, code: int
) -> Reach:
    from fontTools.pens.boundsPen import BoundsPen

    pen = BoundsPen(glyphs)
    glyphs[name_of(code)].draw(pen)
    return None if pen.bounds is None else (pen.bounds[1] * unit, pen.bounds[3] * unit)


def _type1(data: bytes, names: Mapping[int, str]) -> Callable[[int], Reach]:
    from fontTools.t1Lib import T1Font

    # It opens files alone.
    font = T1Font.__new__(T1Font)
    font.data, font.encoding = data, "ascii"
    font.parse()
    built_in = font.font.get("Encoding", ())
    chosen = {**dict(enumerate(built_in)), **names} if isinstance(built_in, list) else names
    return partial(
        _bounds, font.getGlyphSet(), chosen.__getitem__, 1000 * font.font["FontMatrix"][3]
    )


def _compact(data: bytes, names: Mapping[int, str] | None) -> Callable[[int], Reach]:
    """A CFF font; without names its codes are those of a composite font."""
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(BytesIO(data), None)
    top = fonts[0]
    unit, order = 1000 * float(getattr(top, "FontMatrix", (0, 0, 0, 0.001))[3]), top.getGlyphOrder()
    if names is not None:
        built_in = top.Encoding if isinstance(top.Encoding, list) else StandardEncoding
        return partial(
            _bounds, top.CharStrings, {**dict(enumerate(built_in)), **names}.__getitem__, unit
        )
    if hasattr(top, "ROS"):
        return partial(
            _bounds, top.CharStrings, lambda code: f"cid{code:05}" if code else ".notdef", unit
        )
    return partial(_bounds, top.CharStrings, order.__getitem__, unit)


def _names(resource: Object) -> dict[int, str]:
    """The letters that a simple font's encoding names, by code; what it leaves to the font itself is not among them."""
    encoding = resource.get("/Encoding", Dictionary())
    listed = encoding if isinstance(encoding, Dictionary) else Dictionary()
    base = listed.get("/BaseEncoding") if isinstance(encoding, Dictionary) else encoding
    names: dict[int, str] = {}
    if str(base) in BASES:
        letters = bytes(range(256)).decode(BASES[str(base)], "replace")
        names = {
            code: UV2AGL[ord(sign)] for code, sign in enumerate(letters) if ord(sign) in UV2AGL
        }
    code = 0
    for item in listed.get("/Differences", Array([])):
        if isinstance(item, Name):
            names[code] = str(item)[1:]
            code += 1
        else:
            code = int(item)
    return names


def _glyph_ids(inner: Object) -> Callable[[int], int]:
    mapped = inner.get("/CIDToGIDMap")
    if not isinstance(mapped, Stream):
        return int
    table = bytes(mapped.read_bytes())
    return lambda code: int.from_bytes(table[2 * code : 2 * code + 2], "big")


def _glyph_numbers(font: "TTFont", names: Mapping[int, str]) -> Callable[[int], int]:
    """The glyph of a simple TrueType font's code: by the letter's name, else by the font's own table of codes."""
    tables = {(table.platformID, table.platEncID): table.cmap for table in font["cmap"].tables}
    letters, own = font.getBestCmap() or {}, {**tables.get((1, 0), {}), **tables.get((3, 0), {})}

    def chosen(code: int) -> int:
        letter = toUnicode(names.get(code, ""))
        if len(letter) == 1 and ord(letter) in letters:
            return int(font.getGlyphID(letters[ord(letter)]))
        found = next((own[sign] for sign in (0xF000 + code, code) if sign in own), None)
        return int(font.getGlyphID(letters[code] if found is None else found))

    return chosen


def _shape(glyphs: Mapping[int, Object], unit: float, code: int) -> Reach:
    """How far a Type3 glyph says that it reaches."""
    begun = DRAWN.search(bytes(glyphs[code].read_bytes()[:400]))
    sides = (
        [float(side) * unit for side in begun.group(1).split()]
        if begun and begun.group(2) == b"1"
        else []
    )
    low, high = sides[-3], sides[-1]
    if low == high:
        raise LookupError
    return min(low, high), max(low, high)


def _glyphs(resource: Object) -> dict[int, Object]:
    """The drawings that are a Type3 font's letters, by code."""
    drawings = resource.get("/CharProcs", Dictionary())
    names = {code: f"/{name}" for code, name in _names(resource).items()}
    return {
        code: drawings[name]
        for code, name in names.items()
        if isinstance(drawings.get(name), Stream)
    }


@dataclass(frozen=True, slots=True)
class Drawings:
    """Letters of a Type3 font that have colours of their own: by code, and what they are drawn with."""

    by_code: Mapping[int, Object]
    unit: Matrix
    resources: Object | None


def _drawings(resource: Object) -> Drawings | None:
    glyphs = _glyphs(resource)
    begun = {code: DRAWN.search(bytes(one.read_bytes()[:400])) for code, one in glyphs.items()}
    coloured = {
        code: glyphs[code]
        for code, found in begun.items()
        if found is None or found.group(2) == b"0"
    }
    unit = Matrix(*to_numbers(resource.get("/FontMatrix", Array([0.001, 0, 0, 0.001, 0, 0]))))
    return Drawings(coloured, unit, resource.get("/Resources")) if coloured else None


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
    drawings: "Drawings | None" = field(default=None, compare=False)

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
        return "".join(
            self.characters.get(code, chr(code) if plain else "\ufffd") for code in codes
        )


UNKNOWN = Metrics(Font("", "", embedded=False, subset=False))


def metrics(resource: Object) -> Metrics:
    """Read one font resource; a damaged one is a font without a name, which is not embedded."""
    try:
        kind = str(resource.get("/Subtype", "/"))[1:]
        inner = (
            resource.get("/DescendantFonts", Array([Dictionary()]))[0]
            if kind == "Type0"
            else resource
        )
        descriptor = inner.get("/FontDescriptor", Dictionary())
        name = str(resource.get("/BaseFont", "/"))[1:]
        embedded = kind == "Type3" or any(key in descriptor for key in FILES)
        font = Font(TAG.sub("", name), kind, embedded, bool(TAG.match(name)))
    except MALFORMED:
        return UNKNOWN
    try:
        return _measured(font, resource, inner, descriptor)
    except MALFORMED:
        return Metrics(font, kind == "Type0")


def _measured(font: Font, resource: Object, inner: Object, descriptor: Object) -> Metrics:
    composite = font.kind == "Type0"
    ascent, descent = float(descriptor.get("/Ascent", 800)), float(descriptor.get("/Descent", -200))
    unit = 1000.0 * float(resource.get("/FontMatrix", [0.001])[0]) if font.kind == "Type3" else 1.0
    try:
        characters = unicode_map(resource.get("/ToUnicode"))
    except MALFORMED:
        characters = {}
    return Metrics(
        font,
        composite,
        read_cid_widths(inner) if composite else _widths(resource, unit),
        float(inner.get("/DW", 1000)) if composite else float(descriptor.get("/MissingWidth", 500)),
        ascent if 200 < ascent < 1500 else 800.0,
        descent if -800 < descent <= 0 else -200.0,
        characters,
        Heights(resource, inner) if font.embedded else None,
        _drawings(resource) if font.kind == "Type3" else None,
    )


def _widths(resource: Object, unit: float) -> dict[int, float]:
    first = int(resource.get("/FirstChar", 0))
    return {
        first + i: float(width) * unit for i, width in enumerate(resource.get("/Widths", Array([])))
    }
