"""Measure how far the glyphs of embedded fonts extend above and below the base line."""

from __future__ import annotations

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

from builder.pdf import Array, Dictionary, Name, Object, Stream

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

MALFORMED = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    AssertionError,
    EOFError,
    struct.error,
    pikepdf.PdfError,
)
"""Raised for an object of the wrong type or a missing one. It is counted and skipped, as viewers
do.
"""

Extent: TypeAlias = tuple[float, float] | None
"""Lowest and highest ink in thousandths of the type size. None for a glyph without ink."""
FindExtent: TypeAlias = Callable[[int], Extent]
"""Gives the extent of a code; raises anything for a code the font does not know."""

FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
CODECS_BY_ENCODING = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman"}
TYPE3_HEAD_BYTES = 400
TYPE3_START = re.compile(rb"([-+.\d\s]+)\bd([01])\b")
"""The start of a Type3 glyph: d0 for a glyph with its own colours, d1 before a box."""


@dataclass
class GlyphExtents:
    """The heights of the glyphs of one embedded font, which is opened when first needed."""

    resource: Object
    descendant: Object
    _find_extent: FindExtent | None = None
    _cached_extents: dict[int, Extent] = field(default_factory=dict)
    _is_unreadable: bool = False

    @property
    def key(self) -> bytes:
        """A key that is equal for fonts which show the same glyphs for the same codes.

        Empty if that is unknown.
        """
        try:
            return self._make_key()
        except MALFORMED:
            return b""

    def _make_key(self) -> bytes:
        parts: list[bytes] = []
        for holder in (self.resource, self.descendant):
            for name in ("/Encoding", "/CIDToGIDMap", "/Subtype"):
                value = holder.get(name)
                # The text of a stream is only the number of its object.
                if isinstance(value, Stream):
                    return b""
                if value is not None:
                    parts.append(value.unparse())
        descriptor = self.descendant.get("/FontDescriptor", Dictionary())
        programs = [descriptor[name] for name in FONT_FILES if name in descriptor]
        data = b"".join(bytes(program.read_raw_bytes()) for program in programs)
        return sha256(b"".join(parts) + data).digest() if data else b""

    def measure(self, codes: Sequence[int]) -> Extent:
        """Return the extent of these glyphs together. None if that of any glyph is unknown."""
        if self._is_unreadable:
            return None
        try:
            for code in codes:
                if code not in self._cached_extents:
                    if self._find_extent is None:
                        self._find_extent = _open_font(self.resource, self.descendant)
                    self._cached_extents[code] = self._find_extent(code)
        except MemoryError:
            raise
        except Exception:  # the library raises anything for a damaged font
            self._is_unreadable = True
            return None
        lows: list[float] = []
        highs: list[float] = []
        for code in codes:
            extent = self._cached_extents[code]
            if extent is not None:
                lows.append(extent[0])
                highs.append(extent[1])
        return (min(lows), max(highs)) if lows else None


def _open_font(resource: Object, descendant: Object) -> FindExtent:
    """Open the file of an embedded font.

    Raise LookupError and other errors if there is none that can be read.
    """
    subtype = resource.get("/Subtype")
    if subtype == Name.Type3:
        unit = 1000 * float(resource["/FontMatrix"][3])
        return partial(_find_type3_extent, list_type3_glyphs(resource), unit)
    descriptor = descendant.get("/FontDescriptor", Dictionary())
    if "/FontFile" in descriptor:
        data = bytes(descriptor["/FontFile"].read_bytes())
        return _open_type1(data, _read_glyph_names(resource))
    program = descriptor["/FontFile2" if "/FontFile2" in descriptor else "/FontFile3"]
    data = bytes(program.read_bytes())
    is_composite = subtype == Name.Type0
    # Other encodings need the tables of a script, which are not in the file.
    if is_composite and str(resource.get("/Encoding")) not in (
        "/Identity-H",
        "/Identity-V",
    ):
        raise LookupError
    if str(program.get("/Subtype", "")) in ("/Type1C", "/CIDFontType0C"):
        return _open_cff(data, None if is_composite else _read_glyph_names(resource))
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), lazy=True)
    # Glyphs are found by their numbers: the names that a font gives them take long to read.
    font.setGlyphOrder(
        [f"glyph{number:05}" for number in range(font["maxp"].numGlyphs)]
    )
    if is_composite:
        find_glyph = _read_glyph_map(descendant)
    else:
        find_glyph = _map_codes_to_glyphs(font, _read_glyph_names(resource))
    unit = 1000 / font["head"].unitsPerEm
    if "glyf" in font:
        return TrueTypeBoxes(font, find_glyph, unit).find_extent
    glyphs = font.getGlyphSet()
    return partial(
        _measure_outline, glyphs, lambda code: f"glyph{find_glyph(code):05}", unit
    )


