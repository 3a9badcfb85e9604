"""Blocks of a face keep their distance, and stay inside their panels."""

import pytest

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock, find_spacing_faults

HEAD = PaintedBlock("head", "", Box(0, 0, 60, 12))


def said(*blocks: PaintedBlock, gap: float = 1.5) -> list[str]:
    return [str(what) for what, _box in find_spacing_faults(blocks, gap)]


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([HEAD, PaintedBlock("text", "", Box(5, 13.5, 50, 9))], []),
        (
            [HEAD, PaintedBlock("text", "", Box(5, 12.4, 50, 9))],
            ["blocks 'head' and 'text' are 0.4 mm apart instead of 1.5 mm"],
        ),
        (
            [PaintedBlock("text", "", Box(5, 11, 50, 9)), HEAD],
            ["blocks 'text' and 'head' overlap by 1.0 mm; they must be 1.5 mm apart"],
        ),
        ([HEAD, PaintedBlock("name", "head", Box(5, 3, 50, 8))], []),
        (
            [HEAD, PaintedBlock("name", "head", Box(5, 5, 50, 8))],
            ["block 'name' extends 1.0 mm beyond its panel 'head'"],
        ),
        (
            [
                PaintedBlock("row", "", Box(5, 20, 50, 8)),
                PaintedBlock("row", "", Box(5, 28, 50, 8)),
            ],
            [],
        ),
        ([HEAD, PaintedBlock("beside", "", Box(61.2, 13.2, 9, 9))], []),
        (
            [
                HEAD,
                PaintedBlock("plate", "head", Box(2, 2, 20, 8)),
                PaintedBlock("price", "plate", Box(3, 3, 9, 6)),
            ],
            [],
        ),
    ],
)
def test_which_blocks_are_too_near(blocks, told):
    assert said(*blocks) == told


def test_a_kind_may_state_another_distance():
    near = [HEAD, PaintedBlock("text", "", Box(5, 12.8, 50, 9))]
    assert said(*near, gap=0.8) == []
    assert len(said(*near, gap=1)) == 1
