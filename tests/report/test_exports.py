from __future__ import annotations

from xml.etree import ElementTree

import pytest

from builder.findings import Box
from builder.geometry.marks import make_cross
from builder.model.pack import Size
from builder.report.exports import format_dxf_cut_lines, format_svg_cut_lines

POKER = Size(width=63, height=88)
CARDS = [Box(10, 20, 63, 88), Box(77, 20, 63, 88)]
MARKS = [line for x in (9.0, 201.0) for line in make_cross(x, 9.0, 6)]


def test_the_svg_is_true_to_scale_with_rounded_corners():
    root = ElementTree.fromstring(format_svg_cut_lines(210, 297, CARDS, POKER, MARKS))
    assert (root.get("width"), root.get("viewBox")) == ("210mm", "0 0 210 297")
    rects = root.findall(".//{*}rect")
    assert [(rect.get("x"), rect.get("width"), rect.get("rx")) for rect in rects] == [
        ("10", "63", "3"),
        ("77", "63", "3"),
    ]
    assert len(root.findall(".//{*}path")) == 4


def points(text: str) -> list[tuple[float, float, float]]:
    lines = text.splitlines()
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    starts = [index for index, pair in enumerate(pairs) if pair == ("0", "VERTEX")]
    return [
        tuple(float(dict(pairs[at : at + 5])[code]) for code in ("10", "20", "42"))
        for at in starts
    ]


def test_the_dxf_has_closed_lines_with_arcs_and_counts_upwards():
    text = format_dxf_cut_lines(297, CARDS, POKER, MARKS)
    found = points(text)
    assert len(found) == 16
    assert min(x for x, _, _ in found) == 10
    assert max(y for _, y, _ in found) == 297 - 20
    assert sum(bulge > 0 for _, _, bulge in found) == 8
    assert max(bulge for _, _, bulge in found) == pytest.approx(0.414214)
    assert text.count("\nREGISTRATION\n") == 4
    assert text.endswith("EOF\n")


def test_square_corners_have_no_arcs():
    assert all(
        bulge == 0
        for _, _, bulge in points(
            format_dxf_cut_lines(
                297, CARDS, POKER.model_copy(update={"corner": 0}), MARKS
            )
        )
    )


def test_round_cards_and_hexagons_are_cut_as_they_are():
    circle, hexagon = (
        Size(width=60, height=60, shape="round"),
        Size(width=60, height=69, shape="hexagon"),
    )
    root = ElementTree.fromstring(
        format_svg_cut_lines(210, 297, [Box(10, 20, 60, 60)], circle, [])
    )
    assert [rect.get("rx") for rect in root.findall(".//{*}rect")] == ["30"]
    root = ElementTree.fromstring(
        format_svg_cut_lines(210, 297, [Box(10, 20, 60, 69)], hexagon, [])
    )
    assert [
        len(one.get("points", "").split()) for one in root.findall(".//{*}polygon")
    ] == [6]
    assert (
        sum(
            bulge > 0
            for _, _, bulge in points(
                format_dxf_cut_lines(297, [Box(10, 20, 60, 60)], circle, [])
            )
        )
        == 4
    )
    found = points(format_dxf_cut_lines(297, [Box(10, 20, 60, 69)], hexagon, []))
    assert len(found) == 6
    assert (max(y for _, y, _ in found), min(x for x, _, _ in found)) == (277, 10)
