"""A kind's schema with all it refers to as one self-contained schema, and the properties that it speaks about.

Broken schemas become findings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.messages import os_error
from builder.store import codes

Schema: TypeAlias = Any
"""A JSON Schema: a map or a boolean."""


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
        self.files: dict[Path, Schema] = {}
        self.defs: dict[str, Schema] = {}

    def bundle(self, path: Path) -> dict[str, Schema]:
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

    def load(self, path: Path) -> Schema:
        """The JSON of a schema file."""
        if path not in self.files:
            try:
                self.files[path] = json.loads(path.read_text("utf-8"))
            except json.JSONDecodeError as error:
                raise self.broken(path, _("not JSON: {reason}", reason=error.msg), error.lineno, error.colno) from error
            except (OSError, UnicodeDecodeError) as error:
                reason = os_error(error) if isinstance(error, OSError) else _("not UTF-8 text")
                raise self.broken(path, _("the schema cannot be read: {reason}", reason=reason)) from error
        return self.files[path]

    def rewrite(self, schema: Schema, path: Path) -> Schema:
        """The same schema with its references pointing into `$defs`."""
        if isinstance(schema, list):
            return [self.rewrite(item, path) for item in schema]
        if not isinstance(schema, Mapping):
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
                if not isinstance(found, Mapping) or step not in found:
                    raise self.broken(path, _("$ref {reference} names nothing", reference=reference))
                found = found[step]
            self.defs[name] = self.rewrite(found, target)
        return f"#/$defs/{name}"

    def target(self, file: str, path: Path) -> Path:
        """The file a reference names. Only schemas of the project and of the program are opened."""
        target = (path.parent / file).resolve()
        if target.parent.name == "core":
            return self.core / target.name
        if not target.is_relative_to(self.root.resolve()):
            raise self.broken(path, _("$ref {file} lies outside the project", file=file))
        return target


_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = ("if", "then", "else")


@dataclass(frozen=True, slots=True)
class Known:
    """Names and patterns of properties; `open` where any name goes."""

    names: frozenset[str]
    patterns: tuple[str, ...] = ()
    open: bool = False

    def __contains__(self, key: str) -> bool:
        return self.open or key in self.names or any(re.search(pattern, key) for pattern in self.patterns)


def known_properties(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Known:
    """The properties of a bundled schema, `defs` its definitions."""
    names: set[str] = set()
    patterns: set[str] = set()
    is_open = False
    seen: set[int] = set()
    todo: list[Any] = [schema]
    while todo:
        part = todo.pop()
        if not isinstance(part, Mapping) or id(part) in seen:
            continue
        seen.add(id(part))
        names.update(part.get("properties", ()))
        patterns.update(part.get("patternProperties", ()))
        is_open = is_open or part.get("additionalProperties", False) not in (False,)
        if "$ref" in part:
            todo.append(defs.get(part["$ref"].removeprefix("#/$defs/")))
        for keyword in _LISTS:
            todo.extend(part.get(keyword, ()))
        todo.extend(part[keyword] for keyword in _SINGLE if keyword in part)
    return Known(frozenset(names), tuple(sorted(patterns)), is_open)
