"""One font per document instead of one per face: the glyphs that all faces draw, subset once from the original.

Drawings keep their glyph ids, so they stay as they are; only the fonts they name are put together anew.
"""

import re
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

from builder.cache import cache_at, fingerprint
from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.render.fonts import hash_font, list_font_files
from builder.render.keys import digest
from builder.render.sheets.pdfwriter import PdfWriter, format_number
from builder.render.sheets.record import FontUse

TABLES = {"head", "hhea", "hmtx", "maxp", "loca", "glyf"}
"""Tables of a font that a document needs: drawings name glyphs and say where each stands."""
_ODD = re.compile(rb"[^A-Za-z0-9+._-]")
"""What cannot stand in a font's name in a document."""


def unite(whole: dict[str, FontUse], fonts: Mapping[str, FontUse]) -> None:
    """Add a face's uses of fonts, by the name drawings use, to those of others."""
    for name, use in fonts.items():
        seen = whole.get(name)
        if seen is None:
            whole[name] = replace(use, widths=dict(use.widths), letters=dict(use.letters))
        else:
            dict.update(seen.widths, use.widths)  # type: ignore[arg-type]
            dict.update(seen.letters, use.letters)  # type: ignore[arg-type]


def write_fonts(
    writer: PdfWriter, fonts: Mapping[str, FontUse], cache_dir: Path, files: tuple[Path, ...]
) -> dict[str, bytes]:
    """The bodies of a document's font objects by name. Subset programs are kept in the cache."""
    return {name: _write(writer, name, fonts[name], cache_dir, files) for name in sorted(fonts)}


def _write(
    writer: PdfWriter, name: str, use: FontUse, cache_dir: Path, files: tuple[Path, ...]
) -> bytes:
    """One composite font: descriptor, widths, letters, program."""
    program = _program(use, cache_dir, files)
    base = b"/" + _ODD.sub(b"-", f"{name}+{use.family}".encode("ascii", "replace"))
    file = writer.add_stream(
        b"/Filter/FlateDecode/Length1 %d" % len(program), zlib.compress(program, 9)
    )
    box = b"[0 %d %d %d]" % (use.descent, round(max(use.widths.values(), default=0)), use.ascent)
    descriptor = writer.add(
        b"<</Type/FontDescriptor/FontName%s/Flags %d/FontBBox%s/ItalicAngle 0/Ascent %d/Descent %d/CapHeight %d"
        b"/StemV 80/FontFile2 %d 0 R>>"
        % (base, use.flags, box, use.ascent, use.descent, use.ascent, file)
    )
    child = writer.add(
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont%s"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        b"/CIDToGIDMap/Identity/W[%s]/FontDescriptor %d 0 R>>"
        % (base, _widths(use.widths), descriptor)
    )
    letters = writer.add_stream(b"/Filter/FlateDecode", zlib.compress(_cmap(use.letters), 9))
    return (
        b"<</Type/Font/Subtype/Type0/BaseFont%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>"
        % (
            base,
            child,
            letters,
        )
    )


def _widths(widths: Mapping[int, float]) -> bytes:
    """The W array: runs of neighbouring glyphs."""
    runs: list[tuple[int, list[float]]] = []
    for glyph in sorted(widths):
        if runs and runs[-1][0] + len(runs[-1][1]) == glyph:
            runs[-1][1].append(widths[glyph])
        else:
            runs.append((glyph, [widths[glyph]]))
    return b" ".join(
        b"%d[%s]" % (first, b" ".join(format_number(width) for width in run)) for first, run in runs
    )


def _cmap(letters: Mapping[int, str]) -> bytes:
    """The map from glyphs to letters, so that text can be searched and copied."""
    lines = [
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def",
        b"/CMapName/Adobe-Identity-UCS def/CMapType 2 def",
        b"1 begincodespacerange<0000><ffff>endcodespacerange",
    ]
    items = [(glyph, letters[glyph]) for glyph in sorted(letters)]
    for start in range(0, len(items), 100):
        chunk = items[start : start + 100]
        rows = b"".join(
            b"<%04x><%s>" % (glyph, text.encode("utf-16-be").hex().encode())
            for glyph, text in chunk
        )
        lines.append(b"%d beginbfchar%sendbfchar" % (len(chunk), rows))
    lines.append(b"endcmap CMapName currentdict/CMap defineresource pop end end")
    return b"\n".join(lines)


def _program(use: FontUse, cache_dir: Path, files: tuple[Path, ...]) -> bytes:
    """The subset font file, from the cache or made now."""
    glyphs = sorted(use.widths)
    made_by = fingerprint("render/sheets", libraries=("fonttools",))
    kept, key = cache_at(cache_dir), digest(use.file, repr(glyphs), made_by)
    data = kept.data("fonts", key)
    if data is None:
        data = subset(original(use.file, files), glyphs)
        kept.write("fonts", key, {}, data)
    return data


def original(wanted: str, files: tuple[Path, ...]) -> Path:
    """The font file with a hash. Raises ToolMissing where neither a package nor the pack has it any more."""
    path = _known(files).get(wanted)
    if path is None:
        raise ToolMissing(
            _("a font that cards were set with is no longer installed"),
            _("Delete .cache/ and build again."),
        )
    return path


@cache
def _known(files: tuple[Path, ...]) -> dict[str, Path]:
    """Every font file by its hash; `files` are those of the pack."""
    paths = (*list_font_files(), *(path for path in files if path.exists()))
    return {hash_font(path.read_bytes()): path for path in paths}


def load() -> None:
    """Load what subsets fonts: it takes as long as some fonts do, and may be done while others are busy."""
    from fontTools import subset as _  # noqa: F401


def subset(path: Path, glyphs: list[int]) -> bytes:
    """A font file with some glyphs at their old ids, without layout tables."""
    from fontTools import subset as subsetting
    from fontTools.ttLib import TTFont

    options = subsetting.Options(
        retain_gids=True,
        hinting=False,
        notdef_outline=True,
        layout_features=[],
        name_IDs=[],
        glyph_names=False,
    )
    font = TTFont(path, lazy=True, recalcTimestamp=False)
    # What is not wanted would be read all the same: tables of layout are unfolded, glyphs are named by their letters.
    font.setGlyphOrder([f"glyph{glyph:05}" for glyph in range(font["maxp"].numGlyphs)])
    for table in set(font.keys()) - TABLES - {"GlyphOrder"}:
        del font[table]
    subsetter = subsetting.Subsetter(options)
    subsetter.populate(gids=[0, *glyphs])
    subsetter.subset(font)
    out = BytesIO()
    font.save(out, reorderTables=None)
    return out.getvalue()
