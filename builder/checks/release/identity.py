"""Ids: none vanishes silently, none comes back, and every line of the migrations file leads somewhere."""

from collections.abc import Iterator

from builder.errata.change import Status
from builder.errata.release import Proposal
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.codes import define

VANISHED = define(
    "release/id-vanished",
    _("An id is gone and the migrations file does not say where"),
    _("Saved squads name cards by id; without a line they break and nothing can mend them."),
    _("Add a line to migrations.yaml: {old, new, type: rename | merge | split | delete, date}."),
)
REUSED = define(
    "release/id-reused",
    _("An id that was given up is in use again"),
    _("A saved squad that names it would silently get another card."),
    _("Choose a new id for the new card."),
)
TARGET = define(
    "release/migration-target",
    _("A migration leads to a card that does not exist"),
    _("Squads would be moved to nothing."),
    _("Correct `new`, or follow it by a line for what became of that card."),
)
MOVED = define(
    "release/migration-date",
    _("A new migration bears another date than the release"),
    _("The date tells which releases know the old id and which the new one."),
    _("Set its `date` to the release's date."),
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Judge ids against the release before and against the migrations file."""
    file = Location(file=proposal.migrations_file)
    for change in proposal.difference.cards:
        if change.status is Status.VANISHED:
            message = _("{card} was in {old} and is gone", card=change.id, old=proposal.difference.old)
            yield VANISHED.finding(message, file)
    alive = proposal.state.cards.keys()
    given_up = {step.old for step in proposal.state.migrations}
    for card in sorted(given_up & alive):
        message = _("{card} was given up by the migrations file and is in use", card=card)
        yield REUSED.finding(message, proposal.place(card))
    known = proposal.previous.migrations if proposal.previous else ()
    for step in proposal.state.migrations:
        for target in step.new:
            if target not in alive and target not in given_up:
                message = _("{old} -> {target}: there is no card {target}", old=step.old, target=target)
                yield TARGET.finding(message, file)
        if step not in known and step.date != proposal.released:
            form = _("{old}: the line is of {date}, the release of {released}")
            yield MOVED.finding(_(form, old=step.old, date=step.date, released=proposal.released), file)