class TrueTypeBoxes:
    """The bounding boxes stored in a TrueType font (ISO 14496-22, tables glyf and loca)."""

    def __init__(
        self, font: TTFont, find_glyph: Callable[[int], int], unit: float
    ) -> None:
        self._offsets: bytes = font.reader["loca"]
        self._glyphs: bytes = font.reader["glyf"]
        self._is_long = bool(font["head"].indexToLocFormat)
        self._find_glyph = find_glyph
        self._unit = unit

    def find_extent(self, code: int) -> Extent:
        """Return the extent of the glyph with this code."""
        glyph = self._find_glyph(code)
        if self._is_long:
            start, end = struct.unpack_from(">2L", self._offsets, glyph * 4)
        else:
            # Short offsets count words of 2 bytes.
            words = struct.unpack_from(">2H", self._offsets, glyph * 2)
            start, end = words[0] * 2, words[1] * 2
        # A glyph without data is a space.
        if start == end:
            return None
        contours, _x_min, low, _x_max, high = struct.unpack_from(
            ">5h", self._glyphs, start
        )
        return (low * self._unit, high * self._unit) if contours else None


class DrawableGlyph(Protocol):
    """A glyph object of the font library."""

    def draw(self, pen: object) -> object:
        """Draw the glyph with a pen of the font library."""


def _measure_outline(
    glyphs: Mapping[str, DrawableGlyph],
    find_name: Callable[[int], str],
    unit: float,
    code: int,
) -> Extent:
    from fontTools.pens.boundsPen import BoundsPen

    pen = BoundsPen(glyphs)
    glyphs[find_name(code)].draw(pen)
    if pen.bounds is None:
        return None
    _x_min, low, _x_max, high = pen.bounds
    return low * unit, high * unit


def _open_type1(data: bytes, names: Mapping[int, str]) -> FindExtent:
    from fontTools.t1Lib import T1Font

    # Its constructor only opens files.
    font = T1Font.__new__(T1Font)
    font.data, font.encoding = data, "ascii"
    font.parse()
    built_in = font.font.get("Encoding", ())
    # The encoding in the PDF comes before that of the font.
    if isinstance(built_in, list):
        names = {**dict(enumerate(built_in)), **names}
    unit = 1000 * font.font["FontMatrix"][3]
    return partial(_measure_outline, font.getGlyphSet(), names.__getitem__, unit)


def _open_cff(data: bytes, names: Mapping[int, str] | None) -> FindExtent:
    """Open a CFF font. Return a function that measures its glyphs.

    `names` maps character codes to glyph names. It is None for a composite font, whose codes are
    CIDs or glyph indexes.
    """
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(BytesIO(data), None)
    top = fonts[0]
    order = top.getGlyphOrder()
    if names is not None:
        built_in = top.Encoding if isinstance(top.Encoding, list) else StandardEncoding
        names = {**dict(enumerate(built_in)), **names}
        find_name = names.__getitem__
    elif hasattr(top, "ROS"):
        # The glyphs of a font with a character collection are named by their numbers in it.
        find_name = _format_cid
    else:
        find_name = order.__getitem__
    unit = 1000 * float(getattr(top, "FontMatrix", (0, 0, 0, 0.001))[3])
    return partial(_measure_outline, top.CharStrings, find_name, unit)


