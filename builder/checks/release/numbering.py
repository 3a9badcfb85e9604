"""The version: well formed, new, greater than the last, and by a step as large as the change."""

from __future__ import annotations

from collections.abc import Iterator

from builder.errata.proposal import Proposal
from builder.errata.version import Step, demanded, parse_version, step_between
from builder.findings import Finding
from builder.model.codes import define
from builder.tongue.told import Told

FORM = define(
    "release/version-form",
    "The version is not of the form 1.2.3",
    "Tools compare versions by their three numbers.",
    "Write MAJOR.MINOR.PATCH in whole numbers.",
)
EXISTS = define(
    "release/version-exists",
    "The version was released already",
    "A published version is never overwritten: squads and prints refer to it.",
    "Choose the next version.",
)
TOO_SMALL = define(
    "release/bump-too-small",
    "The version moves less than the cards",
    "Major: an id gone or renamed, or a schema changed. Minor: a new card, or what play notices. Patch: the rest.",
    "Choose the version that the finding names.",
)
NOTHING = define(
    "release/nothing-changed",
    "Nothing changed since the last release",
    "A release without a change makes players look for one.",
    "Change something first.",
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Judge the version's form, then its step."""
    version = parse_version(proposal.version)
    if version is None:
        yield FORM.finding(Told("{version!r} is not a version", version=proposal.version))
        return
    if proposal.version in proposal.known:
        yield EXISTS.finding(Told("{version} exists", version=proposal.version))
        return
    before = proposal.previous
    last = parse_version(before.label) if before else None
    if last is None:
        return
    needed, reason = demanded(proposal.difference)
    if needed is Step.NONE:
        yield NOTHING.finding(Told("the pack is as {last} froze it", last=last))
    elif step_between(last, version) < needed:
        form = "{version} after {last} is too small a step: {reason}, a {step} change"
        message = Told(form, version=proposal.version, last=last, reason=reason, step=needed.name.lower())
        yield TOO_SMALL.finding(message, hint=Told("Release it as {version}.", version=last.after(needed)))
