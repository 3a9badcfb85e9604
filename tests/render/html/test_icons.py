"""Icons become letters: equal drawings give equal fonts; a broken one is reported."""

from __future__ import annotations

from io import BytesIO

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from builder.render.html.icons import build_font, load_icon_font

SQUARE = (
    b'<svg xmlns="http://www.w3.org/2000/svg" '
    b'viewBox="0 0 100 '
    b'100"><path d="M10 '
    b'20H60V90H10Z"/></svg>'
)
RING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><path d="M0 0H1000V1000H0Z'
    b'M250 250V750H750V250Z"/></svg>'
)


def test_a_glyph_keeps_the_shape_of_its_drawing():
    font = TTFont(BytesIO(build_font({"square": SQUARE}, "icons")[0]))
    pen = BoundsPen(font.getGlyphSet())
    font.getGlyphSet()["square"].draw(pen)
    assert pen.bounds == (100, -20, 600, 680)


def test_the_same_drawings_give_the_same_bytes():
    assert build_font({"a": SQUARE, "b": RING}, "icons") == build_font(
        {"a": SQUARE, "b": RING}, "icons"
    )


def test_holes_stay_holes():
    font = TTFont(BytesIO(build_font({"ring": RING}, "icons")[0]))
    assert font["glyf"]["ring"].numberOfContours == 2


def test_a_broken_icon_is_a_finding_and_hides_no_other():
    data, findings = build_font(
        {"bad": b"<svg", "empty": b"<svg viewBox='0 0 9 9'/>", "good": SQUARE}, "icons"
    )
    assert [finding.location.file for finding in findings] == [
        "icons/bad.svg",
        "icons/empty.svg",
    ]
    assert {finding.code for finding in findings} == {"render/icon"}
    assert TTFont(BytesIO(data))["glyf"]["good"].numberOfContours == 1


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ('<path transform="scale(.5)" d="M0 0H9V9Z"/>', "transform"),
        ('<path transform="rotate(45)" d="M0 0H9V9Z"/>', "transform"),
        ('<path d="M0 0h1e9v1e9z"/>', "far outside"),
    ],
)
def test_what_a_font_cannot_hold_is_a_finding(path, says):
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{path}</svg>'.encode()
    findings = build_font({"odd": drawing, "good": SQUARE}, "icons")[1]
    assert [finding.location.file for finding in findings] == ["icons/odd.svg"]
    assert says in findings[0].message


def test_letters_follow_names(tmp_path):
    folder = tmp_path / "icons"
    folder.mkdir()
    for name in ("zeta", "alpha"):
        (folder / f"{name}.svg").write_bytes(SQUARE)
    font = load_icon_font(folder, tmp_path / "cache", "icons")
    assert dict(font.glyphs) == {"alpha": "\ue000", "zeta": "\ue001"}
    assert font.path is not None
    assert font.path.exists()


@pytest.mark.parametrize(
    "inside",
    [
        b'<path d="M1 1 L9 9" stroke="black"/>',
        b'<path d="M1 1 L9 9 Z"/>',
        b'<path d="M1 1H9V9Z" fill="none" stroke="black"/>',
        b'<g style="fill: none"><circle cx="5" cy="5" r="3"/></g>',
        b'<g stroke="#000"><path d="M1 1H9V9Z"/></g>',
        b'<path d="M1 1H9V9Z"/><text>a</text>',
        b'<defs><path id="a" d="M1 1H9V9Z"/></defs><use href="#a"/>',
    ],
)
def test_what_a_letter_cannot_show_is_a_finding(inside: bytes) -> None:
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">%s</svg>' % inside
    )
    findings = build_font({"odd": drawing, "good": SQUARE}, "icons")[1]
    assert [(finding.code, finding.location.file) for finding in findings] == [
        ("render/icon", "icons/odd.svg")
    ]


def test_fills_that_are_stated_and_strokes_that_are_none_are_drawn() -> None:
    inside = b'<g fill="none"><path style="fill:#000;stroke:none" d="M1 1H9V9Z"/></g>'
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">%s</svg>' % inside
    )
    assert build_font({"fine": drawing}, "icons")[1] == ()
