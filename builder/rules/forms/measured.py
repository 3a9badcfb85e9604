"""What a `limit` measures: picks in groups, each with its amount and its bounds, and the room for further picks."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Bound, Limit, Ratio, Source
from builder.roster.resolve import Pick, Squad, grow
from builder.rules.bounds import DerivedBound, Params, derive_bound, divide_amount, to_number
from builder.rules.forms.base import MANY, PickRoom, RuleForm
from builder.rules.groups import PickGroup, groups
from builder.rules.query import Selector, compile_where, values
from builder.rules.violation import Counted, Violation

Kind: TypeAlias = Literal["max", "min", "exactly"]
MOST = 99
"""Additions that are tried one by one, at most."""


class GroupRoom(PickRoom):
    """The room of a limit: the groups of one squad, measured once."""

    judging: "MeasuredForm"

    def __init__(self, form: "MeasuredForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self.groups = {group.key: group for group in form.groups(squad)}
        self.measured = {
            key: form.measure(group.picks, squad) for key, group in self.groups.items()
        }

    def more(self, pick: Pick) -> int:
        """As many as every group has room for that the pick would join."""
        return min(
            (
                self._fits(group, pick, kind, bound.value)
                for group, kind, bound in self._joined(pick)
            ),
            default=MANY,
        )

    def refusal(self, pick: Pick) -> Violation:
        """The first group that has no room."""
        for group, kind, bound in self._joined(pick):
            if self._fits(group, pick, kind, bound.value) < 1:
                together = PickGroup(group.key, (*group.picks, pick), group.card)
                return self.judging.beyond(together, kind, bound, grow(self.squad, pick))
        raise AssertionError("a limit with room refuses nothing")

    def _joined(self, pick: Pick) -> Iterator[tuple[PickGroup, Kind, DerivedBound]]:
        """The groups that the pick would join, as they are without it, with their bounds; a ratio refuses nothing."""
        for group in self._groups(pick):
            for kind, bound in self.judging.bounds(self.squad.params, group.card):
                yield group, kind, bound

    def _groups(self, pick: Pick) -> Iterator[PickGroup]:
        form, per = self.judging, self.judging.rule.per
        if per == "entry":
            yield from self._of_entry(pick)
        elif not form.selector.takes(pick):
            return
        elif per == "roster":
            yield self.groups[""]
        else:
            opens = form.whose is None or form.whose(pick, None)
            for value in values(pick, form.rule.group_path or "id"):
                if value in self.groups or opens:
                    yield self.groups.get(
                        value, PickGroup(value, (), pick.card if per == "card" else None)
                    )

    def _of_entry(self, pick: Pick) -> Iterator[PickGroup]:
        """A new entry is a group of its own, an attachment joins its bearer's."""
        selector = self.judging.selector
        if pick.source is Source.ENTRIES and selector.source in (Source.ENTRIES, Source.ALL):
            if selector.bearer is None and selector.passes(pick, None):
                yield PickGroup(str(pick.line), (), pick.card)
        elif pick.bearer is not None and selector.source in (Source.ATTACHMENTS, Source.ALL):
            key = str(pick.bearer.line)
            if key in self.groups and selector.passes(pick, None):
                yield self.groups[key]

    def _fits(self, group: PickGroup, pick: Pick, kind: Kind, bound: int | float) -> int:
        """How many more such picks one group has room for under one bound."""
        form, actual = self.judging, self.measured.get(group.key, 0)
        if form.rule.measure.distinct is not None:
            after = form.measure((*group.picks, pick), self.squad)
            return 0 if kind != "min" and after > bound and after > actual else MANY
        if form.stepped(self.squad) and self.squad.cost_steps.get(pick.card.kind):
            times = self._one_by_one(group, pick, kind, bound)
        else:
            times = _times_left(kind, actual, bound, form.amount(pick, self.squad))
        if form.rule.per == "entry" and pick.source is Source.ENTRIES:
            return MANY if times >= 1 else 0
        return times

    def _one_by_one(self, group: PickGroup, pick: Pick, kind: Kind, bound: int | float) -> int:
        """The same where each further copy may cost something else."""
        squad, picks, before = self.squad, group.picks, self.measured.get(group.key, 0)
        for times in range(MOST):
            *place, last = pick.path
            line = pick.line + times if pick.source is Source.ENTRIES else pick.line
            picks = (*picks, replace(pick, path=(*place, int(last) + times), line=line))
            squad = grow(squad, picks[-1])
            after = self.judging.measure(picks, squad)
            if (kind != "min" and bound < after > before) or (
                kind == "min" and bound > after < before
            ):
                return times
            before = after
        return MANY


