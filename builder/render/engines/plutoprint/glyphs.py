"""The fonts of a PDF file drawn by the engine, and the original fonts of their glyphs.

The engine's file holds subsets of fonts with new glyph numbers; one font may be split into several
subsets. Records name a font file and its own glyphs, so that all faces of a document share it.
Glyphs are recognised by their outlines.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from struct import unpack_from
from typing import Any

from builder.pdf import Object
from builder.render.fonts import fold_family_name, hash_font
from builder.render.sheets.record import FontUse

ITALIC_FLAG, SYMBOLIC_FLAG = 64, 4
"""Flags of a font in a PDF file."""

_HEX = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\n)|(.))", re.DOTALL)
_ESCAPED_BYTES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

COMPOUND_HEADER_BYTES = 10
"""The number of contours and the bounding box before the first component of a compound glyph."""
MORE_COMPONENTS = 0x20
WORD_OFFSETS = 0x1
ONE_SCALE = 0x8
TWO_SCALES = 0x40
SCALE_MATRIX = 0x80
"""Flags of a component of a compound glyph, as in the `glyf` table of OpenType.

With WORD_OFFSETS, its 2 offsets have 2 bytes each, not 1. Its scale is 1, 2 or 4 numbers of 2
bytes.
"""


class UnknownFont(Exception):
    """A PDF has a font or a glyph that is not in the original font files."""


def read_codes(piece: bytes) -> Sequence[int]:
    """Return the character codes in a PDF string.

    A string in brackets has codes of 1 byte, one in hexadecimal codes of 2 bytes.
    """
    contents = piece[1:-1]
    if piece.startswith(b"<"):
        # `fromhex` skips spaces between bytes, but a line may end within one.
        data = bytes.fromhex(b"".join(contents.split()).decode())
        return unpack_from(f">{len(data) // 2}H", data)
    if b"\\" not in contents:
        return contents
    return _ESCAPE.sub(_unescape, contents)


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8)])
    return b"" if match[2] else _ESCAPED_BYTES.get(match[3], match[3])


def read_font_program(font: Object) -> bytes:
    """Return the font file that is embedded in a PDF. Raise UnknownFont if there is none."""
    child = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = child.get("/FontDescriptor")
    if descriptor is None or "/FontFile2" not in descriptor:
        raise UnknownFont(str(font.BaseFont).partition("+")[2])
    return bytes(descriptor.FontFile2.read_bytes())


class DrawnFont(dict[int, bytes]):
    """A font in the engine's PDF. It maps character codes to glyphs of the original font."""

    def __init__(self, font: Object, original: "OriginalFont") -> None:
        self.original = original
        data = read_font_program(font)
        self._program = FontTables(data)
        self._texts_by_code: dict[int, str] = {}
        if "/ToUnicode" in font:
            self._texts_by_code = _read_texts_by_code(font.ToUnicode.read_bytes())
        self._texts: dict[bytes, bytes] = {}
        # Codes of a TrueType font are characters. Codes of other fonts are numbers of glyphs.
        self._glyphs_by_code: dict[int, int] | None = None
        if font.Subtype == "/TrueType":
            self._glyphs_by_code = _read_glyphs_by_code(data)

    def translate_text(self, piece: bytes) -> bytes:
        """Return a PDF string as glyph numbers of the original font, in hexadecimal.

        Raise UnknownFont if one is unknown.
        """
        # The same words come again on many cards.
        if piece not in self._texts:
            self._texts[piece] = b"".join(map(self.__getitem__, read_codes(piece)))
        return self._texts[piece]

    def __missing__(self, code: int) -> bytes:
        """Find the original glyph of a code at its first use.

        Raise UnknownFont if there is none.
        """
        number = code if self._glyphs_by_code is None else self._glyphs_by_code[code]
        text = self._texts_by_code.get(code, "")
        digits = b"%04x" % self.original.find_glyph(self._program, number, text)
        self[code] = digits
        return digits


def _open_numbered_font(data: bytes) -> Any:
    """Open a font file with numbers as glyph names, because reading the names is slow."""
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), lazy=True)
    font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
    return font


def _read_glyphs_by_code(data: bytes) -> dict[int, int]:
    """Return the glyphs of a font file by their character codes in Windows-1252."""
    glyphs_by_code: dict[int, int] = {}
    for character, name in _open_numbered_font(data).getBestCmap().items():
        code = chr(character).encode("cp1252", "ignore")
        if code:
            glyphs_by_code[code[0]] = int(name)
    return glyphs_by_code


def _read_texts_by_code(table: bytes) -> dict[int, str]:
    """Return the text of each character code in a ToUnicode table."""
    texts_by_code: dict[int, str] = {}
    body = table.partition(b"endcodespacerange")[2]
    for code, text in _HEX.findall(body):
        data = bytes.fromhex(text.decode())
        texts_by_code[int(code, 16)] = data.decode("utf-16-be", "replace")
    return texts_by_code


