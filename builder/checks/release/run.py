"""All checks of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from builder.checks.release import dates, honesty, identity, numbering, revisions
from builder.errata.proposal import Proposal
from builder.findings import Finding, in_order

CHECKS: tuple[Callable[[Proposal], Iterator[Finding]], ...] = (
    numbering.check,
    identity.check,
    revisions.check,
    honesty.check,
    dates.check,
)


def judge(proposal: Proposal) -> tuple[Finding, ...]:
    """Everything that stands against a release."""
    return in_order(finding for check in CHECKS for finding in check(proposal))
