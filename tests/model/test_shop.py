"""Sizes of an order as people read them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from builder.model.shop import Colour, Preset, format_size_name


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"space": "rgb", "standard": "pdf/x-4"}, "cmyk"),
        ({"space": "cmyk", "standard": "pdf/x-1a"}, "transparency"),
        (
            {"space": "cmyk", "ink_limit": 200, "rich_black": (60, 40, 40, 100)},
            "more than ink_limit",
        ),
    ],
)
def test_colours_that_contradict_themselves_are_refused(wrong, said):
    with pytest.raises(ValidationError, match=said):
        Colour(**wrong)


def test_images_in_cmyk_are_refused():
    with pytest.raises(ValidationError, match="rgb"):
        Preset(id="x", name={}, output="png", bleed=3, colour=Colour(space="cmyk"))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("63x88", "63 × 88"),
        ("61.5x88", "61.5 × 88"),
        ("us-poker", "us-poker"),
        ("2x-deluxe", "2x-deluxe"),
        ("x", "x"),
    ],
)
def test_a_size_without_a_name_is_read_as_a_measure(name: str, shown: str) -> None:
    assert format_size_name(name) == shown
