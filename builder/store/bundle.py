"""A kind's schema with all it refers to as one self-contained schema, and the properties that it speaks about.

Broken schemas become findings.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from builder.files import read_limited, within
from builder.findings import Finding, Location
from builder.messages import gettext as _, os_error
from builder.model.base import Json
from builder.store import codes
from builder.store.exchange import parse_json

LARGEST = 2_000_000
"""Bytes of a schema file."""
Schema: TypeAlias = Mapping[str, Json]
"""A JSON Schema that is no mere boolean."""


def map_in(schema: Schema, key: str) -> dict[str, Json]:
    """The map under a key; an empty one where there is none."""
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def list_in(schema: Schema, key: str) -> list[Json]:
    """The list under a key; an empty one where there is none."""
    value = schema.get(key)
    return value if isinstance(value, list) else []


class BrokenSchema(Exception):
    """A schema that cannot be used; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Bundler:
    """Gathers schema files into one: each reference becomes a name under `$defs`.

    `core` is the program's own folder of schemas: whatever a path says, a file whose folder is called `core` is taken
    from there.
    """

    def __init__(self, core: Path, root: Path) -> None:
        self.core = core
        self.root = root
        self.files: dict[Path, Json] = {}
        self.defs: dict[str, Json] = {}

    def bundle(self, path: Path) -> dict[str, Json]:
        """The schema of a file with everything it refers to; BrokenSchema if something is wrong."""
        self.defs = {}
        top = self.rewrite(self.load(path), path)
        if not isinstance(top, dict):
            raise self.broken(path, _("a kind's schema must be a map"))
        return {**top, "$defs": self.defs}

    def broken(self, path: Path, message: str, line: int | None = None, column: int | None = None) -> BrokenSchema:
        """An exception about a schema file."""
        return BrokenSchema(codes.BROKEN.finding(message, Location(file=self.name(path), line=line, column=column)))

    def name(self, path: Path) -> str:
        """A schema file as findings name it."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    def load(self, path: Path) -> Json:
        """The JSON of a schema file."""
        if path not in self.files:
            try:
                if not within(self.root if path.is_relative_to(self.root) else self.core, path):
                    raise self.broken(path, _("the link {name} leads out of the pack", name=path.name))
                self.files[path] = parse_json(read_limited(path, LARGEST))
            except json.JSONDecodeError as error:
                raise self.broken(path, _("not JSON: {reason}", reason=error.msg), error.lineno, error.colno) from error
            except (OSError, ValueError) as error:
                reason = os_error(error) if isinstance(error, OSError) else _("not JSON that a schema can be")
                raise self.broken(path, _("the schema cannot be read: {reason}", reason=reason)) from error
        return self.files[path]

    def rewrite(self, schema: Json, path: Path) -> Json:
        """The same schema with its references pointing into `$defs`."""
        if isinstance(schema, list):
            return [self.rewrite(item, path) for item in schema]
        if not isinstance(schema, dict):
            return schema
        kept = {key: self.rewrite(value, path) for key, value in schema.items() if key not in ("$id", "$defs", "$ref")}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            kept["$ref"] = self.refer(reference, path)
        return kept

    def refer(self, reference: str, path: Path) -> str:
        """Take in what a reference names; its new name."""
        file, _unused, pointer = reference.partition("#")
        target = self.target(file, path) if file else path
        name = f"{target.parent.name}-{target.name}{pointer}".replace("/", "-").replace("~", "-").replace("%", "-")
        if name not in self.defs:
            self.defs[name] = True
            found = self.load(target)
            for step in pointer.split("/")[1:] if pointer else ():
                step = unquote(step).replace("~1", "/").replace("~0", "~")
                if not isinstance(found, dict) or step not in found:
                    raise self.broken(path, _("$ref {reference} names nothing", reference=reference))
                found = found[step]
            self.defs[name] = self.rewrite(found, target)
        return f"#/$defs/{name}"

    def target(self, file: str, path: Path) -> Path:
        """The file a reference names. Only schemas of the project and of the program are opened."""
        try:
            target = (path.parent / file).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise self.broken(path, _("$ref {reference} names nothing", reference=file)) from error
        if target.parent.name == "core":
            return self.core / target.name
        if not target.is_relative_to(self.root.resolve()):
            raise self.broken(path, _("$ref {file} lies outside the project", file=file))
        return target


@dataclass(frozen=True, slots=True)
class KnownProperties:
    """Names and patterns of properties; `open` where any name goes."""

    names: frozenset[str]
    patterns: tuple[str, ...] = ()
    open: bool = False

    def __contains__(self, key: str) -> bool:
        return self.open or key in self.names or any(re.search(pattern, key) for pattern in self.patterns)


def known_properties(schema: Schema, defs: Schema) -> KnownProperties:
    """The properties of a bundled schema, `defs` its definitions."""
    names: set[str] = set()
    patterns: set[str] = set()
    is_open = False
    seen: set[int] = set()
    todo: list[object] = [schema]
    while todo:
        part = todo.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        names |= map_in(part, "properties").keys()
        patterns |= map_in(part, "patternProperties").keys()
        is_open = is_open or part.get("additionalProperties", False) is not False
        todo.append(defs.get(str(part.get("$ref")).removeprefix("#/$defs/")))
        for keyword in ("allOf", "anyOf", "oneOf"):
            todo += list_in(part, keyword)
        todo += [part.get(keyword) for keyword in ("if", "then", "else")]
    return KnownProperties(frozenset(names), tuple(sorted(patterns)), is_open)
