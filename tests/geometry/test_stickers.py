"""Stickers cover the old and the new place of a block, and lie apart on their sheets."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, strategies as st

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock, measure_distance
from builder.geometry.stickers import (
    LABEL_HEIGHT_MM,
    MARK_SPACE_MM,
    find_sticker_area,
    merge_boxes,
    pack_stickers,
    pair_blocks,
)
from builder.model.profile import Paper, Profile

LETTER = Paper(width=215.9, height=279.4)


def test_blocks_of_one_name_are_paired_in_order() -> None:
    old = [
        PaintedBlock("stat", "", Box(0, 0, 5, 5)),
        PaintedBlock("stat", "", Box(10, 0, 5, 5)),
    ]
    new = [
        PaintedBlock("stat", "", Box(0, 0, 7, 5)),
        PaintedBlock("stat", "", Box(30, 0, 5, 5)),
    ]
    first, second = pair_blocks(old, [*new])
    assert (first.box, first.is_moved) == (Box(0, 0, 7, 5), False)
    assert (second.box, second.is_moved) == (Box(10, 0, 25, 5), True)
    (alone,) = pair_blocks([], new[:1])
    assert (alone.box, alone.is_moved) == (Box(0, 0, 7, 5), False)


def test_overlapping_boxes_become_one() -> None:
    boxes = [Box(0, 0, 4, 4), Box(10, 0, 4, 4), Box(3, 3, 8, 2), Box(20, 20, 1, 1)]
    assert merge_boxes(boxes) == [Box(0, 0, 14, 5), Box(20, 20, 1, 1)]


@given(st.lists(st.tuples(st.floats(3, 90), st.floats(2, 80)), min_size=1, max_size=25))
def test_stickers_with_their_marks_and_labels_lie_apart(
    sizes: list[tuple[float, float]],
) -> None:
    area = find_sticker_area(LETTER, Profile(id="p", name={"en": "P"}))
    pages = pack_stickers(sizes, {0: 30.0}, area)
    placed = [sticker for page in pages for sticker in page]
    assert sorted(sticker.index for sticker in placed) == list(range(len(sizes)))
    for page in pages:
        for sticker in page:
            assert (sticker.box.width, sticker.box.height) == sizes[sticker.index]
            assert min(sticker.box.measure_margins(area)) >= -1e-6
        for first, second in combinations(page, 2):
            upper, lower = sorted((first.box, second.box), key=lambda box: box.y)
            label = Box(upper.x, upper.y, upper.width, upper.height + LABEL_HEIGHT_MM)
            assert measure_distance(label, lower) >= 2 * MARK_SPACE_MM - 1e-6


def test_a_sticker_larger_than_the_paper_is_left_out() -> None:
    area = find_sticker_area(LETTER, Profile(id="p", name={"en": "P"}))
    assert pack_stickers([(10, 10), (300, 10)], {}, area)[0][0].index == 0
    assert len(pack_stickers([(300, 10)], {}, area)) == 0
