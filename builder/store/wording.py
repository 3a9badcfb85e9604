"""How values and sorts of values are named in findings. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from builder.messages import gettext as _
from builder.messages import joined
from builder.model.base import Path


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
        return TYPES["null"]
    if isinstance(value, bool):
        return TYPES["boolean"]
    if isinstance(value, int):
        return TYPES["integer"]
    if isinstance(value, float):
        return TYPES["number"]
    if isinstance(value, str):
        return TYPES["string"]
    return TYPES["object" if isinstance(value, Mapping) else "array"]


TYPES: Mapping[str, str] = {
    "null": _("nothing"),
    "boolean": _("true or false"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "string": _("a text"),
    "object": _("a map"),
    "array": _("a list"),
}
"""JSON Schema type names in words."""

WHOLE = _("the file")
"""What the root of a file is called."""


def named(path: Path) -> str:
    """The field at a place, by its last step."""
    return str(path[-1]) if path else WHOLE


def wrong_sort(name: str, value: object, wanted: str) -> str:
    """`cost is a text ("three"), but must be a whole number`."""
    form = _("{name} is {kind} ({value}), but must be {wanted}")
    return _(form, name=name, kind=kind_of(value), value=shown(value), wanted=wanted)


def wrong_value(name: str, value: object, wanted: str) -> str:
    """`cost is -1, but must be at least 0`."""
    return _("{name} is {value}, but must be {wanted}", name=name, value=shown(value), wanted=wanted)


def wrong_form(name: str, value: object, form: object) -> str:
    """`scarcity is "lots", which is not of the form ^1/[0-9]+$`."""
    return _("{name} is {value}, which is not of the form {form}", name=name, value=shown(value), form=form)


def no_day(name: str, value: object) -> str:
    """`released is "2026-02-30", which is no day of the calendar`."""
    return _("{name} is {value}, which is no day of the calendar", name=name, value=shown(value))


def one_of(listed: str) -> str:
    """`one of a, b`."""
    return _("one of {listed}", listed=listed)


def either(texts: Iterable[str]) -> str:
    """`a number or a text`."""
    return joined(texts, _("{first} or {rest}"))
