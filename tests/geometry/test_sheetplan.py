from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest
from hypothesis import given, strategies as st

from builder.errors import UsageError
from builder.findings import Box
from builder.geometry.boxes import find_hexagon_corners, is_inside
from builder.geometry.calibration import draw_back, draw_front
from builder.geometry.imposition import Pair, impose, impose_folded
from builder.geometry.marks import find_registration_marks
from builder.geometry.sheetplan import plan_sheet
from builder.model.pack import Size
from builder.model.profile import Marks, Paper, Profile

POKER = Size(width=63, height=88)
A4 = Profile(id="home", name={}, paper=Paper(width=210, height=297), margin=6)


def asked(**changes: object) -> Profile:
    return A4.model_copy(update=changes)


def test_a_grid_that_fits_is_taken_and_lies_in_the_middle():
    plan = plan_sheet(asked(grid=(2, 3)), POKER)
    assert (plan.grid.columns, plan.grid.rows) == (2, 3)
    assert plan.grid.x == pytest.approx((210 - 126) / 2)


def test_a_grid_that_fits_only_lying_turns_the_paper():
    assert plan_sheet(asked(grid=(4, 2)), POKER).is_landscape


@pytest.mark.parametrize("grid", [(4, 3), (3, 4), (10, 1)])
def test_a_grid_that_does_not_fit_is_refused_with_what_does(grid):
    with pytest.raises(UsageError) as error:
        plan_sheet(asked(grid=grid), POKER)
    assert "3 × 3 on the paper in portrait format" in error.value.remedy


def test_a_gap_that_makes_the_grid_too_large_is_seen():
    assert plan_sheet(asked(grid=(3, 3), gap=0), POKER)
    with pytest.raises(UsageError):
        plan_sheet(asked(grid=(3, 3), gap=8), POKER)


def test_a_gap_shows_half_of_itself_as_bleed():
    assert plan_sheet(asked(gap=4, bleed=3), POKER).visible_bleed == 2


def test_crosses_stand_on_corners_and_no_marks_are_no_marks():
    crosses = plan_sheet(asked(marks=Marks(style="crosses"), grid=(1, 1)), POKER)
    assert len(crosses.make_cut_lines(1)) == 8
    assert plan_sheet(asked(marks=None), POKER).make_cut_lines(9) == ()
    assert len(
        plan_sheet(asked(marks=Marks(style="crosses")), POKER).make_cut_lines(4)
    ) == 2 * (8 + 2)


def test_folds_are_marked_below_the_last_card_of_each_column():
    plan = plan_sheet(asked(layout="fold", grid=(1, 3), marks=None), POKER)
    assert {round(line.y1 - plan.grid.y) for line in plan.make_cut_lines(2)} == {
        -4,
        177,
    }


def test_registration_marks_stand_in_three_corners_clear_of_the_cards():
    plan = plan_sheet(asked(registration=True, marks=None), POKER)
    assert (
        plan.make_cut_lines(9),
        len(plan.machine_marks),
        plan.has_marks_on_cards,
    ) == (
        (),
        6,
        False,
    )
    first = plan.grid.find_cell_box(0, 0)
    assert all(
        x < first.x or y < first.y or y > 297 - first.y
        for x, y in find_registration_marks(plan.paper)
    )


def test_marks_on_a_full_sheet_are_known_to_lie_on_cards():
    half = Size(width=210, height=148, safe=3)
    full = plan_sheet(asked(registration=True), half, to_edge=True)
    assert (full.grid.cells, full.has_marks_on_cards) == (2, True)
    letter = Paper(width=215.9, height=279.4)
    assert not plan_sheet(
        asked(paper=letter, registration=True, grid=(1, 1)), half
    ).has_marks_on_cards


@given(
    st.lists(
        st.builds(Pair, st.integers(), st.none() | st.integers()),
        min_size=1,
        max_size=30,
    )
)
def test_folding_loses_no_card_and_puts_each_back_beside_its_front(pairs):
    grid = plan_sheet(asked(layout="fold"), POKER).grid
    sides = tuple(impose_folded(pairs, grid))
    assert sum(len(side.cut_boxes) for side in sides) == len(pairs)
    for side in sides:
        for piece in side.cut_boxes:
            half = Box(piece.x, piece.y, 63, 88)
            assert [placed.box for placed in side.faces if placed.box == half]
    assert sum(len(side.faces) for side in sides) == sum(
        1 + (pair.back is not None) for pair in pairs
    )


def test_a_check_line_stands_on_no_card():
    assert (
        plan_sheet(A4, Size(width=210, height=148, safe=5), to_edge=True).strip is None
    )
    assert plan_sheet(A4, Size(width=63, height=88)).strip is not None


def test_no_number_of_the_calibration_sheet_lies_on_another():
    words = [
        one
        for one in draw_back(Paper(width=210, height=297), "en").captions
        if one.size == 6
    ]
    assert len(words) == 16
    for one, other in combinations(words, 2):
        assert abs(one.x - other.x) > 3.5 or abs(one.y - other.y) > 1.8


