"""One squad as its sheet for the table shows it: plain values in one language, ready to be set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule to remember: what it is called (nothing for a card's own text) and its marked-up text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card that is carried or belongs to the squad as a whole. `count` are all its copies."""

    name: str
    count: int
    cost: int | float | None
    slots: tuple[str, ...] = ()
    reminders: tuple[Reminder, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetModel:
    """One line of models: `boxes` per copy, `stats` as pairs of abbreviation and value, `total` with all it carries."""

    number: int
    name: str
    count: int
    cost: int | float | None
    total: int | float
    boxes: int
    stats: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    reminders: tuple[Reminder, ...]
    carried: tuple[SheetCard, ...]


@dataclass(frozen=True, slots=True)
class SheetStep:
    """One card put on the table: its number, the step's label, its name, whom it follows or who bears it."""

    number: int
    label: str
    name: str
    beside: str


@dataclass(frozen=True, slots=True)
class SquadSheet:
    """The whole sheet. `legal` tells whether the squad breaks no rule; `faction` is its models' only one, if so.

    `code` is a QR code that brings the squad back: its modules a side and an SVG path of the dark ones.
    """

    name: str
    game: str
    params: tuple[tuple[str, str], ...]
    currency: str
    total: int | float
    legal: bool
    faction: str | None
    models: tuple[SheetModel, ...]
    deck: tuple[SheetCard, ...]
    order: tuple[SheetStep, ...]
    code: tuple[int, str] | None = None
