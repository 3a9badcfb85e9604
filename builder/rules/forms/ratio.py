"""A bound that is a share of other cards: its rows for the solver, and changes that fix it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from builder.model.linear import Term
from builder.model.rules import Limit, Ratio, Source
from builder.roster.operations import Add
from builder.roster.resolve import SelectedCard, Squad, make_test_selections
from builder.rules.bounds import DerivedBound
from builder.rules.candidates import Candidate, find_removals, sort_by_cost
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import CandidateTerm
from builder.rules.forms.measured import Kind, MeasuredForm
from builder.rules.groups import find_part_groups
from builder.rules.query import Selector
from builder.rules.violation import Counted, Violation

MAX_ADDED_COPIES = 30
"""Copies of a card that one repair adds."""


class RatioConstraints:
    """The linear constraints for one ratio, such as "at most 1/3 of the models".

    Its rows compare `divisor` × counted amount with `numerator` × divided amount.
    """

    def __init__(self, ratio: Ratio, rule: Limit, writer: ConstraintWriter) -> None:
        self.ratio = ratio
        self.writer = writer
        divided = Selector(ratio.of)
        self.all_parts = writer.find_parts(divided)
        self.parts_by_group: dict[str, Sequence[CandidateTerm]] = {}
        if ratio.within == "group":
            for group in find_part_groups(rule, divided, writer):
                self.parts_by_group[group.key] = group.parts

    def find_parts(self, group_key: str) -> Sequence[CandidateTerm]:
        """Return the parts whose amount the ratio divides, for one group."""
        if self.ratio.within == "group":
            return self.parts_by_group.get(group_key, ())
        return self.all_parts

    def add_ratio_constraint(
        self,
        kind: Kind,
        terms: Iterable[Term],
        divided_terms: Iterable[Term],
        conditions: tuple[int, ...],
    ) -> None:
        """Add the linear constraint that limits the count of one group to the ratio.

        A rounded count may differ from the exact share by less than one, that is by
        `divisor` - 1 of these units.
        """
        numerator, divisor = self.ratio.parts
        low = 1 - divisor if self.ratio.round == "down" else 0
        high = divisor - 1 if self.ratio.round == "up" else 0
        # without a division, the row needs no fractions
        row = [(var, factor * divisor) for var, factor in terms]
        row += [(var, -factor * numerator) for var, factor in divided_terms]
        lower_bound = None if kind == "max" else low
        upper_bound = None if kind == "min" else high
        self.writer.program.add_constraint(row, lower_bound, upper_bound, conditions)


@dataclass(frozen=True, slots=True)
class _RatioViolation:
    """A broken ratio: how far it is broken, and whether by too much (1) or too little (-1)."""

    ratio: Ratio
    form: MeasuredForm
    divided: Selector
    sign: int
    excess: float

    def find_excess(self, selected: SelectedCard) -> float:
        """Return how much one copy of a card adds to the excess."""
        numerator, divisor = self.ratio.parts
        units = 0
        # a card may be counted and divided at once, so both may apply
        if self.form.selector.matches_card(selected):
            units += divisor
        if self.divided.matches_card(selected):
            units -= numerator
        return self.sign * units * self.form.weigh_card(selected)


def find_ratio_repairs(
    violation: Violation, ratio: Ratio, form: MeasuredForm, squad: Squad
) -> Iterator[Candidate]:
    """Yield edits that add cards until the ratio is kept, then edits that remove cards."""
    task = _make_ratio_violation(violation, ratio, form)
    for selected in sort_by_cost(make_test_selections(form.pack).values()):
        gain = -task.find_excess(selected)
        if selected.source is not Source.ATTACHMENTS and gain > 0:
            # rounded up: the last copy may gain more than is needed
            copies = -int(-task.excess // gain)
            if copies <= MAX_ADDED_COPIES:
                yield (Add(selected.card.id, selected.source, count=copies),)
    surplus_cards = []
    for selected in squad.list_cards(Source.ALL):
        amount = task.find_excess(selected) * selected.count
        if amount > 0:
            surplus_cards.append(
                Counted(selected.path, selected.card.id, amount, selected.count)
            )
    if surplus_cards:
        # the removals are those of a limit that allows no excess
        no_excess = DerivedBound(0, "number")
        excess_violation = form.make_violation(
            violation.kind,
            violation.group,
            tuple(surplus_cards),
            task.excess,
            no_excess,
        )
        yield from find_removals(excess_violation)


def _make_ratio_violation(
    violation: Violation, ratio: Ratio, form: MeasuredForm
) -> _RatioViolation:
    bound = violation.bound
    assert bound is not None
    assert not isinstance(bound.amount, str)
    numerator, divisor = ratio.parts
    sign = 1 if violation.actual > bound.value else -1
    # a count that is rounded may differ from the exact part by less than one
    tolerant_rounding = "up" if sign > 0 else "down"
    tolerance = divisor - 1 if ratio.round == tolerant_rounding else 0
    excess = sign * (divisor * violation.actual - numerator * bound.amount) - tolerance
    return _RatioViolation(ratio, form, Selector(ratio.of), sign, excess)