class FontTables:
    """The tables of a font file, which are read without a font library for speed."""

    def __init__(self, data: bytes) -> None:
        self.tables: dict[bytes, bytes] = {}
        table_count = unpack_from(">H", data, 4)[0]
        for index in range(table_count):
            name, start, length = unpack_from(">4s4xII", data, 12 + 16 * index)
            self.tables[name] = data[start : start + length]
        self.count: int = unpack_from(">H", self.tables[b"maxp"], 4)[0]
        self.scale = 1000 / unpack_from(">H", self.tables[b"head"], 18)[0]
        self.offsets = self._read_offsets()
        self.advances = self._read_advances()

    def _read_offsets(self) -> Sequence[int]:
        """Return where the outline of each glyph begins, and where the last one ends."""
        has_long_offsets = unpack_from(">h", self.tables[b"head"], 50)[0]
        if has_long_offsets:
            offsets: tuple[int, ...] = unpack_from(
                f">{self.count + 1}I", self.tables[b"loca"]
            )
            return offsets
        # Short offsets are stored divided by 2.
        half_offsets = unpack_from(f">{self.count + 1}H", self.tables[b"loca"])
        return tuple(offset * 2 for offset in half_offsets)

    def _read_advances(self) -> Sequence[int]:
        """Return the advance width of each glyph.

        The table omits equal advances at its end.
        """
        stored_count: int = unpack_from(">H", self.tables[b"hhea"], 34)[0]
        # Each entry holds an advance and a bearing.
        stored: tuple[int, ...] = unpack_from(
            f">{stored_count * 2}H", self.tables[b"hmtx"]
        )[::2]
        return stored + stored[-1:] * (self.count - stored_count)

    @property
    def reach(self) -> tuple[float, float]:
        """The heights above and below the baseline, as shares of the type size."""
        ascent, descent = unpack_from(">hh", self.tables[b"hhea"], 4)
        return ascent * self.scale / 1000, -descent * self.scale / 1000

    @property
    def head(self) -> bytes:
        """The part of the font's header that a subset of the font keeps."""
        return self.tables[b"head"][12:50]

    def read_outline(self, glyph: int) -> tuple[int, bytes]:
        """Return the advance width and outline of a glyph, as a key to recognise it in a subset.

        Components of a compound glyph have number 0.
        """
        start = self.offsets[glyph]
        end = self.offsets[glyph + 1]
        outline = bytearray(self.tables[b"glyf"][start:end])
        # A compound glyph has -1 contours.
        if outline.startswith(b"\xff\xff"):
            _erase_component_numbers(outline)
        return self.advances[glyph], bytes(outline).rstrip(b"\0")


def _erase_component_numbers(outline: bytearray) -> None:
    """Set the glyph numbers inside a compound glyph to 0, because a subset renumbers glyphs."""
    position = COMPOUND_HEADER_BYTES
    flags = MORE_COMPONENTS
    while flags & MORE_COMPONENTS:
        flags = unpack_from(">H", outline, position)[0]
        outline[position + 2 : position + 4] = b"\0\0"
        position += 8 if flags & WORD_OFFSETS else 6
        if flags & ONE_SCALE:
            position += 2
        if flags & TWO_SCALES:
            position += 4
        if flags & SCALE_MATRIX:
            position += 8


