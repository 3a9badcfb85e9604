"""The annotations of schemas are spelt right: JSON Schema itself lets any unknown word pass."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.spelling import suggestion
from builder.store import codes
from builder.store.bundle import Bundler
from builder.store.wording import one_of, wrong_value

TEXTS = ("plain", "rich")
REFERENCES = ("card", "keyword", "stat", "term", "faction", "icon", "art")
NAMES = ("x-text", "x-ref", "x-where")


def misspelt_annotations(bundler: Bundler, kinds: Collection[str]) -> Iterator[Finding]:
    """All annotations of the schema files read so far that mean nothing."""
    for path, schema in bundler.files.items():
        for key, value in _annotations(schema):
            wrong = _wrong(key, value, kinds)
            if wrong is not None:
                yield codes.ANNOTATION.finding(wrong[0], _place(bundler, path, key, value), wrong[1])


def _annotations(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _annotations(item)
    elif isinstance(schema, Mapping):
        for key, value in schema.items():
            if key.startswith("x-") and not isinstance(value, Mapping):
                yield key, value
            else:
                yield from _annotations(value)


def _wrong(key: str, value: Any, kinds: Collection[str]) -> tuple[str, str] | None:
    """Message and hint where an annotation means nothing."""
    if key not in NAMES:
        return _("{key} is no annotation", key=key), suggestion(key, NAMES, _("Annotations"))
    if key == "x-where":
        return None if isinstance(value, bool) else (wrong_value(key, value, "true"), "")
    base, colon, kind = str(value).partition(":")
    allowed = TEXTS if key == "x-text" else REFERENCES
    if base not in allowed or (colon and base != "card"):
        message = wrong_value(key, value, one_of(", ".join(allowed)))
        return message, suggestion(str(value), allowed, _("Allowed"))
    if colon and kind not in kinds:
        message = _("x-ref names the kind {kind}, which pack.yaml does not list", kind=kind)
        return message, suggestion(kind, kinds, _("Kinds"))
    return None


def _place(bundler: Bundler, path: Path, key: str, value: Any) -> Location:
    """The first line of the file that holds the annotation."""
    file = bundler.name(path)
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        column = line.find(f'"{key}"')
        if column >= 0 and str(value) in line:
            return Location(file=file, line=number, column=column + 1)
    return Location(file=file)
