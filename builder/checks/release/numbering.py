"""Checks the version and the dates of a release and of its cards."""

from collections.abc import Iterator

from builder.errata.change import CardChange, ChangeClass, Status, are_identical
from builder.errata.release import (
    Proposal,
    VersionStep,
    advise_step,
    find_step,
    parse_version,
)
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define

VERSION = define(
    "release/version",
    _("The version is not of the form 1.2.3, or already exists"),
    _(
        "Programs compare the three numbers. A published version is never overwritten, "
        "because squads refer to it."
    ),
    _("Use the next version: MAJOR.MINOR.PATCH in whole numbers."),
)
TOO_SMALL = define(
    "release/bump-too-small",
    _("The version number is too small for the changes"),
    _(
        "Major: an id was removed or renamed, or a schema changed. Minor: a new card, or a "
        "change that affects play. Patch: everything else."
    ),
    _("Use the version in the message."),
)
NOTHING = define(
    "release/nothing-changed",
    _("Nothing changed since the last release"),
    _("Players would look for a change that does not exist."),
    _("Change something in the pack first."),
)

ORDER = define(
    "release/dates-out-of-order",
    _("The dates of the releases are not in order"),
    _(
        "The dates decide which release is in force. If they are out of order, old cards "
        "replace new ones."
    ),
    _("Choose dates that are not before those of the previous release."),
)
DATE = define(
    "release/wrong-date",
    _("The date of a changed card differs from the date of the release"),
    _("Players find the release of a printed card by its date."),
    _(
        "Set `released` of the card and of its last history entry to the release's date."
    ),
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Check the version number and the dates of a release, then the dates of its cards."""
    yield from _check_version(proposal)
    yield from _check_order(proposal)
    for change in proposal.difference.cards:
        # of a card without a new revision, `card bump` will set the date
        if change.status.gone or change.unrevised:
            continue
        # translations of an older text need no new date
        is_changed = any(
            field.type is not ChangeClass.TRANSLATION for field in change.fields
        )
        if is_changed or change.status is Status.ADDED or change.history:
            yield from _check_card(proposal, change)


def _check_version(proposal: Proposal) -> Iterator[Finding]:
    version = parse_version(proposal.version)
    if version is None:
        yield VERSION.finding(
            _("{version!r} is not a version number", version=proposal.version)
        )
        return
    if proposal.version in proposal.known_versions:
        yield VERSION.finding(_("{version} already exists", version=proposal.version))
        return
    before = proposal.previous
    last = parse_version(before.label) if before else None
    if last is None:
        return
    needed, reason = advise_step(proposal.difference)
    if needed is VersionStep.NONE:
        yield NOTHING.finding(_("the pack is unchanged since {last}", last=last))
    elif find_step(last, version) < needed:
        form = _(
            "{version} after {last} is too small a step: {reason}, a {step} change"
        )
        message = _(
            form,
            version=proposal.version,
            last=last,
            reason=reason,
            step=needed.name.lower(),
        )
        yield TOO_SMALL.finding(
            message, hint=_("Release it as {version}.", version=last.add_step(needed))
        )


def _check_order(proposal: Proposal) -> Iterator[Finding]:
    released = proposal.released
    effective = proposal.effective
    before = proposal.previous
    if effective < released:
        form = _("effective on {effective}, but released later, on {released}")
        yield ORDER.finding(_(form, effective=effective, released=released))
    for form, new, old in (
        (
            _("released on {new}, but the earlier {label} was released on {old}"),
            released,
            before and before.released,
        ),
        (
            _("effective on {new}, but the earlier {label} was effective on {old}"),
            effective,
            before and before.effective,
        ),
    ):
        if before and old and new < old:
            yield ORDER.finding(_(form, new=new, label=before.label, old=old))


def _check_card(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    card = dict(proposal.state.cards[change.id])
    expected = proposal.released.isoformat()
    revision = card.get("released")
    # A first release may gather cards that were published one by one before it.
    gathers = proposal.previous is None and change.status is Status.ADDED
    # The correction of another line bears the date of that one.
    previous = any(
        are_identical(dict(state.cards.get(change.id, {})), card)
        for state in proposal.other_states
    )
    if not previous and (
        not isinstance(revision, str)
        or revision > expected
        or (revision < expected and not gathers)
    ):
        form = _("{card} has the date {stated}, but the release has {expected}")
        message = _(form, card=change.id, stated=revision, expected=expected)
        yield DATE.finding(message, proposal.locate_card(change.id, "released"))
