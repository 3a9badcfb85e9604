"""The nearest repairs of a violation: candidate changes, each tried on the roster and kept only if it mends it.

Nearest means: leaves the fewest other errors, then the fewest changes, then the smallest change of cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from builder.findings import Severity
from builder.model.card import Card
from builder.model.pack import Role
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import costs
from builder.roster.operations import Add, Choose, Free, Move, Operation, Remove, Tie, Untie, apply
from builder.roster.resolve import Pick, Squad, resolve
from builder.rules.evaluate import Evaluator, Form
from builder.rules.forms.counting import Counter
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Need, Permit, Tied
from builder.rules.query import Selector, always
from builder.rules.violation import Counted, Repair, Violation
from builder.rules.ways import ways_of

Candidate: TypeAlias = tuple[Operation, ...]
Judged: TypeAlias = Callable[[Roster], tuple[int, Sequence[Violation]]]
"""How many problems a roster has, and its violations."""
SHOWN = 3
TRIED = 60
CHOICES = 4
"""How many repairs are shown, how many candidates are tried at most, and how many values of one choice."""
ROLES = {Source.ENTRIES: Role.ENTRY, Source.ATTACHMENTS: Role.ATTACHMENT, Source.DECK: Role.DECK}


def repairs(violation: Violation, squad: Squad, evaluator: Evaluator, judged: Judged) -> tuple[Repair, ...]:
    """The nearest repairs, best first; none if no small change mends it. `judged` judges a changed roster."""
    form = evaluator.form(violation.rule)
    before = costs(squad).total
    # lines may move, so places broken are counted, not compared
    was = sum(item.rule == violation.rule for item in judged(squad.roster)[1])
    tried: list[tuple[int, int, float, int, Repair]] = []
    seen: set[Candidate] = set()
    for number, candidate in enumerate(candidates(violation, squad, form, evaluator)):
        if number >= TRIED:
            break
        if not candidate or candidate in seen:
            continue
        seen.add(candidate)
        changed = apply(squad.roster, *candidate)
        problems, found = judged(changed)
        errors = [item for item in found if item.severity is Severity.ERROR]
        left = len(errors) + problems
        if sum(item.rule == violation.rule for item in found) < was:
            change = costs(resolve(changed, evaluator.pack)).total - before
            tried.append((left, _size(candidate), abs(change), number, Repair(candidate, left == 0, change)))
    return tuple(repair for *_, repair in sorted(tried, key=lambda item: item[:4])[:SHOWN])


def _size(candidate: Candidate) -> int:
    """How many cards change hands."""
    return sum(step.count if isinstance(step, Remove) else 1 for step in candidate)


def candidates(violation: Violation, squad: Squad, form: Form, evaluator: Evaluator) -> Iterator[Candidate]:
    """Changes that may mend it, likely ones first."""
    if isinstance(form, Counter):
        too_few = violation.bound is not None and violation.actual < violation.bound.value
        yield from _chosen(violation, squad, evaluator, too_few)
        yield from (_more(violation, form, evaluator) if too_few else fewer(violation, form))
    elif isinstance(form, Placer):
        yield from (_free(item, squad) for item in violation.counted)
        yield from _elsewhere(violation, squad)
        yield from ((_without(item),) for item in reversed(violation.counted))
    elif isinstance(form, Permit):
        yield from _elsewhere(violation, squad)
        yield from _removed(violation)
    elif isinstance(form, Tied):
        yield from _tied(violation, form, squad, evaluator)
    else:
        assert isinstance(form, Need)
        yield from _answer(violation, form, squad, evaluator)


def _chosen(violation: Violation, squad: Squad, evaluator: Evaluator, too_few: bool) -> Iterator[Candidate]:
    """Another choice for one line: of those counted where they are too many, of any where something lacks."""
    ways = ways_of(evaluator)
    counted = {item.path[1] for item in violation.counted if item.path[0] == "entries"}
    for name in sorted(ways.of_rule[violation.rule]):
        for entry in squad.entries:
            now = entry.choices.get(name, "")
            if too_few or entry.line in counted:
                values = [value for value in ways.values(name, squad, now or None) if value != now][:CHOICES]
                yield from ((Choose(entry.line, name, value),) for value in ([*values, ""] if now else values))


def _without(item: Counted, copies: int = 1) -> Remove:
    """Take so many copies of a counted pick out."""
    return Remove(item.path, item.card, copies)


def _removed(violation: Violation) -> Iterator[Candidate]:
    """Take the refused pick out, all copies."""
    if violation.subject is not None:
        yield (_without(violation.subject, violation.subject.count),)


def fewer(violation: Violation, form: Counter) -> Iterator[Candidate]:
    """Removals: of one pick's copies where that suffices, else of several picks, the weightiest or lightest first."""
    assert violation.bound is not None
    if form.rule.measure.distinct is not None:
        yield from _fewer_values(violation)
        return
    over = violation.actual - violation.bound.value
    weights = {item.path: _weight(item, violation.counted) for item in violation.counted}
    by_weight = sorted(violation.counted, key=lambda item: weights[item.path])
    for item in by_weight:
        need = -int(-over // weights[item.path])
        if 0 < need <= _copies(item):
            yield (_without(item, need),)
    for items in (by_weight[::-1], by_weight):
        left, steps, lines = over, [], set()
        for item in items:
            line = item.path[:2]
            if left > 0 and line not in lines:
                take = min(_copies(item), -int(-left // weights[item.path]))
                steps.append(_without(item, take))
                left -= take * weights[item.path]
                lines.add(line)
        yield tuple(steps)


def _weight(item: Counted, counted: Sequence[Counted]) -> float:
    """What the removal of one copy takes from the measure: an entry goes with what is counted of its load."""
    own = item.path if "attachments" in item.path else item.path[:2]
    return sum(other.amount for other in counted if other.path[: len(own)] == own) / _copies(item)


def _copies(item: Counted) -> int:
    """How many removals a counted pick allows: an attachment goes from all copies of its entry at once."""
    return 1 if "attachments" in item.path else item.count


def _fewer_values(violation: Violation) -> Iterator[Candidate]:
    """Keep one value (all of whose picks stay) and remove the picks of the others; the fewest removals first."""
    groups: dict[str, list[Counted]] = {}
    for item in violation.counted:
        groups.setdefault(item.value or "", []).append(item)
    assert violation.bound is not None
    surplus = len(groups) - int(violation.bound.value)
    if surplus <= 0:
        return
    by_size = sorted(groups, key=lambda value: sum(item.count for item in groups[value]))
    for start in range(len(by_size)):
        chosen = (by_size[start:] + by_size[:start])[:surplus]
        yield tuple(_without(item, item.count) for value in chosen for item in groups[value])


def _cards(selector: Selector, evaluator: Evaluator, other: Pick | None = None) -> list[tuple[Card, Source]]:
    """Cards that would be taken by the selection as they are, cheapest first."""
    found: list[tuple[Card, Source]] = []
    for source, role in ROLES.items():
        if selector.source not in (Source.ALL, source):
            continue
        found.extend(
            (card, source)
            for card in evaluator.pack.cards.values()
            if evaluator.pack.role(card) is role and selector.passes(Pick(card, source, (), -1, 1, 1), other)
        )
    return sorted(found, key=lambda item: (item[0].cost or 0, item[0].id))


def _more(violation: Violation, form: Counter, evaluator: Evaluator) -> Iterator[Candidate]:
    """Additions of one card (as often as the count lacks), or the removal of the entry that lacks something."""
    assert violation.bound is not None
    lacking = violation.bound.value - violation.actual
    line = int(violation.group) if form.rule.per == "entry" else -1
    for card, source in _cards(form.selector, evaluator):
        if form.rule.per == "card" and card.id != violation.group:
            continue
        times = 1 if form.rule.measure.count is False else max(1, int(lacking))
        if times <= SHOWN * SHOWN and (source is not Source.ATTACHMENTS or line >= 0):
            yield (Add(card.id, source, line),) * times
    if form.rule.per != "roster":
        yield tuple(_without(item, item.count) for item in violation.counted)
        yield from _removed(violation)


def _free(item: Counted, squad: Squad) -> Candidate:
    """Let the slot of an attachment be found where the player named one."""
    pick = next(pick for pick in squad.attachments if pick.path == item.path)
    return (Free(item.path, item.card),) if pick.slot is not None else ()


def _elsewhere(violation: Violation, squad: Squad) -> Iterator[Candidate]:
    """Give the refused attachment to another entry."""
    subject = violation.subject
    if subject is not None:
        own = subject.path[1]
        yield from ((Move(subject.path, subject.card, pick.line),) for pick in squad.entries if pick.line != own)


def _tied(violation: Violation, form: Tied, squad: Squad, evaluator: Evaluator) -> Iterator[Candidate]:
    """Name a target that fits, bring one in, or take the entry (or one that is tied) out."""
    if violation.kind == "overfull":
        tied = (int(item.path[1]) for item in violation.counted)
        yield from ((Untie(line, form.rule.link),) for line in tied if (line, form.rule.link) in squad.ties)
        yield from ((_without(item, copies),) for item in violation.counted for copies in range(1, item.count + 1))
        return
    subject = next(pick for pick in squad.entries if violation.subject and pick.path == violation.subject.path)
    yield from ((Tie(subject.line, form.rule.link, pick.line),) for pick in form.fitting(subject, squad))
    if violation.kind == "wrong-target":
        yield (Untie(subject.line, form.rule.link),)
    if violation.kind == "no-target":
        for card in evaluator.pack.cards.values():
            fits = evaluator.pack.role(card) is Role.ENTRY
            if fits and form.target(Pick(card, Source.ENTRIES, (), -1, 1, 1), subject):
                yield (Add(card.id, Source.ENTRIES),)
    yield from _removed(violation)


def _answer(violation: Violation, form: Need, squad: Squad, evaluator: Evaluator) -> Iterator[Candidate]:
    """Bring in what the pick needs, or take it out."""
    subject = next((p for p in squad.picks(Source.ALL) if violation.subject and p.path == violation.subject.path), None)
    bearer = form.needs.bearer or always
    for card, source in _cards(form.needs, evaluator, subject):
        if source is not Source.ATTACHMENTS:
            yield (Add(card.id, source),)
        else:
            yield from ((Add(card.id, source, pick.line),) for pick in squad.entries if bearer(pick, subject))
    yield from _removed(violation)
