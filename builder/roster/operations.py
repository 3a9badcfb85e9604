"""Changes of a roster as values: an operation maps a roster to a roster, so undo is a stack of rosters."""

from dataclasses import dataclass
from itertools import count
from typing import Literal, TypeAlias, TypeVar

from builder.model.base import DataPath
from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source


@dataclass(frozen=True, slots=True)
class Remove:
    """Take `count` copies of the pick at `path` out; an entry takes what it carries with it.

    An attachment is taken from every copy of its entry.
    """

    path: DataPath
    card: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Add:
    """Put `count` copies of a card in: to the entry `line` as attachments or as further copies of it, else as one entry
    or in the deck.

    `choices` are what is chosen for an entry: pairs of name and value.
    """

    card: str
    source: Source
    line: int = -1
    count: int = 1
    slot: str | None = None
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Give the attachment at `path` to the entry `line` instead."""

    path: DataPath
    card: str
    line: int


@dataclass(frozen=True, slots=True)
class FreeSlot:
    """Let the place of the attachment at `path` be found instead of named."""

    path: DataPath
    card: str


@dataclass(frozen=True, slots=True)
class SetLink:
    """State the link of the entry `line`; `target` is the line it points at, None takes the link away."""

    line: int
    link: str
    target: int | None = None


@dataclass(frozen=True, slots=True)
class SetChoice:
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
class Annotate:
    """Keep the player's remark on the entry `line`; the empty one takes it away."""

    note: str
    line: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Put a second line like the entry `line` at the end; its `id` stays with the first."""

    line: int


@dataclass(frozen=True, slots=True)
class Reorder:
    """Put the entry `line` in the place of the entry `to`; those between move up or down by one."""

    line: int
    to: int


@dataclass(frozen=True, slots=True)
class SetParam:
    """State a parameter of the roster."""

    name: str
    value: int | str


Operation: TypeAlias = Remove | Add | Move | FreeSlot | SetLink | SetChoice | SetParam
"""What a repair may consist of."""
Operations: TypeAlias = tuple[Operation, ...]
"""What is done as one, such as a repair. Every path and line is that of the roster before."""
Edit: TypeAlias = Operation | Rename | Annotate | Duplicate | Reorder | Operations
"""What a player may do."""


def apply_edit(roster: Roster, edit: Edit) -> Roster:
    """The roster after one edit."""
    entries = list(roster.entries)
    match edit:
        case Rename(name, -1):
            return roster.model_copy(update={"name": name})
        case Rename(name, line):
            entries[line] = entries[line].model_copy(update={"name": name})
        case Annotate(note, line):
            entries[line] = entries[line].model_copy(update={"note": note})
        case Duplicate(line):
            entries.append(entries[line].model_copy(update={"id": None}))
        case Reorder(line, to):
            entries.insert(to, entries.pop(line))
        case tuple():
            return apply_operations(roster, *edit)
        case _:
            return apply_operations(roster, edit)
    return roster.model_copy(update={"entries": tuple(entries)})


def apply_operations(roster: Roster, *operations: Operation) -> Roster:
    """The roster after the operations. Every path and line is that of the roster given, not of a state between."""
    draft = _Draft(roster)
    for operation in operations:
        draft.make(operation)
    entries = (
        entry.model_copy(update={"attachments": tuple(item for item in load if item is not None)})
        for entry, load in zip(draft.entries, draft.loads, strict=True)
        if entry is not None
    )
    deck = (card for card in draft.deck if card is not None)
    return roster.model_copy(
        update={"params": draft.params, "entries": tuple(entries), "deck": tuple(deck)}
    )


class _Draft:
    """A roster in the making: what is taken out leaves a gap, so that every place stays true."""

    def __init__(self, roster: Roster) -> None:
        self.entries: list[Entry | None] = list(roster.entries)
        self.loads: list[list[Attachment | None]] = [
            list(entry.attachments) for entry in roster.entries
        ]
        self.deck: list[DeckCard | None] = list(roster.deck)
        self.params = dict(roster.params)

    def make(self, step: Operation) -> None:
        match step:
            case SetParam(name, value):
                self.params[name] = value
            case Add():
                self._add_card(step)
            case SetLink(target=None):
                self._state(step.line, "links", step.link, "")
            case SetLink(target=int(target)):
                self._tie(step, target)
            case SetChoice():
                self._state(step.line, "choices", step.name, step.value)
            case Remove(path=("deck", index)):
                self.deck[int(index)] = _fewer(self.deck[int(index)], step.count)
            case Remove(path=(_, line)):
                self.entries[int(line)] = _fewer(self.entries[int(line)], step.count)
            case Remove() | FreeSlot() | Move():
                load, index = self.loads[int(step.path[1])], int(step.path[3])
                item = load[index] if isinstance(step, FreeSlot) else None
                load[index] = item and item.model_copy(update={"slot": None})
                if isinstance(step, Move):
                    self._add_card(Add(step.card, Source.ATTACHMENTS, step.line))

    def _add_card(self, step: Add) -> None:
        if step.source is Source.DECK:
            self.deck.append(DeckCard(card=step.card, count=step.count))
        elif step.source is Source.ATTACHMENTS:
            self.loads[step.line] += [Attachment(card=step.card, slot=step.slot)] * step.count
        elif (grown := self.entries[step.line] if step.line >= 0 else None) is not None:
            self.entries[step.line] = grown.model_copy(update={"count": grown.count + step.count})
        else:
            self.entries.append(Entry(card=step.card, count=step.count, choices=dict(step.choices)))
            self.loads.append([])

    def _state(self, line: int, field: Literal["links", "choices"], name: str, value: str) -> None:
        """State a link or a choice of an entry otherwise; the empty value states it no more."""
        if (entry := self.entries[line]) is not None:
            stated = {**getattr(entry, field), name: value}
            kept = {key: item for key, item in stated.items() if item or key != name}
            self.entries[line] = entry.model_copy(update={field: kept})

    def _tie(self, step: SetLink, to: int) -> None:
        """State a link, naming the target entry where its card alone would not tell it."""
        target = self.entries[to]
        if target is None or self.entries[step.line] is None:
            return
        others = [
            entry
            for line, entry in enumerate(self.entries)
            if entry is not None and line != step.line
        ]
        name = target.id or target.card
        if target.id is None and sum(name in (other.id, other.card) for other in others) > 1:
            taken = {
                word
                for entry in self.entries
                if entry is not None
                for word in (entry.id, entry.card)
            }
            name = next(word for n in count(1) if (word := f"{target.card}-{n}") not in taken)
            self.entries[to] = target.model_copy(update={"id": name})
        self._state(step.line, "links", step.link, name)


T = TypeVar("T", Entry, DeckCard)


def _fewer(item: T | None, copies: int) -> T | None:
    """So many copies less; None where none is left."""
    left = item.count - copies if item is not None else 0
    return item.model_copy(update={"count": left}) if item is not None and left > 0 else None
