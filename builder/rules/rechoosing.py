"""Other choices for a squad's own models that would let a refused card past a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.bundle import rank
from builder.rules.choices import Option, added, grow
from builder.rules.evaluate import Evaluator, Form
from builder.rules.violation import Violation
from builder.rules.ways import ways_of

Change = tuple[int, str, str]
"""A line, a choice, and the value it would take; the empty text takes the choice away."""


def rechosen(violation: Violation, option: Option, squad: Squad, evaluator: Evaluator) -> tuple[Change, ...]:
    """Changes that are enough together, one to a line at most; empty if none are, or no choice is asked about."""
    names = sorted(ways_of(evaluator).of_rule[violation.rule])
    if not names:
        return ()
    form = evaluator.form(violation.rule)
    bearer = next((entry for entry in squad.entries if entry.line == option.line), None)
    pick = replace(added(option.card, option.source, bearer, squad), choices=option.choices)
    if pick.source is Source.ENTRIES:
        least, _ = rank(option.card, squad, evaluator)
        pick = replace(pick, count=least, each=least)
    grown = grow(squad, pick)
    actual, found = violation.actual, []
    for line in dict.fromkeys(int(item.path[1]) for item in violation.counted if item.path[0] == "entries"):
        if line >= len(squad.roster.entries):
            continue
        for change in _of_line(line, names, squad, evaluator):
            after = changed(grown, *change)
            left = _same(form, after, violation)
            if left is None or left.actual < actual:
                grown = after
                found.append(change)
                if left is None:
                    return tuple(found)
                actual = left.actual
                break
    return ()


def _same(form: Form, squad: Squad, violation: Violation) -> Violation | None:
    """The same violation in a changed squad."""
    key = (violation.group, violation.kind)
    return next((item for item in form.judge(squad) if (item.group, item.kind) == key), None)


def _of_line(line: int, names: list[str], squad: Squad, evaluator: Evaluator) -> Iterator[Change]:
    """Every other choice of one line."""
    entry = next(entry for entry in squad.entries if entry.line == line)
    for name in names:
        now = entry.choices.get(name, "")
        yield from (
            (line, name, value) for value in ways_of(evaluator).values(name, squad, now or None) if value != now
        )
        if now:
            yield (line, name, "")


def changed(squad: Squad, line: int, name: str, value: str) -> Squad:
    """The squad with another choice on one line."""
    made: dict[int, Pick] = {}
    for entry in squad.entries:
        if entry.line == line:
            others = {key: item for key, item in entry.choices.items() if key != name}
            made[id(entry)] = replace(entry, choices={**others, name: value} if value else others)
    entries = tuple(made.get(id(entry), entry) for entry in squad.entries)
    attachments = tuple(
        replace(pick, bearer=made[id(pick.bearer)]) if id(pick.bearer) in made else pick for pick in squad.attachments
    )
    return replace(squad, entries=entries, attachments=attachments)
