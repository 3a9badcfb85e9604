"""Changes that may mend a violation: what the repairs of every form are made of."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Limit, Select, Source
from builder.roster.operations import Move, Operations, Remove, SetChoice, SetParam
from builder.roster.resolve import SelectedCard, Squad, select_all_cards
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.query import Selector
from builder.rules.violation import Counted, Violation

Candidate: TypeAlias = Operations
Removals: TypeAlias = tuple[Remove, ...]
MAX_TRIED_VALUES = 4
"""How many values of one choice are tried."""


def find_choice_changes(
    violation: Violation, squad: Squad, domains: ChoiceDomains, too_few: bool
) -> Iterator[Candidate]:
    """Another choice for one line: of those counted where they are too many, of any where something lacks."""
    counted = {item.path[1] for item in violation.counted if item.path[0] == "entries"}
    for name in sorted(domains.names_by_rule[violation.rule]):
        for entry in squad.entries:
            if too_few or entry.line in counted:
                others = domains.list_other_values(name, entry, squad, MAX_TRIED_VALUES)
                yield from ((SetChoice(entry.line, name, value),) for value in others)


def find_param_changes(rule: Limit, squad: Squad, pack: Pack) -> Iterator[Candidate]:
    """Yield values for a parameter that the roster lacks, where the rule allows no card until it is stated.

    Such a rule bans every card while the parameter has its default, so that the default is no real value.
    """
    bans_all = rule.select == Select(source=Source.ALL) and any(
        bound is not None and bound.number == 0 for bound in (rule.max, rule.exactly)
    )
    for name, wanted in rule.when.params.items() if bans_all and rule.when is not None else ():
        param = pack.manifest.roster.params.get(name)
        if param is None or param.type != "choice" or squad.params.get(name) != param.default:
            continue
        banned = wanted if isinstance(wanted, tuple) else (wanted,)
        yield from ((SetParam(name, value),) for value in param.choices if value not in banned)


def remove_copies(item: Counted, copies: int = 1) -> Remove:
    """Take so many copies of a counted pick out."""
    return Remove(item.path, item.card, copies)


def remove_subject(violation: Violation) -> Iterator[Candidate]:
    """Take the refused pick out, all copies."""
    if violation.subject is not None:
        yield (remove_copies(violation.subject, violation.subject.count),)


def move_subject(violation: Violation, squad: Squad) -> Iterator[Candidate]:
    """Give the refused attachment to another entry."""
    subject = violation.subject
    if subject is not None:
        own = subject.path[1]
        yield from (
            (Move(subject.path, subject.card, selected.line),)
            for selected in squad.entries
            if selected.line != own
        )


def find_additions(
    selector: Selector, pack: Pack, other: SelectedCard | None = None
) -> list[tuple[Card, Source]]:
    """Cards that would be taken by the selection as they are, cheapest first."""
    found = [
        selected
        for selected in select_all_cards(pack).values()
        if selector.matches_source(selected) and selector.where_matches(selected, other)
    ]
    return [
        (selected.card, selected.source)
        for selected in sorted(
            found, key=lambda selected: (selected.card.cost or 0, selected.card.id)
        )
    ]


def find_removals(violation: Violation) -> Iterator[Candidate]:
    """Removals: of one pick's copies where that suffices, else of several picks, the weightiest or lightest first."""
    assert violation.bound is not None
    over = violation.actual - violation.bound.value
    weights = _weights(violation.counted)
    by_weight = sorted(violation.counted, key=lambda item: weights[item.path])
    for item in by_weight:
        need = -int(-over // weights[item.path])
        if 0 < need <= _copies(item):
            yield (remove_copies(item, need),)
    for items in (by_weight[::-1], by_weight):
        left, steps, lines = over, [], set()
        for item in items:
            line = item.path[:2]
            if left > 0 and line not in lines:
                take = min(_copies(item), -int(-left // weights[item.path]))
                steps.append(remove_copies(item, take))
                left -= take * weights[item.path]
                lines.add(line)
        yield tuple(steps)


def _weights(counted: Sequence[Counted]) -> dict[DataPath, float]:
    """What the removal of one copy takes from the measure: an entry goes with what is counted of its load."""
    lines: dict[DataPath, float] = {}
    for item in counted:
        lines[item.path[:2]] = lines.get(item.path[:2], 0) + item.amount
    whole = (
        (item, item.amount if "attachments" in item.path else lines[item.path[:2]])
        for item in counted
    )
    return {item.path: amount / _copies(item) for item, amount in whole}


def _copies(item: Counted) -> int:
    """How many removals a counted pick allows: an attachment goes from all copies of its entry at once."""
    return 1 if "attachments" in item.path else item.count


def group_by_value(counted: Sequence[Counted]) -> list[tuple[Counted, ...]]:
    """Counted picks by the value for which they were counted, the fewest copies first."""
    groups: dict[str, list[Counted]] = {}
    for item in counted:
        groups.setdefault(item.value or "", []).append(item)
    return sorted(map(tuple, groups.values()), key=lambda items: sum(item.count for item in items))


def find_value_removals(violation: Violation) -> Iterator[Candidate]:
    """Keep one value (all of whose picks stay) and remove the picks of the others; the fewest removals first."""
    assert violation.bound is not None
    groups = group_by_value(violation.counted)
    surplus = len(groups) - int(violation.bound.value)
    for start in range(len(groups) if surplus > 0 else 0):
        chosen = (groups[start:] + groups[:start])[:surplus]
        yield tuple(remove_copies(item, item.count) for items in chosen for item in items)


def remove_other_values(others: Sequence[Counted], surplus: int) -> tuple[Removals, ...]:
    """All picks of the values that the card does not share, fewest picks first, as many values as are too many."""
    found = group_by_value(others)
    if surplus > len(found):
        return ()
    gone = [item for items in found[:surplus] for item in items]
    lines = {item.path for item in gone if len(item.path) == 2}
    kept = (item for item in gone if item.path in lines or item.path[:2] not in lines)
    return (tuple(remove_copies(item, item.count) for item in kept),)