@pytest.mark.parametrize("lang", ["en", "de", "ru"])
@pytest.mark.parametrize(
    "paper", [Paper(width=210, height=297), Paper(width=215.9, height=279.4)]
)
def test_the_calibration_sheet_shows_what_to_do_clear_of_what_is_read(
    paper: Paper, lang: str
) -> None:
    """Pictures lie on the paper, in their language, and clear of crosses and rulers."""
    for side in (draw_front(paper, lang), draw_back(paper, lang)):
        for line in side.lines:
            assert (
                8 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= paper.width - 8
            )
            assert (
                8 <= min(line.y1, line.y2) <= max(line.y1, line.y2) <= paper.height - 8
            )
            level = abs((line.y1 + line.y2) / 2 - paper.height / 2)
            assert level <= 21 or level >= 30
    texts = [
        one.text
        for one in (*draw_front(paper, lang).captions, *draw_back(paper, lang).captions)
    ]
    assert ("1. Print both sides." in texts) == (lang == "en")


@pytest.mark.parametrize("skip", [(1, 2, 3), (2, 9), ()])
def test_skipped_places_stay_empty_and_no_card_is_lost(skip):
    plan = plan_sheet(asked(skip=skip), POKER)
    sides = list(
        impose(
            [Pair(f"f{number}", f"b{number}") for number in range(12)],
            plan.grid,
            "long-edge",
            skipped_cells=skip,
        )
    )
    used = [
        tuple(plan.grid.boxes.index(piece) + 1 for piece in side.cut_boxes)
        for side in sides[::2]
    ]
    assert used[0] == tuple(place for place in range(1, 10) if place not in skip)
    assert sum(len(places) for places in used) == 12
    for first, second in zip(sides[::2], sides[1::2], strict=True):
        behind = [210 - placed.box.x - placed.box.width for placed in second.faces]
        assert behind == pytest.approx([piece.x for piece in first.cut_boxes])


@pytest.mark.parametrize("skip", [(10,), tuple(range(1, 10))])
def test_a_place_that_the_sheet_has_not_is_refused(skip):
    with pytest.raises(UsageError, match="9 positions"):
        plan_sheet(asked(skip=skip), POKER)


def test_cards_that_touch_show_bleed_only_around_all_of_them():
    assert plan_sheet(asked(bleed=3), POKER).visible_bleed == 0
    plan = plan_sheet(asked(bleed=3, outer_bleed=True), POKER)
    assert (plan.visible_bleed, plan.grid.gap, plan.grid.columns) == (3, 0, 3)


def test_marks_of_a_back_lie_behind_those_of_the_front():
    for profile, lying in (
        (asked(), False),
        (asked(grid=(4, 2)), True),
        (asked(duplex="short-edge"), False),
    ):
        plan = plan_sheet(profile, POKER)
        assert plan.is_landscape == lying
        lines = plan.make_cut_lines(1)
        mirrored_lines = plan.mirror_lines(lines)
        across = (profile.duplex == "short-edge") == lying
        for one, other in zip(lines, mirrored_lines, strict=True):
            assert (one.x1 + other.x1, one.y1 + other.y1) == pytest.approx(
                (plan.paper.width, 2 * one.y1)
                if across
                else (2 * one.x1, plan.paper.height)
            )


def test_silhouettes_marks_have_their_measures_and_the_check_line_keeps_clear():
    plan = plan_sheet(asked(registration="silhouette", grid=(2, 2)), POKER)
    square, angles = plan.machine_marks[:4], plan.machine_marks[4:]
    assert {(line.x1, line.y1) for line in square} == {
        (10, 10),
        (15, 10),
        (15, 15),
        (10, 15),
    }
    assert all(abs(line.x2 - line.x1) + abs(line.y2 - line.y1) == 20 for line in angles)
    assert {(200, 10), (10, 287)} <= {
        end for line in angles for end in ((line.x1, line.y1), (line.x2, line.y2))
    }
    assert plan.strip is not None
    assert plan.strip.start > 30
    assert plan_sheet(
        asked(registration="silhouette", margin=0), Size(width=105, height=148.5)
    ).has_marks_on_cards


def test_a_shape_reports_what_the_cut_takes():
    zone = Box(0, 0, 60, 60)
    corner, middle = Box(2, 2, 8, 4), Box(15, 28, 30, 4)
    assert is_inside(corner, zone, "rectangle", 0)
    assert not is_inside(corner, zone, "round", 0)
    assert not is_inside(corner, Box(0, 0, 60, 69), "hexagon", 0)
    assert all(
        is_inside(middle, zone, shape, 0) for shape in ("rectangle", "round", "hexagon")
    )
    for box in (Box(5, 5, 60, 69.3), Box(5, 5, 69.3, 60)):
        xs, ys = zip(*find_hexagon_corners(box), strict=True)
        assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx(
            (5, 5 + box.width, 5, 5 + box.height)
        )
        ends = find_hexagon_corners(box)
        sides = [dist(one, other) for one, other in pairwise(ends)]
        assert sides == pytest.approx([34.64] * 5, abs=0.1)


def test_cards_that_are_no_rectangles_are_marked_by_their_outlines():
    plan = plan_sheet(A4, Size(width=60, height=60, shape="round"))
    assert plan.profile.marks is not None
    assert (plan.profile.marks.style, plan.make_cut_lines(4)) == ("outline", ())
    with pytest.raises(ValueError, match="must be equal"):
        Size(width=60, height=70, shape="round")
