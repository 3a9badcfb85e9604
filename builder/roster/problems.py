"""What a roster says that cannot be understood: values, which checks make into findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.base import Path
from builder.model.pack import Pack, Param
from builder.model.roster import Entry, Roster


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing not understood: its code, its place in the roster, the value, and what was possible instead."""

    code: str
    path: Path
    value: str
    candidates: tuple[str, ...] = ()


def check_params(roster: Roster, pack: Pack) -> Iterator[Problem]:
    """The parameters a roster states against those that the pack declares."""
    declared = pack.manifest.roster.params
    if roster.pack != pack.id:
        yield Problem("other-pack", ("pack",), roster.pack, (pack.id,))
    for name, value in roster.params.items():
        if name not in declared:
            yield Problem("unknown-param", (name,), name, tuple(declared))
        elif not _fits(value, declared[name]):
            yield Problem("wrong-param", (name,), str(value), _allowed(declared[name]))
    for name, param in declared.items():
        if param.default is None and name not in roster.params:
            yield Problem("missing-param", (), name, _allowed(param))


def _fits(value: int | str, param: Param) -> bool:
    """True if a parameter may have this value."""
    if param.type == "choice":
        return value in param.choices
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return (param.min is None or value >= param.min) and (param.max is None or value <= param.max)


def _allowed(param: Param) -> tuple[str, ...]:
    """A parameter's allowed values in words that need no translation."""
    if param.type == "choice":
        return param.choices
    low = "" if param.min is None else str(param.min)
    high = "" if param.max is None else str(param.max)
    return (f"{low}..{high}",)


def check_ids(roster: Roster) -> Iterator[Problem]:
    """Names of entries, by which links point, must differ."""
    seen: set[str] = set()
    for line, entry in enumerate(roster.entries):
        if entry.id is not None:
            if entry.id in seen:
                yield Problem("duplicate-id", ("entries", line, "id"), entry.id)
            seen.add(entry.id)


def check_choices(entry: Entry, pack: Pack, place: Path) -> Iterator[Problem]:
    """The choices of one entry against those that the pack declares."""
    declared = pack.manifest.roster.choices
    for name, value in entry.choices.items():
        choice = declared.get(name)
        if choice is None:
            yield Problem("unknown-choice", (*place, name), name, tuple(declared))
        elif choice.free:
            continue
        elif choice.cards is not None:
            kind = tuple(card.id for card in pack.of_kind(choice.cards))
            if value not in kind:
                yield Problem("wrong-choice", (*place, name), value, kind)
        elif value not in choice.values:
            yield Problem("wrong-choice", (*place, name), value, tuple(choice.values))
