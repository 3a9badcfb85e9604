"""The annotations `x-text`, `x-ref` and `x-where` of schemas: spelt right, and put to a card's values.

They say what the strings of a card are. JSON Schema itself lets any unknown word pass.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, Mention, format_path
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.schema.bundle import Bundler, Schema, list_in, list_parts, map_in, matches
from builder.packs.schema.wording import describe_wrong_value, format_one_of, name_json_type

TEXTS = ("plain", "rich")
REFERENCES = ("card", "keyword", "stat", "term", "faction", "icon", "art")
NAMES = ("x-text", "x-ref", "x-where")


@dataclass(slots=True)
class Annotated:
    """What a card's values are, by path."""

    plain: set[DataPath] = field(default_factory=set)
    rich: set[DataPath] = field(default_factory=set)
    wheres: set[DataPath] = field(default_factory=set)
    mentions: dict[Mention, None] = field(default_factory=dict)

    def freeze(self) -> Json:
        """The same as JSON: paths of texts and of the rich among them, of conditions, and what is named where."""
        texts, rich = (
            sorted(map(format_path, paths)) for paths in (self.plain | self.rich, self.rich)
        )
        mentions = [[one.path, one.ref, one.value, one.key] for one in self.mentions]
        return cast("Json", [texts, rich, sorted(self.wheres, key=format_path), mentions])


def annotate(schema: dict[str, Json], value: Json) -> Annotated:
    """Walk a bundled schema alongside a value."""
    found, defs = Annotated(), map_in(schema, "$defs")
    todo: list[tuple[Json, Json, DataPath]] = [(schema, value, ())]
    while todo:
        part, value, path = todo.pop()
        if not isinstance(part, dict):
            continue
        _take(found, part, value, path)
        todo += [(one, value, path) for one in _list_parts(part, value, defs)]
        if isinstance(value, dict):
            todo += [
                (one, item, (*path, key))
                for key, item in value.items()
                for one in _list_property_schemas(part, key)
            ]
        elif isinstance(value, list) and "items" in part:
            first, rest = list_in(part, "prefixItems"), part["items"]
            schemas = [*first, *[rest] * (len(value) - len(first))]
            todo += [
                (one, item, (*path, i))
                for i, (one, item) in enumerate(zip(schemas, value, strict=False))
            ]
    return found


def _take(found: Annotated, schema: Schema, value: Json, path: DataPath) -> None:
    """Take what a schema itself says about a value."""
    text, ref = schema.get("x-text"), schema.get("x-ref")
    if isinstance(value, str) and text:
        (found.rich if text == "rich" else found.plain).add(path)
    if isinstance(value, str) and isinstance(ref, str):
        found.mentions[Mention(path, ref, value)] = None
    if schema.get("x-where") is True and value is not None:
        found.wheres.add(path)
    key_ref = map_in(schema, "propertyNames").get("x-ref")
    if isinstance(value, dict) and isinstance(key_ref, str):
        found.mentions |= {Mention((*path, key), key_ref, key, key=True): None for key in value}


def _list_parts(schema: Schema, value: Json, defs: Schema) -> Iterator[Json]:
    """The schemas that speak about the same value."""
    if "$ref" in schema:
        yield defs.get(str(schema["$ref"]).removeprefix("#/$defs/"))
    yield from list_in(schema, "allOf")
    yield from (
        part
        for name in ("anyOf", "oneOf")
        for part in list_in(schema, name)
        if _can_fit(part, value)
    )
    yield from (schema[name] for name in ("then", "else") if name in schema)


def _list_property_schemas(schema: Schema, key: str) -> list[Json]:
    named, patterns = map_in(schema, "properties"), map_in(schema, "patternProperties")
    found = [named[key]] if key in named else []
    found += [part for pattern, part in patterns.items() if matches(pattern, key)]
    return found or [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]


