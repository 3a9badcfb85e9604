"""Laws of imposition: no card is lost, and each back lies behind its front."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from builder.findings import Box
from builder.geometry.imposition import (
    Grid,
    Pair,
    Spacing,
    choose_grid,
    fit_grid,
    impose,
)
from builder.geometry.marks import find_strip, make_cut_marks
from builder.model.profile import Marks, Paper, Profile

A4 = Paper(width=210, height=297)

papers = st.builds(Paper, width=st.floats(100, 500), height=st.floats(100, 500))
sizes = st.tuples(st.floats(20, 160), st.floats(20, 160))
gaps = st.sampled_from([0.0, 0.5, 4.0])


def turned_over(box: Box, paper: Paper, edge: Literal["upright", "level"]) -> Box:
    """A position on the back as seen from the front after the paper is turned over an edge."""
    if edge == "upright":
        return Box(paper.width - box.x - box.width, box.y, box.width, box.height)
    return Box(box.x, paper.height - box.y - box.height, box.width, box.height)


def near(one: Box, other: Box) -> bool:
    return all(
        abs(a - b) < 1e-6
        for a, b in zip(
            (one.x, one.y, one.width, one.height),
            (other.x, other.y, other.width, other.height),
            strict=True,
        )
    )


@given(
    papers,
    sizes,
    gaps,
    st.integers(0, 40),
    st.sampled_from(["long-edge", "short-edge"]),
    st.data(),
)
def test_every_back_lies_behind_its_front(paper, size, gap, count, duplex, data):
    found = choose_grid(paper, size[0], size[1], Spacing(5, gap))
    if found is None:
        return
    form, grid = found
    backs = [
        None if data.draw(st.booleans()) else f"b{index}" for index in range(count)
    ]
    pairs = [Pair(f"f{index}", back) for index, back in enumerate(backs)]
    lying = form.width > form.height
    sides = tuple(impose(pairs, grid, duplex, is_landscape=lying))
    fronts = {
        placed.item: (side.sheet, placed.box)
        for side in sides
        if not side.is_back
        for placed in side.faces
    }
    assert sorted(fronts) == sorted(pair.front for pair in pairs)
    edge = "upright" if (duplex == "long-edge") != lying else "level"
    seen = 0
    for side in sides:
        for placed in side.faces if side.is_back else ():
            sheet, box = fronts["f" + placed.item[1:]]
            assert sheet == side.sheet
            assert near(turned_over(placed.box, form, edge), box)
            assert placed.upside_down == (edge == "level")
            seen += 1
    assert seen == sum(back is not None for back in backs)


@given(papers, sizes, gaps)
def test_cards_lie_on_the_paper_and_apart(paper, size, gap):
    grid = fit_grid(paper, size[0], size[1], Spacing(5, gap))
    if grid is None:
        return
    boxes = [
        grid.find_cell_box(column, row)
        for column in range(grid.columns)
        for row in range(grid.rows)
    ]
    for box in boxes:
        assert box.x >= 5 - 1e-6
        assert box.y >= 5 - 1e-6
        assert box.x + box.width <= paper.width - 5 + 1e-6
        assert box.y + box.height <= paper.height - 5 + 1e-6
    for first, second in pairwise(boxes):
        assert (
            second.x - first.x >= size[0] - 1e-6 or second.y - first.y >= size[1] - 1e-6
        )


def ends(start: float, size: float, gap: float, count: int) -> set[float]:
    """Both ends of some pieces in a row."""
    return {
        round(start + index * (size + gap) + end, 6)
        for index in range(count)
        for end in (0, size)
    }


@pytest.mark.parametrize("gap", [0.0, 4.0])
@pytest.mark.parametrize(
    ("cards", "columns", "rows"), [(1, 1, 1), (2, 2, 1), (4, 3, 2), (9, 3, 3)]
)
def test_marks_stand_only_where_cards_are_cut(gap, cards, columns, rows):
    grid = fit_grid(Paper(width=300, height=400), 63, 88, Spacing(40, gap))
    assert grid is not None
    assert (grid.columns, grid.rows) == (3, 3)
    lines = make_cut_marks(
        grid.limit_to(cards), Marks(), bleed=0, area=Box(3, 3, 294, 394)
    )
    assert {round(line.x1, 6) for line in lines if line.x1 == line.x2} == ends(
        grid.x, 63, gap, columns
    )
    assert {round(line.y1, 6) for line in lines if line.y1 == line.y2} == ends(
        grid.y, 88, gap, rows
    )
    boxes = [grid.find_cell_box(index % 3, index // 3) for index in range(cards)]
    for line in lines:
        if line.x1 == line.x2 and line.y1 > grid.y:
            under = max(
                box.y + 88
                for box in boxes
                if abs(box.x - line.x1) < 1e-3 or abs(box.x + 63 - line.x1) < 1e-3
            )
            assert line.y1 == pytest.approx(under + Marks().offset)
        if line.y1 == line.y2 and line.x1 > grid.x:
            after = max(
                box.x + 63
                for box in boxes
                if abs(box.y - line.y1) < 1e-3 or abs(box.y + 88 - line.y1) < 1e-3
            )
            assert line.x1 == pytest.approx(after + Marks().offset)


@given(papers, sizes, gaps, st.integers(1, 40))
def test_marks_touch_no_card(paper, size, gap, cards):
    grid = fit_grid(paper, size[0], size[1], Spacing(8, gap))
    if grid is None:
        return
    held = grid.limit_to(cards)
    assert len(held.boxes) == min(cards, grid.cells)
    for mark in make_cut_marks(
        held, Marks(), bleed=0, area=Box(3, 3, paper.width - 6, paper.height - 6)
    ):
        for box in held.boxes:
            apart_x = mark.x2 <= box.x or mark.x1 >= box.x + box.width
            apart_y = mark.y2 <= box.y or mark.y1 >= box.y + box.height
            assert apart_x or apart_y


@pytest.mark.parametrize(
    ("size", "cards"),
    [
        ((63, 88), 9),
        ((70, 120), 4),
        ((44, 68), 16),
        ((148, 210), 1),
        ((210, 297), 1),
        ((90, 50), 10),
    ],
)
def test_how_many_cards_an_a4_sheet_holds(size, cards):
    found = choose_grid(A4, size[0], size[1], Spacing(6, 0))
    assert found is not None
    assert found[1].cells == cards


@pytest.mark.parametrize(
    ("size", "cards", "left"),
    [
        ((210, 148), 2, 0),
        ((148, 210), 2, 0.5),
        ((63, 88), 9, 10.5),
        ((140, 98), 4, 8.5),
        ((210, 297), 1, 0),
    ],
)
def test_half_sheets_reach_the_edge_of_the_paper_and_cards_do_not(size, cards, left):
    found = choose_grid(A4, size[0], size[1], Spacing(6, 0), to_edge=True)
    assert found is not None
    assert (found[1].cells, found[1].x) == (cards, left)


def test_a_card_larger_than_the_paper_does_not_fit():
    assert choose_grid(A4, 300, 300, Spacing(0, 0)) is None


@pytest.mark.parametrize("paper", [A4, Paper(width=215.9, height=279.4)])
@pytest.mark.parametrize("size", [(63, 88), (70, 120), (63.5, 88.9)])
def test_the_check_line_is_100_mm_long_and_touches_no_card(paper, size):
    profile = Profile(id="x", name={"en": "X"}, paper=paper, margin=6)
    found = choose_grid(paper, size[0], size[1], Spacing(6, 0))
    assert found is not None
    grid: Grid = found[1]
    place = find_strip(found[0], grid, profile)
    assert place is not None
    line = place.make_line(1, 100)
    assert abs(line.x2 - line.x1) + abs(line.y2 - line.y1) == pytest.approx(100)
    assert line.x1 < grid.x or line.y1 > grid.y + grid.rows * grid.cell_height
