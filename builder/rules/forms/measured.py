"""What a `limit` measures: picks in groups, each with its amount and its bounds, and the room for further picks."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Bound, Limit, Ratio, Source
from builder.roster.resolve import SelectedCard, Squad, add_card
from builder.rules.bounds import DerivedBound, Params, derive_bound, divide_amount, to_number
from builder.rules.forms.base import UNLIMITED, AdditionLimit, RuleForm
from builder.rules.groups import CardGroup, find_card_groups
from builder.rules.query import Selector, compile_where, list_values
from builder.rules.violation import Counted, Violation

Kind: TypeAlias = Literal["max", "min", "exactly"]
MAX_COUNTED_COPIES = 99
"""Additions that are tried one by one, at most."""


class GroupLimit(AdditionLimit):
    """The room of a limit: the groups of one squad, measured once."""

    form: "MeasuredForm"

    def __init__(self, form: "MeasuredForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self.groups = {group.key: group for group in form.find_groups(squad)}
        self.amounts = {
            key: form.measure_cards(group.cards, squad) for key, group in self.groups.items()
        }

    def count_more(self, selected: SelectedCard) -> int:
        """As many as every group has room for that the pick would join."""
        return min(
            (
                self._fits(group, selected, kind, bound.value)
                for group, kind, bound in self._joined(selected)
            ),
            default=UNLIMITED,
        )

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """The first group that has no room."""
        for group, kind, bound in self._joined(selected):
            if self._fits(group, selected, kind, bound.value) < 1:
                together = CardGroup(group.key, (*group.cards, selected), group.card)
                return self.form.make_group_violation(
                    together, kind, bound, add_card(self.squad, selected)
                )
        raise AssertionError("a limit with room refuses nothing")

    def _joined(self, selected: SelectedCard) -> Iterator[tuple[CardGroup, Kind, DerivedBound]]:
        """The groups that the pick would join, as they are without it, with their bounds; a ratio refuses nothing."""
        for group in self._groups(selected):
            for kind, bound in self.form.derive_bounds(self.squad.params, group.card):
                yield group, kind, bound

    def _groups(self, selected: SelectedCard) -> Iterator[CardGroup]:
        form, per = self.form, self.form.rule.per
        if per == "entry":
            yield from self._of_entry(selected)
        elif not form.selector.matches_card(selected):
            return
        elif per == "roster":
            yield self.groups[""]
        else:
            opens = form.owner_matches is None or form.owner_matches(selected, None)
            for value in list_values(selected, form.rule.group_path or "id"):
                if value in self.groups or opens:
                    yield self.groups.get(
                        value, CardGroup(value, (), selected.card if per == "card" else None)
                    )

    def _of_entry(self, selected: SelectedCard) -> Iterator[CardGroup]:
        """A new entry is a group of its own, an attachment joins its bearer's."""
        selector = self.form.selector
        if selected.source is Source.ENTRIES and selector.source in (Source.ENTRIES, Source.ALL):
            if selector.host_matches is None and selector.where_matches(selected, None):
                yield CardGroup(str(selected.line), (), selected.card)
        elif selected.host is not None and selector.source in (Source.ATTACHMENTS, Source.ALL):
            key = str(selected.host.line)
            if key in self.groups and selector.where_matches(selected, None):
                yield self.groups[key]

    def _fits(
        self, group: CardGroup, selected: SelectedCard, kind: Kind, bound: int | float
    ) -> int:
        """How many more such picks one group has room for under one bound."""
        form, actual = self.form, self.amounts.get(group.key, 0)
        if form.rule.measure.distinct is not None:
            after = form.measure_cards((*group.cards, selected), self.squad)
            return 0 if kind != "min" and after > bound and after > actual else UNLIMITED
        if form.has_cost_steps(self.squad) and self.squad.cost_steps.get(selected.card.kind):
            times = self._one_by_one(group, selected, kind, bound)
        else:
            times = _times_left(kind, actual, bound, form.measure_card(selected, self.squad))
        if form.rule.per == "entry" and selected.source is Source.ENTRIES:
            return UNLIMITED if times >= 1 else 0
        return times

    def _one_by_one(
        self, group: CardGroup, selected: SelectedCard, kind: Kind, bound: int | float
    ) -> int:
        """The same where each further copy may cost something else."""
        squad, picks, before = self.squad, group.cards, self.amounts.get(group.key, 0)
        for times in range(MAX_COUNTED_COPIES):
            *place, last = selected.path
            line = selected.line + times if selected.source is Source.ENTRIES else selected.line
            picks = (*picks, replace(selected, path=(*place, int(last) + times), line=line))
            squad = add_card(squad, picks[-1])
            after = self.form.measure_cards(picks, squad)
            if (kind != "min" and bound < after > before) or (
                kind == "min" and bound > after < before
            ):
                return times
            before = after
        return UNLIMITED


