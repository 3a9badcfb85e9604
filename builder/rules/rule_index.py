"""Find the rules that a squad may break, so that only these are checked in full.

For each card the index stores what a copy of it means for each rule. It is computed when the card
is first seen. The index may name a rule that is not broken. It never leaves out a rule that is
broken.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad

FLOAT_TOLERANCE = 1e-6
"""The distance from a bound within which a sum of fractions counts as beyond it.

The order of adding changes the last digits.
"""
AllowedRange: TypeAlias = tuple[float, float]
"""The smallest and the largest number that a rule allows."""


@dataclass(frozen=True, slots=True)
class AlwaysChecked:
    """A rule that must be checked for every squad."""


@dataclass(frozen=True, slots=True)
class CheckedIfPresent:
    """A rule that must be checked if the squad has a matching card."""

    matches: Callable[[SelectedCard], bool]


@dataclass(frozen=True, slots=True)
class CheckedByCopies:
    """A rule that must be checked if a matching card has too few or too many copies.

    `find_span` returns the allowed numbers of copies.
    """

    matches: Callable[[SelectedCard], bool]
    find_span: Callable[[SelectedCard], AllowedRange]


@dataclass(frozen=True, slots=True)
class CheckedBySum:
    """A rule that must be checked if the sum over all cards is out of range."""

    weigh_card: Callable[[SelectedCard], float]
    span: AllowedRange


CheckTrigger: TypeAlias = (
    AlwaysChecked | CheckedIfPresent | CheckedByCopies | CheckedBySum
)
"""The condition under which a rule must be checked in full.

Its functions may read only the card of a selected card.
"""


@dataclass(slots=True)
class IndexRow:
    """The entry of one card in the index: the rules it can break, and the copies they allow."""

    present: set[int] = field(default_factory=set)
    spans: list[tuple[int, AllowedRange]] = field(default_factory=list)
    weights: list[tuple[int, float]] = field(default_factory=list)


class RuleIndex:
    """Finds the rules that a squad may break, without checking them. Rules are given by index."""

    def __init__(self, triggers: Mapping[int, CheckTrigger]) -> None:
        self._triggers = triggers
        self._always_checked: set[int] = set()
        self._sum_spans: dict[int, AllowedRange] = {}
        self._empty_sums: dict[int, float] = {}
        """A sum of 0 for each rule that a squad without its cards breaks."""
        for number, trigger in triggers.items():
            if isinstance(trigger, AlwaysChecked):
                self._always_checked.add(number)
            elif isinstance(trigger, CheckedBySum):
                self._sum_spans[number] = trigger.span
                if not _is_within(0, trigger.span):
                    self._empty_sums[number] = 0
        self._rows: dict[str, IndexRow] = {}

    def find_rules_to_check(self, squad: Squad) -> list[int]:
        """Return the indices of the rules that the squad may break, in ascending order."""
        copies: dict[str, int] = {}
        rows = {}
        for selected in squad.list_cards(Source.ALL):
            card_id = selected.card.id
            if card_id not in rows:
                rows[card_id] = self._get_row(selected)
            copies[card_id] = copies.get(card_id, 0) + selected.count
        suspects = set(self._always_checked)
        sums = dict(self._empty_sums)
        for card_id, row in rows.items():
            count = copies[card_id]
            suspects |= row.present
            for number, span in row.spans:
                if not _is_within(count, span):
                    suspects.add(number)
            for number, weight in row.weights:
                sums[number] = sums.get(number, 0) + weight * count
        for number, total in sums.items():
            if not _is_within(total, self._sum_spans[number]):
                suspects.add(number)
        return sorted(suspects)

    def _get_row(self, selected: SelectedCard) -> IndexRow:
        if selected.card.id not in self._rows:
            self._rows[selected.card.id] = self._make_row(selected)
        return self._rows[selected.card.id]

    def _make_row(self, selected: SelectedCard) -> IndexRow:
        row = IndexRow()
        for number, trigger in self._triggers.items():
            if isinstance(trigger, CheckedIfPresent):
                if trigger.matches(selected):
                    row.present.add(number)
            elif isinstance(trigger, CheckedByCopies):
                if trigger.matches(selected):
                    row.spans.append((number, trigger.find_span(selected)))
            elif isinstance(trigger, CheckedBySum):
                weight = trigger.weigh_card(selected)
                if weight:
                    row.weights.append((number, weight))
        return row


def _is_within(amount: float, span: AllowedRange) -> bool:
    low, high = span
    # whole numbers are exact
    tolerance = 0 if isinstance(amount, int) else FLOAT_TOLERANCE
    return low + tolerance <= amount <= high - tolerance
