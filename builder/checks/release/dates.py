"""Dates of a release: in order, and the same on the cards as on the release."""

from __future__ import annotations

from collections.abc import Iterator

from builder.errata.change import CardChange, ChangeClass, Status
from builder.errata.release import Proposal
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define

ORDER = define(
    "release/dates-out-of-order",
    _("Dates run backwards"),
    _("Which release is current is told from the dates; out of order, yesterday's cards would win over today's."),
    _("Choose dates that do not precede those of the release before, nor each other."),
)
DATE = define(
    "release/wrong-date",
    _("A changed card bears another date than the release"),
    _("The date on a printed card is how a player finds the release it belongs to."),
    _("Set `released` of the card and of its last history entry to the release's date."),
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Judge the release's own dates, then those of its cards."""
    yield from _order(proposal)
    for change in proposal.difference.cards:
        own = any(field.type is not ChangeClass.TRANSLATION for field in change.fields)
        if change.status is Status.ADDED or own or change.history:
            yield from _card(proposal, change)


def _order(proposal: Proposal) -> Iterator[Finding]:
    if proposal.effective < proposal.released:
        form = _("effective on {effective}, before it is released on {released}")
        yield ORDER.finding(_(form, effective=proposal.effective, released=proposal.released))
    before = proposal.previous
    for form, old, new in (
        (
            _("released on {new}, but {label} before it was released on {old}"),
            before and before.released,
            proposal.released,
        ),
        (
            _("effective on {new}, but {label} before it was effective on {old}"),
            before and before.effective,
            proposal.effective,
        ),
    ):
        if before and old and new < old:
            yield ORDER.finding(_(form, new=new, label=before.label, old=old))


def _card(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    if change.status.gone:
        return
    raw = proposal.state.cards[change.id]
    expected = proposal.released.isoformat()
    stated = raw.get("released")
    if not isinstance(stated, str) or not _fits(proposal, change, stated):
        form = _("{card} says released {stated}, the release is of {expected}")
        message = _(form, card=change.id, stated=stated, expected=expected)
        yield DATE.finding(message, proposal.place(change.id, "released"))


def _fits(proposal: Proposal, change: CardChange, stated: str) -> bool:
    """A first release may gather cards that were published one by one before it."""
    expected = proposal.released.isoformat()
    return stated <= expected if proposal.previous is None and change.status is Status.ADDED else stated == expected
