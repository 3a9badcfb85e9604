"""The version: well formed, new, greater than the last, and by a step as large as the change."""

from __future__ import annotations

from collections.abc import Iterator

from builder.errata.release import Proposal, VersionStep, demanded, parse_version, step_between
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define

FORM = define(
    "release/version-form",
    _("The version is not of the form 1.2.3"),
    _("Tools compare versions by their three numbers."),
    _("Write MAJOR.MINOR.PATCH in whole numbers."),
)
EXISTS = define(
    "release/version-exists",
    _("The version was released already"),
    _("A published version is never overwritten: squads and prints refer to it."),
    _("Choose the next version."),
)
TOO_SMALL = define(
    "release/bump-too-small",
    _("The version moves less than the cards"),
    _("Major: an id gone or renamed, or a schema changed. Minor: a new card, or what play notices. Patch: the rest."),
    _("Choose the version that the finding names."),
)
NOTHING = define(
    "release/nothing-changed",
    _("Nothing changed since the last release"),
    _("A release without a change makes players look for one."),
    _("Change something first."),
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Judge the version's form, then its step."""
    version = parse_version(proposal.version)
    if version is None:
        yield FORM.finding(_("{version!r} is not a version", version=proposal.version))
        return
    if proposal.version in proposal.known:
        yield EXISTS.finding(_("{version} exists", version=proposal.version))
        return
    before = proposal.previous
    last = parse_version(before.label) if before else None
    if last is None:
        return
    needed, reason = demanded(proposal.difference)
    if needed is VersionStep.NONE:
        yield NOTHING.finding(_("the pack is as {last} froze it", last=last))
    elif step_between(last, version) < needed:
        form = _("{version} after {last} is too small a step: {reason}, a {step} change")
        message = _(form, version=proposal.version, last=last, reason=reason, step=needed.name.lower())
        yield TOO_SMALL.finding(message, hint=_("Release it as {version}.", version=last.after(needed)))
