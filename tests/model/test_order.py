"""Sizes of an order as people read them."""

from __future__ import annotations

import pytest

from builder.model.order import shown_size


@pytest.mark.parametrize(
    ("name", "shown"),
    [("63x88", "63 × 88"), ("61.5x88", "61.5 × 88"), ("us-poker", "us-poker"), ("2x-deluxe", "2x-deluxe"), ("x", "x")],
)
def test_a_size_without_a_name_is_read_as_a_measure(name: str, shown: str) -> None:
    assert shown_size(name) == shown
