from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builder.geometry.comparison import MARGIN, spreads
from builder.model.profile import Paper

A4 = Paper(width=210, height=297)
pairs = st.lists(st.tuples(st.floats(30, 180), st.floats(30, 130), st.booleans()), max_size=8)


@given(pairs)
def test_nothing_overlaps_and_all_lies_on_the_paper(given_pairs: list[tuple[float, float, bool]]) -> None:
    pages: dict[int, list] = {}
    for spread in spreads(given_pairs, A4):
        pages.setdefault(spread.page, []).append(spread.after)
        if spread.before:
            pages.setdefault(spread.before_page, []).append(spread.before)
    for boxes in pages.values():
        for index, one in enumerate(boxes):
            assert one.x >= MARGIN
            assert one.x + one.width <= A4.width
            assert one.y + one.height <= A4.height - MARGIN + 0.001
            for other in boxes[index + 1 :]:
                apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
                apart_y = one.y + one.height <= other.y or other.y + other.height <= one.y
                assert apart_x or apart_y
