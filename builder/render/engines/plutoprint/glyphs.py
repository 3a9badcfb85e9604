"""The fonts of a drawn file, and which letters of the original fonts theirs are.

The engine's file holds parts of fonts whose glyphs are numbered anew, and one font may be split into several parts.
Records name a font file and its own glyphs, so that all faces of a document share it: glyphs are known again by
their outlines.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from struct import unpack_from
from typing import Any

from builder.pdf import Object
from builder.render.fonts import fold_family_name, hash_font
from builder.render.sheets.record import FontUse

ITALIC, SYMBOLIC = 64, 4
"""Flags of a font in a PDF file."""

_HEX = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\n)|(.))", re.DOTALL)
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

COMPOUND_MORE, COMPOUND_WORDS, COMPOUND_SCALE, COMPOUND_TWO, COMPOUND_FOUR = (
    0x20,
    0x1,
    0x8,
    0x40,
    0x80,
)
"""Flags of a part of a compound glyph: another follows; its place takes two words; so many numbers scale it."""


class Unknown(Exception):
    """A font, or a glyph of one, that is not among the fonts known."""


def codes_of(piece: bytes) -> Sequence[int]:
    """The codes of a string of a drawing: bytes in brackets, pairs of bytes in hexadecimal digits."""
    if piece[0] == 60:
        data = bytes.fromhex(b"".join(piece[1:-1].split()).decode())
        return unpack_from(f">{len(data) // 2}H", data)
    return _ESCAPE.sub(_unescaped, piece[1:-1]) if b"\\" in piece else piece[1:-1]


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8)])
    return b"" if match[2] else _NAMED.get(match[3], match[3])


def drawn_program(font: Object) -> bytes:
    """The font file within a drawn file. Raises Unknown."""
    child = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    look = child.get("/FontDescriptor")
    if look is None or "/FontFile2" not in look:
        raise Unknown(str(font.BaseFont).partition("+")[2])
    return bytes(look.FontFile2.read_bytes())


class DrawnFont(dict[int, bytes]):
    """A font of a drawn file: the original's glyph of each of its codes, in digits as a drawing has them."""

    def __init__(self, font: Object, original: "Original") -> None:
        self.original = original
        data = drawn_program(font)
        self._program = Program(data)
        self._letters = _letters(font.ToUnicode.read_bytes()) if "/ToUnicode" in font else {}
        self._texts: dict[bytes, bytes] = {}
        self._coded: dict[int, int] | None = None
        if (
            font.Subtype == "/TrueType"
        ):  # codes are letters; else they are the file's glyphs themselves
            coded = _numbered(data).getBestCmap().items()
            letters = ((chr(code).encode("cp1252", "ignore"), int(name)) for code, name in coded)
            self._coded = {letter[0]: glyph for letter, glyph in letters if letter}

    def text(self, piece: bytes) -> bytes:
        """A string of a drawing in the original's glyphs, in digits. Raises Unknown."""
        if piece not in self._texts:
            self._texts[piece] = b"".join(map(self.__getitem__, codes_of(piece)))
        return self._texts[piece]

    def __missing__(self, code: int) -> bytes:
        """Raises Unknown."""
        drawn = code if self._coded is None else self._coded[code]
        glyph = self.original.glyph(self._program, drawn, self._letters.get(code, ""))
        digits = self[code] = b"%04x" % glyph
        return digits


def _numbered(data: bytes) -> Any:
    """A font file whose glyphs are named by their numbers: to read their own names takes longer than all else."""
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), lazy=True)
    font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
    return font


def _letters(table: bytes) -> dict[int, str]:
    """What letters codes stand for."""
    body = table.partition(b"endcodespacerange")[2]
    return {
        int(code, 16): bytes.fromhex(text.decode()).decode("utf-16-be", "replace")
        for code, text in _HEX.findall(body)
    }


class Program:
    """A font file's glyphs as they lie in it."""

    def __init__(self, data: bytes) -> None:
        count = unpack_from(">H", data, 4)[0]
        entries = (unpack_from(">4s4xII", data, 12 + 16 * at) for at in range(count))
        self.tables = {name: data[start : start + length] for name, start, length in entries}
        self.count: int = unpack_from(">H", self.tables[b"maxp"], 4)[0]
        self.scale = 1000 / unpack_from(">H", self.tables[b"head"], 18)[0]
        long = unpack_from(">h", self.tables[b"head"], 50)[0]
        places = unpack_from(f">{self.count + 1}{'I' if long else 'H'}", self.tables[b"loca"])
        self.places = places if long else tuple(place * 2 for place in places)
        full = unpack_from(">H", self.tables[b"hhea"], 34)[0]
        given = unpack_from(f">{full * 2}H", self.tables[b"hmtx"])[::2]
        self.advances = given + given[-1:] * (self.count - full)

    @property
    def reach(self) -> tuple[float, float]:
        """How far it reaches above and below the base line, in type sizes."""
        above, below = unpack_from(">hh", self.tables[b"hhea"], 4)
        return above * self.scale / 1000, -below * self.scale / 1000

    @property
    def head(self) -> bytes:
        """What a part of a font keeps of what stands at its head."""
        return self.tables[b"head"][12:50]

    def outline(self, glyph: int) -> tuple[int, bytes]:
        """A glyph's advance and outline, without the numbers of the glyphs that a compound one is made of."""
        data = bytearray(self.tables[b"glyf"][self.places[glyph] : self.places[glyph + 1]])
        at, flags = 10, COMPOUND_MORE
        while data[:2] == b"\xff\xff" and flags & COMPOUND_MORE:
            flags = unpack_from(">H", data, at)[0]
            data[at + 2 : at + 4] = b"\0\0"
            at += 8 if flags & COMPOUND_WORDS else 6
            at += (
                2 * bool(flags & COMPOUND_SCALE)
                + 4 * bool(flags & COMPOUND_TWO)
                + 8 * bool(flags & COMPOUND_FOUR)
            )
        return self.advances[glyph], bytes(data).rstrip(b"\0")


