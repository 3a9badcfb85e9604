from __future__ import annotations

from hypothesis import given, strategies as st

from builder.geometry.boxes import group_cells

cells = st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


@given(cells)
def test_every_cell_lies_in_exactly_one_rectangle(marked: set[tuple[int, int]]) -> None:
    found = group_cells(marked)
    for x, y in marked:
        assert (
            sum(
                left <= x < right and top <= y < bottom
                for left, top, right, bottom in found
            )
            == 1
        )


def test_far_cells_stay_apart_and_near_ones_join() -> None:
    assert group_cells({(0, 0), (2, 0), (9, 9)}) == ((0, 0, 3, 1), (9, 9, 10, 10))
