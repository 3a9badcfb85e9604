"""Records from the file the engine draws: its text in glyphs of the original fonts, which all faces then share."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from builder.pdf import Object, Page, Pdf
from builder.render.engines.plutoprint.fetcher import FONTS
from builder.render.engines.plutoprint.glyphs import (
    DrawnFont,
    Original,
    Program,
    Unknown,
    drawn_program,
)
from builder.render.fonts import list_font_files
from builder.render.sheets.extract import Drawing, PageExtractor, glyph_ids
from builder.render.sheets.record import FontUse, Record

_TEXT = re.compile(rb"/(\S+)(\s+-?[\d.]+\s+Tf\b)|\((?:[^()\\]|\\.)*\)|<[0-9a-fA-F\s]*>", re.DOTALL)


@dataclass
class Originals:
    """The fonts that a process sets with: the program's, and the pack's own."""

    own: tuple[Path, ...]

    @cached_property
    def all(self) -> tuple[Original, ...]:
        """Each of them."""
        return tuple(map(Original, (*list_font_files(), *self.own)))

    def of(self, font: Object) -> Original:
        """The font that a drawn file holds a part of: a part keeps its name, if it has one, and its head. Raises
        Unknown.
        """
        name, head = str(font.BaseFont).partition("+")[2], Program(drawn_program(font)).head
        likely = [each for each in self.all if each.program.head == head]
        if not likely:
            raise Unknown(name)
        return next((each for each in likely[1:] if each.postscript == name), likely[0])

    def faces(self, sheets: str) -> str:
        """Return the pack's own fonts as a style sheet, with the spellings of families in these sheets."""
        rules: list[str] = []
        for font in map(Original, self.own):
            spellings = re.findall(re.escape(font.family), sheets, re.IGNORECASE)
            rules += [font.face(name, FONTS + font.hash) for name in {font.family, *spellings}]
        return "".join(rules)

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The pack's own fonts by their hashes, as addresses that hold them."""
        own = map(Original, self.own)
        return {each.hash: f"data:font/ttf;base64,{b64encode(each.data).decode()}" for each in own}

    @cached_property
    def families(self) -> frozenset[str]:
        """The families of all fonts, as names are compared."""
        return frozenset(chain.from_iterable(font.names for font in self.all))

    @cached_property
    def slanted(self) -> frozenset[str]:
        """The families that have an italic."""
        return frozenset(chain.from_iterable(font.names for font in self.all if font.slanted))

    @cached_property
    def metrics(self) -> tuple[tuple[float, float], ...]:
        """How far each reaches above and below the base line, in type sizes."""
        return tuple(dict.fromkeys(each.program.reach for each in self.all))

    @cached_property
    def characters(self) -> frozenset[int]:
        """The characters of all fonts."""
        return frozenset(chain.from_iterable(font.cmap for font in self.all))


class DrawnFile(PageExtractor):
    """Reads one page of a file; what is known of the file's fonts is shared by its pages."""

    def __init__(self, parts: Mapping[str, DrawnFont]) -> None:
        super().__init__({})
        self.parts = parts

    def read_drawing(self, stream: Object) -> Drawing:
        """A drawing with its text in glyphs of the original fonts."""
        content = stream.read_bytes()
        if b"Tf" not in content:
            return Drawing(content, {})
        part, pieces = next(iter(self.parts.values()), None), list[bytes]()
        texts: dict[str, list[bytes]] = {}

        def converted(match: re.Match[bytes]) -> bytes:
            nonlocal part, pieces
            if match[1]:
                part = self.parts[match[1].decode("latin-1")]
                pieces = texts.setdefault(part.original.key, [])
                return b"/" + part.original.key.encode() + match[2]
            if part is None:
                raise Unknown("text without a font")
            digits = part.text(match[0])
            pieces.append(digits)
            return b"<" + digits + b">"

        content = _TEXT.sub(converted, content)
        return Drawing(content, {name: glyph_ids(those) for name, those in texts.items() if those})

    def select_glyphs(self, name: str, glyphs: set[int]) -> FontUse:
        """The part of an original font that a face draws."""
        original = next(
            (part.original for part in self.parts.values() if part.original.key == name), None
        )
        if original is None:
            raise Unknown(name)
        return original.use(sorted(glyphs))


def extract(pdf: Pdf, originals: Originals, height: float) -> list[Record]:
    """The records of all pages, of each the top `height` points. Raises Unknown for a font that is not known."""
    parts: dict[str, DrawnFont] = {}
    records = []
    for page in pdf.pages:
        for name, font in _fonts_of(page).items():
            if name not in parts:
                parts[name] = DrawnFont(font, originals.of(font))
        reader = DrawnFile(parts)
        left, bottom, right, top = (round(float(edge), 4) for edge in page.mediabox)
        records.append(reader.extract(page, (left, bottom, right, top), height))
    return records


def _fonts_of(page: Page) -> dict[str, Object]:
    """Return the fonts that a page and the drawings on it name."""
    fonts: dict[str, Object] = {}
    pending, seen = [page.Resources], set[tuple[int, int]]()
    while pending:
        resources = pending.pop()
        for name, font in resources.get("/Font", {}).items():
            fonts[name[1:]] = font
        drawings = [item for _name, item in resources.get("/XObject", {}).items()]
        drawings += [item for _name, item in resources.get("/Pattern", {}).items()]
        for item in drawings:
            if item.objgen not in seen and "/Resources" in item:
                seen.add(item.objgen)
                pending.append(item.Resources)
    return fonts
