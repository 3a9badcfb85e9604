"""Changes of a roster as values.

An operation maps a roster to a roster, so undo is a stack of rosters.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from builder.model.base import DataPath
from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source


@dataclass(frozen=True, slots=True)
class Remove:
    """Removes `count` copies of the card at `path`. The attachments of an entry go with it.

    An attachment is removed from every copy of its entry.
    """

    path: DataPath
    card: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Add:
    """Adds `count` copies of a card: to an entry, as a new entry, or to the deck.

    On an entry they are attachments or further copies of it. `choices` are pairs of name and value
    for a new entry.
    """

    card: str
    source: Source
    line: int = -1
    count: int = 1
    slot: str | None = None
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Moves the attachment at `path` to another entry."""

    path: DataPath
    card: str
    line: int


@dataclass(frozen=True, slots=True)
class FreeSlot:
    """Lets the program choose the slot of the attachment at `path`."""

    path: DataPath
    card: str


@dataclass(frozen=True, slots=True)
class SetLink:
    """Links an entry to another line of the roster, or removes the link (None)."""

    line: int
    link: str
    target: int | None = None


@dataclass(frozen=True, slots=True)
class SetChoice:
    """Sets a choice of an entry, or removes it ("")."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Sets the player's own name of an entry, or of the whole roster if `line` is -1."""

    name: str
    line: int = -1


