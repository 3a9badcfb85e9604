"""The quick validity check agrees with the full report; a broken schema gets neither."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

from builder.model.loaded import Document
from builder.packs.schema.bundle import Bundler
from builder.packs.schema.validation import KindSchema
from builder.packs.yaml.reading import read_document
from tests.checks.projects import ROOT

STANDARD = jsonschema.Draft202012Validator
DATES = jsonschema.FormatChecker(["date"])

names = st.sampled_from(["a", "b", "ab", "c1"])
scalars = st.sampled_from(
    [
        "a",
        "ab",
        "",
        "2026-02-30",
        "2026-03-01",
        0,
        1,
        2,
        1.0,
        1.5,
        -1,
        True,
        False,
        None,
    ]
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)
    ),
    max_leaves=6,
)
sizes = st.integers(0, 3)
types = st.sampled_from(
    ["string", "object", "array", "boolean", "null", "integer", "number"]
)
patterns = st.sampled_from(["^a", "b$", "1", "^ab?$"])


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas with some of all keywords."""
    several = st.lists(inner, min_size=1, max_size=3)
    listed = st.lists(names, unique=True, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, unique=True, min_size=1, max_size=2),
            "enum": st.lists(st.sampled_from(["a", 1, 0, True, None, ""]), max_size=3),
            "const": st.sampled_from(["a", 1, True, None]),
            **{
                f"{side}{what}": sizes
                for side in ("min", "max")
                for what in ("Length", "Items", "Properties")
            },
            **dict.fromkeys(
                ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
                st.sampled_from([0, 1.5]),
            ),
            "pattern": patterns,
            "format": st.just("date"),
            "required": listed,
            "dependentRequired": st.dictionaries(names, listed, max_size=2),
            "properties": st.dictionaries(names, inner, max_size=3),
            "patternProperties": st.dictionaries(patterns, inner, max_size=2),
            **dict.fromkeys(
                [
                    "additionalProperties",
                    "propertyNames",
                    "items",
                    "not",
                    "if",
                    "then",
                    "else",
                ],
                inner,
            ),
            **dict.fromkeys(["prefixItems", "allOf", "anyOf", "oneOf"], several),
            "uniqueItems": st.booleans(),
            "$ref": st.sampled_from(["#/$defs/one", "#/$defs/two"]),
            "x-text": st.just("plain"),
        },
    )


schemas = st.recursive(st.booleans() | st.just({}), keywords, max_leaves=8)
whole = st.builds(
    lambda top, one, two: {"allOf": [top], "$defs": {"one": one, "two": two}},
    schemas,
    schemas,
    schemas,
)


def kind_of(schema: dict[str, Any], tmp_path: Path) -> KindSchema:
    """Return a kind with such a schema."""
    path = tmp_path / "kind.schema.json"
    path.write_text(json.dumps(schema), "utf-8")
    return KindSchema(Bundler(ROOT / "schemas/core", tmp_path), path)


def answer(schema: dict[str, Any], value: Any) -> bool | None:
    """Return the quick answer; None where there is none."""
    kind = KindSchema.__new__(KindSchema)
    kind.schema = schema
    return kind.is_surely_valid(value) if kind._fast_validator is not None else None


TRICKY: list[tuple[dict[str, Any], list[Any]]] = [
    ({"then": False}, [1]),
    ({"else": False}, [1]),
    ({"if": {"type": "string"}, "then": {"minLength": 2}}, ["a", "ab", 1]),
    ({"if": {"type": "string"}, "else": False}, ["a", 1]),
    ({"enum": [1]}, [True, 1.0, 1, "1"]),
    ({"const": True}, [1, True]),
    ({"type": "integer"}, [True, 1.0, 1.5]),
    ({"minimum": 1}, [True, "", 0.5]),
    ({"not": {"maximum": 1}}, [True, 1, 2, ""]),
    ({"exclusiveMinimum": 1, "exclusiveMaximum": 3}, [1, 2, 3]),
    (
        {"prefixItems": [{"type": "string"}], "items": {"type": "null"}},
        [[], ["a"], [1], ["a", None], ["a", 1]],
    ),
    ({"prefixItems": [True, False]}, [[1], [1, 2]]),
    ({"uniqueItems": True}, [["a", "b"], ["a", "a"], [1, True]]),
    ({"oneOf": [{"type": "number"}, {"minimum": 3}]}, [1, 3, "a", None]),
    (
        {"additionalProperties": False, "patternProperties": {"^a": {"type": "null"}}},
        [{"a": None}, {"a": 1}, {"b": 1}],
    ),
    (
        {"properties": {"a": True}, "patternProperties": {"a": False}},
        [{"a": 1}, {"b": 1}],
    ),
    ({"propertyNames": {"maxLength": 1}}, [{"a": 1}, {"ab": 1}]),
    ({"dependentRequired": {"a": ["b"]}}, [{"a": 1}, {"a": 1, "b": 1}, {}]),
    ({"properties": {"a": {"$ref": "#"}}}, [{"a": {}}]),
]