def _format_cid(code: int) -> str:
    return f"cid{code:05}" if code else ".notdef"


def _read_glyph_names(resource: Object) -> dict[int, str]:
    """Return the glyph names by character code that a simple font's encoding states."""
    encoding = resource.get("/Encoding", Dictionary())
    base: Object | None = encoding
    differences: Object = Array([])
    if isinstance(encoding, Dictionary):
        base = encoding.get("/BaseEncoding")
        differences = encoding.get("/Differences", differences)
    names: dict[int, str] = {}
    if str(base) in CODECS_BY_ENCODING:
        characters = bytes(range(256)).decode(CODECS_BY_ENCODING[str(base)], "replace")
        for code, character in enumerate(characters):
            if ord(character) in UV2AGL:
                names[code] = UV2AGL[ord(character)]
    # A number is the code of the first name after it.
    code = 0
    for item in differences:
        if isinstance(item, Name):
            names[code] = str(item)[1:]
            code += 1
        else:
            code = int(item)
    return names


def _read_glyph_map(descendant: Object) -> Callable[[int], int]:
    """Return the glyph of each character code in a composite font."""
    glyph_map = descendant.get("/CIDToGIDMap")
    if not isinstance(glyph_map, Stream):
        return int
    table = bytes(glyph_map.read_bytes())
    # Each glyph has 2 bytes.
    return lambda code: int.from_bytes(table[2 * code : 2 * code + 2], "big")


def _map_codes_to_glyphs(
    font: TTFont, names: Mapping[int, str]
) -> Callable[[int], int]:
    """Return the glyph of each character code in a simple TrueType font.

    The name of the glyph comes first, then the font's own table of codes.
    """
    tables = {
        (table.platformID, table.platEncID): table.cmap for table in font["cmap"].tables
    }
    names_by_character = font.getBestCmap() or {}
    names_by_code = {**tables.get((1, 0), {}), **tables.get((3, 0), {})}

    def find_glyph(code: int) -> int:
        character = toUnicode(names.get(code, ""))
        if len(character) == 1 and ord(character) in names_by_character:
            return int(font.getGlyphID(names_by_character[ord(character)]))
        # Symbol fonts have their codes from 0xF000 on.
        for own_code in (0xF000 + code, code):
            if own_code in names_by_code:
                return int(font.getGlyphID(names_by_code[own_code]))
        return int(font.getGlyphID(names_by_character[code]))

    return find_glyph


def _find_type3_extent(glyphs: Mapping[int, Object], unit: float, code: int) -> Extent:
    """Return the top and bottom of the box that a Type3 glyph states.

    Raises LookupError if it states none.
    """
    start = find_type3_start(glyphs[code])
    if start is None or start[2] != b"1":
        raise LookupError
    sides = [float(side) * unit for side in start[1].split()]
    # The numbers before d1 are an advance and a box: x, y, left, low, right, high.
    low, high = sorted((sides[-3], sides[-1]))
    if low == high:
        raise LookupError
    return low, high


def find_type3_start(glyph: Object) -> re.Match[bytes] | None:
    """Return the match of the operator with which a Type3 glyph begins."""
    return TYPE3_START.search(bytes(glyph.read_bytes()[:TYPE3_HEAD_BYTES]))


def list_type3_glyphs(resource: Object) -> dict[int, Object]:
    """Return the drawings of a Type3 font's glyphs, by character code."""
    drawings = resource.get("/CharProcs", Dictionary())
    glyphs: dict[int, Object] = {}
    for code, name in _read_glyph_names(resource).items():
        drawing = drawings.get(f"/{name}")
        if isinstance(drawing, Stream):
            glyphs[code] = drawing
    return glyphs
