"""Bring a saved squad to the ids of a later release. Pure: the file is edited by who owns it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from builder.model.base import Path
from builder.model.migration import Migration, successor
from builder.model.roster import Attachment, DeckCard, Entry, Roster


@dataclass(frozen=True, slots=True)
class Moved:
    """One id in a roster that has a successor; `path` is where it stands."""

    path: Path
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Lost:
    """One id in a roster that is gone; `heirs` are what a split left to choose from."""

    path: Path
    old: str
    heirs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Migrated:
    """A roster with today's ids, what was moved, and what could not be."""

    roster: Roster
    moved: tuple[Moved, ...] = ()
    lost: tuple[Lost, ...] = ()


def migrate(roster: Roster, migrations: tuple[Migration, ...], cards: Collection[str]) -> Migrated:
    """Follow renames and merges; what was split or deleted stays and is reported."""
    named = dict(ids(roster))
    if all(card in cards for card in named.values()):
        return Migrated(roster)
    heirs = {step.old: step.new for step in migrations}
    new: dict[str, str] = {}
    moved, lost = [], []
    for path, card in named.items():
        if card in cards:
            continue
        heir = successor(card, migrations, cards)
        if heir is not None:
            new[card] = heir
            moved.append(Moved(path, card, heir))
        elif path[-1] not in _tie_names(roster, path):
            lost.append(Lost(path, card, heirs.get(card, ())))
    return Migrated(renamed(roster, new), tuple(moved), tuple(lost))


def ids(roster: Roster) -> Iterator[tuple[Path, str]]:
    """Every id that a roster names, with its place. Ties and choices name cards too, among other things."""
    for line, entry in enumerate(roster.entries):
        yield ("entries", line), entry.card
        for index, item in enumerate(entry.attachments):
            yield ("entries", line, "attachments", index), item.card
        for name, value in (*entry.links.items(), *entry.choices.items()):
            yield ("entries", line, name), value
    for index, owned in enumerate(roster.deck):
        yield ("deck", index), owned.card


def _tie_names(roster: Roster, path: Path) -> Collection[str | int]:
    """The keys under which an entry names other things than cards: an unknown word there is not a lost card."""
    if path[0] != "entries" or len(path) != 3:
        return ()
    entry = roster.entries[int(path[1])]
    return (*entry.links, *entry.choices)


def renamed(roster: Roster, new: Mapping[str, str]) -> Roster:
    """The roster with ids replaced wherever they stand."""
    if not new:
        return roster

    def values(pairs: Mapping[str, str]) -> dict[str, str]:
        return {key: new.get(value, value) for key, value in pairs.items()}

    def entry(one: Entry) -> Entry:
        items = tuple(Attachment(card=new.get(item.card, item.card), slot=item.slot) for item in one.attachments)
        changes = {
            "card": new.get(one.card, one.card),
            "attachments": items,
            "links": values(one.links),
            "choices": values(one.choices),
        }
        return one.model_copy(update=changes)

    deck = tuple(DeckCard(card=new.get(owned.card, owned.card), count=owned.count) for owned in roster.deck)
    return roster.model_copy(update={"entries": tuple(map(entry, roster.entries)), "deck": deck})
