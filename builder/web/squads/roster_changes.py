"""Changes of a squad that are no operations of a roster: the bench, copies beside their source."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Entry, Roster
from builder.roster.operations import Edit

RosterChange: TypeAlias = Callable[[Roster], Roster]
MAX_BENCHED_MODELS = 100


@dataclass(frozen=True, slots=True)
class BenchChange:
    """A changed squad with its changed bench, where a player keeps unused models."""

    edit: "Edit | RosterChange"
    bench: list[object]


SquadChange: TypeAlias = Edit | RosterChange | BenchChange


def duplicate_entry(roster: Roster, line: int) -> Roster:
    """Return a squad with a copy of an entry after it."""
    return _insert_entry(
        roster, line + 1, roster.entries[line].model_copy(update={"id": None})
    )


def split_entry(roster: Roster, line: int) -> Roster:
    """Return a squad in which one copy of an entry has a line of its own."""
    entry = roster.entries[line]
    # Links keep to the stack, because two lines with one id would be ambiguous.
    single = entry.model_copy(update={"id": None, "count": 1, "origin": None})
    entries = list(roster.entries)
    entries[line] = entry.model_copy(update={"count": entry.count - 1})
    return _insert_entry(
        roster.model_copy(update={"entries": tuple(entries)}), line + 1, single
    )


def add_entry(roster: Roster, entry: Entry) -> Roster:
    """Return a squad with an entry of another squad or of the bench added."""
    used_ids = {line.id for line in roster.entries}
    if entry.id in used_ids:
        entry = entry.model_copy(update={"id": None})
    return _insert_entry(roster, len(roster.entries), entry)


def _insert_entry(roster: Roster, line: int, entry: Entry) -> Roster:
    entries = list(roster.entries)
    entries.insert(line, entry)
    return roster.model_copy(update={"entries": tuple(entries)})


def dump_entry(entry: Entry) -> object:
    """Convert an entry to JSON for the bench."""
    return entry.model_dump(mode="json", exclude_defaults=True)


def load_bench(bench: Sequence[object]) -> list[Entry]:
    """Load the entries of a bench from JSON."""
    return [Entry.model_validate(item) for item in bench]


def refuse_full_bench(bench: Sequence[object]) -> None:
    """Raise UsageError if the bench is full."""
    if len(bench) >= MAX_BENCHED_MODELS:
        message = _("the bench has {most} models", most=MAX_BENCHED_MODELS)
        raise UsageError(message, _("Delete benched models that you no longer need."))
