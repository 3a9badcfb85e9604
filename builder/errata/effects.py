"""Decide whether changes are gains or losses for their cards, and which releases they revert."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from builder.errata.change import (
    CardChange,
    CardEffect,
    Difference,
    FieldChange,
    Value,
    is_same,
)
from builder.model.base import Json

DEFAULT_DIRECTIONS: Mapping[str, Json] = {"cost": "lower"}
"""The better direction of each number, unless the pack says otherwise."""
FieldKey: TypeAlias = tuple[str, str, str | None]
"""The current id of a card, the path of a field, and the language of a translation."""
NUMBER = re.compile(r"[-+−]?\d+(?:[.,]\d+)?")


def find_directions(manifest: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return for each number field of a kind whether higher or lower values are better."""
    directions = manifest.get("better")
    return {
        **DEFAULT_DIRECTIONS,
        **(directions if isinstance(directions, Mapping) else {}),
    }


def classify_effect(
    path: str, old: Value, new: Value, directions: Mapping[str, Json]
) -> CardEffect | None:
    """Return the effect of a changed number: better or worse for its card. None if unknown."""
    matching_names = [name for name in directions if _matches_path(path, name)]
    direction = directions[matching_names[0]] if matching_names else None
    numbers = _read_numbers(old, new)
    if direction is None or numbers is None or numbers[0] == numbers[1]:
        return None
    # Equal truth values mean a gain: higher where higher is better, or lower where lower is.
    is_higher = numbers[1] > numbers[0]
    return CardEffect.GAIN if is_higher == (direction == "higher") else CardEffect.LOSS


def _matches_path(path: str, name: str) -> bool:
    steps = path.split(".")
    names = name.split(".")
    if len(steps) != len(names):
        return False
    return all(name in ("*", step) for step, name in zip(steps, names, strict=True))


def _read_numbers(old: Value, new: Value) -> tuple[float, float] | None:
    """Return both numbers of values such as 3, `4+` or `6"`, which differ in nothing else."""
    # Values may carry signs: `4+` is better than `5+` where lower is better.
    old_text, new_text = str(old), str(new)
    old_numbers = NUMBER.findall(old_text)
    new_numbers = NUMBER.findall(new_text)
    # Values in other units or with dice cannot be compared by their numbers.
    has_same_rest = NUMBER.sub("#", old_text) == NUMBER.sub("#", new_text)
    if len(old_numbers) != 1 or len(new_numbers) != 1 or not has_same_rest:
        return None
    return _parse_number(old_numbers[0]), _parse_number(new_numbers[0])


def _parse_number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


def mark_reverts(difference: Difference, past: Iterable[Difference]) -> Difference:
    """Mark the fields of a difference that return to the value of an earlier release.

    `past` are the changes of earlier releases, newest first. A field reverts a release if it gets
    the value from before that release again.
    """
    values: dict[FieldKey, Value] = {}
    for card in difference.cards:
        for field in card.fields:
            values[card.id, field.path, field.lang] = field.new
    versions: dict[FieldKey, str] = {}
    # Old releases know a renamed card by its old id.
    current_ids = {card.old_id or card.id: card.id for card in difference.cards}
    for key, old_value, version in (
        _list_old_values(past, current_ids) if values else ()
    ):
        if key in values and is_same(values[key], old_value):
            # The newest release comes first, and an older one with the same value does not count.
            versions.setdefault(key, version)
    if not versions:
        return difference
    return replace(
        difference,
        cards=tuple(_name_versions(card, versions) for card in difference.cards),
    )


def _list_old_values(
    past: Iterable[Difference], current_ids: dict[str, str]
) -> Iterator[tuple[FieldKey, Value, str]]:
    """Yield the value of each field before each release, with the release, newest first."""
    for step in past:
        for card in step.cards:
            current_id = current_ids.get(card.id)
            if current_id is None:  # the card does not change now, or no longer exists
                continue
            current_ids[card.old_id or card.id] = current_id
            for field in card.fields:
                yield (current_id, field.path, field.lang), field.old, step.new


def _name_versions(card: CardChange, versions: Mapping[FieldKey, str]) -> CardChange:
    fields: list[FieldChange] = []
    for field in card.fields:
        version = versions.get((card.id, field.path, field.lang), "")
        fields.append(replace(field, reverts=version))
    return replace(card, fields=tuple(fields))
