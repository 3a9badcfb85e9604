"""A kind's schema as one self-contained schema, and the properties that it describes.

Broken schemas become findings.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

from builder.files import is_within, read_limited
from builder.findings import Finding, Location
from builder.messages import Message, describe_os_error, gettext as _
from builder.model.base import Json
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.exchange import parse_json

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

MAX_SCHEMA_BYTES = 2_000_000
"""Bytes of a schema file."""
MAX_DEPTH = 60
"""Levels of a schema, and of references that lead to references."""
MAX_SCHEMAS_PER_VALUE = 2_000
"""Definitions of a kind's schema, and schemas that apply to the same value."""
MAX_PATTERN_CHARACTERS = 500
"""Characters of a pattern."""
MAX_COMPILED_BYTES = 200_000
"""Bytes of a compiled pattern."""
Schema: TypeAlias = Mapping[str, Json]
"""A JSON Schema that is a map. The other schemas are true and false."""


def get_map(schema: Schema, key: str) -> dict[str, Json]:
    """Return the map under a key of a schema, or an empty map."""
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def get_list(schema: Schema, key: str) -> list[Json]:
    """Return the list under a key of a schema, or an empty list."""
    value = schema.get(key)
    return value if isinstance(value, list) else []


class BrokenSchema(Exception):
    """A schema file cannot be used. `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Bundler:
    """Joins a schema file and all files it refers to into one schema.

    Each reference becomes a name under `$defs`. `core` is the program's own folder of schemas: a
    file whose folder is called `core` is taken from there, whatever its path is.
    """

    def __init__(self, core: Path, root: Path) -> None:
        self.core = core
        self.root = root
        self.files: dict[Path, Json] = {}
        self.defs: dict[str, Json] = {}
        self.chain = 0

    def bundle_file(self, path: Path) -> dict[str, Json]:
        """Return the schema in a file together with everything it refers to.

        Raise BrokenSchema if it cannot be used.
        """
        self.defs = {}
        self.chain = 0
        top = self.rewrite_references(self.load_file(path), path)
        if not isinstance(top, dict):
            raise self.make_error(path, _("a kind's schema must be a map"))
        bundled: dict[str, Json] = {**top, "$defs": self.defs}
        problem = find_budget_problem(bundled)
        if problem:
            raise self.make_error(path, problem)
        return bundled

    def make_error(
        self,
        path: Path,
        message: str,
        line: int | None = None,
        column: int | None = None,
        hint: str = "",
    ) -> BrokenSchema:
        """Return the exception that a schema file cannot be used."""
        location = Location(self.name_file(path), line, column)
        return BrokenSchema(file_codes.BROKEN.finding(message, location, hint))

    def name_file(self, path: Path) -> str:
        """Return the path of a schema file as findings show it."""
        if path.is_relative_to(self.root):
            path = path.relative_to(self.root)
        return path.as_posix()

    def load_file(self, path: Path) -> Json:
        """Return the JSON value of a schema file. Raise BrokenSchema if it cannot be read."""
        if path not in self.files:
            root = self.root if path.is_relative_to(self.root) else self.core
            try:
                if not is_within(root, path):
                    message = _(
                        "the link {name} leads outside the pack", name=path.name
                    )
                    raise self.make_error(path, message)
                self.files[path] = parse_json(read_limited(path, MAX_SCHEMA_BYTES))
            except json.JSONDecodeError as error:
                message = _("not JSON: {reason}", reason=error.msg)
                raise self.make_error(
                    path, message, error.lineno, error.colno
                ) from error
            except (OSError, ValueError) as error:
                reason: str = _("a JSON value that cannot be a schema")
                if isinstance(error, OSError):
                    reason = describe_os_error(error)
                message = _("the schema cannot be read: {reason}", reason=reason)
                raise self.make_error(path, message) from error
        return self.files[path]

    def rewrite_references(self, schema: Json, path: Path, level: int = 0) -> Json:
        """Return a schema in which references to files are references to `$defs`."""
        if level > MAX_DEPTH:
            raise self._make_depth_error(path)
        if isinstance(schema, list):
            return [self.rewrite_references(item, path, level + 1) for item in schema]
        if not isinstance(schema, dict):
            return schema
        rewritten: dict[str, Json] = {}
        for key, value in schema.items():
            # An `$id` would change what references are relative to.
            if key not in ("$id", "$defs", "$ref"):
                rewritten[key] = self.rewrite_references(value, path, level + 1)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            rewritten["$ref"] = self.add_reference(reference, path)
        return rewritten

    def add_reference(self, reference: str, path: Path) -> str:
        """Add the target of a reference to `$defs`. Return the new reference."""
        file, _hash, pointer = reference.partition("#")
        target = self.find_target(file, path) if file else path
        name = f"{target.parent.name}-{target.name}{pointer}"
        # JSON Pointers and addresses give these characters a meaning.
        for character in "/~%":
            name = name.replace(character, "-")
        if name not in self.defs:
            # Before the target is read: it may refer to itself.
            self.defs[name] = True
            if len(self.defs) > MAX_SCHEMAS_PER_VALUE:
                form = _("it refers to more than {most} definitions")
                raise self.make_error(path, _(form, most=MAX_SCHEMAS_PER_VALUE))
            self._require_file(target, reference, path)
            schema = self._find_definition(target, pointer, reference, path)
            self.chain += 1
            if self.chain > MAX_DEPTH:
                raise self._make_depth_error(path)
            self.defs[name] = self.rewrite_references(schema, target)
            self.chain -= 1
        return f"#/$defs/{name}"

    def _require_file(self, target: Path, reference: str, source_path: Path) -> None:
        """Raise BrokenSchema if a reference names a file that does not exist."""
        if target in self.files or target.is_file():
            return
        quoted_reference = json.dumps(reference).encode()
        text_before = read_limited(source_path, MAX_SCHEMA_BYTES).partition(
            quoted_reference
        )[0]
        line = text_before.count(b"\n") + 1
        schema_names = [
            schema_file.name for schema_file in target.parent.glob("*.json")
        ]
        hint = suggest_word(target.name, schema_names, _("Files"))
        form = _("$ref {reference} refers to a file that does not exist")
        raise self.make_error(source_path, _(form, reference=reference), line, 1, hint)

    def _find_definition(
        self, target: Path, pointer: str, reference: str, source_path: Path
    ) -> Json:
        """Return the part of a schema file that a reference points to (JSON Pointer, RFC 6901)."""
        schema = self.load_file(target)
        for step in pointer.split("/")[1:]:
            # In this order, because `~01` stands for `~1`.
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if not isinstance(schema, dict) or key not in schema:
                form = _("$ref {reference} refers to nothing")
                raise self.make_error(source_path, _(form, reference=reference))
            schema = schema[key]
        return schema

    def _make_depth_error(self, path: Path) -> BrokenSchema:
        return self.make_error(
            path, _("it is nested more than {most} levels deep", most=MAX_DEPTH)
        )

    def find_target(self, file: str, source_path: Path) -> Path:
        """Return the path of a file that a reference names.

        Raise BrokenSchema for a file outside the project.
        """
        try:
            target = (source_path.parent / file).resolve()
        # RuntimeError: links that lead to each other. ValueError: a zero byte in the name.
        except (OSError, RuntimeError, ValueError) as error:
            message = _("$ref {reference} refers to nothing", reference=file)
            raise self.make_error(source_path, message) from error
        if target.parent.name == "core":
            return self.core / target.name
        if not target.is_relative_to(self.root.resolve()):
            raise self.make_error(
                source_path, _("$ref {file} is outside the project", file=file)
            )
        return target


SAME_VALUE_KEYWORDS = (
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
)
"""Keywords whose schemas apply to the same value as the schema around them."""


def find_budget_problem(schema: dict[str, Json]) -> Message | None:
    """Return the reason why checking with this schema could take too long, or None.

    A reference leads back to itself, definitions multiply, or a pattern is not in RE2's dialect.
    Patterns of that dialect match every text in linear time.
    """
    for part in _list_subschemas(schema):
        patterns: list[Json] = [part["pattern"]] if "pattern" in part else []
        patterns += get_map(part, "patternProperties")
        for pattern in patterns:
            if not _is_valid_pattern(pattern):
                form = _(
                    "the pattern {pattern} is not a regular expression in the syntax of RE2"
                )
                return _(form, pattern=str(pattern)[:60])
    defs = get_map(schema, "$defs")
    sizes: dict[str, int] = {}
    largest = 0
    try:
        for definition in (schema, *defs.values()):
            largest = max(
                largest, _count_expanded(definition, defs, sizes, frozenset())
            )
    except CircularDefinitionError:
        return _("the chain of successors is a circle")
    if largest > MAX_SCHEMAS_PER_VALUE:
        form = _(
            "more than {most} schemas apply to one value: definitions multiply each other"
        )
        return _(form, most=MAX_SCHEMAS_PER_VALUE)
    return None


class CircularDefinitionError(Exception):
    """A definition of a schema contains itself."""


LITERAL_KEYWORDS = frozenset({"const", "enum", "default", "examples"})
"""Keywords whose values are no schemas."""
NAMED_SCHEMA_KEYWORDS = frozenset(
    {"properties", "patternProperties", "dependentSchemas", "$defs"}
)
"""Keywords whose values are maps of schemas by name."""


def _list_subschemas(schema: Json) -> Iterator[Schema]:
    """Yield a schema and all schemas inside it."""
    if isinstance(schema, list):
        for item in schema:
            yield from _list_subschemas(item)
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, value in schema.items():
        if keyword in NAMED_SCHEMA_KEYWORDS and isinstance(value, dict):
            yield from _list_subschemas(list(value.values()))
        elif keyword not in LITERAL_KEYWORDS:
            yield from _list_subschemas(value)


def _count_expanded(
    schema: Json, defs: Schema, known_counts: dict[str, int], parents: frozenset[str]
) -> int:
    """Return how many schemas apply to one value after all references are followed."""
    if isinstance(schema, list):
        return sum(
            _count_expanded(item, defs, known_counts, parents) for item in schema
        )
    if not isinstance(schema, dict):
        return 1
    size = 1
    for keyword in SAME_VALUE_KEYWORDS:
        inner = schema.get(keyword)
        if keyword == "$ref" and isinstance(inner, str):
            size += _count_reference(
                inner.removeprefix("#/$defs/"), defs, known_counts, parents
            )
        elif keyword == "dependentSchemas" and isinstance(inner, dict):
            size += _count_expanded(list(inner.values()), defs, known_counts, parents)
        elif isinstance(inner, dict | list):
            size += _count_expanded(inner, defs, known_counts, parents)
    return size


def _count_reference(
    name: str, defs: Schema, known_counts: dict[str, int], parents: frozenset[str]
) -> int:
    """Return how many schemas apply to one value for a definition. Each definition is counted once.

    `parents` are the definitions that it is part of.
    """
    if name in parents:
        raise CircularDefinitionError
    # Counted once, because definitions that multiply would take for ever.
    if name not in known_counts:
        known_counts[name] = _count_expanded(
            defs.get(name), defs, known_counts, parents | {name}
        )
    return known_counts[name]


@cache
def _make_matcher(pattern: str) -> "Draft202012Validator":
    """Return a validator that searches a pattern in texts. Raise ValueError for a bad pattern."""
    from jsonschema_rs import Draft202012Validator, RegexOptions

    options = RegexOptions(
        size_limit=MAX_COMPILED_BYTES, dfa_size_limit=MAX_COMPILED_BYTES
    )
    return Draft202012Validator({"pattern": pattern}, pattern_options=options)


def _is_valid_pattern(pattern: Json) -> bool:
    """Return True if a pattern is short and a regular expression in the syntax of RE2."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN_CHARACTERS:
        return False
    try:
        _make_matcher(pattern).is_valid("")
    except ValueError:
        return False
    return True


