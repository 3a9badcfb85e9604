"""Cards of which a line holds several models, because a rule wants so many to a line."""

from __future__ import annotations

import math

from builder.findings import Severity
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.evaluate import Evaluator, applies_to
from builder.rules.forms.counting import Counter

CAP = 12
"""Models of a line at most, where nothing says how many it may hold."""


def rank(card: Card, squad: Squad, evaluator: Evaluator) -> tuple[int, int]:
    """The fewest and the most models of a card that a new line of it is worth: (1, 1) unless a rule asks for more."""
    pick = Pick(card, Source.ENTRIES, ("entries", len(squad.roster.entries)), len(squad.roster.entries), 1, 1)
    least, exact = 1, False
    for rule, form in evaluator.rules:
        if not isinstance(form, Counter) or rule.severity is not Severity.ERROR:
            continue
        if not applies_to(rule.when, squad.params) or not _ranked(form, pick):
            continue
        for kind, bound in form.bounds(squad.params, card):
            if kind != "max" and bound.value > least:
                least, exact = math.ceil(bound.value), kind == "exactly"
    return (least, least) if exact or least == 1 else (least, max(least, CAP))


def _ranked(form: Counter, pick: Pick) -> bool:
    """True if the limit counts the models of such a line by itself."""
    rule = form.rule
    counts = rule.measure.sum is None and rule.measure.distinct is None
    return rule.per == "entry" and counts and form.selector.source is Source.ENTRIES and form.selector.takes(pick)


def bundled(evaluator: Evaluator) -> bool:
    """True if some rule may want several models to a line."""
    return any(
        isinstance(form, Counter) and rule.severity is Severity.ERROR and form.rule.per == "entry"
        and form.selector.source is Source.ENTRIES and (form.rule.min is not None or form.rule.exactly is not None)
        for rule, form in evaluator.rules
    )  # fmt: skip
