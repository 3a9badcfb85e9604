"""Merge a newer list into edited files. Pure.

Each value has three versions: of the last import, of the new import, and as edited by the author.
A value that the author did not edit becomes the new one. An edited value stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard, TypeVar, cast

from builder.errata.change import ABSENT, Value, is_same
from builder.model.base import Json

Path: TypeAlias = tuple[str, ...]
ItemKey: TypeAlias = tuple[str, int]
"""The name of an item, and its position among the items of this name, from 1."""
Key = TypeVar("Key", bound="str | ItemKey")
Item = TypeVar("Item", bound=Json)
FACES = ("front", "back")
FACE_KEY = "face"
ITEM_KEYS = ("card", "title", "name")
"""Keys whose value identifies an item of a list after the list was reordered."""


@dataclass(frozen=True, slots=True)
class EditConflict:
    """A value that both the author and the newer list changed. The author's value stays."""

    path: Path
    new: Value
    edited: Value


@dataclass(slots=True)
class Merger:
    """Merges an author's edits with a newer version of an imported list. Collects conflicts."""

    conflicts: list[EditConflict] = field(default_factory=list)

    def merge_card(self, base: Json, new: Json, edited: Json) -> dict[str, Json]:
        """Merge three versions of a card. Tables and texts may have moved to the other face."""
        merged = self.merge_value(
            _join_face_lists(base), _join_face_lists(new), _join_face_lists(edited)
        )
        return _split_face_lists(cast("dict[str, Json]", merged))

    def merge_value(
        self, base: Value, new: Value, edited: Value, path: Path = ()
    ) -> Value:
        """Merge three versions of a value. Return ABSENT if the merged value is removed."""
        if is_same(edited, base) or is_same(new, edited):
            return new
        if is_same(new, base):
            return edited
        if isinstance(new, dict) and isinstance(edited, dict):
            base_map = base if isinstance(base, dict) else {}
            return self._merge_maps(base_map, new, edited, path)
        if isinstance(new, list) and isinstance(edited, list):
            base_items = _key_items(base) if isinstance(base, list) else {}
            merged = self._merge_maps(
                base_items, _key_items(new), _key_items(edited), path
            )
            return list(merged.values())
        self.conflicts.append(EditConflict(path, new, edited))
        return edited

    def _merge_maps(
        self,
        base: Mapping[Key, Json],
        new: Mapping[Key, Json],
        edited: Mapping[Key, Json],
        path: Path,
    ) -> dict[Key, Json]:
        merged: dict[Key, Json] = {}
        # The order is that of the new list; what the author added comes last.
        for key in dict.fromkeys((*new, *edited)):
            value = self.merge_value(
                base.get(key, ABSENT),
                new.get(key, ABSENT),
                edited.get(key, ABSENT),
                (*path, _format_key(key)),
            )
            if value is not ABSENT:
                merged[key] = value
        return merged


@dataclass(slots=True)
class CardVersions:
    """Three versions of a card: imported last time, newly imported, and edited by the author.

    `base` is empty for a card that was not imported before.
    """

    base: Mapping[str, Json]
    new: dict[str, Json]
    edited: dict[str, Json]


def move_edits(cards: Sequence[CardVersions]) -> None:
    """Move an author's edits to the card that has the edited text in the newer list.

    `cards` are those of one unit, on which its texts may be distributed in another way.
    """
    # An item is identified by its old value, because it may be on any card of the unit now.
    for source in cards:
        edited_items = _index_items(source.edited)
        new_items = _index_items(source.new)
        for key, old_item in _index_items(source.base).items():
            edited_item = edited_items.get(key, old_item)
            if edited_item == old_item or key in new_items:
                continue
            for target in cards:
                if _index_items(target.new).get(key) == old_item:
                    _replace_item(target.new, old_item, edited_item)
                    _replace_item(source.edited, edited_item, old_item)
                    break


def _index_items(
    card: Mapping[str, Json],
) -> dict[tuple[str, ItemKey], dict[str, Json]]:
    """Return the texts and tables of both faces of a card, by list name and item key."""
    indexed_items: dict[tuple[str, ItemKey], dict[str, Json]] = {}
    for _face, key, items in _iterate_item_lists(card):
        for name, item in _key_items(items).items():
            indexed_items.setdefault((key, name), item)
    return indexed_items


def _iterate_item_lists(
    card: Mapping[str, Json],
) -> Iterator[tuple[str, str, list[dict[str, Json]]]]:
    """Yield (face, key, items) for each list of texts or tables on a card."""
    for face in FACES:
        content = card.get(face)
        if not isinstance(content, dict):
            continue
        for key, items in content.items():
            if _is_list_of_maps(items):
                yield face, key, items


def _replace_item(
    card: Mapping[str, Json], old: dict[str, Json], new: dict[str, Json]
) -> None:
    """Replace an item of a card in place, wherever it is."""
    for _face, _key, items in _iterate_item_lists(card):
        if old in items:
            items[items.index(old)] = new
            return


def _key_items(items: Sequence[Item]) -> dict[ItemKey, Item]:
    """Return the items of a list by name and position among items of that name."""
    keyed_items: dict[ItemKey, Item] = {}
    counts: Counter[str] = Counter()
    for item in items:
        name = ""
        if isinstance(item, dict):
            name = next((str(item[key]) for key in ITEM_KEYS if key in item), "")
        counts[name] += 1
        keyed_items[name, counts[name]] = item
    return keyed_items


def _format_key(key: str | ItemKey) -> str:
    """Format an item's key for messages, such as `Shield` or `Shield 2`."""
    if isinstance(key, str):
        return key
    name, count = key
    return name if name and count == 1 else f"{name} {count}".strip()


def _join_face_lists(card: Json) -> Json:
    """Join the lists of both faces of a card into one list each. Each item stores its face."""
    if not isinstance(card, dict):
        return card
    joined = dict(card)
    lists: dict[str, list[Json]] = {}
    for face, key, items in _iterate_item_lists(card):
        tagged_items = [{**item, FACE_KEY: face} for item in items]
        lists.setdefault(key, []).extend(tagged_items)
    for face in FACES:
        content = card.get(face)
        if isinstance(content, dict):
            joined[face] = {
                key: value
                for key, value in content.items()
                if not _is_list_of_maps(value)
            }
    return {**joined, "faces": {**lists}}


def _is_list_of_maps(value: Json) -> TypeGuard[list[dict[str, Json]]]:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) for item in value)
    )


def _split_face_lists(joined: dict[str, Json]) -> dict[str, Json]:
    """Return the joined lists of a card to their faces. The inverse of `_join_face_lists`."""
    lists = joined.pop("faces", {})
    contents = {
        face: joined[face] for face in FACES if isinstance(joined.get(face), dict)
    }
    for key, items in lists.items() if isinstance(lists, dict) else ():
        for item in items if isinstance(items, list) else ():
            if not isinstance(item, dict):
                continue
            untagged_item = dict(item)
            face = str(untagged_item.pop(FACE_KEY, FACES[0]))
            content = cast("dict[str, Json]", contents.setdefault(face, {}))
            face_items = content.get(key)
            if not isinstance(face_items, list):
                face_items = []
            content[key] = [*face_items, untagged_item]
    return {**joined, **contents}
