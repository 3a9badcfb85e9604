"""A bound that is a part of what other picks come to: its rows for the solver, and changes that mend it."""

from collections.abc import Iterable, Iterator, Sequence

from builder.model.linear import Term
from builder.model.rules import Limit, Ratio, Source
from builder.roster.operations import Add
from builder.roster.resolve import Pick, Squad, picks_of
from builder.rules.candidates import Candidate, fewer
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Meant
from builder.rules.forms.measured import Kind, MeasuredForm
from builder.rules.groups import part_groups
from builder.rules.query import Selector
from builder.rules.violation import Counted, Derived, Violation

ADDED = 30
"""Copies of a card that one repair adds at most."""


class RatioRows:
    """One ratio in a squad in the making: `each` times what is counted against `top` times what is divided."""

    def __init__(self, ratio: Ratio, rule: Limit, writer: RowWriter) -> None:
        self.ratio = ratio
        self.writer = writer
        of = Selector(ratio.of)
        self.whole = writer.taken(of)
        within = part_groups(rule, of, writer) if ratio.within == "group" else ()
        self.groups = {group.key: group.parts for group in within}

    def parts(self, key: str) -> Sequence[Meant]:
        """What is divided for one group."""
        return self.groups.get(key, ()) if self.ratio.within == "group" else self.whole

    def add(
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
        self.writer.program.add(
            row, None if kind == "max" else less, None if kind == "min" else more, when
        )


def mend_ratio(
    violation: Violation, ratio: Ratio, form: MeasuredForm, squad: Squad
) -> Iterator[Candidate]:
    """More of what is too little beside the rest, or less of what is too much."""
    bound, of = violation.bound, Selector(ratio.of)
    assert bound is not None
    assert not isinstance(bound.amount, str)
    top, each = ratio.parts
    sign = 1 if violation.actual > bound.value else -1
    slack = each - 1 if ratio.round == ("up" if sign > 0 else "down") else 0
    over = sign * (each * violation.actual - top * bound.amount) - slack

    def excess(pick: Pick) -> int | float:
        """What one copy adds to what is wrong."""
        return sign * (each * form.selector.takes(pick) - top * of.takes(pick)) * form.weight(pick)

    for pick in sorted(
        picks_of(form.pack).values(), key=lambda pick: (pick.card.cost or 0, pick.card.id)
    ):
        helps = -excess(pick)
        if (
            pick.source is not Source.ATTACHMENTS
            and helps > 0
            and (times := -int(-over // helps)) <= ADDED
        ):
            yield (Add(pick.card.id, pick.source, count=times),)
    named = ((pick, excess(pick)) for pick in squad.picks(Source.ALL))
    heavy = tuple(
        Counted(pick.path, pick.card.id, more * pick.count, pick.count)
        for pick, more in named
        if more > 0
    )
    if heavy:
        kind, group = violation.kind, violation.group
        yield from fewer(form.violation(kind, group, heavy, over, Derived(0, "number")))
