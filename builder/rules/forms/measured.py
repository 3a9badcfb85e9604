"""Measure the groups of a `limit`: their amounts and bounds, and how many cards may be added."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Bound, Limit, Ratio, Source
from builder.roster.resolve import SelectedCard, Squad, add_card
from builder.rules.bounds import (
    DerivedBound,
    Params,
    derive_bound,
    divide_amount,
    to_number,
)
from builder.rules.forms.base import UNLIMITED, AdditionLimit, RuleForm
from builder.rules.groups import CardGroup, find_card_groups
from builder.rules.query import Selector, compile_condition, list_values
from builder.rules.violation import Counted, Violation

Kind: TypeAlias = Literal["max", "min", "exactly"]
MAX_COUNTED_COPIES = 99
"""Additions that are tried one by one."""
ROUNDING_TOLERANCE = 1e-9
"""Keeps a division that should be a whole number from being rounded down to the one below it."""


class GroupLimit(AdditionLimit):
    """Says how many more copies of a card a limit allows. All groups are measured once."""

    form: "MeasuredForm"

    def __init__(self, form: "MeasuredForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self.groups: dict[str, CardGroup] = {}
        self.amounts: dict[str, float] = {}
        for group in form.find_groups(squad):
            self.groups[group.key] = group
            self.amounts[group.key] = form.measure_cards(group.cards, squad)

    def count_further_copies(self, selected: SelectedCard) -> int:
        """Return how many more copies fit into all groups that the card would join."""
        more = UNLIMITED
        for group, kind, bound in self._find_joined_groups(selected):
            more = min(
                more, self._count_copies_that_fit(group, selected, kind, bound.value)
            )
        return more

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation of the first group that has no room for the card."""
        for group, kind, bound in self._find_joined_groups(selected):
            if self._count_copies_that_fit(group, selected, kind, bound.value) < 1:
                grown_group = CardGroup(group.key, (*group.cards, selected), group.card)
                grown = add_card(self.squad, selected)
                return self.form.make_group_violation(grown_group, kind, bound, grown)
        raise AssertionError("a limit that allows more refuses nothing")

    def _find_joined_groups(
        self, selected: SelectedCard
    ) -> Iterator[tuple[CardGroup, Kind, DerivedBound]]:
        """Yield each group that the card would join, with each of its bounds.

        A ratio is left out, because it grows with other cards.
        """
        for group in self._find_groups(selected):
            for kind, bound in self.form.derive_bounds(self.squad.params, group.card):
                yield group, kind, bound

    def _find_groups(self, selected: SelectedCard) -> Iterator[CardGroup]:
        form, per = self.form, self.form.rule.per
        if per == "entry":
            yield from self._find_entry_group(selected)
            return
        if not form.selector.matches_card(selected):
            return
        if per == "roster":
            yield self.groups[""]
            return
        forms_group = form.owner_matches is None or form.owner_matches(selected, None)
        card = selected.card if per == "card" else None
        for value in list_values(selected, form.rule.group_path or "id"):
            if value in self.groups:
                yield self.groups[value]
            elif forms_group:
                yield CardGroup(value, (), card)

    def _find_entry_group(self, selected: SelectedCard) -> Iterator[CardGroup]:
        """Yield the group that a new entry would form, or that of an attachment's host."""
        selector = self.form.selector
        if selected.source is Source.ENTRIES and selector.source in (
            Source.ENTRIES,
            Source.ALL,
        ):
            if selector.host_matches is None and selector.where_matches(selected, None):
                yield CardGroup(str(selected.line), (), selected.card)
        elif selected.host is not None and selector.source in (
            Source.ATTACHMENTS,
            Source.ALL,
        ):
            key = str(selected.host.line)
            if key in self.groups and selector.where_matches(selected, None):
                yield self.groups[key]

    def _count_copies_that_fit(
        self, group: CardGroup, selected: SelectedCard, kind: Kind, bound: float
    ) -> int:
        """Return how many more copies one group allows under one bound."""
        form, actual = self.form, self.amounts.get(group.key, 0)
        if form.rule.measure.distinct is not None:
            after = form.measure_cards((*group.cards, selected), self.squad)
            return (
                0 if kind != "min" and after > bound and after > actual else UNLIMITED
            )
        if form.has_cost_steps(self.squad) and self.squad.cost_steps.get(
            selected.card.kind
        ):
            more = self._count_one_by_one(group, selected, kind, bound)
        else:
            amount = form.measure_card(selected, self.squad)
            more = _count_additions(kind, actual, bound, amount)
        if form.rule.per == "entry" and selected.source is Source.ENTRIES:
            # each further entry is a group of its own
            return UNLIMITED if more >= 1 else 0
        return more

    def _count_one_by_one(
        self, group: CardGroup, selected: SelectedCard, kind: Kind, bound: float
    ) -> int:
        """Return how many more copies fit if the price changes with the number of copies."""
        squad, cards = self.squad, group.cards
        before = self.amounts.get(group.key, 0)
        *parent_path, last = selected.path
        for more in range(MAX_COUNTED_COPIES):
            line = (
                selected.line + more
                if selected.source is Source.ENTRIES
                else selected.line
            )
            addition = replace(
                selected, path=(*parent_path, int(last) + more), line=line
            )
            cards = (*cards, addition)
            squad = add_card(squad, addition)
            after = self.form.measure_cards(cards, squad)
            # an amount beyond its bound matters only if this copy moved it further away
            if kind != "min" and bound < after > before:
                return more
            if kind == "min" and bound > after < before:
                return more
            before = after
        return UNLIMITED


