"""Read fonts of a PDF: widths, characters, and Type3 glyphs with their own colours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.model.pdf import Font
from builder.pdf import (
    Array,
    Dictionary,
    Matrix,
    Object,
    Stream,
    read_cid_widths,
    to_numbers,
)
from builder.pdfinfo.glyph_extents import (
    FONT_FILES,
    MALFORMED,
    GlyphExtents,
    find_type3_start,
    list_type3_glyphs,
)

# The two forms of a CMap: codes with a text each, and ranges with a list or the first text.
SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
PAIR = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>")
RANGE = re.compile(
    rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(<[0-9A-Fa-f\s]*>|\[[^\]]*\])"
)
HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>")
SUBSET_TAG = re.compile(r"^[A-Z]{6}\+")
MAX_CODES_PER_RANGE = 0x10000
MAX_CHARACTER = 0x10FFFF


def read_unicode_map(stream: Object | None) -> dict[int, str]:
    """Return the text of each character code from a ToUnicode map. Empty without a map."""
    if not isinstance(stream, Stream):
        return {}
    texts: dict[int, str] = {}
    for kind, body in SECTION.findall(stream.read_bytes()):
        if kind == b"bfchar":
            for code, text in PAIR.findall(body):
                texts[_parse_code(code)] = _parse_text(text)
            continue
        for first, last, target in RANGE.findall(body):
            texts |= _read_range(_parse_code(first), _parse_code(last), target)
    return texts


def _read_range(first: int, last: int, target: bytes) -> dict[int, str]:
    texts = [_parse_text(digits) for digits in HEX.findall(target)]
    # A damaged file may have a range of billions of codes.
    codes = range(first, min(last + 1, first + MAX_CODES_PER_RANGE))
    # A list has a text for each code.
    if target.startswith(b"["):
        return dict(zip(codes, texts, strict=False))
    if not texts or not texts[0]:
        return {}
    # The last character counts up.
    start = texts[0][:-1]
    character = ord(texts[0][-1])
    return {
        code: start + chr(min(character + code - first, MAX_CHARACTER))
        for code in codes
    }


def _parse_text(digits: bytes) -> str:
    digits = b"".join(digits.split())
    # A missing last digit is a zero.
    if len(digits) % 2:
        digits += b"0"
    data = bytes.fromhex(digits.decode("ascii"))
    # A single byte cannot be UTF-16.
    return (
        data.decode("utf-16-be", "replace") if len(data) > 1 else data.decode("latin-1")
    )


def _parse_code(digits: bytes) -> int:
    return int(b"".join(digits.split()) or b"0", 16)


@dataclass(frozen=True, slots=True)
class ColouredGlyphs:
    """The glyphs of a Type3 font that have their own colors, and the resources that draw them."""

    drawings_by_code: Mapping[int, Object]
    unit: Matrix
    resources: Object | None


def _find_coloured_glyphs(resource: Object) -> ColouredGlyphs | None:
    drawings: dict[int, Object] = {}
    for code, drawing in list_type3_glyphs(resource).items():
        start = find_type3_start(drawing)
        if start is None or start[2] == b"0":
            drawings[code] = drawing
    matrix = resource.get("/FontMatrix", Array([0.001, 0, 0, 0.001, 0, 0]))
    unit = Matrix(*to_numbers(matrix))
    return (
        ColouredGlyphs(drawings, unit, resource.get("/Resources")) if drawings else None
    )


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures of a PDF font, in thousandths of the type size.

    Codes of composite fonts have two bytes.
    """

    font: Font
    is_composite: bool = False
    widths: dict[int, float] = field(default_factory=dict)
    default_width: float = 500.0
    ascent: float = 800.0
    descent: float = -200.0
    texts_by_code: dict[int, str] = field(default_factory=dict)
    extents: GlyphExtents | None = field(default=None, compare=False)
    coloured_glyphs: ColouredGlyphs | None = field(default=None, compare=False)

    def split_codes(self, data: bytes) -> list[int]:
        """Return the character codes in a PDF string."""
        if not self.is_composite:
            return list(data)
        starts = range(0, len(data) - 1, 2)
        return [int.from_bytes(data[start : start + 2], "big") for start in starts]

    def find_width(self, code: int) -> float:
        """Return the advance width of a character code."""
        return self.widths.get(code, self.default_width)

    def decode(self, codes: Sequence[int]) -> str:
        """Return character codes as text.

        U+FFFD stands for codes that the font does not explain.
        """
        text = ""
        for code in codes:
            text += self.texts_by_code.get(
                code, "\ufffd" if self.is_composite else chr(code)
            )
        return text


UNKNOWN_FONT = Metrics(Font("", "", embedded=False, subset=False))


def read_metrics(resource: Object) -> Metrics:
    """Read the measures of a font.

    A damaged font counts as one without a name that is not embedded.
    """
    try:
        kind = str(resource.get("/Subtype", "/"))[1:]
        descendant = resource
        # A composite font has its widths and its file in another dictionary.
        if kind == "Type0":
            descendant = resource.get("/DescendantFonts", Array([Dictionary()]))[0]
        descriptor = descendant.get("/FontDescriptor", Dictionary())
        name = str(resource.get("/BaseFont", "/"))[1:]
        is_embedded = kind == "Type3" or any(key in descriptor for key in FONT_FILES)
        is_subset = SUBSET_TAG.match(name) is not None
        font = Font(SUBSET_TAG.sub("", name), kind, is_embedded, is_subset)
    except MALFORMED:
        return UNKNOWN_FONT
    try:
        return _measure_font(font, resource, descendant, descriptor)
    except MALFORMED:
        return Metrics(font, kind == "Type0")


def _measure_font(
    font: Font, resource: Object, descendant: Object, descriptor: Object
) -> Metrics:
    ascent = float(descriptor.get("/Ascent", 800))
    descent = float(descriptor.get("/Descent", -200))
    # An implausible value counts as a missing one.
    if not 200 < ascent < 1500:
        ascent = 800.0
    if not -800 < descent <= 0:
        descent = -200.0
    try:
        texts_by_code = read_unicode_map(resource.get("/ToUnicode"))
    except MALFORMED:
        texts_by_code = {}
    is_composite = font.kind == "Type0"
    if is_composite:
        widths = read_cid_widths(descendant)
        default_width = float(descendant.get("/DW", 1000))
    else:
        widths = _read_widths(resource, font.kind)
        default_width = float(descriptor.get("/MissingWidth", 500))
    return Metrics(
        font=font,
        is_composite=is_composite,
        widths=widths,
        default_width=default_width,
        ascent=ascent,
        descent=descent,
        texts_by_code=texts_by_code,
        extents=GlyphExtents(resource, descendant) if font.embedded else None,
        coloured_glyphs=_find_coloured_glyphs(resource)
        if font.kind == "Type3"
        else None,
    )


def _read_widths(resource: Object, kind: str) -> dict[int, float]:
    # Only Type3 fonts have a unit of their own.
    unit = (
        1000.0 * float(resource.get("/FontMatrix", [0.001])[0])
        if kind == "Type3"
        else 1.0
    )
    first = int(resource.get("/FirstChar", 0))
    widths = resource.get("/Widths", Array([]))
    return {code: float(width) * unit for code, width in enumerate(widths, first)}
