"""Where letters really end.

From the font program in the file, and from the font's own height where there is none.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name

from builder.checks.preflight import cut
from builder.checks.preflight.job import PageBatch
from builder.model.shop import Colour, Preset
from builder.pdfinfo.read import read_pdf
from builder.units import from_points, to_points

REACHES = {"space": (0, 0), "low": (0, 1000), "deep": (-400, 800)}
"""Glyphs 1 to 3 and the height of each, in a font of 2000 units whose lines are 2400 high."""


def program() -> bytes:
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for name, (bottom, top) in REACHES.items():
        pen = TTGlyphPen(None)
        if top > bottom:
            pen.moveTo((0, bottom))
            pen.lineTo((500, top))
            pen.lineTo((900, bottom))
            pen.closePath()
        glyphs[name] = pen.glyph()
    builder = FontBuilder(2000)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
    builder.setupHorizontalHeader(ascent=1800, descent=-600)
    builder.setupPost()
    out = BytesIO()
    builder.save(out)
    return out.getvalue()


def written(path: Path, shown: str, data: bytes) -> Path:
    """A card of 60 x 60 mm with 3 mm bleed and 20 pt text, 6 mm below the cut."""
    pdf = pikepdf.new()
    descriptor = Dictionary(Ascent=900, Descent=-300, FontFile2=pdf.make_stream(data))
    inner = Dictionary(
        Subtype=Name.CIDFontType2, BaseFont=Name.Own, FontDescriptor=descriptor, DW=500
    )
    signs = pdf.make_stream(b"2 beginbfchar <0001> <0020> <0002> <0061> endbfchar")
    font = Dictionary(
        Subtype=Name.Type0,
        BaseFont=Name.Own,
        Encoding=Name("/Identity-H"),
        DescendantFonts=[inner],
    )
    font.ToUnicode = signs
    side, cut, baseline = to_points(66), to_points(3), to_points(66 - 3 - 6)
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, side, side]),
        TrimBox=Array([cut, cut, side - cut, side - cut]),
        Resources=Dictionary(Font=Dictionary(F=font)),
        Contents=pdf.make_stream(
            f"BT /F 20 Tf 60 {baseline:.4f} Td [<{shown}>] TJ ET".encode()
        ),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(path)
    return path


@pytest.mark.parametrize(
    ("shown", "low", "high"),
    [("0002", 0, 10), ("00020003", -4, 10), ("00010003", -4, 8)],
)
def test_letters_reach_as_far_as_their_outlines(
    tmp_path: Path, shown: str, low: float, high: float
) -> None:
    (text,) = read_pdf(written(tmp_path / "a.pdf", shown, program())).pages[0].texts
    assert text.letters is not None
    assert text.letters.y == pytest.approx(9 - from_points(high), abs=1e-3)
    assert text.letters.height == pytest.approx(from_points(high - low), abs=1e-3)
    assert text.box.height == pytest.approx(from_points(24), abs=1e-3)


@pytest.mark.parametrize(
    ("shown", "before", "width"),
    [
        ("0002", 0, 10),
        ("00010002", 10, 10),
        ("0002000100020001", 0, 30),
        ("0001> -500 <00020001> 300 <0001", 20, 10),
    ],
)
def test_spaces_around_letters_reach_nowhere(
    tmp_path: Path, shown: str, before: float, width: float
) -> None:
    (text,) = read_pdf(written(tmp_path / "a.pdf", shown, program())).pages[0].texts
    assert text.letters is not None
    assert text.letters.x == pytest.approx(from_points(60 + before), abs=1e-3)
    assert text.letters.width == pytest.approx(from_points(width), abs=1e-3)
    assert text.box.x == pytest.approx(from_points(60), abs=1e-3)


@pytest.mark.parametrize(
    "data", [b"", b"no font", program()[:200]], ids=["none", "other", "cut short"]
)
def test_a_damaged_program_reports_nothing_and_breaks_nothing(
    tmp_path: Path, data: bytes
) -> None:
    (text,) = read_pdf(written(tmp_path / "a.pdf", "0002", data)).pages[0].texts
    assert text.letters is None


def test_a_line_whose_letters_keep_from_the_cut_is_safe_however_high_the_font(
    tmp_path: Path,
) -> None:
    pdf = read_pdf(written(tmp_path / "a.pdf", "0002", program()))
    assert not list(
        cut.check(
            PageBatch(
                pdf,
                Preset(
                    id="shop", name={}, bleed=3, safe=2.5, colour=Colour(space="cmyk")
                ),
            )
        )
    )
    assert list(
        cut.check(
            PageBatch(
                pdf,
                Preset(
                    id="shop", name={}, bleed=3, safe=3, colour=Colour(space="cmyk")
                ),
            )
        )
    )
