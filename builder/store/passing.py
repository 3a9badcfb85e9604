"""Whether a value keeps to a JSON Schema: yes or no, at once. What is wrong with one that does not is told by others.

Nearly all cards are right, and looking for mistakes to name takes thirty times longer than seeing that there are none.
The answer is the standard's; where a schema uses anything unusual, or is none, there is no answer.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import Any, TypeAlias

from builder.store.properties import Known

Test: TypeAlias = Callable[[Any], bool]


class Unsure(Exception):
    """There is no answer."""


class Passing:
    """A bundled schema as a test. Unsure where it has more to it than is understood here.

    `known` gives the properties that a part of it speaks about, for `unevaluatedProperties`.
    """

    def __init__(self, schema: Mapping[str, Any], known: Callable[[Mapping[str, Any]], Known]) -> None:
        self.known = known
        self._defs: dict[str, Test] = {}
        self._asked: set[str] = set()
        try:
            for name, part in schema.get("$defs", {}).items():
                self._defs[name] = self.test(part)
            self._whole = self.test({name: part for name, part in schema.items() if name != "$defs"})
        except (re.error, RecursionError, TypeError) as error:
            raise Unsure from error
        expect(self._asked <= self._defs.keys())

    def __call__(self, value: Any) -> bool:
        """True for a value without a mistake. Unsure may be raised."""
        return self._whole(value)

    def test(self, schema: Any) -> Test:
        """What a schema asks of a value."""
        if isinstance(schema, bool):
            return lambda _: schema
        expect(isinstance(schema, dict))
        tests = [make(self, schema) for make in dict.fromkeys(_TESTS[name] for name in schema if name in _TESTS)]
        for name, part in schema.items():
            expect(name in _TESTS or name.startswith("x-") or isinstance(part, _SILENT.get(name, ())))
        return tests[0] if len(tests) == 1 else _every(tests)

    def named(self, schema: Mapping[str, Any], keyword: str) -> dict[str, Test]:
        """The tests of a map of schemas."""
        parts = schema.get(keyword, {})
        expect(isinstance(parts, dict))
        return {name: self.test(part) for name, part in parts.items()}

    def listed(self, schema: Mapping[str, Any], keyword: str) -> list[Test]:
        """The tests of a list of schemas."""
        parts = schema[keyword]
        expect(isinstance(parts, list) and parts != [])
        return [self.test(part) for part in parts]

    def refer(self, schema: Mapping[str, Any]) -> Test:
        """The test of a definition, which may not be made yet."""
        reference, defs = schema["$ref"], self._defs
        expect(isinstance(reference, str) and reference.startswith("#/$defs/"))
        name = reference.removeprefix("#/$defs/")
        self._asked.add(name)
        return lambda value: defs[name](value)


def expect(sound: bool) -> None:
    """Raise Unsure where a schema is not of the form that is expected."""
    if not sound:
        raise Unsure


def _every(tests: list[Test]) -> Test:
    return lambda value: all(test(value) for test in tests)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Test] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
}


def _type(_: Passing, schema: Mapping[str, Any]) -> Test:
    stated = schema["type"]
    names = [stated] if isinstance(stated, str) else stated
    expect(isinstance(names, list) and names != [] and all(name in _TYPES for name in names))
    expect(len(set(names)) == len(names))
    tests = [_TYPES[name] for name in names]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _among(keyword: str) -> Callable[[Passing, Mapping[str, Any]], Test]:
    def make(_: Passing, schema: Mapping[str, Any]) -> Test:
        values = schema[keyword] if keyword == "enum" else [schema[keyword]]
        expect(isinstance(values, list) and all(isinstance(value, str | int | None) for value in values))
        # True is 1 in Python, but not here; 1.0 is 1.
        sorts = {(isinstance(value, bool), value) for value in values}
        return lambda value: not isinstance(value, dict | list) and (isinstance(value, bool), value) in sorts

    return make


def _bound(keyword: str, beyond: Callable[[Any, Any], bool]) -> Callable[[Passing, Mapping[str, Any]], Test]:
    def make(_: Passing, schema: Mapping[str, Any]) -> Test:
        bound = schema[keyword]
        expect(_is_number(bound))
        return lambda value: not (_is_number(value) and beyond(value, bound))

    return make


def _size(
    keyword: str, sort: type[str | list[Any] | dict[str, Any]], beyond: Callable[[Any, Any], bool]
) -> Callable[[Passing, Mapping[str, Any]], Test]:
    def make(_: Passing, schema: Mapping[str, Any]) -> Test:
        bound = schema[keyword]
        expect(isinstance(bound, int) and not isinstance(bound, bool) and bound >= 0)
        return lambda value: not (isinstance(value, sort) and beyond(len(value), bound))

    return make


def _pattern(_: Passing, schema: Mapping[str, Any]) -> Test:
    search = re.compile(schema["pattern"]).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _format(_: Passing, schema: Mapping[str, Any]) -> Test:
    expect(schema["format"] == "date")

    def test(value: Any) -> bool:
        if isinstance(value, str):
            with suppress(ValueError):
                if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII) and date.fromisoformat(value):
                    return True
            raise Unsure
        return True

    return test


def _names(names: Any) -> list[str]:
    expect(isinstance(names, list) and all(isinstance(name, str) for name in names) and len({*names}) == len(names))
    return list(names)


def _required(_: Passing, schema: Mapping[str, Any]) -> Test:
    names = frozenset(_names(schema["required"]))
    return lambda value: not isinstance(value, dict) or names <= value.keys()


def _dependent(_: Passing, schema: Mapping[str, Any]) -> Test:
    expect(isinstance(schema["dependentRequired"], dict))
    wanted = {name: frozenset(_names(names)) for name, names in schema["dependentRequired"].items()}
    return lambda value: (
        not isinstance(value, dict) or all(names <= value.keys() for name, names in wanted.items() if name in value)
    )


def _properties(passing: Passing, schema: Mapping[str, Any]) -> Test:
    """Keyword by keyword in one: `properties`, `patternProperties`, `additionalProperties`."""
    named = passing.named(schema, "properties")
    patterns = [(re.compile(name).search, test) for name, test in passing.named(schema, "patternProperties").items()]
    others = passing.test(schema.get("additionalProperties", True))

    def test(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for key, item in value.items():
            own = named.get(key)
            if own is not None and not own(item):
                return False
            met = own is not None
            for search, fits in patterns:
                if search(key):
                    met = True
                    if not fits(item):
                        return False
            if not met and not others(item):
                return False
        return True

    return test


def _unevaluated(passing: Passing, schema: Mapping[str, Any]) -> Test:
    """By name alone, as the one that names mistakes understands it."""
    expect(isinstance(schema["unevaluatedProperties"], bool))
    if schema["unevaluatedProperties"]:
        return lambda _: True
    return lambda value: not isinstance(value, dict) or _all_in(value, passing.known(schema))


def _all_in(names: Iterable[str], known: Known) -> bool:
    return all(name in known for name in names)


def _property_names(passing: Passing, schema: Mapping[str, Any]) -> Test:
    test = passing.test(schema["propertyNames"])
    return lambda value: not isinstance(value, dict) or all(map(test, value))


def _items(passing: Passing, schema: Mapping[str, Any]) -> Test:
    first = passing.listed(schema, "prefixItems") if "prefixItems" in schema else []
    rest = passing.test(schema.get("items", True))

    def test(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        return all(fits(item) for fits, item in zip(first, value, strict=False)) and all(map(rest, value[len(first) :]))

    return test


def _unique(_: Passing, schema: Mapping[str, Any]) -> Test:
    expect(isinstance(schema["uniqueItems"], bool))

    def test(value: Any) -> bool:
        if not isinstance(value, list) or not schema["uniqueItems"]:
            return True
        expect(all(isinstance(item, str) for item in value))
        return len(set(value)) == len(value)

    return test


def _any(passing: Passing, schema: Mapping[str, Any]) -> Test:
    tests = passing.listed(schema, "anyOf")
    return lambda value: any(test(value) for test in tests)


def _one(passing: Passing, schema: Mapping[str, Any]) -> Test:
    tests = passing.listed(schema, "oneOf")
    return lambda value: sum(test(value) for test in tests) == 1


def _not(passing: Passing, schema: Mapping[str, Any]) -> Test:
    test = passing.test(schema["not"])
    return lambda value: not test(value)


def _if(passing: Passing, schema: Mapping[str, Any]) -> Test:
    asked, then, other = (passing.test(schema.get(name, True)) for name in ("if", "then", "else"))
    if "if" not in schema:
        return lambda _: True
    return lambda value: then(value) if asked(value) else other(value)


_TESTS: Mapping[str, Callable[[Passing, Mapping[str, Any]], Test]] = {
    "type": _type,
    "enum": _among("enum"),
    "const": _among("const"),
    "minimum": _bound("minimum", operator.lt),
    "maximum": _bound("maximum", operator.gt),
    "exclusiveMinimum": _bound("exclusiveMinimum", operator.le),
    "exclusiveMaximum": _bound("exclusiveMaximum", operator.ge),
    "minLength": _size("minLength", str, operator.lt),
    "maxLength": _size("maxLength", str, operator.gt),
    "minItems": _size("minItems", list, operator.lt),
    "maxItems": _size("maxItems", list, operator.gt),
    "minProperties": _size("minProperties", dict, operator.lt),
    "maxProperties": _size("maxProperties", dict, operator.gt),
    "pattern": _pattern,
    "format": _format,
    "required": _required,
    "dependentRequired": _dependent,
    "properties": _properties,
    "patternProperties": _properties,
    "additionalProperties": _properties,
    "unevaluatedProperties": _unevaluated,
    "propertyNames": _property_names,
    "items": _items,
    "prefixItems": _items,
    "uniqueItems": _unique,
    "allOf": lambda passing, schema: _every(passing.listed(schema, "allOf")),
    "anyOf": _any,
    "oneOf": _one,
    "not": _not,
    "if": _if,
    "then": _if,
    "else": _if,
    "$ref": Passing.refer,
}

_SILENT: Mapping[str, type | tuple[type, ...]] = {
    "title": str,
    "description": str,
    "default": object,
    "$schema": str,
    "$comment": str,
    "examples": list,
    "deprecated": bool,
    "discriminator": dict,
}
"""What says nothing about values, and what it must be."""
