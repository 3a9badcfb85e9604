"""Defects that are easy to miss: panels on lighter ground, invisible fonts, tiny images."""

from __future__ import annotations

import shutil
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from builder.checks.preflight.job import check_page_batches
from builder.pdfinfo.read import read_pdf
from builder.usecases.preflight.checked_files import check_file
from tests.checks.preflight.cases import make_drawing, make_preset
from tests.checks.preflight.make import (
    GROUND,
    TEXT,
    File,
    Resources,
    Sheet,
    embedded,
    plain_font,
    write,
)

PANEL_ON_LIGHT = (
    "a panel on a lighter background ends 0.00 mm outside the left cut line"
)


def find_messages(folder: Path, file: File, code: str) -> list[tuple[str, str]]:
    findings = check_page_batches(
        [read_pdf(write(folder / "a.pdf", file))], make_preset()
    )[0]
    return [
        (finding.severity.value, finding.message)
        for finding in findings
        if finding.code == f"preflight/{code}"
    ]


@pytest.mark.parametrize(
    ("content", "is_reported"),
    [
        ("0.8 0.6 0.4 0.4 k 3 30 40 20 re f", True),
        ("0.8 0.6 0.4 0.4 k 0 30 43 20 re f", False),  # goes on to the end of the bleed
        ("0.8 0.6 0.4 0.4 k 6 30 40 20 re f", False),  # stays inside the card
        ("0.15 0.2 0.3 0.1 k 3 30 40 20 re f", False),  # as light as the background
        ("0 0 0 0 k 3 30 40 20 re f", False),  # lighter than the background
        (
            "0.8 0.6 0.4 0.4 k 3 30 40 20 re f 0.8 0.6 0.4 0.4 k 0 30 3 20 re f",
            False,
        ),  # continued by a second panel
        (
            "0.8 0.6 0.4 0.4 k 3 30 40 20 re f 0.1 0.2 0.3 0.1 k 0 20 60 40 re f",
            False,
        ),  # hidden by a later one
        ("0.8 0.6 0.4 0.4 k 3 30 40 5 re f", False),  # too short to be seen
        ("0.8 0.6 0.4 0.4 k 3 30 0.5 20 re f", False),  # a line
        (
            "0.8 0.6 0.4 0.4 k 3 40 m 23 60 l 43 40 l 23 20 l f",
            False,
        ),  # only a corner touches the cut
        ("0.8 0.6 0.4 0.4 k 3 30 63 20 re f", True),
        (
            "q 3 30 40 20 re W n 0.8 0.6 0.4 0.4 k 0 30 43 20 re f Q",
            True,
        ),  # clipped at the cut
    ],
)
def test_a_panel_that_ends_at_the_cut_on_a_lighter_background_is_a_warning(
    tmp_path: Path, content: str, is_reported: bool
) -> None:
    messages = find_messages(tmp_path, make_drawing(content), "art-ends-at-cut")
    assert (("warning", PANEL_ON_LIGHT) in messages) == is_reported
    assert bool(messages) == is_reported


def test_a_panel_without_background_is_still_reported_as_before(tmp_path: Path) -> None:
    file = File((Sheet("0.2 0 0 0 k 3 40 63 20 re f"), Sheet()))
    assert all(
        "artwork ends" in message
        for _severity, message in find_messages(tmp_path, file, "art-ends-at-cut")
    )


INVISIBLE = f"{TEXT} 3 Tr BT /F2 3 Tf 20 60 Td (scanned words) Tj ET 0 Tr"


def two_fonts(second: Dictionary) -> Resources:
    return lambda pdf: Dictionary(Font=Dictionary(F1=embedded(pdf), F2=second))


def test_a_font_of_invisible_text_that_is_not_embedded_is_a_warning(
    tmp_path: Path,
) -> None:
    second_font = plain_font()
    second_font.BaseFont = Name("/OtherFont")
    messages = find_messages(
        tmp_path,
        make_drawing(INVISIBLE, resources=two_fonts(second_font)),
        "font-not-embedded",
    )
    assert messages == [
        ("warning", "font OtherFont, used only by invisible text, is not embedded")
    ]