def _can_fit(schema: Json, value: Json) -> bool:
    """False where a branch is plainly about another sort of value: another type, or another constant in a field."""
    if not isinstance(schema, dict):
        return False
    types = schema.get("type")
    names = types if isinstance(types, list) else [types] if types else []
    sort = name_json_type(value)
    if names and sort not in names and not (sort == "integer" and "number" in names):
        return False
    return not isinstance(value, dict) or not any(
        isinstance(part, dict) and "const" in part and key in value and value[key] != part["const"]
        for key, part in map_in(schema, "properties").items()
    )


def find_misspelt_annotations(bundler: Bundler, kinds: Collection[str]) -> Iterator[Finding]:
    """All annotations of the schema files read so far that mean nothing."""
    for path, schema in bundler.files.items():
        for key, value in _list_annotations(schema):
            wrong = _find_mistake(key, value, kinds)
            if wrong is not None:
                yield file_codes.ANNOTATION.finding(
                    wrong[0], _place(bundler, path, key, value), wrong[1]
                )


def _list_annotations(schema: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _list_annotations(item)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key.startswith("x-") and not isinstance(value, dict):
                yield key, value
            else:
                yield from _list_annotations(value)


def _find_mistake(key: str, value: Json, kinds: Collection[str]) -> tuple[str, str] | None:
    """Message and hint where an annotation means nothing."""
    if key not in NAMES:
        return _("{key} is no annotation", key=key), suggest_word(key, NAMES, _("Annotations"))
    if key == "x-where":
        return None if isinstance(value, bool) else (describe_wrong_value(key, value, "true"), "")
    base, colon, kind = str(value).partition(":")
    allowed = TEXTS if key == "x-text" else REFERENCES
    if base not in allowed or (colon and base != "card"):
        message = describe_wrong_value(key, value, format_one_of(", ".join(allowed)))
        return message, suggest_word(str(value), allowed, _("Allowed"))
    if colon and kind not in kinds:
        message = _("x-ref names the kind {kind}, which pack.yaml does not list", kind=kind)
        return message, suggest_word(kind, kinds, _("Kinds"))
    return None


def _place(bundler: Bundler, path: Path, key: str, value: Json) -> Location:
    """The first line of the file that holds the annotation."""
    file = bundler.name(path)
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        column = line.find(f'"{key}"')
        if column >= 0 and str(value) in line:
            return Location(file=file, line=number, column=column + 1)
    return Location(file=file)


class Fields:
    """What a bundled schema says of places in a card, whatever a card holds there; `*` is any key or index."""

    def __init__(self, schema: dict[str, Json]) -> None:
        self._defs = map_in(schema, "$defs")
        self._known: dict[DataPath, list[Schema]] = {(): list(list_parts([schema], self._defs))}

    def at(self, path: DataPath) -> list[Schema]:
        """All schemas that may speak of the values there; none where no field is."""
        if path not in self._known:
            inner = [one for part in self.at(path[:-1]) for one in self._inside(part, path[-1])]
            self._known[path] = list(list_parts(inner, self._defs))
        return self._known[path]

    def types(self, path: DataPath) -> frozenset[str]:
        """The names JSON Schema has for the types that are allowed there."""
        found: set[str] = set()
        for part in self.at(path):
            stated, allowed = (
                part.get("type"),
                [*list_in(part, "enum"), *([part["const"]] if "const" in part else [])],
            )
            found.update(
                map(str, stated if isinstance(stated, list) else [stated] if stated else [])
            )
            found.update(name_json_type(one) for one in allowed if not stated)
        return frozenset(found)

    def named(self, path: DataPath) -> set[str]:
        """The names of the fields of a map there; none of a map whose keys are free."""
        return {name for part in self.at(path) for name in map_in(part, "properties")}

    def _inside(self, part: Schema, step: str | int) -> list[Json]:
        if isinstance(step, str) and step != "*":
            return _list_property_schemas(part, step)
        free = [part.get("additionalProperties"), *map_in(part, "patternProperties").values()]
        return [*list_in(part, "prefixItems"), part.get("items"), *(free if step == "*" else ())]
