"""Merge the fonts of all faces, so that a document has each font only once."""

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from builder.cache import cache_at, fingerprint
from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.render.fonts import hash_font, list_font_files
from builder.render.keys import digest
from builder.render.sheets.pdfwriter import PdfWriter, format_number
from builder.render.sheets.record import FontUse

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont
    from fontTools.ttLib.tables.otTables import Ligature

KEPT_TABLES = {"head", "hhea", "hmtx", "maxp", "loca", "glyf"}
"""The tables of a font that a document needs: drawings state glyph ids and positions."""
MAX_MAPPINGS_PER_SECTION = 100
PRIVATE_CHARACTERS = re.compile("[\ue000-\uf8ff]")
"""Characters without a meaning of their own: the Private Use Area of Unicode."""
EXTENSION_LOOKUP = 7
"""The type of a GSUB lookup that refers to another table."""
UNSAFE_CHARACTERS = re.compile(rb"[^A-Za-z0-9+._-]")
"""Characters that a font's name in a document must not contain."""


def merge_font_uses(merged: dict[str, FontUse], uses: Mapping[str, FontUse]) -> None:
    """Add the fonts that a face uses, by name, to those of other faces."""
    for name, use in uses.items():
        merged_use = merged.get(name)
        if merged_use is None:
            # Copies, because the face's own maps must not grow.
            widths = dict(use.widths)
            letters = dict(use.letters)
            merged[name] = replace(use, widths=widths, letters=letters)
        else:
            dict.update(merged_use.widths, use.widths)  # type: ignore[arg-type]
            dict.update(merged_use.letters, use.letters)  # type: ignore[arg-type]


def write_fonts(
    writer: PdfWriter,
    uses: Mapping[str, FontUse],
    cache_dir: Path,
    files: tuple[Path, ...],
) -> dict[str, bytes]:
    """Write the fonts of a document. Return the text of each font object by name.

    Subset fonts are cached. `files` are the fonts of the pack.
    """
    # Sorted, so that equal documents give equal bytes.
    bodies: dict[str, bytes] = {}
    for name, use in sorted(uses.items()):
        bodies[name] = _write_font(writer, name, use, cache_dir, files)
    return bodies


def _write_font(
    writer: PdfWriter, name: str, use: FontUse, cache_dir: Path, files: tuple[Path, ...]
) -> bytes:
    """Write the parts of a font: file, descriptor, widths, characters. Return the font object."""
    program = _load_subset(use, cache_dir, files)
    base_name = f"{name}+{use.family}".encode("ascii", "replace")
    base = b"/" + UNSAFE_CHARACTERS.sub(b"-", base_name)
    entries = b"/Filter/FlateDecode/Length1 %d" % len(program)
    file = writer.add_stream(entries, zlib.compress(program, 9))
    max_width = round(max(use.widths.values(), default=0))
    box = b"[0 %d %d %d]" % (use.descent, max_width, use.ascent)
    descriptor = writer.add(
        b"<</Type/FontDescriptor/FontName%s/Flags "
        b"%d/FontBBox%s/ItalicAngle 0/Ascent %d/Descent "
        b"%d/CapHeight %d"
        b"/StemV 80/FontFile2 %d 0 R>>"
        % (base, use.flags, box, use.ascent, use.descent, use.ascent, file)
    )
    child = writer.add(
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont%s"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        b"/CIDToGIDMap/Identity/W[%s]/FontDescriptor %d 0 R>>"
        % (base, _format_widths(use.widths), descriptor)
    )
    texts = spell_ligatures(use.letters, _find_original(use.file, files))
    unicode_map = zlib.compress(_format_unicode_map(texts), 9)
    letters = writer.add_stream(b"/Filter/FlateDecode", unicode_map)
    return (
        b"<</Type/Font/Subtype/Type0/BaseFont%s/Encoding/Identity-H/DescendantFonts[%d 0 "
        b"R]/ToUnicode %d 0 R>>" % (base, child, letters)
    )


def spell_ligatures(characters: Mapping[int, str], font: Path) -> dict[int, str]:
    """Return the text of each glyph, with the letters of a ligature in its place.

    Some fonts give a ligature such as `tt` a private character. Nobody could search for it.
    """
    texts = dict(characters)
    private = [
        glyph for glyph, text in texts.items() if PRIVATE_CHARACTERS.fullmatch(text)
    ]
    if private:
        ligatures = _read_ligatures(font)
        texts.update(
            {glyph: ligatures[glyph] for glyph in private if glyph in ligatures}
        )
    return texts


