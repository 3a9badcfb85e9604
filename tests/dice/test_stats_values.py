"""Numbers of stats.yaml: every form by hand, what is not stated, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from builder.dice.odds import find_mean
from builder.dice.reading import Reading, parse_throw
from builder.model.card import Card
from builder.model.stats import StatsFile
from builder.model.statvalues import FieldOf, Value, collect_axes
from builder.roster.resolve import make_test_selection

VALUE: TypeAdapter[Any] = TypeAdapter(Value)
DIE = {face: Fraction(1, 6) for face in range(1, 7)}


def card(**data: Any) -> Card:
    return Card.model_validate(
        {
            "id": "one",
            "kind": "model",
            "name": "One",
            "revision": 1,
            "released": date(2026, 1, 1),
            **data,
        }
    )


def reading(profile: Mapping[str, int | None] | None = None) -> Reading:
    attack = card(
        power=5, shots="d6", burst="2d6+1", words="many", tags=["sharp"], none=None
    )
    model = make_test_selection(card(arm=3), choices={"oath": "kept"})
    return Reading(
        make_test_selection(attack),
        model,
        profile or {"hide": 4, "given.near": 2, "dash": None},
    )


def whole(raw: Any) -> int | None:
    return reading().find_number(VALUE.validate_python(raw))


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        (7, 7),
        ({"attack": "power"}, 5),
        ({"model": "arm"}, 3),
        ({"target": "hide"}, 4),
        ({"given": "near"}, 2),
        ({"attack": "absent", "otherwise": 9}, 9),
        ({"attack": "absent"}, None),
        ({"target": "dash", "otherwise": 9}, None),
        ({"attack": "words"}, None),
        ({"sum": [1, {"attack": "power"}], "less": [{"model": "arm"}, 2]}, 1),
        ({"sum": [1, {"attack": "absent"}]}, None),
        ({"sum": [1], "less": [{"target": "dash"}]}, None),
        ({"product": [2, {"model": "arm"}, -1]}, -6),
        ({"least": [4, {"attack": "absent"}, {"model": "arm"}]}, 3),
        ({"most": [{"attack": "absent"}]}, None),
        ({"most": [0, -2]}, 0),
    ],
)
def test_a_number_is_worked_out(raw: Any, number: int | None) -> None:
    assert whole(raw) == number


@pytest.mark.parametrize(
    ("case", "holds"),
    [
        ({"compare": {"value": {"attack": "power"}, "gt": {"target": "hide"}}}, True),
        ({"compare": {"value": {"attack": "power"}, "gt": 4, "le": 5}}, True),
        ({"compare": {"value": {"attack": "power"}, "lt": 5}}, False),
        ({"compare": {"value": {"attack": "power"}, "eq": 5}}, True),
        ({"compare": {"value": {"attack": "absent"}, "ge": 0}}, False),
        ({"compare": {"value": 1, "ge": {"target": "dash"}}}, False),
        ({"where": {"tags": {"has": "sharp"}}}, True),
        ({"where": {"tags": {"has": "blunt"}}}, False),
        ({"bearer": {"choice.oath": "kept"}}, True),
        ({"bearer": {"arm": 4}}, False),
        (
            {"where": {"tags": {"has": "sharp"}}, "bearer": {"choice.oath": "broken"}},
            False,
        ),
    ],
)
def test_a_case_counts_if_all_it_states_holds(
    case: Mapping[str, Any], holds: bool
) -> None:
    assert whole({"cases": [{**case, "value": 1}], "otherwise": 0}) == int(holds)


def test_the_first_case_that_holds_counts_and_none_states_nothing() -> None:
    below = {"compare": {"value": {"target": "hide"}, "le": 4}, "value": 1}
    assert whole({"cases": [below, {**below, "value": 2}]}) == 1
    assert whole({"cases": [{"compare": {"value": 1, "gt": 1}, "value": 1}]}) is None


def test_dice_are_spread_and_certain_only_where_one_result_is_left() -> None:
    read = reading()
    assert read.find_spread(VALUE.validate_python({"attack": "shots"})) == DIE
    assert read.find_spread(VALUE.validate_python("d6")) == DIE
    assert read.find_number(VALUE.validate_python("d6")) is None
    two = read.find_spread(VALUE.validate_python({"sum": ["d6", "d6"]}))
    assert two is not None
    assert two[7] == Fraction(6, 36)
    most = read.find_spread(VALUE.validate_python({"most": ["d6", "d6"]}))
    assert most is not None
    assert most[1] == Fraction(1, 36)
    assert most[6] == Fraction(11, 36)


@pytest.mark.parametrize(
    "text", ["", "d", "0d6", "d1", "21d6", "2d6+1000", "12345", "d6*2", "two"]
)
def test_a_text_that_is_no_dice_states_nothing(text: str) -> None:
    assert parse_throw(text) is None


@given(
    count=st.integers(1, 4), sides=st.sampled_from([2, 3, 6]), more=st.integers(-3, 9)
)
def test_the_spread_of_dice_sums_to_one(count: int, sides: int, more: int) -> None:
    spread = parse_throw(f"{count}d{sides}{more:+d}")
    assert spread is not None
    assert sum(spread.values()) == 1
    assert find_mean(spread) == Fraction(count * (sides + 1), 2) + more


def test_what_a_number_hangs_on_is_found_at_any_depth() -> None:
    value = VALUE.validate_python(
        {
            "cases": [
                {
                    "compare": {"value": {"target": "hide"}, "gt": {"given": "near"}},
                    "value": {"sum": [{"target": "legs"}]},
                }
            ],
            "otherwise": {"target": "hide"},
        }
    )
    assert collect_axes(value) == ("hide", "given.near", "legs")


@pytest.mark.parametrize(
    "raw",
    [True, 1.5, {}, {"plus": 1}, {"sum": []}, "six", {"attack": "a", "target": "b"}],
)
def test_a_number_of_no_known_form_is_refused(raw: Any) -> None:
    with pytest.raises(ValidationError):
        VALUE.validate_python(raw)


FORM: Mapping[str, Any] = {
    "ways": [{"damage": [{"dice": {"count": {"named": "many"}, "each": 4}}]}]
}


def test_a_name_of_the_form_goes_before_one_of_the_file() -> None:
    both = {
        "let": {"many": {"named": "some"}, "some": 2},
        "attacks": [FORM, {**FORM, "let": {"some": {"attack": "x"}}}],
    }
    found = StatsFile.model_validate(both)
    counts = [form.ways[0].damage[0].dice.count for form in found.attacks]
    assert counts == [2, FieldOf(attack="x")]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({"attacks": [FORM]}, "the number many is not defined"),
        (
            {
                "let": {"many": {"named": "few"}, "few": {"named": "many"}},
                "attacks": [FORM],
            },
            "refers to itself: many → few → many",
        ),
        (
            {
                "attacks": [
                    {"ways": [{"damage": [{"dice": {"count": {"given": "near"}}}]}]}
                ]
            },
            "near is not listed",
        ),
        (
            {
                "attacks": [
                    {"duel": {"dice": {"count": 1}, "stamina": {"target": "wounds"}}}
                ]
            },
            "no target, and nothing given",
        ),
        (
            {
                "attacks": [
                    {"ways": [{"damage": [{"dice": {"count": 1, "each": "d6"}}]}]}
                ]
            },
            "each is rolled",
        ),
        (
            {
                "attacks": [
                    {
                        "roll": {"dice": "2d6"},
                        "ways": [{"reach": {"sum": [3, {"least": ["d3", 2]}]}}],
                    }
                ]
            },
            "reach is rolled",
        ),
        ({"attacks": [{"title": {"en": "Nothing"}}]}, "either ways or a duel"),
        ({"attacks": [{"ways": [{}]}]}, "without a roll, a way needs damage"),
        (
            {
                "attacks": [
                    {
                        "ways": [
                            {
                                "damage": [
                                    {"dice": {"count": 1, "then": [{"dice": "1d6"}]}}
                                ]
                            }
                        ]
                    }
                ]
            },
            "needs a required result",
        ),
    ],
)
def test_what_says_nothing_clear_is_refused_with_its_reason(
    raw: Mapping[str, Any], reason: str
) -> None:
    with pytest.raises(ValidationError, match=reason):
        StatsFile.model_validate(raw)