@pytest.mark.parametrize(("schema", "given_values"), TRICKY)
def test_the_answer_is_the_standards_where_it_is_easily_another(
    schema: dict[str, Any], given_values: list[Any]
) -> None:
    for value in given_values:
        assert answer(schema, value) == STANDARD(schema, format_checker=DATES).is_valid(
            value
        ), value


@pytest.mark.parametrize(
    "broken",
    [
        *(
            {name: "?"}
            for name in (
                "type",
                "enum",
                "required",
                "properties",
                "allOf",
                "items",
                "minimum",
                "minLength",
            )
        ),
        *(
            {"uniqueItems": 1},
            {"required": ["a", "a"]},
            {"type": []},
            {"type": ["null", "null"]},
            {"allOf": []},
        ),
        *(
            {"minItems": -1},
            {"maxLength": True},
            {"pattern": 1},
            {"pattern": "("},
            {"title": 1},
            {"if": 1},
            {"then": 1},
        ),
        *({"dependentRequired": {"a": "b"}}, {"$ref": "#/$defs/none"}, {"$ref": 1}),
    ],
)
def test_what_is_broken_gets_no_answer(broken: dict[str, Any]) -> None:
    assert answer(broken, {}) is None


@given(whole, values)
def test_the_answer_is_the_standards(schema: dict[str, Any], value: Any) -> None:
    try:
        wanted = STANDARD(schema, format_checker=DATES).is_valid(value)
    except RecursionError:
        return  # a schema that refers to itself
    assert answer(schema, value) == wanted


@given(whole, st.lists(st.integers(0, 9), max_size=6), scalars | st.lists(scalars))
def test_what_is_no_schema_gets_no_answer(
    schema: dict[str, Any], way: list[int], wrong: Any
) -> None:
    """Put something anywhere into a schema: where it breaks it, nothing is answered."""
    schema = copy.deepcopy(schema)
    place: Any = schema
    for step in way:
        parts = list(place) if isinstance(place, dict) else range(len(place))
        chosen = parts[step % len(parts)]
        if not place[chosen] or not isinstance(place[chosen], dict | list):
            place[chosen] = wrong
            break
        place = place[chosen]
    if answer(schema, {}) is not None:
        STANDARD.check_schema(schema)


KINDS = sorted((ROOT / "schemas").glob("[!c]*/*.schema.json"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", KINDS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_cards_of_the_packs_are_checked_alike_right_and_wrong(path: Path) -> None:
    """A kind's longest card, and this with one of its values exchanged or taken away."""
    kind = KindSchema(Bundler(ROOT / "schemas/core", ROOT), path)
    assert kind._fast_validator is not None
    cards = sorted(
        (
            ROOT / "cards" / path.parent.name / path.name.removesuffix(".schema.json")
        ).rglob("*.yaml")
    )
    for file in sorted(cards, key=lambda one: one.stat().st_size)[-1:]:
        document = read_document(file, file.name)[0]
        assert document is not None
        for value in (document.value, *_spoilt(document.value)):
            judged = kind._validator.is_valid(value)
            assert kind.is_surely_valid(value) == judged, value


UNEVALUATED = {
    "allOf": [
        {
            "anyOf": [
                {"properties": {"a": {"type": "null"}}},
                {"properties": {"b": {"type": "null"}}},
            ]
        }
    ],
    "unevaluatedProperties": False,
}


def test_an_unknown_property_is_one_that_no_part_of_the_schema_names(
    tmp_path: Path,
) -> None:
    """By the letter of the standard there are more.

    The quick answer is no, and then no mistake is found.
    """
    kind = kind_of(UNEVALUATED, tmp_path)
    for value, mistakes in (({"a": None}, 0), ({"a": None, "b": 1}, 0), ({"c": 1}, 1)):
        assert len(kind.validate_document(Document("card.yaml", value))) == mistakes, (
            value
        )


def test_what_no_schema_can_hold_is_left_to_what_reports_mistakes(
    tmp_path: Path,
) -> None:
    kind = kind_of({"type": "object"}, tmp_path)
    assert not kind.is_surely_valid({1: 2})  # type: ignore[dict-item]
    assert kind.is_surely_valid({"a": 2})


def _spoilt(value: Any) -> list[Any]:
    """Return a value with each of its parts exchanged for others, or gone."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    made = [{**value, "stranger": 1}] if isinstance(value, dict) else [[*value, 1]]
    for key in keys:
        for other in (None, 99, -1, "", "x", True, [], {}, *_spoilt(value[key])):
            changed = copy.copy(value)
            changed[key] = other
            made.append(changed)
        gone = copy.copy(value)
        del gone[key]
        made.append(gone)
    return made
