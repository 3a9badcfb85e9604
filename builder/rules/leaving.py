"""What would have to go so that a refused card could come in: told per rule, by that rule's own count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from builder.model.card import Card
from builder.model.pack import Role
from builder.model.rules import Source
from builder.roster.operations import Remove
from builder.roster.resolve import Pick
from builder.rules.choices import Option
from builder.rules.counting import Counter
from builder.rules.evaluate import Evaluator
from builder.rules.placing import Placer
from builder.rules.relations import Permit
from builder.rules.repair import fewer
from builder.rules.violation import Counted, Violation


def leaving(violation: Violation, option: Option, evaluator: Evaluator) -> tuple[tuple[Remove, ...], ...]:
    """Sets of removals, each enough by itself for this one rule, the smallest first; empty if none would do."""
    form = next(form for rule, form in evaluator.rules if rule.id == violation.rule)
    if isinstance(form, Placer):
        return tuple(_slots(violation, form, option, evaluator.pack.cards))
    if not isinstance(form, Counter) or violation.bound is None or violation.actual < violation.bound.value:
        return ()
    others = tuple(item for item in violation.counted[:-1] if item.amount > 0)
    if form.rule.measure.distinct is not None:
        return _other_values(violation, others)
    if violation.actual - sum(item.amount for item in others) > violation.bound.value:
        return ()
    kept = replace(violation, counted=others)
    sets = (tuple(step for step in found if isinstance(step, Remove)) for found in fewer(kept, form) if found)
    found = tuple(dict.fromkeys(sets))
    least = min((_size(removals) for removals in found), default=0)
    return tuple(removals for removals in found if _size(removals) == least)


def _other_values(violation: Violation, others: tuple[Counted, ...]) -> tuple[tuple[Remove, ...], ...]:
    """All picks of the values that the card does not share, fewest picks first, as many values as are too many."""
    assert violation.bound is not None
    own = violation.counted[-1].value
    groups: dict[str, list[Counted]] = {}
    for item in others:
        if item.value != own:
            groups.setdefault(item.value or "", []).append(item)
    surplus = int(violation.actual - violation.bound.value)
    if surplus > len(groups):
        return ()
    by_size = sorted(groups.values(), key=lambda items: sum(item.count for item in items))
    gone = [item for items in by_size[:surplus] for item in items]
    lines = {item.path for item in gone if len(item.path) == 2}
    return (
        tuple(
            Remove(item.path, item.card, item.count)
            for item in gone
            if item.path in lines or item.path[:2] not in lines
        ),
    )


def _size(removals: tuple[Remove, ...]) -> int:
    return sum(step.count for step in removals)


def _slots(
    violation: Violation, form: Placer, option: Option, cards: Mapping[str, Card]
) -> Iterator[tuple[Remove, ...]]:
    """Each single attachment whose slots would be enough."""
    bearer = violation.candidates[0]
    items = violation.counted[:-1]
    for gone in items:
        rest = [(cards[item.card], None) for item in items if item is not gone]
        if form.place(cards[bearer], [*rest, (option.card, None)]).whole:
            yield (Remove(gone.path, gone.card, 1),)


def carriers(card: Card, evaluator: Evaluator) -> tuple[str, ...]:
    """Cards of the pack that every allow rule lets carry the card, and that have slots for it."""
    found = []
    for other in evaluator.pack.cards.values():
        if evaluator.pack.role(other) is not Role.ENTRY:
            continue
        bearer = Pick(other, Source.ENTRIES, (), 0, 1, 1)
        pick = Pick(card, Source.ATTACHMENTS, (), 0, 1, 1, bearer=bearer)
        if all(_carries(form, pick, bearer) for _, form in evaluator.rules):
            found.append(other.id)
    return tuple(sorted(found))


def _carries(form: object, pick: Pick, bearer: Pick) -> bool:
    if isinstance(form, Permit):
        return not form.selector.takes(pick) or form.permits(pick, bearer)
    if isinstance(form, Placer):
        return not form.selector.takes(pick) or form.place(bearer.card, [(pick.card, None)]).whole
    return True
