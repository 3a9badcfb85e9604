"""A pack at one moment as plain JSON values: what a release freezes and what differences are taken of.

Knows no disk. Cards are raw values, so a state that would no longer validate can still be compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import TypeAlias

from builder.model.base import Json
from builder.model.migration import Migration

RawCard: TypeAlias = Mapping[str, Json]
Translations: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Json]]]
"""Language, card id, dotted path: `{text, source, same?}`."""

WORK = "work"
"""The label of the state that is being edited."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of a pack.

    `label` is a version or `work`. `files` holds the SHA-256 of every template, picture and schema contract by path;
    `faces` the digest of the pixels of each printed face as `lang/card/face`, empty where none were taken;
    `texts` and `rich` are the dotted paths of each card's translatable strings and of those with markup; `unread` the
    ids of cards whose files are there but cannot be parsed; `lost` the parts of a release that cannot be read, such as
    `cards.json`.
    """

    pack: str
    label: str = WORK
    released: date | None = None
    effective: date | None = None
    manifest: Mapping[str, Json] = field(default_factory=dict)
    vocabulary: Mapping[str, Json] = field(default_factory=dict)
    rules: Mapping[str, Json] = field(default_factory=dict)
    cards: Mapping[str, RawCard] = field(default_factory=dict)
    translations: Translations = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rich: Mapping[str, frozenset[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    faces: Mapping[str, str] = field(default_factory=dict)
    migrations: tuple[Migration, ...] = ()
    unread: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """The language the cards are written in."""
        return self.languages[0] if self.languages else "und"

    @property
    def languages(self) -> tuple[str, ...]:
        """The source language, then the translations; empty where the manifest cannot be read."""
        stated = self.manifest.get("languages")
        if not isinstance(stated, Mapping) or not isinstance(stated.get("source"), str):
            return ()
        others = stated.get("translations")
        return (str(stated["source"]), *(str(lang) for lang in (others if isinstance(others, list | tuple) else ())))


def canonical(value: object) -> str:
    """The one JSON text of a value: one space of indent, a line break at the end.

    Keys stay in the author's order, which is the order of print; whoever makes a map of ids sorts it before.
    """
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return sha256(data).hexdigest()


def contract(schema: Json) -> Json:
    """A schema without what only explains it: two schemas with one contract accept the same cards."""
    if isinstance(schema, Mapping):
        talk = {"description", "title", "$comment", "examples", "markdownDescription"}
        return {
            key: {name: contract(item) for name, item in value.items()}
            if key in ("properties", "$defs") and isinstance(value, Mapping)
            else contract(value)
            for key, value in schema.items()
            if key not in talk
        }
    if isinstance(schema, list):
        return [contract(item) for item in schema]
    return schema
