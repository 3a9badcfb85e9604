"""Changes that may fix a violation. The forms of rules make their repairs of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Limit, Select, Source
from builder.roster.operations import Move, Operations, Remove, SetChoice, SetParam
from builder.roster.resolve import SelectedCard, Squad, make_test_selections
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.query import Selector
from builder.rules.violation import Counted, Violation

Candidate: TypeAlias = Operations
Removals: TypeAlias = tuple[Remove, ...]
MAX_TRIED_VALUES = 4
"""Values that are tried for one choice."""


def find_choice_changes(
    violation: Violation, squad: Squad, domains: ChoiceDomains, tries_all_entries: bool
) -> Iterator[Candidate]:
    """Yield edits that each change one choice of one entry and may fix a violation.

    With `tries_all_entries` all entries are tried, else only those that were counted.
    """
    counted_lines = {
        item.path[1] for item in violation.counted if item.path[0] == "entries"
    }
    # Sorted, because the order of a set would change the suggested fixes from run to run.
    for name in sorted(domains.names_by_rule[violation.rule]):
        for entry in squad.entries:
            if tries_all_entries or entry.line in counted_lines:
                for value in domains.list_other_values(
                    name, entry, squad, MAX_TRIED_VALUES
                ):
                    yield (SetChoice(entry.line, name, value),)


def find_param_changes(rule: Limit, squad: Squad, pack: Pack) -> Iterator[Candidate]:
    """Yield values for a roster parameter that is missing and that the rule requires.

    A rule that bans every card while the parameter has its default makes it required.
    """
    is_ban = any(
        bound is not None and bound.number == 0 for bound in (rule.max, rule.exactly)
    )
    if not is_ban or rule.select != Select(source=Source.ALL) or rule.when is None:
        return
    for name, banned in rule.when.params.items():
        param = pack.manifest.roster.params.get(name)
        if (
            param is None
            or param.type != "choice"
            or squad.params.get(name) != param.default
        ):
            continue
        banned_values = banned if isinstance(banned, tuple) else (banned,)
        for value in param.choices:
            if value not in banned_values:
                yield (SetParam(name, value),)


def remove_copies(item: Counted, copies: int = 1) -> Remove:
    """Return the edit that removes copies of a card that a violation counts."""
    return Remove(item.path, item.card, copies)


def remove_subject(violation: Violation) -> Iterator[Candidate]:
    """Yield the edit that removes all copies of the card that a violation refuses."""
    if violation.subject is not None:
        yield (remove_copies(violation.subject, violation.subject.count),)


def move_subject(violation: Violation, squad: Squad) -> Iterator[Candidate]:
    """Yield edits that each move the refused attachment to another entry."""
    subject = violation.subject
    if subject is None:
        return
    for entry in squad.entries:
        if entry.line != subject.path[1]:
            yield (Move(subject.path, subject.card, entry.line),)


def find_additions(
    selector: Selector, pack: Pack, other_card: SelectedCard | None = None
) -> list[tuple[Card, Source]]:
    """Return the cards of the pack that a selector matches without any choices, cheapest first."""
    additions = []
    for selected in sort_by_cost(make_test_selections(pack).values()):
        # an attachment has no host here, so conditions on the host are left out
        is_in_source = selector.matches_source(selected)
        if is_in_source and selector.where_matches(selected, other_card):
            additions.append((selected.card, selected.source))
    return additions


def sort_by_cost(cards: Iterable[SelectedCard]) -> list[SelectedCard]:
    """Return the cards sorted by cost, then by id."""
    return sorted(
        cards, key=lambda selected: (selected.card.cost or 0, selected.card.id)
    )


def find_removals(violation: Violation) -> Iterator[Candidate]:
    """Yield edits that remove cards until the amount that a violation measures is allowed.

    First removals of one card that are enough, then of several, the largest or smallest first.
    """
    assert violation.bound is not None
    excess = violation.actual - violation.bound.value
    weights = _weigh_copies(violation.counted)
    sorted_items = sorted(violation.counted, key=lambda item: weights[item.path])
    for item in sorted_items:
        needed = _count_copies_to_remove(excess, weights[item.path])
        if 0 < needed <= _count_removable(item):
            yield (remove_copies(item, needed),)
    # the largest first takes the fewest cards, the smallest first exceeds the need least
    for items in (sorted_items[::-1], sorted_items):
        yield _remove_in_order(items, excess, weights)


def _remove_in_order(
    items: Sequence[Counted], excess: float, weights: Mapping[DataPath, float]
) -> Candidate:
    """Return an edit that removes cards in the given order until the amount is small enough."""
    remaining = excess
    removals = []
    lines = set()
    for item in items:
        # an entry and its attachments are one line: removing the entry takes both
        line = item.path[:2]
        if remaining > 0 and line not in lines:
            needed = _count_copies_to_remove(remaining, weights[item.path])
            copies = min(_count_removable(item), needed)
            removals.append(remove_copies(item, copies))
            remaining -= copies * weights[item.path]
            lines.add(line)
    return tuple(removals)


def _count_copies_to_remove(amount: float, amount_per_copy: float) -> int:
    """Return how many copies must be removed to lower the amount by `amount`."""
    # floor division of the negative amount rounds up
    return -int(-amount // amount_per_copy)


def _weigh_copies(counted: Sequence[Counted]) -> dict[DataPath, float]:
    """Return, by path, how much removing one copy of each counted card lowers the amount.

    The attachments of an entry are removed with it.
    """
    line_amounts: dict[DataPath, float] = {}
    for item in counted:
        line_path = item.path[:2]
        line_amounts[line_path] = line_amounts.get(line_path, 0) + item.amount
    weights = {}
    for item in counted:
        amount = (
            item.amount if "attachments" in item.path else line_amounts[item.path[:2]]
        )
        weights[item.path] = amount / _count_removable(item)
    return weights


def _count_removable(item: Counted) -> int:
    """Return the number of separate edits that can each remove one copy of a counted card.

    An attachment goes from all copies of its entry at once.
    """
    return 1 if "attachments" in item.path else item.count


def group_by_value(counted: Sequence[Counted]) -> list[tuple[Counted, ...]]:
    """Return the counted cards grouped by the value they were counted for, smallest group first."""
    groups: dict[str, list[Counted]] = {}
    for item in counted:
        groups.setdefault(item.value or "", []).append(item)
    return sorted(
        map(tuple, groups.values()), key=lambda items: sum(item.count for item in items)
    )


def find_value_removals(violation: Violation) -> Iterator[Candidate]:
    """Yield edits that remove all cards of some values, so that few enough values are left."""
    assert violation.bound is not None
    groups = group_by_value(violation.counted)
    surplus = len(groups) - int(violation.bound.value)
    if surplus <= 0:
        return
    # The groups are rotated, so that each value is kept in some candidate.
    for start in range(len(groups)):
        removals = []
        for items in (groups[start:] + groups[:start])[:surplus]:
            removals += [remove_copies(item, item.count) for item in items]
        yield tuple(removals)


def remove_other_values(
    others: Sequence[Counted], surplus: int
) -> tuple[Removals, ...]:
    """Return the edit that removes all cards of `surplus` values, fewest cards first.

    Nothing if there are too few.
    """
    groups = group_by_value(others)
    if surplus > len(groups):
        return ()
    items: list[Counted] = []
    for group in groups[:surplus]:
        items += group
    lines = {item.path for item in items if len(item.path) == 2}
    # the attachments of a removed entry go with it
    removed_items = [
        item for item in items if item.path in lines or item.path[:2] not in lines
    ]
    return (tuple(remove_copies(item, item.count) for item in removed_items),)