@dataclass(frozen=True, slots=True)
class Annotate:
    """Sets the player's note on an entry, or removes it ("")."""

    note: str
    line: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Adds a copy of an entry, without its `id`."""

    line: int


@dataclass(frozen=True, slots=True)
class Reorder:
    """Moves an entry to another position."""

    line: int
    to: int


@dataclass(frozen=True, slots=True)
class SetParam:
    """Sets a parameter of the roster."""

    name: str
    value: int | str


Operation: TypeAlias = Remove | Add | Move | FreeSlot | SetLink | SetChoice | SetParam
"""A step of a repair."""
Operations: TypeAlias = tuple[Operation, ...]
"""Steps made together, such as a repair. Every path and line is that of the roster before."""
Edit: TypeAlias = Operation | Rename | Annotate | Duplicate | Reorder | Operations
"""An edit by a player."""


def apply_edit(roster: Roster, edit: Edit) -> Roster:
    """Return the roster after one edit."""
    entries = list(roster.entries)
    match edit:
        case Rename(name, -1):
            return roster.model_copy(update={"name": name})
        case Rename(name, line):
            entries[line] = entries[line].model_copy(update={"name": name})
        case Annotate(note, line):
            entries[line] = entries[line].model_copy(update={"note": note})
        case Duplicate(line):
            # Links refer to entries by id, so no two may have the same.
            entries.append(entries[line].model_copy(update={"id": None}))
        case Reorder(line, to):
            # The entry is taken out first, so `to` counts without it.
            entries.insert(to, entries.pop(line))
        case tuple():
            return apply_operations(roster, *edit)
        case _:
            return apply_operations(roster, edit)
    return roster.model_copy(update={"entries": tuple(entries)})


def apply_operations(roster: Roster, *operations: Operation) -> Roster:
    """Return the roster after these edits.

    Every path and line is that of the roster given, not of a state between.
    """
    draft = _Draft(roster)
    for operation in operations:
        draft.apply_operation(operation)
    return draft.make_roster()


class _Draft:
    """A roster during edits. A removed card leaves a gap, so that all paths stay valid."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.entries: list[Entry | None] = list(roster.entries)
        self.loads: list[list[Attachment | None]] = []
        for entry in roster.entries:
            self.loads.append(list(entry.attachments))
        self.deck: list[DeckCard | None] = list(roster.deck)
        self.params = dict(roster.params)

    def make_roster(self) -> Roster:
        """Return the roster without the gaps."""
        entries = []
        for entry, load in zip(self.entries, self.loads, strict=True):
            if entry is not None:
                attachments = tuple(item for item in load if item is not None)
                entries.append(entry.model_copy(update={"attachments": attachments}))
        update = {
            "params": self.params,
            "entries": tuple(entries),
            "deck": tuple(card for card in self.deck if card is not None),
        }
        return self.roster.model_copy(update=update)

    def apply_operation(self, operation: Operation) -> None:
        match operation:
            case SetParam(name, value):
                self.params[name] = value
            case Add():
                self._add_card(operation)
            case SetLink(target=None):
                # An empty name removes the link.
                self._set_field(operation.line, "links", operation.link, "")
            case SetLink(target=int(target)):
                self._set_link(operation, target)
            case SetChoice():
                self._set_field(
                    operation.line, "choices", operation.name, operation.value
                )
            case Remove(path=("deck", index)):
                self.deck[int(index)] = _remove_copies(
                    self.deck[int(index)], operation.count
                )
            case Remove(path=(_, line)):
                self.entries[int(line)] = _remove_copies(
                    self.entries[int(line)], operation.count
                )
            case Remove() | FreeSlot() | Move():
                self._change_attachment(operation)

    def _change_attachment(self, operation: Remove | FreeSlot | Move) -> None:
        """Remove an attachment, free its slot, or move it to another entry."""
        load = self.loads[int(operation.path[1])]
        index = int(operation.path[3])
        item = load[index]
        load[index] = None
        if isinstance(operation, FreeSlot) and item is not None:
            load[index] = item.model_copy(update={"slot": None})
        if isinstance(operation, Move):
            self._add_card(Add(operation.card, Source.ATTACHMENTS, operation.line))

    def _add_card(self, addition: Add) -> None:
        if addition.source is Source.DECK:
            self.deck.append(DeckCard(card=addition.card, count=addition.count))
            return
        if addition.source is Source.ATTACHMENTS:
            attachment = Attachment(card=addition.card, slot=addition.slot)
            self.loads[addition.line] += [attachment] * addition.count
            return
        grown_entry = self.entries[addition.line] if addition.line >= 0 else None
        # An operation before may have removed the entry; then a new one is added.
        if grown_entry is not None:
            count = grown_entry.count + addition.count
            self.entries[addition.line] = grown_entry.model_copy(
                update={"count": count}
            )
            return
        choices = dict(addition.choices)
        self.entries.append(
            Entry(card=addition.card, count=addition.count, choices=choices)
        )
        self.loads.append([])

    def _set_field(
        self, line_index: int, field: Literal["links", "choices"], name: str, value: str
    ) -> None:
        """Set a link or a choice of an entry. "" removes it."""
        entry = self.entries[line_index]
        if entry is None:
            return
        values = {**getattr(entry, field), name: value}
        if not value:
            del values[name]
        self.entries[line_index] = entry.model_copy(update={field: values})

    def _set_link(self, operation: SetLink, target_line: int) -> None:
        """Set a link of an entry. The target gets an id if its card alone would be ambiguous."""
        target = self.entries[target_line]
        # An operation before may have removed one of the two entries.
        if target is None or self.entries[operation.line] is None:
            return
        name = target.id or target.card
        if target.id is None and self._count_lines_named(name, operation.line) > 1:
            name = self._make_unused_name(target.card)
            self.entries[target_line] = target.model_copy(update={"id": name})
        self._set_field(operation.line, "links", operation.link, name)

    def _count_lines_named(self, name: str, linked_line: int) -> int:
        """Return how many other lines a link could mean by this name."""
        count = 0
        for line, entry in enumerate(self.entries):
            if entry is not None and line != linked_line:
                count += name in (entry.id, entry.card)
        return count

    def _make_unused_name(self, card_id: str) -> str:
        used_names = set()
        for entry in self.entries:
            if entry is not None:
                used_names |= {entry.id, entry.card}
        number = 1
        while f"{card_id}-{number}" in used_names:
            number += 1
        return f"{card_id}-{number}"


CountedItem = TypeVar("CountedItem", Entry, DeckCard)


def _remove_copies(item: CountedItem | None, copies: int) -> CountedItem | None:
    """Return the item with fewer copies, or None if no copy remains."""
    if item is None or item.count <= copies:
        return None
    return item.model_copy(update={"count": item.count - copies})