class MeasuredForm(RuleForm):
    """A limit as far as it measures."""

    rule: Limit
    limit_class = GroupLimit

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.owner_matches = compile_where(rule.groups) if rule.groups is not None else None
        stated: dict[Kind, Bound | None] = {
            "max": rule.max,
            "min": rule.min,
            "exactly": rule.exactly,
        }
        self.bounds_by_kind = {kind: bound for kind, bound in stated.items() if bound is not None}
        self.ratios = {
            kind: bound.ratio
            for kind, bound in self.bounds_by_kind.items()
            if bound.ratio is not None
        }
        self.of_one_copy = rule.per == "entry" and rule.select.source is not Source.ENTRIES

    def find_groups(self, squad: Squad) -> Iterator[CardGroup]:
        """The groups of a squad, in the order of the file."""
        return find_card_groups(self.rule, self.selector, self.owner_matches, squad)

    def has_cost_steps(self, squad: Squad) -> bool:
        """True if costs are measured and further copies may cost something else."""
        return self._counts_steps(squad) and not self.of_one_copy

    def _counts_steps(self, squad: Squad) -> bool:
        return bool(squad.cost_steps) and self.rule.measure.sum == "cost"

    def measure_card(self, selected: SelectedCard, squad: Squad) -> int | float:
        """What one pick adds to a count or sum; per entry, what one copy of the entry has."""
        if not self.of_one_copy:
            return self._amount_of_all(selected, squad)
        copies = (
            1 if selected.host is None else selected.copies_per_model
        )  # of a line's models one, with what that one carries
        return copies * self.weigh_card(selected)

    def _amount_of_all(self, selected: SelectedCard, squad: Squad) -> int | float:
        """What all copies of a pick add to a count or sum."""
        return (
            squad.calculate_cost(selected)
            if self._counts_steps(squad)
            else selected.count * self.weigh_card(selected)
        )

    def weigh_card(self, selected: SelectedCard) -> int | float:
        """What one copy adds by its card."""
        return (
            1
            if self.rule.measure.sum is None
            else to_number(selected.get_value(self.rule.measure.sum)) or 0
        )

    @cached_property
    def can_loosen(self) -> bool:
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

    def measure_cards(self, picks: Sequence[SelectedCard], squad: Squad) -> int | float:
        """The measured value of a group."""
        path = self.rule.measure.distinct
        if path is not None:
            return len({value for selected in picks for value in list_values(selected, path)})
        return sum(self.measure_card(selected, squad) for selected in picks)

    def derive_bounds(
        self, params: Params, card: Card | None
    ) -> Iterator[tuple[Kind, DerivedBound]]:
        """The bounds that apply, each with the way it would be broken; without ratios, which hang on the squad."""
        for kind, bound in self.bounds_by_kind.items():
            derived = derive_bound(bound, params, card)
            if derived is not None:
                yield kind, derived

    def measure_groups(
        self, squad: Squad
    ) -> Iterator[tuple[CardGroup, int | float, Kind, DerivedBound]]:
        """Each group of a squad, what it comes to, and each bound that applies to it."""
        shared = {kind: self._shared(ratio, squad) for kind, ratio in self.ratios.items()}
        for group in self.find_groups(squad):
            actual = self.measure_cards(group.cards, squad)
            for kind, bound in self.derive_bounds(squad.params, group.card):
                yield group, actual, kind, bound
            for kind, amounts in shared.items():
                yield (
                    group,
                    actual,
                    kind,
                    self.derive_ratio_bound(kind, amounts.get(group.key, amounts.get(None, 0))),
                )

    def _shared(self, ratio: Ratio, squad: Squad) -> Mapping[str | None, int | float]:
        """What a ratio divides: by group, or of the whole squad under None."""
        of = Selector(ratio.of)
        if (
            ratio.within == "roster"
        ):  # the whole squad has all copies of a line, whatever a group measures
            return {
                None: sum(
                    self._amount_of_all(selected, squad) for selected in of.select_from(squad)
                )
            }
        return {
            one.key: self.measure_cards(one.cards, squad)
            for one in find_card_groups(self.rule, of, self.owner_matches, squad)
        }

    def derive_ratio_bound(self, kind: Kind, amount: int | float) -> DerivedBound:
        """The bound that a ratio gives for an amount; of a count only whole ones are told."""
        ratio = self.ratios[kind]
        (top, each), whole = (
            ratio.parts,
            {"max": "down", "min": "up"}.get(kind) if self.rule.measure.count else None,
        )
        return divide_amount(
            DerivedBound(0, "ratio", top=top, each=each, of=ratio.of), amount, ratio.round or whole
        )

    def make_group_violation(
        self, group: CardGroup, kind: Kind, bound: DerivedBound, squad: Squad
    ) -> Violation:
        """One group's violation; picks that add nothing are not named."""
        path = self.rule.measure.distinct
        named: list[Counted] = []
        for selected in group.cards:
            held = list_values(selected, path) if path else ()
            if amount := int(bool(held)) if path else self.measure_card(selected, squad):
                value, steps = ", ".join(held) if path else None, 0.0
                if self.has_cost_steps(squad):
                    steps = sum(
                        one.copies * one.more for one in squad.surcharges.get(id(selected), ())
                    )
                named.append(
                    Counted(selected.path, selected.card.id, amount, selected.count, value, steps)
                )
        entry = group.card if self.rule.per == "entry" else None
        where = Counted(("entries", int(group.key)), entry.id, 0) if entry is not None else None
        actual = self.measure_cards(group.cards, squad)
        return self.make_violation(kind, group.key, tuple(named), actual, bound, where)


def _times_left(kind: str, actual: int | float, bound: int | float, each: int | float) -> int:
    """How many times `each` may be added before the bound is broken for good."""
    if each > 0 and kind != "min":
        return max(0, math.floor((bound - actual) / each + 1e-9))
    if each < 0 and kind != "max":
        return max(0, math.floor((actual - bound) / -each + 1e-9))
    return UNLIMITED
