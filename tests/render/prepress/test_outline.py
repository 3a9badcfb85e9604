"""Text as curves: the same picture, no fonts left."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import ImageChops

from builder.render.fonts import list_font_files
from builder.render.prepress.outline import Outliner
from builder.render.sheets.fontmerge import subset_font

ROBOTO = next(path for path in list_font_files() if path.name == "Roboto-Regular.ttf")
START = "BT /F1 20 Tf 1 0 0 1 10 60 Tm"
PIECES = {
    "plain": f"{START} <TEXT> Tj ET",
    "kerned": f"{START} [<TEXT> -300 <TEXT> 120 <TEXT>] TJ ET",
    "spaced": f"{START} 3 Tc 80 Tz <TEXT> Tj 5 Ts <TEXT> Tj ET",
    "lines": f"{START} 22 TL <TEXT> Tj T* <TEXT> Tj 5 -20 TD <TEXT> Tj <TEXT> ' ET",
    "turned over": "q 0.75 0 0 -0.75 5 90 cm BT 1 0 0 -1 10 30 Tm /F1 18 Tf <TEXT> Tj ET Q",
    "leaning": "BT /F1 20 Tf 0.9 0.4 -0.4 0.9 20 20 Tm <TEXT> Tj ET",
    "size kept": "/F1 20 Tf q /F1 8 Tf Q BT 10 60 Td <TEXT> Tj ET BT 10 20 Td <TEXT> Tj ET",
    "stroked": f"{START} 1 Tr 0.6 w 1 0 0 RG <TEXT> Tj ET",
    "both": f"{START} 2 Tr 0.4 w 1 0 0 RG 0 0 1 rg <TEXT> Tj ET",
    "hidden": f"{START} 3 Tr <TEXT> Tj 0 Tr <TEXT> Tj ET",
    "coloured inside": f"{START} 1 0 0 rg <TEXT> Tj 0 0.5 0 rg <TEXT> Tj ET 100 5 20 10 re f",
}


def glyphs(word: str) -> list[int]:
    from fontTools.ttLib import TTFont

    font = TTFont(ROBOTO)
    return [font.getGlyphID(font.getBestCmap()[ord(letter)]) for letter in word]


def font(pdf: pikepdf.Pdf, word: str, encoding: str = "Identity-H") -> Dictionary:
    """Roboto as the press embeds it, every letter 600 wide."""
    program = pdf.make_stream(subset_font(ROBOTO, sorted(set(glyphs(word)))))
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/ABCDEF+Roboto"),
        Flags=4,
        FontFile2=program,
    )
    for key, value in {
        "ItalicAngle": 0,
        "Ascent": 927,
        "Descent": -244,
        "CapHeight": 711,
        "StemV": 80,
    }.items():
        descriptor[f"/{key}"] = value
    child = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name("/ABCDEF+Roboto"),
        DW=600,
    )
    child["/CIDSystemInfo"] = Dictionary(
        Registry="Adobe", Ordering="Identity", Supplement=0
    )
    child["/CIDToGIDMap"], child["/FontDescriptor"] = Name.Identity, descriptor
    made = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Roboto")
    )
    made["/Encoding"], made["/DescendantFonts"] = (
        Name(f"/{encoding}"),
        Array([pdf.make_indirect(child)]),
    )
    return pdf.make_indirect(made)


def lettered(
    content: str, word: str = "Lamp é", encoding: str = "Identity-H"
) -> pikepdf.Pdf:
    """One page with this content; TEXT stands for the word."""
    pdf = pikepdf.new()
    digits = "".join(f"{glyph:04x}" for glyph in glyphs(word))
    page = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, 220, 100]))
    page["/Resources"] = Dictionary(Font=Dictionary(F1=font(pdf, word, encoding)))
    page["/Contents"] = pdf.make_stream(content.replace("TEXT", digits).encode())
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def picture(pdf: pikepdf.Pdf):
    out = BytesIO()
    pdf.save(out)
    return (
        pypdfium2.PdfDocument(out.getvalue())[0].render(scale=6).to_pil().convert("L")
    )


@pytest.mark.parametrize("piece", sorted(PIECES))
def test_outlined_text_looks_as_before(piece: str) -> None:
    pdf = lettered(PIECES[piece])
    before = picture(pdf)
    outliner = Outliner(pdf)
    outliner.outline()
    after = picture(pdf)
    assert not outliner.refused
    assert "/Font" not in pdf.pages[0].Resources
    assert before.getextrema()[0] < 120
    # Letters are smoothed a little differently from shapes: what counts is that no stroke moved or
    # went.
    differs = ImageChops.difference(before.reduce(3), after.reduce(3))
    assert differs.getextrema()[1] < 60
    assert (
        sum(differs.tobytes()) / sum(255 - part for part in before.reduce(3).tobytes())
        < 0.06
    )


def test_a_letter_is_drawn_by_one_form_however_often_it_stands() -> None:
    pdf = lettered(f"{START} <TEXT> Tj <TEXT> Tj ET", "noon")
    Outliner(pdf).outline()
    assert len(pdf.pages[0].Resources.XObject) == 2
    assert pdf.pages[0].Contents.read_bytes().count(b"Do") == 8


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(f"{START} 7 Tr <TEXT> Tj ET", "Identity-H"), (PIECES["plain"], "Identity-V")],
)
def test_what_cannot_be_outlined_stays_and_is_said(content: str, encoding: str) -> None:
    pdf = lettered(content, encoding=encoding)
    before = pdf.pages[0].Contents.read_bytes()
    outliner = Outliner(pdf)
    outliner.outline()
    assert len(outliner.refused) == 1
    assert pdf.pages[0].Contents.read_bytes() == before
    assert "/Font" in pdf.pages[0].Resources


@pytest.mark.slow
def test_other_programs_find_no_font(tmp_path: Path) -> None:
    pdf = lettered(PIECES["plain"])
    pdf.save(tmp_path / "before.pdf")
    Outliner(pdf).outline()
    pdf.save(tmp_path / "after.pdf")
    if shutil.which("pdffonts"):
        listed = {
            name: subprocess.run(
                ["pdffonts", tmp_path / f"{name}.pdf"],
                capture_output=True,
                text=True,
                check=True,
            )
            for name in ("before", "after")
        }
        assert "Roboto" in listed["before"].stdout
        assert len(listed["after"].stdout.splitlines()) == 2
    if shutil.which("qpdf"):
        subprocess.run(
            ["qpdf", "--check", tmp_path / "after.pdf"], capture_output=True, check=True
        )