class MeasuredForm(RuleForm):
    """A limit as far as it measures."""

    rule: Limit
    pick_room = GroupRoom

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.whose = compile_where(rule.groups) if rule.groups is not None else None
        stated: dict[Kind, Bound | None] = {
            "max": rule.max,
            "min": rule.min,
            "exactly": rule.exactly,
        }
        self.stated = {kind: bound for kind, bound in stated.items() if bound is not None}
        self.ratios = {
            kind: bound.ratio for kind, bound in self.stated.items() if bound.ratio is not None
        }
        self.of_one_copy = rule.per == "entry" and rule.select.source is not Source.ENTRIES

    def groups(self, squad: Squad) -> Iterator[PickGroup]:
        """The groups of a squad, in the order of the file."""
        return groups(self.rule, self.selector, self.whose, squad)

    def stepped(self, squad: Squad) -> bool:
        """True if costs are measured and further copies may cost something else."""
        return self._counts_steps(squad) and not self.of_one_copy

    def _counts_steps(self, squad: Squad) -> bool:
        return bool(squad.cost_steps) and self.rule.measure.sum == "cost"

    def amount(self, pick: Pick, squad: Squad) -> int | float:
        """What one pick adds to a count or sum; per entry, what one copy of the entry has."""
        if not self.of_one_copy:
            return self._amount_of_all(pick, squad)
        copies = (
            1 if pick.bearer is None else pick.each
        )  # of a line's models one, with what that one carries
        return copies * self.weight(pick)

    def _amount_of_all(self, pick: Pick, squad: Squad) -> int | float:
        """What all copies of a pick add to a count or sum."""
        return squad.cost(pick) if self._counts_steps(squad) else pick.count * self.weight(pick)

    def weight(self, pick: Pick) -> int | float:
        """What one copy adds by its card."""
        return (
            1
            if self.rule.measure.sum is None
            else to_number(pick.value(self.rule.measure.sum)) or 0
        )

    @cached_property
    def loosened(self) -> bool:
        """Where a card counts for less than nothing, or a further copy costs less than the card says."""
        steps = (one for kind in self.pack.manifest.kinds.values() for one in kind.costs)
        if self.rule.measure.sum == "cost":
            return any(
                more < 0
                for one in steps
                for card in self.pack.cards.values()
                for _n, more in one.list_steps(card)
            )
        named = self.rule.measure.sum
        return named is not None and any(
            (to_number(card.field(named)) or 0) < 0 for card in self.pack.cards.values()
        )

    def measure(self, picks: Sequence[Pick], squad: Squad) -> int | float:
        """The measured value of a group."""
        path = self.rule.measure.distinct
        if path is not None:
            return len({value for pick in picks for value in values(pick, path)})
        return sum(self.amount(pick, squad) for pick in picks)

    def bounds(self, params: Params, card: Card | None) -> Iterator[tuple[Kind, DerivedBound]]:
        """The bounds that apply, each with the way it would be broken; without ratios, which hang on the squad."""
        for kind, bound in self.stated.items():
            derived = derive_bound(bound, params, card)
            if derived is not None:
                yield kind, derived

    def measured(self, squad: Squad) -> Iterator[tuple[PickGroup, int | float, Kind, DerivedBound]]:
        """Each group of a squad, what it comes to, and each bound that applies to it."""
        shared = {kind: self._shared(ratio, squad) for kind, ratio in self.ratios.items()}
        for group in self.groups(squad):
            actual = self.measure(group.picks, squad)
            for kind, bound in self.bounds(squad.params, group.card):
                yield group, actual, kind, bound
            for kind, amounts in shared.items():
                yield (
                    group,
                    actual,
                    kind,
                    self.part(kind, amounts.get(group.key, amounts.get(None, 0))),
                )

    def _shared(self, ratio: Ratio, squad: Squad) -> Mapping[str | None, int | float]:
        """What a ratio divides: by group, or of the whole squad under None."""
        of = Selector(ratio.of)
        if (
            ratio.within == "roster"
        ):  # the whole squad has all copies of a line, whatever a group measures
            return {None: sum(self._amount_of_all(pick, squad) for pick in of.of(squad))}
        return {
            one.key: self.measure(one.picks, squad)
            for one in groups(self.rule, of, self.whose, squad)
        }

    def part(self, kind: Kind, amount: int | float) -> DerivedBound:
        """The bound that a ratio gives for an amount; of a count only whole ones are told."""
        ratio = self.ratios[kind]
        (top, each), whole = (
            ratio.parts,
            {"max": "down", "min": "up"}.get(kind) if self.rule.measure.count else None,
        )
        return divide_amount(
            DerivedBound(0, "ratio", top=top, each=each, of=ratio.of), amount, ratio.round or whole
        )

    def beyond(self, group: PickGroup, kind: Kind, bound: DerivedBound, squad: Squad) -> Violation:
        """One group's violation; picks that add nothing are not named."""
        path = self.rule.measure.distinct
        named: list[Counted] = []
        for pick in group.picks:
            held = values(pick, path) if path else ()
            if amount := int(bool(held)) if path else self.amount(pick, squad):
                value, steps = ", ".join(held) if path else None, 0.0
                if self.stepped(squad):
                    steps = sum(one.copies * one.more for one in squad.surcharges.get(id(pick), ()))
                named.append(Counted(pick.path, pick.card.id, amount, pick.count, value, steps))
        entry = group.card if self.rule.per == "entry" else None
        where = Counted(("entries", int(group.key)), entry.id, 0) if entry is not None else None
        actual = self.measure(group.picks, squad)
        return self.violation(kind, group.key, tuple(named), actual, bound, where)


def _times_left(kind: str, actual: int | float, bound: int | float, each: int | float) -> int:
    """How many times `each` may be added before the bound is broken for good."""
    if each > 0 and kind != "min":
        return max(0, math.floor((bound - actual) / each + 1e-9))
    if each < 0 and kind != "max":
        return max(0, math.floor((actual - bound) / -each + 1e-9))
    return MANY