def matches_pattern(pattern: str, text: str) -> bool:
    """Return True if a text contains a match of the pattern, in linear time."""
    return _make_matcher(pattern).is_valid(text)


@dataclass(frozen=True, slots=True)
class KnownProperties:
    """The properties that a schema allows. If `allows_any` is true, any name is allowed."""

    names: frozenset[str]
    patterns: tuple[str, ...] = ()
    allows_any: bool = False

    def __contains__(self, key: str) -> bool:
        if self.allows_any or key in self.names:
            return True
        return any(matches_pattern(pattern, key) for pattern in self.patterns)


def list_parts(
    schemas: Iterable[Json], defs: Schema, *conditions: str
) -> Iterator[Schema]:
    """Yield schemas and all schemas inside them that apply to the same value.

    Those under `if` are yielded only if `conditions` has that word.
    """
    pending = deque(schemas)
    # Schemas are dicts, which cannot be in a set. Definitions may refer to each other.
    seen_ids: set[int] = set()
    while pending:
        part = pending.popleft()
        if not isinstance(part, dict) or id(part) in seen_ids:
            continue
        seen_ids.add(id(part))
        yield part
        pending.append(defs.get(str(part.get("$ref")).removeprefix("#/$defs/")))
        for name in ("allOf", "anyOf", "oneOf"):
            pending += get_list(part, name)
        pending += [part.get(name) for name in (*conditions, "then", "else")]


def find_known_properties(schema: Schema, defs: Schema) -> KnownProperties:
    """Return the properties that a schema and its definitions describe."""
    names: set[str] = set()
    patterns: set[str] = set()
    allows_any = False
    for part in list_parts([{**schema}], defs, "if"):
        names.update(get_map(part, "properties"))
        patterns.update(get_map(part, "patternProperties"))
        allows_any = allows_any or part.get("additionalProperties", False) is not False
    return KnownProperties(frozenset(names), tuple(sorted(patterns)), allows_any)
