"""A font is merged with only its used letters, under a name that all readers accept."""

from __future__ import annotations

import logging
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

from builder.render.fonts import find_font_file, hash_font
from builder.render.sheets.fontmerge import spell_ligatures, subset_font, write_fonts
from builder.render.sheets.pdfwriter import PdfWriter
from builder.render.sheets.record import FontUse
from tests.render.typefaces import typeface


def annotated(font: Any) -> None:
    """A table of a font editor's own."""
    font["FFTM"] = DefaultTable("FFTM")
    font["FFTM"].data = bytes(8)


def test_tables_that_show_no_letter_are_left_out_without_a_word(tmp_path, caplog):
    path = tmp_path / "font.ttf"
    path.write_bytes(typeface("Ink", "Manrope-Bold", annotated))
    with caplog.at_level(logging.WARNING):
        made = TTFont(BytesIO(subset_font(path, [5, 6])))
    assert {*made.keys()} == {
        "GlyphOrder",
        "head",
        "hhea",
        "hmtx",
        "maxp",
        "loca",
        "glyf",
    }
    assert made["glyf"]["glyph00005"].numberOfContours > 0
    assert caplog.records == []


@pytest.mark.parametrize(
    "family", ["Ink", "A/B (Serif) [1] #2%<3>", "Чернила", "Über Schrift"]
)
def test_a_font_s_name_is_one_word_whatever_its_family(tmp_path, family):
    path = tmp_path / "font.ttf"
    path.write_bytes(typeface("Ink"))
    use = FontUse(hash_font(path.read_bytes()), {5: 600.0}, {5: "A"}, family)
    out = BytesIO()
    writer = PdfWriter(out)
    parent = writer.reserve()
    body = write_fonts(writer, {"ABCDEF": use}, Path(tmp_path), (path,))["ABCDEF"]
    writer.add(body)
    writer.finish((), parent, "Letters")
    with pikepdf.open(out) as pdf:
        names = {
            str(item["/BaseFont"])
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and "/BaseFont" in item
        }
        problems = pdf.get_warnings()
    assert len(names) == 1
    assert names.pop().startswith("/ABCDEF+")
    assert problems == []


def test_ligatures_with_private_characters_are_read_as_their_letters():
    font = find_font_file("Manrope-Bold.ttf")
    with TTFont(font) as program:
        cmap = program.getBestCmap()
        private = {
            code: program.getGlyphID(name)
            for code, name in cmap.items()
            if 0xE000 <= code < 0xF900
        }
    characters = {glyph: chr(code) for code, glyph in private.items()} | {2: "A"}
    texts = spell_ligatures(characters, font)
    assert {"tt", "ff", "ffl"} <= set(texts.values())
    assert texts[2] == "A"