def test_an_embedded_font_of_invisible_text_is_fine(tmp_path: Path) -> None:
    def resources(pdf: pikepdf.Pdf) -> Dictionary:
        return Dictionary(Font=Dictionary(F1=embedded(pdf), F2=embedded(pdf)))

    assert (
        find_messages(
            tmp_path, make_drawing(INVISIBLE, resources=resources), "font-not-embedded"
        )
        == []
    )


def graphics_state_font(font: Dictionary) -> Resources:
    def make(pdf: pikepdf.Pdf) -> Dictionary:
        state = Dictionary(
            Type=Name.ExtGState, Font=Array([pdf.make_indirect(font), 3])
        )
        return Dictionary(
            ExtGState=Dictionary(GF=state), Font=Dictionary(F1=embedded(pdf))
        )

    return make


def test_a_font_set_through_a_graphics_state_is_followed(tmp_path: Path) -> None:
    text = "0 0 0 1 k /GF gs BT 20 40 Td (Lantern) Tj ET"
    messages = find_messages(
        tmp_path,
        make_drawing(text, resources=graphics_state_font(plain_font())),
        "font-not-embedded",
    )
    assert messages == [("error", "font Roboto is not embedded")]
    assert (
        find_messages(
            tmp_path,
            make_drawing(text, resources=graphics_state_font(plain_font())),
            "damaged",
        )
        == []
    )
    small = "0 0 0 1 k /GF gs BT 0.5 0 0 0.5 20 40 Tm (Lantern) Tj ET"
    (message,) = find_messages(
        tmp_path,
        make_drawing(small, resources=graphics_state_font(plain_font())),
        "small-type",
    )
    assert "4.25 pt" in message[1]


def inline_image(width: int, height: int, samples: bytes, extra: str = "") -> str:
    """A CMYK inline image stretched over the card, as hexadecimal text."""
    data = samples.hex() + ">"
    return (
        f"q 69 0 0 94 0 0 cm BI /W {width} /H {height} /BPC 8 /CS /CMYK /F /AHx {extra} ID "
        f"{data} EI Q"
    )


PATTERN = bytes([0, 200, 0, 0, 200, 0, 0, 0, 0, 0, 200, 0, 90, 0, 0, 0])


@pytest.mark.parametrize(
    ("content", "severities"),
    [
        (inline_image(2, 2, PATTERN), ["warning"]),
        (inline_image(1, 1, PATTERN[:4]), []),
        (inline_image(2, 2, PATTERN[:4] * 4), []),  # one colour
        (inline_image(2, 2, PATTERN, "/I true"), []),  # a gradient
        (inline_image(5, 1, PATTERN + PATTERN[:4]), ["error"]),
    ],
)
def test_a_tiny_image_stretched_over_the_card_is_measured(
    tmp_path: Path, content: str, severities: list[str]
) -> None:
    messages = find_messages(
        tmp_path, File((Sheet(f"{GROUND} {content}"), Sheet())), "low-resolution"
    )
    assert [severity for severity, _message in messages] == severities


MARKED_PAGE = (0, 0, 89, 114)
MARKS_IN_ALL_INKS = "1 1 1 1 k 0 20 9 1 re f 80 20 9 1 re f 5 5 4 4 re f"


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript draws the inks")
@pytest.mark.parametrize(
    ("panel", "is_reported"), [("", False), ("0.9 0.8 0.7 1 k 30 30 20 20 re f", True)]
)
def test_ink_counts_only_inside_the_bleed(
    tmp_path: Path, panel: str, is_reported: bool
) -> None:
    content = f"0.1 0.2 0.3 0.1 k 10 10 69 94 re f {panel} {MARKS_IN_ALL_INKS}"
    sheet = Sheet(
        content, media=MARKED_PAGE, trim=(13, 13, 76, 101), bleed=(10, 10, 79, 104)
    )
    findings = check_file(
        write(tmp_path / "a.pdf", File((sheet, sheet))), make_preset()
    ).findings
    assert any(finding.code == "preflight/ink" for finding in findings) == is_reported
