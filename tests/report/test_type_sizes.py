"""The report of type sizes: exact figures from blocks and letters."""

from __future__ import annotations

from collections import Counter

import pytest

from builder.report.fit import BlockFit
from builder.report.type_sizes import (
    EmptyBand,
    KindSizes,
    count_surplus,
    format_type_sizes,
)


def block(
    card: str, size: float, fill: float, side: str = "front", letters: int = 200
) -> BlockFit:
    face = (card, card.title(), "spirit", side, "en")
    return BlockFit(*face, "text", size, (9, 8, 7, 6), fill, letters=letters)


def sizes(*blocks: BlockFit, declared_size: float | None = None) -> KindSizes:
    letters = Counter({9.0: 700, 7.0: 200, 6.0: 100})
    bands = [EmptyBand("a front", 0.1), EmptyBand("b back", 0.3)]
    return KindSizes("spirit", "en", declared_size, letters, list(blocks), bands)


def test_letters_below_seven_points_are_counted() -> None:
    assert sizes().smallest_size == 6
    assert sizes().small_share == pytest.approx(0.1)


def test_the_target_is_the_declared_size_or_the_most_frequent_one() -> None:
    blocks = (
        block("a", 8, 0.9),
        block("b", 8, 0.9),
        block("c", 7, 0.9),
        block("d", 9, 0.5),
    )
    assert sizes(*blocks).target_size == 8
    assert sizes(*blocks).body_sizes == (9, 8, 7)
    assert sizes(*blocks).spread == pytest.approx(9 / 7)
    assert sizes(*blocks, declared_size=9).target_size == 9


@pytest.mark.parametrize(
    ("size", "fill", "target", "surplus"),
    # A text that fills its block at 6 pt takes (8 / 6) ** 2 = 1.778 of it at 8 pt.
    [
        (6, 1.0, 8, 88),
        (6, 0.9, 8, 75),
        (7, 1.0, 8, 47),
        (7, 0.6, 8, 1),
        (6, 1.5, 8, 125),
    ],
)
def test_the_surplus_follows_from_fill_and_size(
    size: float, fill: float, target: float, surplus: int
) -> None:
    assert count_surplus(block("a", size, fill), target) == surplus


def test_the_report_lists_texts_to_shorten_and_empty_bands() -> None:
    kind = sizes(
        block("a", 8, 0.9), block("b", 6, 1.0), block("c", 8, 0.5), declared_size=8
    )
    assert format_type_sizes("toy", [kind], "en").splitlines() == [
        "toy: type sizes",
        "  kind        smallest  body text, pt  spread  below 7 pt  empty band",
        "! spirit  en  6         8, 6           1.33    10%         30%",
        "",
        "Shorten for 8 pt: spirit [en]",
        "  b front text: about 88 of 200 characters too many, 6 pt",
        "",
        "Empty bands above 25%: spirit [en]",
        "  30%  b back",
    ]


def test_a_block_that_is_smaller_by_design_is_not_to_be_shortened() -> None:
    small = BlockFit("n", "N", "spirit", "front", "en", "note", 7, (7, 6), 0.5)
    assert sizes(block("a", 8, 0.9), block("b", 8, 0.9), small).list_long_texts() == []
