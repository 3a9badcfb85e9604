"""Read and write elements as JSON. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from builder.interchange.elements import (
    TEXT_KEY,
    ElementCounter,
    ElementShape,
    ForeignElement,
    Scalar,
    get_item_name,
)
from builder.model.base import Json

NUMBER_KEYS = frozenset(("number", "value", "gameSystemRevision", "catalogueRevision"))
BOOLEAN_KEYS = frozenset(("hidden", "primary"))


def read_json_object(name: str, value: Mapping[str, Json]) -> ForeignElement:
    """Convert a JSON object to elements. Raise InputUnreadable if it is too large or too deep."""
    return _convert_value(name, dict(value), ElementCounter(), 0)


def _convert_value(
    name: str, value: Json, counter: ElementCounter, depth: int
) -> ForeignElement:
    counter.count_element(depth)
    if isinstance(value, list):
        element = ForeignElement(name, shape=ElementShape.LIST)
        singular = get_item_name(name)
        element.children = [
            _convert_value(singular, item, counter, depth + 1) for item in value
        ]
        return element
    if not isinstance(value, dict):
        attributes = {TEXT_KEY: _drop_surrogates(value)}
        return ForeignElement(name, attributes, shape=ElementShape.SCALAR)
    element = ForeignElement(name)
    for raw_key, item in value.items():
        key = str(_drop_surrogates(raw_key))
        if isinstance(item, dict | list):
            element.children.append(_convert_value(key, item, counter, depth + 1))
        else:
            element.attributes[key] = _drop_surrogates(item)
    return element


def _drop_surrogates(value: Scalar) -> Scalar:
    """Remove lone surrogates from a text. JSON can contain them, but UTF-8 cannot."""
    return value.encode(errors="ignore").decode() if isinstance(value, str) else value


def make_json(element: ForeignElement) -> Json:
    """Convert an element back to a JSON value."""
    if element.shape is ElementShape.SCALAR:
        return element.attributes.get(TEXT_KEY, "")
    if element.shape is ElementShape.LIST:
        return [make_json(child) for child in element.children]
    value: dict[str, Json] = {**element.attributes}
    for child in element.children:
        item = make_json(child)
        if child.name in value:
            # XML allows several children of one name: they become one list.
            item = [*_make_list(value[child.name]), *_make_list(item)]
        value[child.name] = item
    return value


def _make_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def restore_types(element: ForeignElement) -> None:
    """Convert attributes of an XML file to the numbers and booleans that JSON files have."""
    for part in element.walk_elements():
        for key, value in part.attributes.items():
            if not isinstance(value, str):
                continue
            if key in BOOLEAN_KEYS and value in ("true", "false"):
                part.attributes[key] = value == "true"
            elif key in NUMBER_KEYS:
                part.attributes[key] = _convert_to_json_number(value)


def _convert_to_json_number(text: str) -> Scalar:
    """Convert a text to a number. Return the text if JSON cannot have the number."""
    try:
        number = float(text)
    except ValueError:
        return text
    if number.is_integer():
        return int(number)
    # JSON has no infinity and no NaN.
    return number if isfinite(number) else text
