"""Which properties a schema speaks about, through all its branches and references. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
