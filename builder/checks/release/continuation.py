"""Checks a release that continues a withdrawn one, and which withdrawn values it keeps."""

from collections.abc import Callable, Iterator

from builder.errata.change import CardChange, Difference, FieldChange
from builder.errata.difference import compare_states
from builder.errata.release import Proposal
from builder.errata.snapshot import Snapshot
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define

CONTINUES_WITHDRAWN = define(
    "release/continues-withdrawn",
    _("The release would be based on a withdrawn release"),
    _(
        "Errors of the withdrawn release that are not corrected would be published again."
    ),
    _("Undo or correct the withdrawn changes, then use --continue."),
)
KEEPS_WITHDRAWN_VALUE = define(
    "release/keeps-withdrawn-value",
    _("A value of a withdrawn release was not corrected"),
    _("This value may be the reason for the withdrawal."),
    _("Check the value. Keep it if the withdrawal had another reason."),
    Severity.WARNING,
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Refuse a release that continues a withdrawn one without --continue.

    Report the values that it keeps.
    """
    withdrawn = proposal.previous
    if not proposal.previous_withdrawn or withdrawn is None:
        return
    if not proposal.continues_withdrawn:
        message = _(
            "{version} would be based on {last}, which was withdrawn",
            version=proposal.version,
            last=withdrawn.label,
        )
        yield CONTINUES_WITHDRAWN.finding(message)
    if proposal.last_valid is not None:
        yield from find_kept_values(
            proposal.last_valid, withdrawn, proposal.state, proposal.locate_card
        )


def _report_kept_field(
    change: CardChange, field: FieldChange, version: str, location: Location
) -> Finding:
    form = _(
        "{card}: {path} still has the value of the withdrawn release {version}: {value!r}"
    )
    message = _(form, card=change.id, path=field.path, version=version, value=field.new)
    return KEEPS_WITHDRAWN_VALUE.finding(message, location)


def _list_kept_fields(
    difference: Difference, later_difference: Difference
) -> Iterator[tuple[CardChange, FieldChange]]:
    """Yield the changes of a withdrawn release that affect play and were not changed again."""
    changed_again: set[tuple[str | None, str, str | None]] = set()
    for change in later_difference.cards:
        changed_again.update(
            (change.old_id, field.path, field.lang) for field in change.fields
        )
    removed_ids = {
        change.old_id for change in later_difference.cards if change.status.gone
    }
    for change in difference.cards:
        # a removed card keeps no value
        if change.status.gone or change.id in removed_ids:
            continue
        for field in change.fields:
            if (
                field.type.matters
                and (change.id, field.path, field.lang) not in changed_again
            ):
                yield change, field


def find_kept_values(
    base: Snapshot,
    withdrawn: Snapshot,
    state: Snapshot,
    get_location: Callable[[str, str], Location] | None = None,
) -> Iterator[Finding]:
    """Report what a withdrawn release changed since `base` and the edited pack still has.

    `get_location` locates a card's field.
    """
    later_difference = compare_states(withdrawn, state)
    difference = compare_states(base, withdrawn)
    for change, field in _list_kept_fields(difference, later_difference):
        location = (
            get_location(change.id, field.path)
            if get_location
            else Location(path=change.id)
        )
        yield _report_kept_field(change, field, withdrawn.label, location)
    changed_rules = {
        part.path for part in later_difference.parts if part.part == "rules"
    }
    for part in difference.parts:
        if part.part == "rules" and part.path not in changed_rules:
            message = _(
                "{path} still has the value of the withdrawn release {version}",
                path=part.path,
                version=withdrawn.label,
            )
            yield KEEPS_WITHDRAWN_VALUE.finding(
                message, Location(file=f"cards/{state.pack}/rules.yaml", path=part.path)
            )