class MeasuredForm(RuleForm):
    """The part of a limit rule that forms groups of cards and measures them."""

    rule: Limit
    limit_class = GroupLimit

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.owner_matches = (
            compile_condition(rule.groups) if rule.groups is not None else None
        )
        self.bounds_by_kind: dict[Kind, Bound] = {}
        if rule.max is not None:
            self.bounds_by_kind["max"] = rule.max
        if rule.min is not None:
            self.bounds_by_kind["min"] = rule.min
        if rule.exactly is not None:
            self.bounds_by_kind["exactly"] = rule.exactly
        self.ratios = {
            kind: bound.ratio
            for kind, bound in self.bounds_by_kind.items()
            if bound.ratio is not None
        }
        # A limit per entry on attachments measures what one model of the line has.
        self.of_one_copy = (
            rule.per == "entry" and rule.select.source is not Source.ENTRIES
        )

    def find_groups(self, squad: Squad) -> Iterator[CardGroup]:
        """Yield the groups of cards that the limit measures, in the order of the roster."""
        return find_card_groups(self.rule, self.selector, self.owner_matches, squad)

    def has_cost_steps(self, squad: Squad) -> bool:
        """Return True if costs are measured and may change with the number of copies."""
        return self._counts_steps(squad) and not self.of_one_copy

    def _counts_steps(self, squad: Squad) -> bool:
        return bool(squad.cost_steps) and self.rule.measure.sum == "cost"

    def measure_card(self, selected: SelectedCard, squad: Squad) -> float:
        """Return the amount that a card adds to its group.

        In a limit per entry it is the amount of one model of the line.
        """
        if not self.of_one_copy:
            return self._measure_all_copies(selected, squad)
        # one model of the line, with its own attachments
        copies = 1 if selected.host is None else selected.copies_per_model
        return copies * self.weigh_card(selected)

    def _measure_all_copies(self, selected: SelectedCard, squad: Squad) -> float:
        """Return the amount that all copies of a card add."""
        if self._counts_steps(squad):
            return squad.calculate_cost(selected)
        return selected.count * self.weigh_card(selected)

    def weigh_card(self, selected: SelectedCard) -> float:
        """Return the amount that one copy of a card adds, without cost steps."""
        field = self.rule.measure.sum
        return 1 if field is None else to_number(selected.get_value(field)) or 0

    @cached_property
    def can_permit_more(self) -> bool:
        """True if adding a card can lower the amount of a group.

        A value may be negative, or further copies may be cheaper.
        """
        field = self.rule.measure.sum
        if field is None:
            return False
        if field == "cost":
            return self._has_cheaper_copies()
        return any(
            (to_number(card.get_field(field)) or 0) < 0
            for card in self.pack.cards.values()
        )

    def _has_cheaper_copies(self) -> bool:
        for kind in self.pack.manifest.kinds.values():
            for steps in kind.costs:
                for card in self.pack.cards.values():
                    if any(more < 0 for _first, more in steps.list_steps(card)):
                        return True
        return False

    def measure_cards(self, cards: Sequence[SelectedCard], squad: Squad) -> float:
        """Return the amount of a group of cards: a sum, or the number of different values."""
        path = self.rule.measure.distinct
        if path is None:
            return sum(self.measure_card(selected, squad) for selected in cards)
        values: set[str] = set()
        for selected in cards:
            values.update(list_values(selected, path))
        return len(values)

    def derive_bounds(
        self, params: Params, card: Card | None
    ) -> Iterator[tuple[Kind, DerivedBound]]:
        """Yield the numbers that the bounds stand for, each with its kind. Ratios are left out."""
        for kind, bound in self.bounds_by_kind.items():
            derived = derive_bound(bound, params, card)
            if derived is not None:
                yield kind, derived

    def measure_groups(
        self, squad: Squad
    ) -> Iterator[tuple[CardGroup, float, Kind, DerivedBound]]:
        """Yield each group with its amount, once for each of its bounds."""
        divided = {
            kind: self._measure_ratio_amounts(ratio, squad)
            for kind, ratio in self.ratios.items()
        }
        for group in self.find_groups(squad):
            actual = self.measure_cards(group.cards, squad)
            for kind, bound in self.derive_bounds(squad.params, group.card):
                yield group, actual, kind, bound
            for kind, amounts in divided.items():
                amount = amounts.get(group.key, amounts.get(None, 0))
                yield group, actual, kind, self.derive_ratio_bound(kind, amount)

    def _measure_ratio_amounts(
        self, ratio: Ratio, squad: Squad
    ) -> Mapping[str | None, float]:
        """Return the amount of the cards that a ratio divides, by group.

        Under None it is the amount of the whole squad.
        """
        selector = Selector(ratio.of)
        if ratio.within == "roster":
            # the whole squad has all copies of a line, whatever a group measures
            cards = selector.select_from(squad)
            return {
                None: sum(
                    self._measure_all_copies(selected, squad) for selected in cards
                )
            }
        amounts: dict[str | None, float] = {}
        for group in find_card_groups(self.rule, selector, self.owner_matches, squad):
            amounts[group.key] = self.measure_cards(group.cards, squad)
        return amounts

    def derive_ratio_bound(self, kind: Kind, amount: float) -> DerivedBound:
        """Return the bound that a ratio gives for an amount. Bounds of counts are whole numbers."""
        ratio = self.ratios[kind]
        rounding: str | None = ratio.round
        if not rounding and self.rule.measure.count:
            rounding = {"max": "down", "min": "up"}.get(kind)
        numerator, divisor = ratio.parts
        bound = DerivedBound(
            0, "ratio", numerator=numerator, divisor=divisor, of=ratio.of
        )
        return divide_amount(bound, amount, rounding)

    def make_group_violation(
        self, group: CardGroup, kind: Kind, bound: DerivedBound, squad: Squad
    ) -> Violation:
        """Return the violation of one group. Cards that add nothing are left out."""
        counted = [
            self._count_for_violation(selected, squad) for selected in group.cards
        ]
        entry = group.card if self.rule.per == "entry" else None
        subject = None
        if entry is not None:
            subject = Counted(("entries", int(group.key)), entry.id, 0)
        actual = self.measure_cards(group.cards, squad)
        items = tuple(item for item in counted if item.amount)
        return self.make_violation(kind, group.key, items, actual, bound, subject)

    def _count_for_violation(self, selected: SelectedCard, squad: Squad) -> Counted:
        path = self.rule.measure.distinct
        if path:
            values = list_values(selected, path)
            amount, value = int(bool(values)), ", ".join(values)
            return Counted(
                selected.path, selected.card.id, amount, selected.count, value
            )
        steps: float = 0.0
        if self.has_cost_steps(squad):
            steps = sum(
                surcharge.total for surcharge in squad.surcharges.get(id(selected), ())
            )
        card_amount = self.measure_card(selected, squad)
        return Counted(
            selected.path, selected.card.id, card_amount, selected.count, None, steps
        )


def _count_additions(kind: str, actual: float, bound: float, amount: float) -> int:
    """Return how many times an amount can be added before the bound is broken."""
    if amount > 0 and kind != "min":
        return max(0, math.floor((bound - actual) / amount + ROUNDING_TOLERANCE))
    if amount < 0 and kind != "max":
        return max(0, math.floor((actual - bound) / -amount + ROUNDING_TOLERANCE))
    return UNLIMITED
