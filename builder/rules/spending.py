"""How much of its allowance a squad has spent: read from the rules, for summaries."""

from __future__ import annotations

from dataclasses import dataclass

from builder.roster.costs import costs
from builder.roster.resolve import Squad
from builder.rules.evaluate import Evaluator
from builder.rules.forms.counting import Counter


@dataclass(frozen=True, slots=True)
class Spending:
    """What the squad costs and the most it may cost; None where no rule in force limits the whole cost."""

    used: int | float
    allowed: int | float | None


def spending(squad: Squad, evaluator: Evaluator) -> Spending:
    """The squad's cost against the tightest rule about the sum of costs of the whole roster."""
    limits = [
        bound.value
        for rule, form in evaluator.rules
        if isinstance(form, Counter) and form.rule.per == "roster" and form.rule.measure.sum == "cost"
        if form.rule.select.where == type(form.rule.select.where)() and evaluator.applies(rule, squad)
        for kind, bound in form.bounds(squad.params, None)
        if kind != "min"
    ]
    return Spending(costs(squad).total, min(limits) if limits else None)
