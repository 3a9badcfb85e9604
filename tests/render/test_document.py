"""The finished file as other programs see it.

Whole, with each face drawn once, true to size, text to copy.
"""

from __future__ import annotations

import shutil
import subprocess

import pikepdf
import pytest

from builder.units import to_points

pytestmark = pytest.mark.slow
COLD = True


def test_pdfs_are_sound_for_other_programs(lanterns, build):
    qpdf = shutil.which("qpdf")
    for built in build(lanterns).files:
        if qpdf:
            subprocess.run(
                [qpdf, "--check", built.path], check=True, capture_output=True
            )
        with pikepdf.open(built.path) as pdf:
            assert pdf.check_pdf_syntax() == []
            assert len(pdf.pages) == built.pages


def test_a_face_is_drawn_once_however_often_it_is_placed(lanterns, build):
    built = build(lanterns, langs=("en",), only=("kind=charm",)).files[0]
    with pikepdf.open(built.path) as pdf:
        fronts, backs = pdf.pages
        assert len(fronts.resources.XObject) == built.cards > 1
        assert len(backs.resources.XObject) == 1
        assert backs.Contents.read_bytes().count(b" Do ") == built.cards


def test_each_font_is_embedded_once(lanterns, build):
    with pikepdf.open(build(lanterns, langs=("en",)).files[0].path) as pdf:
        fonts = [
            str(item.FontName)
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and "/FontFile2" in item
        ]
    assert len(fonts) == len(set(fonts)) >= 3


def test_screen_pages_have_the_size_of_the_card(lanterns, build):
    built = build(
        lanterns, langs=("en",), only=("kind=spirit",), profile="screen"
    ).files[0]
    assert built.pages == 6
    with pikepdf.open(built.path) as pdf:
        for page in pdf.pages:
            assert [float(edge) for edge in page.mediabox] == pytest.approx(
                [0, 0, to_points(63), to_points(88)], abs=0.01
            )


def test_proof_pages_show_the_bleed_and_name_the_trim(lanterns, build):
    built = build(
        lanterns, langs=("en",), only=("kind=spirit",), profile="proof"
    ).files[0]
    with pikepdf.open(built.path) as pdf:
        left, bottom, right, top = (float(edge) for edge in pdf.pages[0].trimbox)
        assert (right - left, top - bottom) == pytest.approx(
            (to_points(63), to_points(88)), abs=0.01
        )
        assert float(pdf.pages[0].mediabox[2]) > right - left + to_points(6)


@pytest.mark.parametrize("pack", ["lanterns"])
def test_words_can_be_found_in_the_file(lanterns, build, pack):
    import pypdfium2

    built = build(lanterns, langs=("en",), profile="screen").files[0]
    text = "\n".join(
        page.get_textpage().get_text_bounded()
        for page in pypdfium2.PdfDocument(built.path)
    )
    text = text.replace("\u00a0", " ")
    for word in ("Reed Mother", "Old Wick", "Amber Brooch", 'within 3"'):
        assert word in text