@dataclass
class OriginalFont:
    """A font file that faces are rendered with."""

    path: Path

    @cached_property
    def data(self) -> bytes:
        """The contents of the file."""
        return self.path.read_bytes()

    @cached_property
    def hash(self) -> str:
        """The hash of the file, which is the font's name in stored drawings."""
        return hash_font(self.data)

    @cached_property
    def key(self) -> str:
        """The 6 letters by which drawings name the font."""
        number = int(self.hash, 16)
        letters = ""
        for _place in range(6):
            number, remainder = divmod(number, 26)
            letters += chr(ord("A") + remainder)
        return letters

    @cached_property
    def font(self) -> Any:
        """The opened font file, whose glyphs are named by their numbers."""
        return _open_numbered_font(self.data)

    @cached_property
    def font_tables(self) -> FontTables:
        """The tables of the file."""
        return FontTables(self.data)

    @cached_property
    def names(self) -> frozenset[str]:
        """The family and PostScript names of the font, simplified for comparison."""
        names: set[str] = set()
        for record in self.font["name"].names:
            # Family, PostScript name, and the family without the style.
            if record.nameID in (1, 6, 16):
                names.add(fold_family_name(str(record).strip()))
        return frozenset(names)

    @cached_property
    def slanted(self) -> bool:
        """True if the font is italic."""
        return bool(self.font["OS/2"].fsSelection & 1)

    @cached_property
    def postscript(self) -> str:
        """The PostScript name, which is the font's name in PDF files."""
        names = self.font["name"]
        return str(names.getDebugName(6) or names.getDebugName(1))

    @cached_property
    def family(self) -> str:
        """The family name that the font file declares."""
        return str(self.font["name"].getBestFamilyName()).replace('"', "")

    def write_font_face(self, family: str, address: str) -> str:
        """Return a CSS `@font-face` rule that loads the font from an address."""
        weight = self.font["OS/2"].usWeightClass
        style = "italic" if self.slanted else "normal"
        return (
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};'
            f'src:url("{address}")}}'
        )

    @cached_property
    def cmap(self) -> Mapping[int, int]:
        """The glyph of each character."""
        names_by_code = self.font.getBestCmap() or {}
        return {code: int(name) for code, name in names_by_code.items()}

    @cached_property
    def glyphs_by_outline(self) -> Mapping[tuple[int, bytes], int]:
        """The glyphs by advance width and outline, to recognise them in a subset."""
        # Of equal glyphs the first one counts: it is added last.
        glyphs = reversed(range(self.font_tables.count))
        return {self.font_tables.read_outline(glyph): glyph for glyph in glyphs}

    @cached_property
    def _texts_of_characters(self) -> Mapping[int, str]:
        """The character of each glyph that the character map has."""
        texts: dict[int, str] = {}
        for code, glyph in reversed(list(self.cmap.items())):
            text = _make_searchable(chr(code))
            texts[glyph] = " " if text.isspace() else text
        return texts

    @cached_property
    def texts_by_glyph(self) -> Mapping[int, str]:
        """The text that each glyph stands for.

        A ligature has the text of the glyphs it replaces.
        """
        texts = dict(self._texts_of_characters)
        if "GSUB" in self.font:
            for source, target in _list_substitutions(self.font["GSUB"].table):
                glyphs = list(map(int, source))
                if all(glyph in texts for glyph in glyphs):
                    texts.setdefault(
                        int(target), "".join(texts[glyph] for glyph in glyphs)
                    )
        return texts

    def select_glyphs(self, glyphs: Iterable[int]) -> FontUse:
        """Return these glyphs of the font with their widths and characters."""
        tables = self.font_tables
        widths = {
            glyph: round(tables.advances[glyph] * tables.scale, 4) for glyph in glyphs
        }
        # Most faces need no substitutes, and reading the rules of a font takes long.
        texts = self._texts_of_characters
        if not texts.keys() >= widths.keys():
            texts = self.texts_by_glyph
        letters = {glyph: texts[glyph] for glyph in widths if glyph in texts}
        return replace(self._empty_use, widths=widths, letters=letters)

    @cached_property
    def _empty_use(self) -> FontUse:
        scale = self.font_tables.scale
        header = self.font["hhea"]
        return FontUse(
            file=self.hash,
            widths={},
            letters={},
            family=self.font["name"].getBestFullName() or "",
            ascent=round(header.ascent * scale),
            descent=round(header.descent * scale),
            flags=SYMBOLIC_FLAG | (ITALIC_FLAG if self.slanted else 0),
        )

    def find_glyph(self, subset: FontTables, number: int, text: str) -> int:
        """Return the number that a glyph of a subset has in the original font.

        Raise UnknownFont if there is none.
        """
        outline = subset.read_outline(number)
        # The glyph of the same character is nearly always the right one, and quickly compared.
        candidate = self.cmap.get(ord(text)) if len(text) == 1 else None
        if (
            candidate is not None
            and self.font_tables.read_outline(candidate) == outline
        ):
            return candidate
        if outline not in self.glyphs_by_outline:
            raise UnknownFont(self.path.name)
        return self.glyphs_by_outline[outline]


def _make_searchable(letter: str) -> str:
    """Return the letters by which readers search for a character, such as "fi" for a ligature."""
    is_ligature = "\ufb00" <= letter <= "\ufb4f"
    return unicodedata.normalize("NFKC", letter) if is_ligature else letter


def _list_substitutions(table: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the glyph substitutions of a font: the replaced glyphs, and the new glyph."""
    for lookup in table.LookupList.Lookup:
        for subtable in lookup.SubTable:
            yield from _list_subtable_substitutions(
                getattr(subtable, "ExtSubTable", subtable)
            )


def _list_subtable_substitutions(rules: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the glyph substitutions in one subtable of a font."""
    for source, target in getattr(rules, "mapping", {}).items():
        if isinstance(target, str):
            yield (source,), target
    for source, targets in getattr(rules, "alternates", {}).items():
        for target in targets:
            yield (source,), target
    for first, ligatures in getattr(rules, "ligatures", {}).items():
        for ligature in ligatures:
            yield (first, *ligature.Component), ligature.LigGlyph
