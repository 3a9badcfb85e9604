"""Bounds: every form, rounding, and what happens where the card or the roster states nothing."""

from __future__ import annotations

from typing import Any

import pytest

from builder.model.rules import Bound
from builder.rules.bounds import derive_bound
from tests.rules.orchard import card

PARAMS: dict[str, int | str] = {"size": 31, "mode": "fair"}
CARD = card(
    {
        "id": "a",
        "kind": "person",
        "name": "A",
        "rarity": "1/10",
        "most": 4,
        "twice": "2/15",
        "each": 7,
        "odd": "1/0",
        "word": "many",
    }
)

FORMS: list[tuple[Any, int | float | None]] = [
    (3, 3),
    ({"param": "size"}, 31),
    ({"param": "gone"}, None),
    ({"field": "most"}, 4),
    ({"field": "gone"}, None),
    ({"field": "word"}, None),
    ({"one_per": {"each": 10, "of": "size"}}, 3),
    ({"one_per": {"each": 10, "of": "size", "round": "up"}}, 4),
    ({"one_per": {"each": "each", "of": "size"}}, 4),
    ({"one_per": {"each": 0, "of": "size"}}, None),
    ({"share": {"field": "rarity", "of": "size"}}, 3),
    ({"share": {"field": "rarity", "of": "size", "round": "up"}}, 4),
    ({"share": {"field": "twice", "of": "size"}}, 4),
    ({"share": {"field": "most", "of": "size"}}, 4),
    ({"share": {"field": "odd", "of": "size"}}, None),
    ({"table": {"fair": 2, "feast": 5}, "by": "mode"}, 2),
    ({"table": {"feast": 5}, "by": "mode"}, None),
]


@pytest.mark.parametrize(("value", "expected"), FORMS)
def test_a_bound_comes_to_its_number(value: Any, expected: int | float | None) -> None:
    derived = derive_bound(Bound.model_validate(value), PARAMS, CARD)
    assert (derived.value if derived is not None else None) == expected
