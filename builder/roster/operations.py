"""Changes of a roster as values: an operation maps a roster to a roster, so undo is a stack of rosters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from builder.model.base import Path
from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source


@dataclass(frozen=True, slots=True)
class Remove:
    """Take `count` copies of the pick at `path` out; an entry takes what it carries with it.

    An attachment is taken from every copy of its entry.
    """

    path: Path
    card: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Add:
    """Put `count` copies of a card in: to the entry `line` as attachments, else as one entry or in the deck."""

    card: str
    source: Source
    line: int = -1
    count: int = 1
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Give the attachment at `path` to the entry `line` instead."""

    path: Path
    card: str
    line: int


@dataclass(frozen=True, slots=True)
class Free:
    """Let the place of the attachment at `path` be found instead of named."""

    path: Path
    card: str


@dataclass(frozen=True, slots=True)
class Tie:
    """State the link of the entry `line`; `target` is the line it points at."""

    line: int
    link: str
    target: int


@dataclass(frozen=True, slots=True)
class Untie:
    """Take the link of the entry `line` away."""

    line: int
    link: str


@dataclass(frozen=True, slots=True)
class Choose:
    """Make a choice for the entry `line`; the empty value takes it away."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the entry `line`, or the roster itself where `line` is -1, the player's own name."""

    name: str
    line: int = -1


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Put a second line like the entry `line` at the end; its `id` stays with the first."""

    line: int


Operation: TypeAlias = Remove | Add | Move | Free | Tie | Untie | Choose
"""What a repair may consist of."""
Edit: TypeAlias = Operation | Rename | Duplicate
"""What a player may do."""


def edited(roster: Roster, edit: Edit) -> Roster:
    """The roster after one edit."""
    if isinstance(edit, Duplicate):
        twin = roster.entries[edit.line].model_copy(update={"id": None})
        return roster.model_copy(update={"entries": (*roster.entries, twin)})
    if isinstance(edit, Rename):
        if edit.line < 0:
            return roster.model_copy(update={"name": edit.name})
        entries = list(roster.entries)
        entries[edit.line] = entries[edit.line].model_copy(update={"name": edit.name})
        return roster.model_copy(update={"entries": tuple(entries)})
    return apply(roster, edit)


def apply(roster: Roster, *operations: Operation) -> Roster:
    """The roster after the operations. Every path and line is that of the roster given, not of a state between."""
    entries: list[Entry | None] = list(roster.entries)
    deck: list[DeckCard | None] = list(roster.deck)
    dropped: dict[int, set[int]] = {}
    for operation in operations:
        if isinstance(operation, Remove):
            _remove(operation, entries, deck, dropped)
        elif isinstance(operation, Add):
            _add(operation, entries, deck)
        elif isinstance(operation, Move):
            line, index = _place(operation.path)
            dropped.setdefault(line, set()).add(index)
            _add(Add(operation.card, Source.ATTACHMENTS, operation.line), entries, deck)
        elif isinstance(operation, Free):
            _free(operation, entries)
        elif isinstance(operation, Tie):
            _tie(operation, entries)
        else:
            _restate(operation, entries)
    for line, gone in dropped.items():
        entry = entries[line]
        if entry is not None:
            kept = tuple(item for index, item in enumerate(entry.attachments) if index not in gone)
            entries[line] = entry.model_copy(update={"attachments": kept})
    left = tuple(entry for entry in entries if entry is not None)
    return roster.model_copy(update={"entries": left, "deck": tuple(card for card in deck if card is not None)})


def _place(path: Path) -> tuple[int, int]:
    """Line and index of an attachment's path `entries.LINE.attachments.INDEX`."""
    return int(path[1]), int(path[3])


def _remove(
    operation: Remove, entries: list[Entry | None], deck: list[DeckCard | None], dropped: dict[int, set[int]]
) -> None:
    """Take copies out, marking attachments for later so that indices stay true."""
    if operation.path[0] == "deck":
        index = int(operation.path[1])
        owned = deck[index]
        if owned is not None:
            rest = owned.count - operation.count
            deck[index] = owned.model_copy(update={"count": rest}) if rest > 0 else None
    elif len(operation.path) == 2:
        index = int(operation.path[1])
        entry = entries[index]
        if entry is not None:
            rest = entry.count - operation.count
            entries[index] = entry.model_copy(update={"count": rest}) if rest > 0 else None
    else:
        line, index = _place(operation.path)
        dropped.setdefault(line, set()).add(index)


def _add(operation: Add, entries: list[Entry | None], deck: list[DeckCard | None]) -> None:
    """Put one card in at the end of its list."""
    if operation.source is Source.DECK:
        deck.append(DeckCard(card=operation.card, count=operation.count))
    elif operation.source is Source.ATTACHMENTS:
        entry = entries[operation.line]
        if entry is not None:
            more = (Attachment(card=operation.card, slot=operation.slot),) * operation.count
            entries[operation.line] = entry.model_copy(update={"attachments": (*entry.attachments, *more)})
    else:
        entries.append(Entry(card=operation.card, count=operation.count))


def _free(operation: Free, entries: list[Entry | None]) -> None:
    """Forget a named slot."""
    line, index = _place(operation.path)
    entry = entries[line]
    if entry is not None:
        items = list(entry.attachments)
        items[index] = items[index].model_copy(update={"slot": None})
        entries[line] = entry.model_copy(update={"attachments": tuple(items)})


def _restate(operation: Untie | Choose, entries: list[Entry | None]) -> None:
    """State a choice otherwise, or a link no more."""
    entry = entries[operation.line]
    if entry is None:
        return
    if isinstance(operation, Untie):
        links = {name: target for name, target in entry.links.items() if name != operation.link}
        entries[operation.line] = entry.model_copy(update={"links": links})
        return
    choices = {**entry.choices, operation.name: operation.value}
    kept = {name: value for name, value in choices.items() if value}
    entries[operation.line] = entry.model_copy(update={"choices": kept})


def _tie(operation: Tie, entries: list[Entry | None]) -> None:
    """State a link, naming the target entry where its card alone would not tell it."""
    entry, target = entries[operation.line], entries[operation.target]
    if entry is None or target is None:
        return
    name = target.id
    if name is None:
        others = [other for index, other in enumerate(entries) if other is not None and index not in (operation.line,)]
        named = {other.id for other in entries if other is not None}
        name = target.card
        if name in named or sum(other.card == name for other in others) > 1:
            number = next(n for n in range(1, len(entries) + 2) if f"{target.card}-{n}" not in named)
            name = f"{target.card}-{number}"
            entries[operation.target] = target.model_copy(update={"id": name})
    entries[operation.line] = entry.model_copy(update={"links": {**entry.links, operation.link: name}})