@cache
def _read_ligatures(path: Path) -> dict[int, str]:
    """Return the letters of each ligature in a font file, by glyph number."""
    from fontTools.ttLib import TTFont

    letters: dict[int, str] = {}
    with TTFont(path, lazy=True) as font:
        characters: dict[str, str] = {}
        # Of several characters with one glyph, the lowest code is the usual one.
        for code, name in sorted(font.getBestCmap().items()):
            characters.setdefault(name, chr(code))
        for first, ligature in _list_ligatures(font):
            names = [first, *ligature.Component]
            text = "".join(characters.get(name, "") for name in names)
            letters.setdefault(font.getGlyphID(ligature.LigGlyph), text)
    return {glyph: text for glyph, text in letters.items() if text}


def _list_ligatures(font: "TTFont") -> Iterator[tuple[str, "Ligature"]]:
    """Yield each ligature of a font with the name of its first glyph."""
    if "GSUB" not in font or not font["GSUB"].table.LookupList:
        return
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            # A lookup of type 7 only says where the table with its content is.
            content = (
                table.ExtSubTable if lookup.LookupType == EXTENSION_LOOKUP else table
            )
            for first, ligatures in getattr(content, "ligatures", {}).items():
                for ligature in ligatures:
                    yield first, ligature


def _format_widths(widths: Mapping[int, float]) -> bytes:
    """Return the widths of glyphs as the PDF array W, with neighbouring glyphs together."""
    widths_by_first: dict[int, list[bytes]] = {}
    run: list[bytes] = []
    next_glyph = -1
    for glyph in sorted(widths):
        if glyph != next_glyph:
            run = widths_by_first[glyph] = []
        run.append(format_number(widths[glyph]))
        next_glyph = glyph + 1
    texts = [
        b"%d[%s]" % (first, b" ".join(run)) for first, run in widths_by_first.items()
    ]
    return b" ".join(texts)


def _format_unicode_map(characters: Mapping[int, str]) -> bytes:
    """Return the map from glyphs to characters, so that the text can be searched and copied."""
    lines = [
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def",
        b"/CMapName/Adobe-Identity-UCS def/CMapType 2 def",
        b"1 begincodespacerange<0000><ffff>endcodespacerange",
    ]
    glyphs = sorted(characters)
    for start in range(0, len(glyphs), MAX_MAPPINGS_PER_SECTION):
        section = glyphs[start : start + MAX_MAPPINGS_PER_SECTION]
        rows = b""
        for glyph in section:
            digits = characters[glyph].encode("utf-16-be").hex().encode()
            rows += b"<%04x><%s>" % (glyph, digits)
        lines.append(b"%d beginbfchar%sendbfchar" % (len(section), rows))
    lines.append(b"endcmap CMapName currentdict/CMap defineresource pop end end")
    return b"\n".join(lines)


def _load_subset(use: FontUse, cache_dir: Path, files: tuple[Path, ...]) -> bytes:
    """Return the font file with only the used glyphs, from the cache or made now."""
    glyphs = sorted(use.widths)
    made_by = fingerprint("render/sheets", libraries=("fonttools",))
    store = cache_at(cache_dir)
    key = digest(use.file, repr(glyphs), made_by)
    data = store.data("fonts", key)
    if data is None:
        data = subset_font(_find_original(use.file, files), glyphs)
        store.write("fonts", key, {}, data)
    return data


def _find_original(file_hash: str, files: tuple[Path, ...]) -> Path:
    """Return the font file with this hash. Raise ToolMissing if it is no longer installed."""
    path = _hash_files(files).get(file_hash)
    if path is None:
        message = _("a font used by the cards is no longer installed")
        raise ToolMissing(message, _("Delete .cache/ and build again."))
    return path


@cache
def _hash_files(files: tuple[Path, ...]) -> dict[str, Path]:
    """Return all font files by their hashes, including those of the pack."""
    paths = (*list_font_files(), *(path for path in files if path.exists()))
    return {hash_font(path.read_bytes()): path for path in paths}


def subset_font(path: Path, glyphs: list[int]) -> bytes:
    """Return a font file with only these glyphs, which keep their numbers."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options(
        retain_gids=True,
        hinting=False,
        notdef_outline=True,
        layout_features=[],
        name_IDs=[],
        glyph_names=False,
    )
    font = TTFont(path, lazy=True, recalcTimestamp=False)
    # Without an order and with layout tables, the library would read much that is dropped.
    font.setGlyphOrder([f"glyph{glyph:05}" for glyph in range(font["maxp"].numGlyphs)])
    for table in set(font.keys()) - KEPT_TABLES - {"GlyphOrder"}:
        del font[table]
    subsetter = subset.Subsetter(options)
    subsetter.populate(gids=[0, *glyphs])
    subsetter.subset(font)
    out = BytesIO()
    font.save(out, reorderTables=None)
    return out.getvalue()
