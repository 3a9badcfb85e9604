"""Conditions: a value that passes and one that fails for each test, and table filters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from builder.model.rules import Source, Where
from builder.roster.resolve import SelectedCard
from builder.rules.query import compile_condition, is_static, keep_static_part
from tests.rules.orchard import card

PICK = SelectedCard(
    card(
        {
            "id": "a",
            "kind": "person",
            "name": "A",
            "cost": 3,
            "keywords": ["x", "y"],
            "flag": True,
            "one": 1,
            "deep": {"in": {"side": 2}},
            "dash": None,
            "text": "3",
        }
    ),
    Source.ENTRIES,
    (),
    0,
    1,
    1,
    {"job": "cook"},
)
OTHER = SelectedCard(
    card({"id": "b", "kind": "person", "name": "B", "cost": 3, "want": "x", "less": 2}),
    Source.ENTRIES,
    (),
    1,
    1,
    1,
)

PASS: list[dict[str, Any]] = [
    {"cost": 3},
    {"cost": [2, 3]},
    {"cost": {"lt": 4}},
    {"cost": {"le": 3}},
    {"cost": {"gt": 2}},
    {"cost": {"ge": 3}},
    {"cost": {"ne": 4}},
    {"keywords": {"has": "x"}},
    {"keywords": {"has_any": ["z", "y"]}},
    {"keywords": {"lacks": "z"}},
    {"deep": {"has": "in"}},
    {"deep.in.side": 2},
    {"flag": True},
    {"one": 1},
    {"cost": {"exists": True}},
    {"dash": {"exists": False}},
    {"gone": {"exists": False}},
    {"gone": {"ne": 1}},
    {"gone": {"lacks": "x"}},
    {"choice.job": "cook"},
    {"choice.hat": {"exists": False}},
    {"cost": {"eq": {"other": "cost"}}},
    {"keywords": {"has": {"other": "want"}}},
    {"cost": {"gt": {"other": "less"}}},
    {"cost": {"ge": 1, "le": 5}},
    {"any": [{"cost": 9}, {"cost": 3}]},
    {"all": [{"cost": 3}, {"flag": True}]},
    {"none": [{"cost": 9}, {"flag": False}]},
    {},
]
FAIL: list[dict[str, Any]] = [
    {"cost": 4},
    {"cost": [1, 2]},
    {"cost": {"lt": 3}},
    {"cost": {"le": 2}},
    {"cost": {"gt": 3}},
    {"cost": {"ge": 4}},
    {"cost": {"ne": 3}},
    {"keywords": {"has": "z"}},
    {"keywords": {"has_any": ["z"]}},
    {"keywords": {"lacks": "x"}},
    {"flag": 1},
    {"one": True},
    {"cost": {"exists": False}},
    {"dash": {"exists": True}},
    {"gone": 1},
    {"gone": {"lt": 9}},
    {"dash": {"le": 9}},
    {"gone": {"has": "x"}},
    {"text": {"ge": 1}},
    {"flag": {"ge": 0}},
    {"choice.job": "head"},
    {"cost": {"eq": {"other": "gone"}}},
    {"cost": {"ne": {"other": "gone"}}},
    {"keywords": {"lacks": {"other": "want"}}},
    {"cost": {"ge": 1, "le": 2}},
    {"any": [{"cost": 9}]},
    {"all": [{"cost": 3}, {"flag": False}]},
    {"none": [{"cost": 3}]},
    {"text": {"has": "3"}},
]


@pytest.mark.parametrize("value", PASS, ids=str)
def test_a_condition_that_holds_passes(value: dict[str, Any]) -> None:
    assert compile_condition(Where.model_validate(value))(PICK, OTHER)


@pytest.mark.parametrize("value", FAIL, ids=str)
def test_a_condition_that_does_not_hold_fails(value: dict[str, Any]) -> None:
    assert not compile_condition(Where.model_validate(value))(PICK, OTHER)


def test_without_another_card_a_comparison_with_it_fails() -> None:
    assert not compile_condition(
        Where.model_validate({"cost": {"eq": {"other": "cost"}}})
    )(PICK, None)


WHERES = st.recursive(
    st.sampled_from(
        [value for value in (*PASS, *FAIL) if not value.keys() & {"any", "all", "none"}]
    ),
    lambda inner: st.dictionaries(
        st.sampled_from(["any", "all", "none"]),
        st.lists(inner, min_size=1, max_size=2),
        min_size=1,
    ),
    max_leaves=5,
)


@given(WHERES)
def test_the_part_that_the_card_decides_lets_through_whatever_the_whole_does(
    value: dict[str, Any],
) -> None:
    where = Where.model_validate(value)
    weaker = keep_static_part(where)
    assert is_static(weaker)
    if compile_condition(where)(PICK, OTHER):
        assert compile_condition(weaker)(PICK, None)
