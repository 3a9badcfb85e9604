"""Apply the annotations `x-text`, `x-ref` and `x-where` of schemas to cards, and check them.

They say which strings of a card are texts, references or conditions. JSON Schema ignores unknown
words, so misspelt ones are reported here.
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
from builder.packs.schema.bundle import (
    Bundler,
    Schema,
    get_list,
    get_map,
    list_parts,
    matches_pattern,
)
from builder.packs.schema.wording import (
    describe_wrong_value,
    format_one_of,
    name_json_type,
)

TEXTS = ("plain", "rich")
REFERENCES = ("card", "keyword", "stat", "term", "faction", "icon", "art")
NAMES = ("x-text", "x-ref", "x-where")


@dataclass(slots=True)
class Annotated:
    """The values of a card that its schema marks as texts, references or conditions."""

    plain_paths: set[DataPath] = field(default_factory=set)
    rich_paths: set[DataPath] = field(default_factory=set)
    wheres: set[DataPath] = field(default_factory=set)
    mentions: dict[Mention, None] = field(default_factory=dict)

    def to_json(self) -> Json:
        """Return the annotations as JSON, in a form that can be cached.

        It is a list: paths of texts, paths of texts with markup, paths of conditions, mentions.
        """
        texts = sorted(map(format_path, self.plain_paths | self.rich_paths))
        rich_texts = sorted(map(format_path, self.rich_paths))
        wheres = sorted(self.wheres, key=format_path)
        mentions = [
            [item.path, item.ref, item.value, item.key] for item in self.mentions
        ]
        return cast("Json", [texts, rich_texts, wheres, mentions])


def annotate_value(schema: dict[str, Json], value: Json) -> Annotated:
    """Find the values that the schema marks as texts, references or conditions."""
    annotated = Annotated()
    defs = get_map(schema, "$defs")
    pending: list[tuple[Json, Json, DataPath]] = [(schema, value, ())]
    # A stack and no recursion, because values may be nested deeply.
    while pending:
        part, value, path = pending.pop()
        if not isinstance(part, dict):
            continue
        _add_annotations(annotated, part, value, path)
        pending += [
            (subschema, value, path)
            for subschema in _list_applicable_schemas(part, value, defs)
        ]
        pending += _list_children(part, value, path)
    return annotated


def _list_children(
    schema: Schema, value: Json, path: DataPath
) -> Iterator[tuple[Json, Json, DataPath]]:
    """Yield each value inside a value, with its schema and path."""
    if isinstance(value, dict):
        for key, item in value.items():
            for subschema in _list_property_schemas(schema, key):
                yield subschema, item, (*path, key)
    elif isinstance(value, list) and "items" in schema:
        first_schemas = get_list(schema, "prefixItems")
        for index, item in enumerate(value):
            item_schema = schema["items"]
            if index < len(first_schemas):
                item_schema = first_schemas[index]
            yield item_schema, item, (*path, index)


def _add_annotations(
    annotated: Annotated, schema: Schema, value: Json, path: DataPath
) -> None:
    """Add what a schema says about one value."""
    ref = schema.get("x-ref")
    text_type = schema.get("x-text")
    if isinstance(value, str):
        if text_type == "rich":
            annotated.rich_paths.add(path)
        elif text_type:
            annotated.plain_paths.add(path)
        if isinstance(ref, str):
            annotated.mentions[Mention(path, ref, value)] = None
    if schema.get("x-where") is True and value is not None:
        annotated.wheres.add(path)
    key_ref = get_map(schema, "propertyNames").get("x-ref")
    if isinstance(value, dict) and isinstance(key_ref, str):
        for key in value:
            annotated.mentions[Mention((*path, key), key_ref, key, key=True)] = None


def _list_applicable_schemas(
    schema: Schema, value: Json, defs: Schema
) -> Iterator[Json]:
    """Yield the schemas inside a schema that apply to the same value."""
    if "$ref" in schema:
        yield defs.get(str(schema["$ref"]).removeprefix("#/$defs/"))
    yield from get_list(schema, "allOf")
    # A form for other values could take a value for a text that it is not here.
    for part in get_list(schema, "anyOf") + get_list(schema, "oneOf"):
        if _can_fit(part, value):
            yield part
    for name in ("then", "else"):
        if name in schema:
            yield schema[name]


def _list_property_schemas(schema: Schema, key: str) -> list[Json]:
    properties = get_map(schema, "properties")
    schemas = [properties[key]] if key in properties else []
    for pattern, part in get_map(schema, "patternProperties").items():
        if matches_pattern(pattern, key):
            schemas.append(part)
    # These two are only about properties without a schema of their own.
    return schemas or [
        schema.get("additionalProperties"),
        schema.get("unevaluatedProperties"),
    ]


def _can_fit(schema: Json, value: Json) -> bool:
    """Return False if a schema is for values of another type or with another constant."""
    if not isinstance(schema, dict):
        return False
    allowed_types = schema.get("type") or []
    if not isinstance(allowed_types, list):
        allowed_types = [allowed_types]
    value_type = name_json_type(value)
    # In JSON Schema, a whole number is a number too.
    is_number = value_type == "integer" and "number" in allowed_types
    if allowed_types and value_type not in allowed_types and not is_number:
        return False
    if not isinstance(value, dict):
        return True
    for key, part in get_map(schema, "properties").items():
        if not isinstance(part, dict) or "const" not in part or key not in value:
            continue
        if value[key] != part["const"]:
            return False
    return True


def find_misspelt_annotations(
    bundler: Bundler, kinds: Collection[str]
) -> Iterator[Finding]:
    """Yield a finding for each unknown annotation in the schema files read so far."""
    for path, schema in bundler.files.items():
        for key, value in _list_annotations(schema):
            mistake = _find_mistake(key, value, kinds)
            if mistake is not None:
                message, hint = mistake
                place = _find_line(bundler, path, key, value)
                yield file_codes.ANNOTATION.finding(message, place, hint)


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


def _find_mistake(
    annotation: str, value: Json, kinds: Collection[str]
) -> tuple[str, str] | None:
    """Return a message and a hint if an annotation is unknown, else None."""
    if annotation not in NAMES:
        hint = suggest_word(annotation, NAMES, _("Annotations"))
        return _("{key} is not an annotation", key=annotation), hint
    if annotation == "x-where":
        if isinstance(value, bool):
            return None
        return describe_wrong_value(annotation, value, "true"), ""
    base, colon, kind = str(value).partition(":")
    allowed = TEXTS if annotation == "x-text" else REFERENCES
    if base not in allowed or (colon and base != "card"):
        message = describe_wrong_value(
            annotation, value, format_one_of(", ".join(allowed))
        )
        return message, suggest_word(str(value), allowed, _("Allowed values"))
    if colon and kind not in kinds:
        message = _(
            "x-ref refers to the kind {kind}, which pack.yaml does not list", kind=kind
        )
        return message, suggest_word(kind, kinds, _("Kinds"))
    return None


def _find_line(bundler: Bundler, path: Path, annotation: str, value: Json) -> Location:
    """Return the location of an annotation in its file."""
    file = bundler.name_file(path)
    for line_number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        column = line.find(f'"{annotation}"')
        if column >= 0 and str(value) in line:
            return Location(file=file, line=line_number, column=column + 1)
    return Location(file=file)


class Fields:
    """Finds the schemas of a card's fields by their paths. `*` in a path is any key or index."""

    def __init__(self, schema: dict[str, Json]) -> None:
        self._defs = get_map(schema, "$defs")
        self._schemas: dict[DataPath, list[Schema]] = {
            (): list(list_parts([schema], self._defs))
        }

    def find_schemas(self, path: DataPath) -> list[Schema]:
        """Return all schemas that may apply to the field at a path. Empty for an unknown field."""
        if path not in self._schemas:
            inner: list[Json] = []
            for part in self.find_schemas(path[:-1]):
                inner += _list_inner_schemas(part, path[-1])
            self._schemas[path] = list(list_parts(inner, self._defs))
        return self._schemas[path]

    def list_types(self, path: DataPath) -> frozenset[str]:
        """Return the JSON types that the field at a path may have."""
        names: set[str] = set()
        for part in self.find_schemas(path):
            types = part.get("type")
            if isinstance(types, list):
                names.update(map(str, types))
            elif types:
                names.add(str(types))
            else:
                names.update(map(name_json_type, get_list(part, "enum")))
                if "const" in part:
                    names.add(name_json_type(part["const"]))
        return frozenset(names)

    def list_names(self, path: DataPath) -> set[str]:
        """Return the field names of the map at a path. Empty if it may have any key."""
        names: set[str] = set()
        for part in self.find_schemas(path):
            names.update(get_map(part, "properties"))
        return names


def _list_inner_schemas(part: Schema, step: str | int) -> list[Json]:
    if isinstance(step, str) and step != "*":
        return _list_property_schemas(part, step)
    schemas = [*get_list(part, "prefixItems"), part.get("items")]
    if step == "*":
        schemas.append(part.get("additionalProperties"))
        schemas += get_map(part, "patternProperties").values()
    return schemas
