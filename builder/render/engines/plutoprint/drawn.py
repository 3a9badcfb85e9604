"""Records from the engine's PDF, with text in glyphs of the original fonts."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from builder.pdf import Object, ObjectId, Page, Pdf
from builder.render.engines.plutoprint.fetcher import FONTS
from builder.render.engines.plutoprint.glyphs import (
    DrawnFont,
    FontTables,
    OriginalFont,
    UnknownFont,
    read_font_program,
)
from builder.render.fonts import list_font_files
from builder.render.sheets.extract import Drawing, PageExtractor, parse_glyph_ids
from builder.render.sheets.record import FontUse, Record

_TEXT = re.compile(
    rb"/(\S+)(\s+-?[\d.]+\s+Tf\b)|\((?:[^()\\]|\\.)*\)|<[0-9a-fA-F\s]*>", re.DOTALL
)


@dataclass
class OriginalFonts:
    """The font files that a process renders with: those of the program and of the pack."""

    pack_files: tuple[Path, ...]

    @cached_property
    def all_fonts(self) -> tuple[OriginalFont, ...]:
        """All fonts, the program's before the pack's."""
        return tuple(map(OriginalFont, (*list_font_files(), *self.pack_files)))

    def find_original(self, font: Object) -> OriginalFont:
        """Return the original of a font subset in a PDF, recognised by its header and name.

        Raise UnknownFont if there is none.
        """
        name = str(font.BaseFont).partition("+")[2]
        head = FontTables(read_font_program(font)).head
        candidates = [
            original for original in self.all_fonts if original.font_tables.head == head
        ]
        if not candidates:
            raise UnknownFont(name)
        # Styles of one family may have equal headers.
        for candidate in candidates:
            if candidate.postscript == name:
                return candidate
        return candidates[0]

    def write_font_faces(self, sheets: str) -> str:
        """Return CSS `@font-face` rules for the pack's fonts, under the names in the sheets."""
        rules = ""
        for font in map(OriginalFont, self.pack_files):
            # The engine compares the names of families with upper and lower case.
            spellings = re.findall(re.escape(font.family), sheets, re.IGNORECASE)
            for name in {font.family, *spellings}:
                rules += font.write_font_face(name, FONTS + font.hash)
        return rules

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The pack's own fonts by their hashes, as data addresses."""
        addresses: dict[str, str] = {}
        for font in map(OriginalFont, self.pack_files):
            addresses[font.hash] = (
                f"data:font/ttf;base64,{b64encode(font.data).decode()}"
            )
        return addresses

    @cached_property
    def families(self) -> frozenset[str]:
        """The family names of all fonts, simplified for comparison."""
        return frozenset(chain.from_iterable(font.names for font in self.all_fonts))

    @cached_property
    def slanted(self) -> frozenset[str]:
        """The families that have an italic font."""
        return frozenset(
            chain.from_iterable(font.names for font in self.all_fonts if font.slanted)
        )

    @cached_property
    def metrics(self) -> tuple[tuple[float, float], ...]:
        """The heights of the fonts above and below the baseline, as shares of the type size."""
        return tuple(dict.fromkeys(font.font_tables.reach for font in self.all_fonts))

    @cached_property
    def characters(self) -> frozenset[int]:
        """All characters that some font has."""
        return frozenset(chain.from_iterable(font.cmap for font in self.all_fonts))


class DrawnFile(PageExtractor):
    """Reads one page of the PDF that the engine wrote. All pages share the fonts by name."""

    def __init__(self, parts: Mapping[str, DrawnFont]) -> None:
        super().__init__({})
        self.parts = parts

    def read_drawing(self, stream: Object) -> Drawing:
        """Return a drawing whose text uses the glyph numbers of the original fonts."""
        content = stream.read_bytes()
        if b"Tf" not in content:
            return Drawing(content, {})
        part = next(iter(self.parts.values()), None)
        pieces = list[bytes]()
        texts: dict[str, list[bytes]] = {}

        def replace_text(match: re.Match[bytes]) -> bytes:
            nonlocal part, pieces
            if match[1]:
                part = self.parts[match[1].decode("latin-1")]
                pieces = texts.setdefault(part.original.key, [])
                return b"/" + part.original.key.encode() + match[2]
            if part is None:
                raise UnknownFont("text without a font")
            digits = part.translate_text(match[0])
            pieces.append(digits)
            return b"<" + digits + b">"

        content = _TEXT.sub(replace_text, content)
        glyphs = {
            name: parse_glyph_ids(digits) for name, digits in texts.items() if digits
        }
        return Drawing(content, glyphs)

    def select_glyphs(self, name: str, glyphs: set[int]) -> FontUse:
        """Return which glyphs of an original font a face uses."""
        for part in self.parts.values():
            if part.original.key == name:
                return part.original.select_glyphs(sorted(glyphs))
        raise UnknownFont(name)


def extract_records(pdf: Pdf, originals: OriginalFonts, height: float) -> list[Record]:
    """Return the drawing of each page of a PDF, cut to the top `height` points.

    Raise UnknownFont for an unknown font.
    """
    parts: dict[str, DrawnFont] = {}
    records = []
    for page in pdf.pages:
        for name, font in _list_fonts(page).items():
            if name not in parts:
                parts[name] = DrawnFont(font, originals.find_original(font))
        reader = DrawnFile(parts)
        x_min, y_min, x_max, y_max = (round(float(edge), 4) for edge in page.mediabox)
        records.append(reader.extract_page(page, (x_min, y_min, x_max, y_max), height))
    return records


def _list_fonts(page: Page) -> dict[str, Object]:
    """Return the fonts that a page and the drawings on it name."""
    fonts: dict[str, Object] = {}
    pending = [page.Resources]
    seen_ids = set[ObjectId]()
    while pending:
        resources = pending.pop()
        for name, font in resources.get("/Font", {}).items():
            fonts[name[1:]] = font
        # Forms and patterns have resources of their own.
        drawings = [item for _name, item in resources.get("/XObject", {}).items()]
        drawings += [item for _name, item in resources.get("/Pattern", {}).items()]
        for item in drawings:
            if item.objgen not in seen_ids and "/Resources" in item:
                seen_ids.add(item.objgen)
                pending.append(item.Resources)
    return fonts
