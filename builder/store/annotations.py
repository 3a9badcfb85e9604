"""What the strings of a card are: the annotations `x-text`, `x-ref` and `x-where` of its schema, put to its values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from builder.model.base import Json, Path
from builder.model.loaded import Mention

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("then", "else")
_PYTHON: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "object": dict,
    "array": list,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


@dataclass(slots=True)
class Annotated:
    """What a card's values are, by path."""

    plain: set[Path] = field(default_factory=set)
    rich: set[Path] = field(default_factory=set)
    mentions: dict[tuple[Path, str], Mention] = field(default_factory=dict)
    wheres: set[Path] = field(default_factory=set)

    def freeze(self) -> dict[str, Any]:
        """The same as JSON."""
        mentions = [[one.path, one.ref, one.value, one.key] for one in self.mentions.values()]
        return {"plain": [*self.plain], "rich": [*self.rich], "mentions": mentions, "wheres": [*self.wheres]}

    @classmethod
    def thaw(cls, frozen: Mapping[str, Any]) -> Annotated:
        """Back from JSON. TypeError and the like where it is no such JSON."""
        mentions = [Mention(tuple(path), ref, value, key) for path, ref, value, key in frozen["mentions"]]
        hash(tuple(mentions))  # only what names are made of can be looked up
        return cls(
            plain=set(map(tuple, frozen["plain"])),
            rich=set(map(tuple, frozen["rich"])),
            mentions={(one.path, f"{one.ref} key" if one.key else one.ref): one for one in mentions},
            wheres=set(map(tuple, frozen["wheres"])),
        )


def annotate(schema: Mapping[str, Any], value: Json) -> Annotated:
    """Walk a bundled schema alongside a value."""
    found = Annotated()
    _Walk(schema.get("$defs", {}), found).visit(schema, value, ())
    return found


class _Walk:
    """One walk over one card."""

    def __init__(self, defs: Mapping[str, Any], found: Annotated) -> None:
        self.defs = defs
        self.found = found

    def visit(self, schema: Any, value: Json, path: Path) -> None:
        """Take what a schema says about a value and go on inside it."""
        if not isinstance(schema, Mapping):
            return
        self.take(schema, value, path)
        for part in self.parts(schema, value):
            self.visit(part, value, path)
        if isinstance(value, dict):
            for key, item in value.items():
                for part in _of_property(schema, key):
                    self.visit(part, item, (*path, key))
            names = schema.get("propertyNames")
            if isinstance(names, Mapping) and "x-ref" in names:
                self.take_keys(names["x-ref"], value, path)
        elif isinstance(value, list) and "items" in schema:
            first = schema.get("prefixItems", ())
            for index, item in enumerate(value):
                self.visit(first[index] if index < len(first) else schema["items"], item, (*path, index))

    def parts(self, schema: Mapping[str, Any], value: Json) -> Iterator[Any]:
        """The schemas that speak about the same value."""
        if "$ref" in schema:
            yield self.defs.get(schema["$ref"].removeprefix("#/$defs/"))
        for keyword in _BRANCHES:
            for part in schema.get(keyword, ()):
                if keyword == "allOf" or _may_fit(part, value):
                    yield part
        for keyword in _CONDITIONAL:
            if keyword in schema:
                yield schema[keyword]

    def take(self, schema: Mapping[str, Any], value: Json, path: Path) -> None:
        """The annotations of one schema."""
        text = schema.get("x-text")
        if text and isinstance(value, str):
            (self.found.rich if text == "rich" else self.found.plain).add(path)
        reference = schema.get("x-ref")
        if reference and isinstance(value, str):
            self.found.mentions[path, reference] = Mention(path, reference, value)
        if schema.get("x-where") is True and value is not None:
            self.found.wheres.add(path)

    def take_keys(self, reference: str, value: Mapping[str, Json], path: Path) -> None:
        """Keys of a map that name something."""
        for key in value:
            at = (*path, key)
            self.found.mentions[at, f"{reference} key"] = Mention(at, reference, key, key=True)


def _of_property(schema: Mapping[str, Any], key: str) -> Iterator[Any]:
    """The schemas of one property."""
    matched = False
    if key in schema.get("properties", ()):
        matched = True
        yield schema["properties"][key]
    for pattern, part in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            matched = True
            yield part
    if not matched:
        yield schema.get("additionalProperties")
        yield schema.get("unevaluatedProperties")


def _may_fit(schema: Any, value: Json) -> bool:
    """False where a branch is plainly about another sort of value: another type, or another constant in a field."""
    if not isinstance(schema, Mapping):
        return False
    types = schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if types and not any(isinstance(value, _PYTHON.get(name, type(None))) for name in types):
        return False
    if isinstance(value, dict):
        for key, part in schema.get("properties", {}).items():
            if isinstance(part, Mapping) and "const" in part and key in value and value[key] != part["const"]:
                return False
    return True