@dataclass
class Original:
    """A font file that was set with."""

    path: Path
    known: dict[str, int] = field(default_factory=dict)

    @cached_property
    def data(self) -> bytes:
        """The file."""
        return self.path.read_bytes()

    @cached_property
    def hash(self) -> str:
        """How records name it."""
        return hash_font(self.data)

    @cached_property
    def key(self) -> str:
        """Six letters by which drawings name it."""
        number = int(self.hash, 16)
        return "".join(chr(65 + number // 26**place % 26) for place in range(6))

    @cached_property
    def font(self) -> Any:
        """The file, opened; its glyphs are named by their numbers."""
        return _numbered(self.data)

    @cached_property
    def program(self) -> Program:
        """Its glyphs."""
        return Program(self.data)

    @cached_property
    def names(self) -> frozenset[str]:
        """Its families, and what a PDF file calls it, as names are compared."""
        return frozenset(
            fold_family_name(str(each).strip())
            for each in self.font["name"].names
            if each.nameID in (1, 6, 16)
        )

    @cached_property
    def slanted(self) -> bool:
        """True for an italic."""
        return bool(self.font["OS/2"].fsSelection & 1)

    @cached_property
    def postscript(self) -> str:
        """What a PDF file calls it."""
        return str(self.font["name"].getDebugName(6) or self.font["name"].getDebugName(1))

    @cached_property
    def family(self) -> str:
        """Its family."""
        return str(self.font["name"].getBestFamilyName()).replace('"', "")

    def face(self, family: str, address: str) -> str:
        """A rule that brings it along from an address, under a family's name."""
        look = self.font["OS/2"]
        style = "italic" if self.slanted else "normal"
        return (
            f'@font-face{{font-family:"{family}";font-weight:{look.usWeightClass};font-style:{style};'
            f'src:url("{address}")}}'
        )

    @cached_property
    def cmap(self) -> Mapping[int, int]:
        """Its glyph of each character."""
        return {code: int(name) for code, name in (self.font.getBestCmap() or {}).items()}

    @cached_property
    def outlines(self) -> Mapping[tuple[int, bytes], int]:
        """Its glyphs by what they look like."""
        return {self.program.outline(glyph): glyph for glyph in reversed(range(self.program.count))}

    @cached_property
    def _spoken(self) -> Mapping[int, str]:
        """What the glyphs of characters say."""
        said = {glyph: _spoken(chr(code)) for code, glyph in reversed(list(self.cmap.items()))}
        return said | {glyph: " " for glyph, text in said.items() if text.isspace()}

    @cached_property
    def letters(self) -> Mapping[int, str]:
        """What each glyph says: what a character, or the characters it was put in place of, say."""
        said = dict(self._spoken)
        if "GSUB" in self.font:
            for source, target in _substituted(self.font["GSUB"].table):
                glyphs = list(map(int, source))
                if all(glyph in said for glyph in glyphs):
                    said.setdefault(int(target), "".join(said[glyph] for glyph in glyphs))
        return said

    def use(self, glyphs: Iterable[int]) -> FontUse:
        """The part that holds some glyphs."""
        program = self.program
        widths = {glyph: round(program.advances[glyph] * program.scale, 4) for glyph in glyphs}
        told = self._spoken if self._spoken.keys() >= widths.keys() else self.letters
        letters = {glyph: told[glyph] for glyph in widths if glyph in told}
        return replace(self._use, widths=widths, letters=letters)

    @cached_property
    def _use(self) -> FontUse:
        scale, head = self.program.scale, self.font["hhea"]
        flags = SYMBOLIC | (ITALIC if self.slanted else 0)
        family = self.font["name"].getBestFullName() or ""
        return FontUse(
            self.hash,
            {},
            {},
            family,
            round(head.ascent * scale),
            round(head.descent * scale),
            flags,
        )

    def glyph(self, drawn: Program, number: int, letter: str) -> int:
        """The glyph that a drawn file has under another number. Raises Unknown."""
        wanted = drawn.outline(number)
        likely = self.cmap.get(ord(letter)) if len(letter) == 1 else None
        if likely is not None and self.program.outline(likely) == wanted:
            return likely
        if wanted not in self.outlines:
            raise Unknown(self.path.name)
        return self.outlines[wanted]


def _spoken(letter: str) -> str:
    """A character as it is searched for: a ligature's letters."""
    return unicodedata.normalize("NFKC", letter) if "\ufb00" <= letter <= "\ufb4f" else letter


def _substituted(table: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Glyphs that may stand in place of others, by a font's rules: those others, and it."""
    for lookup in table.LookupList.Lookup:
        for rules in lookup.SubTable:
            rules = getattr(rules, "ExtSubTable", rules)
            for source, target in getattr(rules, "mapping", {}).items():
                if isinstance(target, str):
                    yield (source,), target
            for source, targets in getattr(rules, "alternates", {}).items():
                yield from (((source,), target) for target in targets)
            for first, found in getattr(rules, "ligatures", {}).items():
                yield from (((first, *each.Component), each.LigGlyph) for each in found)
