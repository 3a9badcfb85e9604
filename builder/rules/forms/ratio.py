"""A bound that is a part of what other picks come to: its rows for the solver, and changes that mend it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from builder.model.linear import Term
from builder.model.rules import Limit, Ratio, Source
from builder.roster.operations import Add
from builder.roster.resolve import SelectedCard, Squad, select_all_cards
from builder.rules.bounds import DerivedBound
from builder.rules.candidates import Candidate, find_removals
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import CandidateTerm
from builder.rules.forms.measured import Kind, MeasuredForm
from builder.rules.groups import find_part_groups
from builder.rules.query import Selector
from builder.rules.violation import Counted, Violation

MAX_ADDED_COPIES = 30
"""Copies of a card that one repair adds."""


class RatioRows:
    """One ratio in a squad in the making: `each` times what is counted against `top` times what is divided."""

    def __init__(self, ratio: Ratio, rule: Limit, writer: RowWriter) -> None:
        self.ratio = ratio
        self.writer = writer
        of = Selector(ratio.of)
        self.whole = writer.find_parts(of)
        within = find_part_groups(rule, of, writer) if ratio.within == "group" else ()
        self.groups = {group.key: group.parts for group in within}

    def find_parts(self, key: str) -> Sequence[CandidateTerm]:
        """What is divided for one group."""
        return self.groups.get(key, ()) if self.ratio.within == "group" else self.whole

    def add_row(
        self, kind: Kind, terms: Iterable[Term], whole: Iterable[Term], when: tuple[int, ...]
    ) -> None:
        """The row. A count that is rounded may differ from the exact part by less than one: by `each` - 1 of these."""
        top, each = self.ratio.parts
        less = 1 - each if self.ratio.round == "down" else 0
        more = each - 1 if self.ratio.round == "up" else 0
        row = [
            *((var, factor * each) for var, factor in terms),
            *((var, -factor * top) for var, factor in whole),
        ]
        self.writer.program.add_row(
            row, None if kind == "max" else less, None if kind == "min" else more, when
        )


@dataclass(frozen=True, slots=True)
class _RatioViolation:
    """A ratio that is broken: by how much, in parts of the ratio, and in which direction."""

    ratio: Ratio
    form: MeasuredForm
    divided: Selector
    sign: int
    excess: int | float

    def find_excess(self, selected: SelectedCard) -> int | float:
        """Return what one copy of a pick adds to the excess."""
        top, each = self.ratio.parts
        measured = each * self.form.selector.matches_card(
            selected
        ) - top * self.divided.matches_card(selected)
        return self.sign * measured * self.form.weigh_card(selected)


def find_ratio_repairs(
    violation: Violation, ratio: Ratio, form: MeasuredForm, squad: Squad
) -> Iterator[Candidate]:
    """Yield additions of what is too little beside the rest, then removals of what is too much."""
    task = _make_ratio_violation(violation, ratio, form)
    picks = sorted(
        select_all_cards(form.pack).values(),
        key=lambda selected: (selected.card.cost or 0, selected.card.id),
    )
    for selected in picks:
        gain = -task.find_excess(selected)
        if selected.source is not Source.ATTACHMENTS and gain > 0:
            copies = -int(-task.excess // gain)
            if copies <= MAX_ADDED_COPIES:
                yield (Add(selected.card.id, selected.source, count=copies),)
    too_many: list[Counted] = []
    for selected in squad.list_cards(Source.ALL):
        excess = task.find_excess(selected)
        if excess > 0:
            too_many.append(
                Counted(selected.path, selected.card.id, excess * selected.count, selected.count)
            )
    if too_many:
        no_excess = DerivedBound(0, "number")
        yield from find_removals(
            form.make_violation(
                violation.kind, violation.group, tuple(too_many), task.excess, no_excess
            )
        )


def _make_ratio_violation(
    violation: Violation, ratio: Ratio, form: MeasuredForm
) -> _RatioViolation:
    bound = violation.bound
    assert bound is not None
    assert not isinstance(bound.amount, str)
    top, each = ratio.parts
    sign = 1 if violation.actual > bound.value else -1
    # a count that is rounded may differ from the exact part by less than one
    tolerance = each - 1 if ratio.round == ("up" if sign > 0 else "down") else 0
    excess = sign * (each * violation.actual - top * bound.amount) - tolerance
    return _RatioViolation(ratio, form, Selector(ratio.of), sign, excess)
