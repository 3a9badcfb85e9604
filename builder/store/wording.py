"""How values and sorts of values are named in findings. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping


def shown(value: object, limit: int = 60) -> str:
    """A value as the author wrote it, cut to `limit` letters."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        text = str(value)
    text = " ".join(text.split())
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return f'"{text}"' if isinstance(value, str) else text


def kind_of(value: object) -> str:
    """The sort of a value in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a map" if isinstance(value, Mapping) else "a list"


TYPES = {
    "null": "nothing",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "object": "a map",
    "array": "a list",
}
"""JSON Schema type names in the same words."""
