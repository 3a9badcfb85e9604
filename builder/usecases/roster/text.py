"""A change of a squad written into the text it came from: the player's remarks, order and quotes stay."""

from __future__ import annotations

from builder.errata.impact import Migrated
from builder.model.base import Json, Path, lookup
from builder.model.loaded import Document
from builder.model.roster import Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Add, Duplicate, Edit, Move, Remove, Rename
from builder.store.rosters import entry_fields
from builder.store.yaml_edit import YamlText


def grown(text: YamlText, old: Roster, new: Roster) -> str:
    """The text, which says `old`, with all that `new` added to it; a sample's expectation is left out."""
    if text.kind(("expect",)):
        text.drop_key(("expect",))
    for line, entry in enumerate(new.entries):
        if line < len(old.entries):
            _entry(text, line, old.entries[line], entry)
        else:
            text.push(("entries",), entry_fields(entry))
    for index, card in enumerate(new.deck):
        if index >= len(old.deck):
            text.push(("deck",), {"card": card.card, "count": card.count} if card.count > 1 else card.card)
        elif card.count != old.deck[index].count:
            if text.kind(("deck", index)) == "scalar":
                spread(text, index, "deck")
            text.put(("deck", index), "count", card.count)
    return text.text


def _entry(text: YamlText, line: int, old: Entry, new: Entry) -> None:
    """One model: more copies, a name for ties to point at, ties, what it was given."""
    if new.count != old.count:
        put_field(text, line, "count", new.count)
    if new.id != old.id and new.id is not None:
        put_field(text, line, "id", new.id)
    for link, target in new.links.items():
        if old.links.get(link) != target:
            put_field(text, line, link, target)
    for item in new.attachments[len(old.attachments) :]:
        attach(text, line, item.card, item.slot)


def write_edit(text: YamlText, edit: Edit, roster: Roster) -> None:
    """One edit in the text of a roster."""
    if isinstance(edit, Add):
        _add(text, edit)
    elif isinstance(edit, Remove):
        _remove(text, edit, roster)
    elif isinstance(edit, Move):
        _drop(text, edit.path)
        attach(text, edit.line, edit.card)
    elif isinstance(edit, Rename):
        if edit.line < 0:
            text.put((), "name", edit.name)
        else:
            put_field(text, edit.line, "name", edit.name)
    elif isinstance(edit, Duplicate):
        twin = roster.entries[edit.line].model_dump(exclude_defaults=True, exclude={"id", "choices", "links"})
        entry = roster.entries[edit.line]
        text.push(("entries",), {**twin, "attachments": _short(entry.attachments), **entry.choices, **entry.links}
                  if entry.attachments else {**twin, **entry.choices, **entry.links})  # fmt: skip


def _short(items: tuple[object, ...]) -> list[Json]:
    """Attachments as an author writes them."""
    slots = [(getattr(item, "card", ""), getattr(item, "slot", None)) for item in items]
    return [card if slot is None else {"card": card, "slot": slot} for card, slot in slots]


def _add(text: YamlText, edit: Add) -> None:
    """A card at the end of its list."""
    if edit.source is Source.ATTACHMENTS:
        for _unused in range(edit.count):
            attach(text, edit.line, edit.card, edit.slot)
        return
    item: Json = {"card": edit.card, "count": edit.count} if edit.count > 1 else {"card": edit.card}
    text.push((edit.source.value,), item)


def attach(text: YamlText, line: int, card: str, slot: str | None = None) -> None:
    """A card given to an entry."""
    item: Json = card if slot is None else {"card": card, "slot": slot}
    if text.kind(("entries", line)) == "scalar":
        spread(text, line)
    text.push(("entries", line, "attachments"), item)


def put_field(text: YamlText, line: int, key: str, value: Json) -> None:
    """A key of an entry."""
    if text.kind(("entries", line)) == "scalar":
        spread(text, line)
    text.put(("entries", line), key, value)


def spread(text: YamlText, line: int, source: str = "entries") -> None:
    """Write an item that is a bare id as a map."""
    text.replace((source, line), {"card": text.scalar((source, line))})


def _remove(text: YamlText, edit: Remove, roster: Roster) -> None:
    """Copies taken out; the item goes with the last."""
    source, index = str(edit.path[0]), int(edit.path[1])
    if len(edit.path) == 2:
        owned = roster.entries[index].count if source == "entries" else roster.deck[index].count
        if edit.count < owned:
            if text.kind((source, index)) == "scalar":
                spread(text, index, source)
            text.put((source, index), "count", owned - edit.count)
            return
    _drop(text, edit.path)


def _drop(text: YamlText, path: Path) -> None:
    """An item taken out; a list that is empty then goes with it, but for that of the models."""
    text.drop(path)
    if path[-2] != "entries" and text.empty(path[:-1]):
        text.drop_key(path[:-1])


def put_migrated(text: YamlText, document: Document, migrated: Migrated, version: str) -> None:
    """The new ids, and the version where the file is pinned to one and an id is new."""
    for moved in migrated.moved:
        text.set_scalar(_written(document, moved.path), moved.new)
    value = document.value
    if isinstance(value, dict) and "version" in value and migrated.moved:
        text.set_scalar(("version",), version)


def _written(document: Document, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where the file itself writes the id that the model has at `path`: ids may stand alone or under `card`."""
    value = lookup(document.value, path)
    if isinstance(value, dict):
        return (*path, "card")
    if value is None and len(path) == 3:
        for group in ("links", "choices"):
            if lookup(document.value, (*path[:2], group, path[2])) is not None:
                return (*path[:2], group, path[2])
    return path
