"""What is wrong with a value, in an author's words: where, what stands there, what was expected. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from builder.findings import Finding
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.base import Path
from builder.model.loaded import Document
from builder.model.spelling import nearest, some, suggestion
from builder.store import codes
from builder.store.bundle import Known


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


KnownOf = Callable[[Mapping[str, Any]], Known]

BOUNDS = {
    "minimum": _("at least {bound}"),
    "maximum": _("at most {bound}"),
    "exclusiveMinimum": _("more than {bound}"),
    "exclusiveMaximum": _("less than {bound}"),
    "multipleOf": _("a multiple of {bound}"),
    "minLength": _("at least {bound} letters long"),
    "maxLength": _("at most {bound} letters long"),
    "minItems": _("a list of at least {bound}"),
    "maxItems": _("a list of at most {bound}"),
    "minProperties": _("a map of at least {bound}"),
    "maxProperties": _("a map of at most {bound}"),
    "minContains": _("a list that holds at least {bound}"),
}
"""Keywords that bound a value, in words."""


def findings_of(error: Any, document: Document, known: KnownOf) -> Iterator[Finding]:
    """The findings of one jsonschema error."""
    path: Path = tuple(error.absolute_path)
    keyword = error.validator
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        yield from _unknown(error, document, path, known)
    elif keyword == "required":
        yield from _missing(error, document, path)
    elif keyword in ("anyOf", "oneOf"):
        yield from _forms(error, document, path, known)
    elif keyword == "propertyNames":
        yield _value(error, document, path, str(error.instance))
    else:
        yield _value(error, document, path, named(path))


def _unknown(error: Any, document: Document, path: Path, known: KnownOf) -> Iterator[Finding]:
    here = known(error.schema)
    for key in error.instance:
        if key not in here:
            near = nearest(str(key), [name for name in here.names if name not in error.instance])
            fields = _("Fields here: {listed}.", listed=some(here.names, 30))
            hint = _("Did you mean {word}?", word=near) if near else fields
            place = document.locate((*path, key), key=True)
            yield codes.UNKNOWN_PROPERTY.finding(_("{key} is not a field here", key=key), place, hint)


def _missing(error: Any, document: Document, path: Path) -> Iterator[Finding]:
    for key in error.validator_value:
        if key not in error.instance:
            about = error.schema.get("properties", {}).get(key, {})
            where = _("{key} is missing in {where}", key=key, where=path[-1]) if path else None
            message = where or _("{key} is missing", key=key)
            hint = about.get("description", "") if isinstance(about, Mapping) else ""
            yield codes.MISSING_PROPERTY.finding(message, document.locate(path, key=True), hint)


def _value(error: Any, document: Document, path: Path, name: str) -> Finding:
    """A single value that is wrong in itself."""
    place = document.locate(path, key=isinstance(error.instance, str) and error.validator == "propertyNames")
    value, keyword, expected = error.instance, error.validator, error.validator_value
    hint = _about(error.schema)
    if keyword == "type":
        return codes.TYPE.finding(wrong_sort(name, value, _types(expected)), place, hint)
    if keyword in ("enum", "const"):
        allowed = [str(item) for item in (expected if keyword == "enum" else [expected])]
        hint = suggestion(str(value), allowed, _("Allowed"))
        return codes.VALUE.finding(wrong_value(name, value, one_of(some(allowed))), place, hint)
    if keyword == "format" and expected == "date":
        return codes.DATE.finding(no_day(name, value), place)
    if keyword in ("pattern", "format"):
        return codes.PATTERN.finding(wrong_form(name, value, expected), place, hint)
    if keyword in BOUNDS:
        return codes.RANGE.finding(wrong_value(name, value, _(BOUNDS[keyword], bound=expected)), place, hint)
    if keyword == "uniqueItems":
        twice = _("{name} holds the same value twice: {value}", name=name, value=shown(value))
        return codes.RANGE.finding(twice, place, hint)
    if keyword == "dependentRequired":
        return codes.MISSING_PROPERTY.finding(_("{name}: {reason}", name=name, reason=error.message), place, hint)
    form = _("{name} is {value}, which the schema does not allow here ({keyword})")
    return codes.FORM.finding(_(form, name=name, value=shown(value), keyword=keyword), place, hint)


def _forms(error: Any, document: Document, path: Path, known: KnownOf) -> Iterator[Finding]:
    """Several forms were allowed and none fits: speak about the one that was most likely meant."""
    name = named(path)
    branches: dict[int, list[Any]] = {}
    for one in error.context:
        branches.setdefault(int(one.schema_path[0]), []).append(one)
    if not branches:
        several = _("{name} fits several of the allowed forms, but must fit one", name=name)
        yield codes.FORM.finding(several, document.locate(path))
        return
    depth = len(path)
    meant = [errors for errors in branches.values() if not any(_is_other_sort(one, depth) for one in errors)]
    if len(meant) == 1:
        for one in meant[0]:
            yield from findings_of(one, document, known)
        return
    yield _none_fits(error, branches.values(), document, path, name)


def _none_fits(error: Any, branches: Iterable[list[Any]], document: Document, path: Path, name: str) -> Finding:
    first = [errors[0] for errors in branches]
    place, value = document.locate(path), error.instance
    if all(one.validator == "type" for one in first):
        wanted = either(dict.fromkeys(_types(one.validator_value) for one in first))
        return codes.TYPE.finding(wrong_sort(name, value, wanted), place, _about(error.schema))
    words = [str(word) for one in first for word in _allowed(one)]
    if words and isinstance(value, str):
        patterns = [one.validator_value for one in first if one.validator == "pattern"]
        types = [_types(one.validator_value) for one in first if one.validator == "type"]
        others = [*types, *(_of_form(pattern) for pattern in patterns)]
        message = wrong_value(name, value, joined((one_of(some(words)), *others), _("{first}, or {rest}")))
        return codes.VALUE.finding(message, place, suggestion(value, words, _("Allowed")))
    forms = joined(dict.fromkeys(_form(one) for one in first), _("{first}; {rest}"))
    message = _("{name} is {value}, but must be: {forms}", name=name, value=shown(value), forms=forms)
    return codes.FORM.finding(message, place, _about(error.schema))


def _is_other_sort(error: Any, depth: int) -> bool:
    """The branch is about another sort of value: another type here, or another constant in one of its fields."""
    here = len(error.absolute_path) - depth
    return (here == 0 and error.validator in ("type", "const", "enum")) or (here == 1 and error.validator == "const")


def _allowed(error: Any) -> list[Any]:
    if error.validator == "enum":
        return list(error.validator_value)
    return [error.validator_value] if error.validator == "const" else []


def _form(error: Any) -> str:
    """What one branch expected."""
    if error.validator == "type":
        return _types(error.validator_value)
    if error.validator == "pattern":
        return _of_form(error.validator_value)
    if error.validator == "required":
        return _("a map with {listed}", listed=", ".join(error.validator_value))
    if error.validator in BOUNDS:
        return _(BOUNDS[error.validator], bound=error.validator_value)
    allowed = _allowed(error)
    return one_of(some(map(str, allowed))) if allowed else _("a map of another form")


def _of_form(pattern: object) -> str:
    return _("of the form {form}", form=pattern)


def _types(expected: str | list[str]) -> str:
    names = [expected] if isinstance(expected, str) else expected
    return either(TYPES.get(name, name) for name in names)


def _about(schema: Any) -> str:
    """What the schema says about the value, as a hint."""
    if not isinstance(schema, Mapping):
        return ""
    text = str(schema.get("description", ""))
    examples = schema.get("examples")
    if not examples:
        return text
    told = _("For example: {listed}.", listed=", ".join(map(str, examples)))
    return _("{about} {rest}", about=text, rest=told) if text else told
