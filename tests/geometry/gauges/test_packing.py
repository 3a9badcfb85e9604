from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from builder.findings import Box
from builder.geometry.gauges.art import Piece
from builder.geometry.gauges.packing import (
    CAPTION_HEIGHT_MM,
    GAP_MM,
    find_back_position,
    measure_piece,
    pack_pieces,
)

AREA = Box(10, 21, 190, 253)
SIDES = st.floats(min_value=3, max_value=260, allow_nan=False)
PIECES = st.lists(
    st.builds(
        Piece,
        st.just("x"),
        SIDES,
        SIDES,
        st.just(()),
        st.just(()),
        st.sampled_from(["", "c"]),
    ),
    max_size=24,
)


def apart(one: Box, other: Box, by: float) -> bool:
    """True if the boxes keep this distance in one direction."""
    across = max(one.x - other.x - other.width, other.x - one.x - one.width)
    down = max(one.y - other.y - other.height, other.y - one.y - one.height)
    return max(across, down) >= by - 1e-3


@given(PIECES)
def test_nothing_is_lost(pieces: list[Piece]) -> None:
    pages, too_large = pack_pieces(pieces, AREA)
    found = [placed.piece for page in pages for placed in page] + too_large
    assert sorted(map(id, found)) == sorted(map(id, pieces))
    for item in too_large:
        for turned in (False, True):
            wide, tall = measure_piece(item, is_turned=turned)
            assert wide > AREA.width or tall > AREA.height


@given(PIECES)
def test_nothing_overlaps_or_leaves_the_page(pieces: list[Piece]) -> None:
    pages, _ = pack_pieces(pieces, AREA)
    for page in pages:
        whole = [
            Box(p.x, p.y, *measure_piece(p.piece, is_turned=p.is_turned)) for p in page
        ]
        for box in whole:
            assert box.x >= AREA.x - 1e-6
            assert box.x + box.width <= AREA.x + AREA.width + 1e-3
            assert box.y >= AREA.y - 1e-6
            assert box.y + box.height <= AREA.y + AREA.height + 1e-3
        assert all(apart(one, other, GAP_MM) for one, other in combinations(whole, 2))


@given(PIECES, st.sampled_from([210.0, 215.9]))
def test_turning_the_paper_brings_each_back_behind_its_front(
    pieces: list[Piece], paper: float
) -> None:
    pages, _ = pack_pieces(pieces, AREA)
    for placed in (placed for page in pages for placed in page):
        back = find_back_position(placed, paper)
        assert abs((paper - back.box.x - back.box.width) - placed.box.x) < 1e-9
        assert (back.box.y, back.box.width, back.box.height) == (
            placed.box.y,
            placed.box.width,
            placed.box.height,
        )
        assert find_back_position(back, paper).box.x == pytest.approx(placed.box.x)


def test_a_caption_takes_room() -> None:
    plain, named = Piece("x", 10, 10, ()), Piece("x", 10, 10, (), caption="c")
    assert measure_piece(named, is_turned=False)[1] - measure_piece(
        plain, is_turned=False
    )[1] == pytest.approx(CAPTION_HEIGHT_MM)
