"""Checks for values that change far more than the others of the release: 8 to 78 is a slip."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from builder.errata.change import CardChange, FieldChange, extract_substance
from builder.errata.release import Proposal
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import look_up
from builder.model.codes import define
from builder.rules.bounds import to_number

OUTLIER = define(
    "release/value-outlier",
    _("A value changes far more than the other values in the release"),
    _("Perhaps a digit was typed twice or a decimal point is missing."),
    _("Check the value. Keep it if it is right."),
    Severity.WARNING,
)

MIN_RATIO = 3.0
"""The smallest ratio of old and new value that is reported, both plus 1 so that 0 has a ratio."""
MIN_TIMES_MEDIAN = 5.0
"""An outlier is at least this many times the median change of the same field."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """One changed number of one card.

    `field` is the last step of its path, which cards have in common.
    """

    change: CardChange
    path: str
    field: str
    old: float
    new: float

    @property
    def ratio(self) -> float:
        """How many times larger the greater value is.

        Both are increased by 1, so that 0 has a ratio.
        """
        low, high = sorted((abs(self.old), abs(self.new)))
        return (high + 1) / (low + 1)

    @property
    def distance(self) -> float:
        """The absolute difference of the old and the new value."""
        return abs(self.new - self.old)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Report numbers that changed far more than the others, which may be typing errors.

    A number that alone changes in its field is compared with the field's old values on all cards.
    """
    changes_by_field: dict[str, list[NumberChange]] = defaultdict(list)
    for change in proposal.difference.cards:
        if change.old_id is not None and not change.status.gone:
            for number in _list_numbers(change):
                changes_by_field[number.field].append(number)
    for field, changes in changes_by_field.items():
        for number in changes:
            other_changes = [item for item in changes if item is not number]
            if number.ratio >= MIN_RATIO and _is_far(
                proposal, field, number, other_changes
            ):
                yield _report_outlier(proposal, number)


def _report_outlier(proposal: Proposal, number: NumberChange) -> Finding:
    card_id = number.change.id
    form = _(
        "{card}: {path} changes from {old:g} to {new:g}, far more than other values in this release"
    )
    message = _(form, card=card_id, path=number.path, old=number.old, new=number.new)
    return OUTLIER.finding(message, proposal.locate_card(card_id, number.path))


def _is_far(
    proposal: Proposal,
    field: str,
    number: NumberChange,
    other_changes: Sequence[NumberChange],
) -> bool:
    if other_changes:
        distances = [change.distance for change in other_changes]
        # the median, because one other outlier must not hide this one
        return number.distance > MIN_TIMES_MEDIAN * median(distances)
    old_values = _collect_old_values(proposal, number.path, field)
    return not old_values or not min(old_values) <= number.new <= max(old_values)


def _collect_old_values(proposal: Proposal, path: str, field: str) -> list[float]:
    """Return the previous values of a field on all cards.

    Empty if `path` is a text that contains the number, not the number itself.
    """
    if proposal.previous is None or field != path.rpartition(".")[2]:
        return []
    steps = path.split(".")
    values = [
        to_number(look_up(card, steps)) for card in proposal.previous.cards.values()
    ]
    return [value for value in values if value is not None]


def _list_numbers(change: CardChange) -> Iterator[NumberChange]:
    """Yield the changed numbers of a card, both whole values and numbers in texts."""
    for field in change.fields:
        name = field.path.rpartition(".")[2]
        old = to_number(field.old)
        new = to_number(field.new)
        if field.type.matters and old is not None and new is not None:
            yield NumberChange(change, field.path, name, old, new)
        elif (
            field.type.matters
            and isinstance(field.old, str)
            and isinstance(field.new, str)
        ):
            yield from _list_numbers_in_text(change, field)


def _list_numbers_in_text(
    change: CardChange, field: FieldChange
) -> Iterator[NumberChange]:
    old_parts = extract_substance(str(field.old))
    new_parts = extract_substance(str(field.new))
    # in a reworded text no number has a counterpart
    if len(old_parts) != len(new_parts):
        return
    for old_part, new_part in zip(old_parts, new_parts, strict=True):
        # a part is its type and its value: `stat:3`
        kind, _colon, old = old_part.rpartition(":")
        new_kind, _colon, new = new_part.rpartition(":")
        if old == new or kind != new_kind:
            continue
        if old.isdecimal() and new.isdecimal():
            yield NumberChange(
                change, field.path, f"text {kind}", float(old), float(new)
            )
