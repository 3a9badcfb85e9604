"""All checks of a finished PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from builder.checks.preflight import (
    bleed,
    boxes,
    colours,
    contents,
    fonts,
    images,
    ink,
    intent,
    lettering,
    lines,
    marks,
    order,
    safe,
    sizes,
    standard,
    transparency,
)
from builder.checks.preflight.job import Job
from builder.findings import Finding, in_order

CHECKS: tuple[Callable[[Job], Iterator[Finding]], ...] = (
    contents.check,
    boxes.check,
    sizes.check,
    bleed.check,
    order.check,
    fonts.check,
    lettering.check,
    colours.check,
    transparency.check,
    images.check,
    ink.check,
    lines.check,
    safe.check,
    marks.check,
    intent.check,
    standard.check,
)


def judge(job: Job) -> tuple[Finding, ...]:
    """Everything that stands against printing a file at a shop."""
    return in_order(finding for check in CHECKS for finding in check(job))
