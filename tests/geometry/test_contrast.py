"""The contrast of a text with its background, as WCAG 2.2 counts it."""

import pytest
from hypothesis import given
from hypothesis.strategies import floats, tuples

from builder.findings import Box
from builder.geometry.contrast import (
    BLACK,
    WHITE,
    LowContrast,
    PaintedText,
    blend_colours,
    describe_lowest,
    measure_contrast,
    measure_contrast_ratio,
)
from builder.geometry.spacing import PaintedBlock

PARTS = floats(0, 1)
COLOURS = tuples(PARTS, PARTS, PARTS)
GREY = (119 / 255, 119 / 255, 119 / 255)


def text_of(
    colour: tuple[float, float, float], alpha: float = 1.0, box: Box | None = None
) -> PaintedText:
    return PaintedText("word", colour, alpha, None, box or Box(5, 5, 20, 3), 3.0)


def lowest(text: PaintedText) -> LowContrast:
    low = measure_contrast(text, WHITE)
    assert low is not None
    return low


def test_black_on_white_is_21() -> None:
    assert measure_contrast_ratio(BLACK, WHITE) == pytest.approx(21)


@pytest.mark.parametrize(
    ("grey", "contrast"),
    # The examples of the guidelines' own test tools: #777777 just fails, #767676 just passes.
    [(0x77, 4.48), (0x76, 4.54)],
)
def test_greys_at_the_limit(grey: int, contrast: float) -> None:
    colour = (grey / 255, grey / 255, grey / 255)
    assert measure_contrast_ratio(colour, WHITE) == pytest.approx(contrast, abs=0.005)
    assert (measure_contrast(text_of(colour), WHITE) is not None) == (contrast < 4.5)


def test_a_transparent_text_is_measured_as_it_is_seen() -> None:
    low = lowest(text_of(BLACK, alpha=0.5))
    assert low.colour == pytest.approx((0.5, 0.5, 0.5), abs=0.003)
    assert low.contrast < 4.5


@given(COLOURS, COLOURS)
def test_contrast_has_no_direction_and_lies_between_1_and_21(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    assert measure_contrast_ratio(first, second) == measure_contrast_ratio(
        second, first
    )
    assert 1 <= measure_contrast_ratio(first, second) <= 21.0001


@given(COLOURS, COLOURS, PARTS)
def test_a_blend_lies_between_its_colours(
    first: tuple[float, float, float], second: tuple[float, float, float], alpha: float
) -> None:
    for part, one, other in zip(
        blend_colours(first, alpha, second), first, second, strict=True
    ):
        assert min(one, other) - 1e-9 <= part <= max(one, other) + 1e-9


def test_a_message_names_the_worst_text_its_block_and_how_many_there_are() -> None:
    worst, other = (
        lowest(text_of((0.8, 0.8, 0.8))),
        lowest(text_of(GREY, box=Box(5, 40, 20, 3))),
    )
    blocks = [
        PaintedBlock("face", "", Box(0, 0, 60, 80)),
        PaintedBlock("head", "", Box(0, 0, 60, 12)),
    ]
    message, box = describe_lowest([other, worst], blocks)
    assert str(message) == (
        "the text 'word' in block 'head' (#cccccc on #ffffff) has a contrast of 1.6:1; the limit "
        "is 4.5:1. Texts of this face with low contrast: 2"
    )
    assert box == Box(5, 5, 20, 3)


def test_a_contrast_just_below_the_limit_does_not_read_as_the_limit() -> None:
    message, _box = describe_lowest([lowest(text_of(GREY))], [])
    assert (
        str(message)
        == "the text 'word' (#777777 on #ffffff) has a contrast of 4.4:1; the limit is 4.5:1"
    )
