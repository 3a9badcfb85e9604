"""A violation of a JSON Schema in an author's words: where, what stands there, what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from builder.findings import Finding
from builder.model.base import Path
from builder.model.document import Document
from builder.model.spelling import nearest, some, suggestion
from builder.store import codes
from builder.store.properties import Known
from builder.store.wording import TYPES, kind_of, shown

KnownOf = Callable[[Mapping[str, Any]], Known]

_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} letters long",
    "maxLength": "at most {} letters long",
    "minItems": "a list of at least {}",
    "maxItems": "a list of at most {}",
    "minProperties": "a map of at least {}",
    "maxProperties": "a map of at most {}",
    "minContains": "a list that holds at least {}",
}


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
        yield _value(error, document, path, str(path[-1]) if path else "the file")


def _unknown(error: Any, document: Document, path: Path, known: KnownOf) -> Iterator[Finding]:
    here = known(error.schema)
    for key in error.instance:
        if key not in here:
            near = nearest(str(key), [name for name in here.names if name not in error.instance])
            hint = f"Did you mean {near}?" if near else f"Fields here: {some(here.names, 30)}."
            place = document.locate((*path, key), key=True)
            yield codes.UNKNOWN_PROPERTY.finding(f"{key} is not a field here", place, hint)


def _missing(error: Any, document: Document, path: Path) -> Iterator[Finding]:
    for key in error.validator_value:
        if key not in error.instance:
            about = error.schema.get("properties", {}).get(key, {})
            where = f" in {path[-1]}" if path else ""
            message = f"{key} is missing{where}"
            hint = about.get("description", "") if isinstance(about, Mapping) else ""
            yield codes.MISSING_PROPERTY.finding(message, document.locate(path, key=True), hint)


def _value(error: Any, document: Document, path: Path, name: str) -> Finding:
    """A single value that is wrong in itself."""
    place = document.locate(path, key=isinstance(error.instance, str) and error.validator == "propertyNames")
    value, keyword, expected = shown(error.instance), error.validator, error.validator_value
    hint = _about(error.schema)
    if keyword == "type":
        wanted = _types(expected)
        message = f"{name} is {kind_of(error.instance)} ({value}), but must be {wanted}"
        return codes.TYPE.finding(message, place, hint)
    if keyword in ("enum", "const"):
        allowed = [str(item) for item in (expected if keyword == "enum" else [expected])]
        hint = suggestion(str(error.instance), allowed, "Allowed")
        return codes.VALUE.finding(f"{name} is {value}, but must be one of {some(allowed)}", place, hint)
    if keyword == "format" and expected == "date":
        return codes.DATE.finding(f"{name} is {value}, which is no day of the calendar", place)
    if keyword in ("pattern", "format"):
        return codes.PATTERN.finding(f"{name} is {value}, which is not of the form {expected}", place, hint)
    if keyword in _BOUNDS:
        message = f"{name} is {value}, but must be {_BOUNDS[keyword].format(expected)}"
        return codes.RANGE.finding(message, place, hint)
    if keyword == "uniqueItems":
        return codes.RANGE.finding(f"{name} holds the same value twice: {value}", place, hint)
    if keyword == "dependentRequired":
        return codes.MISSING_PROPERTY.finding(f"{name}: {error.message}", place, hint)
    return codes.FORM.finding(f"{name} is {value}, which the schema does not allow here ({keyword})", place, hint)


def _forms(error: Any, document: Document, path: Path, known: KnownOf) -> Iterator[Finding]:
    """Several forms were allowed and none fits: speak about the one that was most likely meant."""
    name = str(path[-1]) if path else "the file"
    branches: dict[int, list[Any]] = {}
    for one in error.context:
        branches.setdefault(int(one.schema_path[0]), []).append(one)
    if not branches:
        yield codes.FORM.finding(f"{name} fits several of the allowed forms, but must fit one", document.locate(path))
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
    place, value = document.locate(path), shown(error.instance)
    if all(one.validator == "type" for one in first):
        wanted = " or ".join(dict.fromkeys(_types(one.validator_value) for one in first))
        message = f"{name} is {kind_of(error.instance)} ({value}), but must be {wanted}"
        return codes.TYPE.finding(message, place, _about(error.schema))
    words = [str(word) for one in first for word in _allowed(one)]
    if words and isinstance(error.instance, str):
        patterns = [one.validator_value for one in first if one.validator == "pattern"]
        types = [_types(one.validator_value) for one in first if one.validator == "type"]
        others = [*types, *(f"of the form {pattern}" for pattern in patterns)]
        message = f"{name} is {value}, but must be one of {some(words)}{''.join(f', or {other}' for other in others)}"
        return codes.VALUE.finding(message, place, suggestion(error.instance, words, "Allowed"))
    forms = "; ".join(dict.fromkeys(_form(one) for one in first))
    return codes.FORM.finding(f"{name} is {value}, but must be: {forms}", place, _about(error.schema))


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
        return f"of the form {error.validator_value}"
    if error.validator == "required":
        return f"a map with {', '.join(error.validator_value)}"
    if error.validator in _BOUNDS:
        return _BOUNDS[error.validator].format(error.validator_value)
    allowed = _allowed(error)
    return f"one of {some(map(str, allowed))}" if allowed else "a map of another form"


def _types(expected: str | list[str]) -> str:
    names = [expected] if isinstance(expected, str) else expected
    return " or ".join(TYPES.get(name, name) for name in names)


def _about(schema: Any) -> str:
    """What the schema says about the value, as a hint."""
    if not isinstance(schema, Mapping):
        return ""
    text = str(schema.get("description", ""))
    examples = schema.get("examples")
    return f"{text} For example: {', '.join(map(str, examples))}.".strip() if examples else text
