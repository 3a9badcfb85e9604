"""Texts of a foreign list that none of its cards has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from builder.imported.card import ImportedList
from builder.imported.card_parts import list_keywords
from builder.imported.roles import ImportNames
from builder.interchange.tree import ForeignForce, ForeignRoster, ForeignSelection


def find_lost_texts(
    roster: ForeignRoster, imported: ImportedList, names: ImportNames
) -> list[str]:
    """Return the names and texts of profiles, rules and keywords that are nowhere in a list."""
    printed_text = "\0".join(walk_strings(asdict(imported)))
    expected_texts: list[str] = []
    for force in roster.walk_forces():
        expected_texts += list_texts(force)
    for selection in roster.walk_selections():
        expected_texts += list_texts(selection)
        expected_texts += list_keywords(selection, names)
    return [text for text in expected_texts if text not in printed_text]


def list_texts(owner: ForeignForce | ForeignSelection) -> Iterator[str]:
    """Yield the names, values and texts of profiles and rules."""
    for profile in owner.profiles:
        yield profile.name
        yield from profile.characteristics.values()
    for rule in owner.rules:
        yield rule.name
        yield rule.text


def walk_strings(value: object) -> Iterator[str]:
    """Yield all texts in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from walk_strings(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from walk_strings(item)
