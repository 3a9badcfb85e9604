"""How much room a limit leaves in a squad: for one more pick, and for each group as it stands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import Derived, number
from builder.rules.evaluate import Form
from builder.rules.forms.counting import Counter, Group, values
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Tied
from builder.rules.violation import Kind, Violation

MANY = 1_000_000
"""Stands for any number."""


@dataclass(frozen=True, slots=True)
class Slack:
    """One group of a limit against one bound: `left` is how far it may still go before it breaks."""

    rule: str
    group: str
    kind: Kind
    actual: int | float
    bound: Derived

    @property
    def left(self) -> int | float:
        """Room up to a maximum, surplus over a minimum; 0 for an exact number that is kept."""
        if self.kind == "max":
            return self.bound.value - self.actual
        return self.actual - self.bound.value if self.kind == "min" else -abs(self.actual - self.bound.value)


def closeness(form: Form, squad: Squad) -> Iterator[Slack]:
    """How far a rule with a number is from breaking: each group of a limit, each bearer's slots, each target's room."""
    if isinstance(form, Counter):
        yield from Room(form, squad).slack()
    elif isinstance(form, Placer):
        for entry in squad.entries:
            if slots := len(form.slots(entry.card)):
                items = [pick for pick in squad.carried(entry) if form.selector.takes(pick)]
                used = sum(form.need(pick.card, pick.slot).size for pick in items)
                yield Slack(form.rule.id, str(entry.line), "max", used, Derived(slots, "slots"))
    elif isinstance(form, Tied) and form.rule.capacity is not None:
        held = form.held(squad)
        for target in squad.entries:
            room = number(target.card.field(form.rule.capacity))
            if room is not None:
                load = sum(form.loads(pick) * pick.count for pick in held.get(target.line, ()))
                yield Slack(form.rule.id, str(target.line), "max", load, Derived(room * target.count, "capacity"))


class Room:
    """One limit and the groups of one squad, measured once."""

    def __init__(self, form: Counter, squad: Squad) -> None:
        self.form = form
        self.squad = squad
        self.groups = {group.key: group for group in form.groups(squad)}
        self.measured = {key: form.measure(group.picks) for key, group in self.groups.items()}

    def slack(self) -> Iterator[Slack]:
        """Every group against every bound."""
        for key, group in self.groups.items():
            for kind, bound in self.form.bounds(self.squad.params, group.card):
                yield Slack(self.form.rule.id, key, kind, self.measured[key], bound)

    def more(self, pick: Pick) -> int:
        """How many more such picks fit, each on a line of its own where it is an entry."""
        fits = MANY
        for group in self._joined(pick):
            for kind, bound in self.form.bounds(self.squad.params, group.card):
                fits = min(fits, self._fits(group, pick, kind, bound.value))
        return fits

    def refusal(self, pick: Pick) -> Violation:
        """The violation that one more such pick would be."""
        for group in self._joined(pick):
            for kind, bound in self.form.bounds(self.squad.params, group.card):
                if self._fits(group, pick, kind, bound.value) < 1:
                    picks = (*group.picks, pick)
                    actual = self.form.measure(picks)
                    return self.form.violation(Group(group.key, picks, group.card), kind, actual, bound)
        raise AssertionError("a limit with room refuses nothing")

    def _joined(self, pick: Pick) -> Iterator[Group]:
        """The groups that the pick would join, as they are without it."""
        form, per = self.form, self.form.rule.per
        if per == "entry":
            yield from self._of_entry(pick)
        elif not form.selector.takes(pick):
            return
        elif per == "roster":
            yield self.groups[""]
        elif per == "card":
            yield self.groups.get(pick.card.id, Group(pick.card.id, (), pick.card))
        else:
            yield from self._of_value(pick)

    def _of_entry(self, pick: Pick) -> Iterator[Group]:
        """A new entry is a group of its own, an attachment joins its bearer's."""
        form = self.form
        source = form.rule.select.source
        card: Card = pick.card
        if pick.source is Source.ENTRIES and source in (Source.ENTRIES, Source.ALL):
            if form.selector.bearer is None and form.selector.passes(pick, None):
                yield Group(str(pick.line), (), card)
        elif pick.bearer is not None and source in (Source.ATTACHMENTS, Source.ALL):
            key = str(pick.bearer.line)
            if key in self.groups and form.selector.passes(pick, None):
                yield self.groups[key]

    def _of_value(self, pick: Pick) -> Iterator[Group]:
        """The group of each value that the pick has."""
        path = self.form.rule.group_path
        assert path is not None
        opens = self.form.whose is None or self.form.whose(pick, None)
        for value in values(pick, path):
            if value in self.groups:
                yield self.groups[value]
            elif opens:
                yield Group(value, ())

    def _fits(self, group: Group, pick: Pick, kind: Kind, bound: int | float) -> int:
        """How many more such picks one group has room for under one bound."""
        form = self.form
        actual = self.measured.get(group.key, 0)
        if form.rule.measure.distinct is not None:
            after = form.measure((*group.picks, pick))
            return 0 if kind != "min" and after > bound and after > actual else MANY
        each = form.amount(pick)
        if each > 0 and kind != "min":
            times = math.floor((bound - actual) / each + 1e-9)
        elif each < 0 and kind != "max":
            times = math.floor((actual - bound) / -each + 1e-9)
        else:
            return MANY
        if form.rule.per == "entry" and pick.source is Source.ENTRIES:
            return MANY if times >= 1 else 0
        return max(0, times)
