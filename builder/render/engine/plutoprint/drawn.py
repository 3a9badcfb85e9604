"""Records from the file the engine draws: its text in glyphs of the original fonts, which all faces then share."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from struct import pack

from builder.pdf import Object, Page, Pdf
from builder.render.engine.plutoprint.fetcher import FONTS
from builder.render.engine.plutoprint.glyphs import (
    DrawnFont,
    Original,
    Program,
    Unknown,
    codes_of,
    drawn_font,
)
from builder.render.fonts import font_files
from builder.render.sheets.extract import Drawing, FileExtractor
from builder.render.sheets.record import FontUse, Record

ITALIC = 64
SYMBOLIC = 4
"""Flags of a font in a PDF file."""

_TEXT = re.compile(rb"/(\S+)(\s+-?[\d.]+\s+Tf\b)|\((?:[^()\\]|\\.)*\)|<[0-9a-fA-F\s]*>", re.DOTALL)


@dataclass
class Originals:
    """The fonts that a process sets with: the program's, and the pack's own."""

    own: tuple[Path, ...]

    @cached_property
    def all(self) -> tuple[Original, ...]:
        """Each of them."""
        return tuple(map(Original, (*font_files(), *self.own)))

    def of(self, drawn: DrawnFont) -> Original:
        """The font that a drawn file holds a part of: a part keeps its name, if it has one, and its head. Raises
        Unknown.
        """
        head = Program(drawn.program).head
        likely = [each for each in self.all if each.postscript == drawn.name] or self.all
        found = next((each for each in likely if each.program.head == head), None)
        if found is None:
            raise Unknown(drawn.name)
        return found

    def faces(self, sheets: str) -> str:
        """The pack's own fonts as a style sheet, each under its family as these sheets spell it."""
        own = tuple(map(Original, self.own))
        spelt = ((each, re.findall(re.escape(each.family), sheets, re.IGNORECASE)) for each in own)
        return "".join(each.face(name, FONTS + each.hash) for each, names in spelt for name in {each.family, *names})

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The pack's own fonts by their hashes, as addresses that hold them."""
        own = map(Original, self.own)
        return {each.hash: f"data:font/ttf;base64,{b64encode(each.data).decode()}" for each in own}

    @cached_property
    def families(self) -> frozenset[str]:
        """All families there are."""
        return frozenset(name for each in self.all for name in each.names)

    @cached_property
    def characters(self) -> frozenset[int]:
        """All characters that some font has."""
        return frozenset(code for each in self.all for code in each.cmap)


@dataclass
class _FontPart:
    """A font of a drawn file, and which of the original's glyphs each of its codes is."""

    drawn: DrawnFont
    original: Original
    glyphs: dict[int, int] = field(default_factory=dict)

    @cached_property
    def program(self) -> Program:
        return Program(self.drawn.program)

    def glyph(self, code: int) -> int:
        """The original's glyph of a code. Raises Unknown."""
        glyph = self.glyphs.get(code)
        if glyph is None:
            letter = self.drawn.letters.get(code, "")
            glyph = self.glyphs[code] = self.original.glyph(self.program, self.drawn.glyphs[code], letter)
        return glyph


class DrawnFile(FileExtractor):
    """Reads one page of a file; what is known of the file's fonts is shared by its pages."""

    def __init__(self, parts: Mapping[str, _FontPart]) -> None:
        super().__init__()
        self.parts = parts

    def drawing_of(self, contents: Object, resources: Object) -> Drawing[Object]:
        """A drawing with its text in glyphs of the original fonts."""
        content = self.content(contents)
        shown: dict[str, set[int]] = {}
        part: _FontPart | None = None

        def converted(match: re.Match[bytes]) -> bytes:
            nonlocal part
            if match[1]:
                part = self.parts[match[1].decode("latin-1")]
                return b"/" + part.original.key.encode() + match[2]
            assert part is not None
            glyphs = [part.glyph(code) for code in codes_of(match[0])]
            shown.setdefault(part.original.key, set()).update(glyphs)
            return b"<" + pack(f">{len(glyphs)}H", *glyphs).hex().encode() + b">"

        return Drawing(_TEXT.sub(converted, content) if b"Tf" in content else content, resources, shown)


class _Uses(Mapping[str, FontUse]):
    """What all fonts were used for, by the names drawings use, as it is known by now."""

    def __init__(self, parts: Mapping[str, _FontPart]) -> None:
        self.parts = parts

    def __getitem__(self, key: str) -> FontUse:
        same = [part for part in self.parts.values() if part.original.key == key]
        return _use(same[0].original, {glyph for part in same for glyph in part.glyphs.values()})

    def __iter__(self) -> Iterator[str]:
        return iter({part.original.key for part in self.parts.values()})

    def __len__(self) -> int:
        return len(set(self))


def extract(pdf: Pdf, originals: Originals, height: float) -> list[Record]:
    """The records of all pages, of each the top `height` points. Raises Unknown for a font that is not known."""
    parts: dict[str, _FontPart] = {}
    records = []
    for page in pdf.pages:
        for name, font in _fonts_of(page).items():
            if name not in parts:
                drawn = drawn_font(font)
                parts[name] = _FontPart(drawn, originals.of(drawn))
        reader = DrawnFile(parts)
        drawing = reader.drawing_of(page.Contents, page.Resources)
        left, bottom, right, top = (round(float(edge), 4) for edge in page.mediabox)
        records.append(reader.record(drawing, (left, bottom, right, top), height, _Uses(parts)))
    return records


def _fonts_of(page: Page) -> dict[str, Object]:
    """The fonts that a page and the drawings on it name."""
    found: dict[str, Object] = {}
    waiting, seen = [page.Resources], set[tuple[int, int]]()
    while waiting:
        resources = waiting.pop()
        found |= {name[1:]: font for name, font in resources.get("/Font", {}).items()}
        for item in (each for group in ("/XObject", "/Pattern") for _name, each in resources.get(group, {}).items()):
            if item.objgen not in seen and "/Resources" in item:
                seen.add(item.objgen)
                waiting.append(item.Resources)
    return found


def _use(original: Original, glyphs: Iterable[int]) -> FontUse:
    """The part of a font that holds some glyphs."""
    program, font = original.program, original.font
    widths = {glyph: round(program.advances[glyph] * program.scale, 4) for glyph in glyphs}
    letters = {glyph: original.letters[glyph] for glyph in widths if glyph in original.letters}
    ascent, descent = (round(edge * program.scale) for edge in (font["hhea"].ascent, font["hhea"].descent))
    flags = SYMBOLIC | (ITALIC if font["post"].italicAngle else 0)
    return FontUse(original.hash, widths, letters, font["name"].getBestFullName() or "", ascent, descent, flags)
