"""Sizes as people write them."""

import pytest

from builder.units import parse_size, pick_unit_form


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("63x88", (63, 88)),
        ("63.5x88.9", (63.5, 88.9)),
        ("63x88mm", (63, 88)),
        ("63mm x 88mm", (63, 88)),
        ("2.5inx3.5in", (63.5, 88.9)),
        ("2.5x3.5in", (63.5, 88.9)),
        ('2.5"×3.5"', (63.5, 88.9)),
        ("6,3x8,8cm", (63, 88)),
        ("63", None),
        ("63x", None),
        ("63x88pt", None),
        ("-63x88", None),
        ("1e9x88", None),
    ],
)
def test_a_size_is_read_with_its_units(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("unit", "amount", "form"),
    [
        ("pts", 1, "pt"),
        ("pts", 0, "pts"),
        ("pts", 2, "pts"),
        ("pts", 1.5, "pts"),
        ("gr", 1, "gr"),
    ],
)
def test_a_unit_has_the_form_of_its_amount(unit: str, amount: float, form: str) -> None:
    assert pick_unit_form(unit, amount) == form
