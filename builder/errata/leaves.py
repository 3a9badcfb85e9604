"""A JSON value as a flat map from path to leaf, and the difference of two such maps.

A difference of leaf maps composes: what changed from A to B and then from B to C is what changed from A to C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from builder.model.base import Json, Path


class Absent(Enum):
    """The value of a leaf that is not there, which differs from null."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = Absent.ABSENT
Value: TypeAlias = Json | Absent


@dataclass(frozen=True, slots=True)
class LeafChange:
    """One leaf that differs."""

    path: Path
    old: Value
    new: Value


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every leaf with its path. A list of scalars and an empty container are leaves: they change as a whole."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    elif path or not isinstance(value, Mapping):
        yield path, value


def changed_leaves(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[LeafChange, ...]:
    """The leaves that differ, in the order of the new value, then what is gone."""
    before, after = dict(leaves(dict(old))), dict(leaves(dict(new)))
    found = [LeafChange(path, before.get(path, ABSENT), value) for path, value in after.items()]
    found += [LeafChange(path, value, ABSENT) for path, value in before.items() if path not in after]
    return tuple(change for change in found if not same(change.old, change.new))


def same(one: Value, other: Value) -> bool:
    """Equality that tells true from 1, inside lists too."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(left, right) for left, right in zip(one, other, strict=True))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def identical(one: object, other: object) -> bool:
    """A quick sufficient test: true only if nothing differs at any depth."""
    return one == other and repr(one) == repr(other)


def compose(first: tuple[LeafChange, ...], second: tuple[LeafChange, ...]) -> tuple[LeafChange, ...]:
    """One difference after the other; a leaf that comes back to what it was is gone from the result."""
    changes = {change.path: change for change in first}
    for change in second:
        before = changes.get(change.path)
        changes[change.path] = LeafChange(change.path, before.old, change.new) if before else change
    return tuple(change for change in changes.values() if not same(change.old, change.new))
