"""What would have to go so that a refused card could come in: told per rule, by that rule's own count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from builder.model.card import Card
from builder.model.pack import Role
from builder.model.rules import Rule, Source
from builder.roster.operations import Remove
from builder.roster.resolve import Pick, Squad
from builder.rules.choices import Option, added
from builder.rules.evaluate import Evaluator
from builder.rules.forms.counting import Counter
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Permit
from builder.rules.query import Selector
from builder.rules.rechoosing import rechosen
from builder.rules.repair import fewer
from builder.rules.violation import Counted, Violation


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would let a refused card past one rule; all empty where nothing that the squad could change would.

    `sets` are removals, each set enough by itself; `asleep` removals after which the rule asks nothing; `chosen` are
    other choices, together enough: line, choice, value. `param` is a parameter of which another value would do; `alone`
    tells that the card breaks the rule without anything else; `each` that it does only because all copies of the line,
    that many, would carry it.
    """

    sets: tuple[tuple[Remove, ...], ...] = ()
    asleep: tuple[Remove, ...] = ()
    chosen: tuple[tuple[int, str, str], ...] = ()
    param: str = ""
    alone: bool = False
    each: int = 0


def remedy(violation: Violation, option: Option, squad: Squad, evaluator: Evaluator) -> Remedy:
    """What would let the option past the rule that refuses it."""
    form = evaluator.form(violation.rule)
    sets = leaving(violation, option, evaluator)
    asleep = _asleep(form.rule, option, squad)
    chosen = rechosen(violation, option, squad, evaluator)
    alone = not sets and isinstance(form, Counter) and _beyond(violation, option)
    each = _each(violation, option) if alone else 0
    return Remedy(sets, asleep, chosen, _param(violation, form.rule, evaluator), alone and not each, each)


def _asleep(rule: Rule, option: Option, squad: Squad) -> tuple[Remove, ...]:
    """All picks that wake a rule which sleeps without them, if the card itself does not wake it."""
    if rule.when is None or rule.when.exists is None:
        return ()
    wakes = Selector(rule.when.exists)
    bearer = next((entry for entry in squad.entries if entry.line == option.line), None)
    if wakes.takes(replace(added(option.card, option.source, bearer, squad), choices=option.choices)):
        return ()
    return tuple(Remove(pick.path, pick.card.id, pick.count) for pick in wakes.of(squad))


def _beyond(violation: Violation, option: Option, shared: int = 1) -> bool:
    """True if the card by itself is beyond the bound; one of so many equal copies of it."""
    own = sum(item.amount for item in violation.counted if item.path == option.place)
    return violation.bound is not None and violation.kind != "min" and own > violation.bound.value * shared


def _each(violation: Violation, option: Option) -> int:
    """The copies of a line that would all carry the card, if one alone could; else 0."""
    many = sum(item.count for item in violation.counted if item.path == option.place)
    carried = option.source is Source.ATTACHMENTS and many > 1
    return many if carried and not _beyond(violation, option, many) else 0


def _param(violation: Violation, rule: Rule, evaluator: Evaluator) -> str:
    """A parameter that the rule hangs on: by its bound, or because it is in force for some values only."""
    bound = violation.bound
    if bound is not None and bound.param:
        return bound.param
    asked = rule.when.params if rule.when is not None else {}
    declared = evaluator.pack.manifest.roster.params
    return next((name for name in asked if name in declared), "")


def leaving(violation: Violation, option: Option, evaluator: Evaluator) -> tuple[tuple[Remove, ...], ...]:
    """Sets of removals, each enough by itself for this one rule, the smallest first; empty if none would do."""
    form = evaluator.form(violation.rule)
    if isinstance(form, Placer):
        return tuple(_slots(violation, form, option, evaluator.pack.cards))
    if not isinstance(form, Counter) or violation.bound is None or violation.actual < violation.bound.value:
        return ()
    others = tuple(item for item in violation.counted if item.amount > 0 and item.path != option.place)
    if form.rule.measure.distinct is not None:
        return _other_values(violation, option, others)
    if violation.actual - sum(item.amount for item in others) > violation.bound.value:
        return ()
    kept = replace(violation, counted=others)
    steps = ([step for step in found if isinstance(step, Remove)] for found in fewer(kept, form) if found)
    found = tuple(dict.fromkeys(tuple(sorted(removals, key=lambda step: str(step.path))) for removals in steps))
    least = min((_size(removals) for removals in found), default=0)
    return tuple(removals for removals in found if _size(removals) == least)


def _other_values(violation: Violation, option: Option, others: tuple[Counted, ...]) -> tuple[tuple[Remove, ...], ...]:
    """All picks of the values that the card does not share, fewest picks first, as many values as are too many."""
    assert violation.bound is not None
    own = next((item.value for item in violation.counted if item.path == option.place), None)
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
    """Each of the smallest sets of attachments whose slots would be enough."""
    bearer = violation.candidates[0]
    items = [item for item in violation.counted if item.path != option.place]
    for many in range(1, len(items) + 1):
        found = False
        for gone in combinations(items, many):
            rest = [(cards[item.card], None) for item in items if item not in gone]
            if form.place(cards[bearer], [*rest, (option.card, None)]).whole:
                found = True
                yield tuple(Remove(item.path, item.card, 1) for item in gone)
        if found:
            return


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
