"""Sizes of cards: one in a file, and one that the shop makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.checks.preflight.job import Job, near, on, size
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.codes import define

SIZE = define(
    "preflight/size",
    _("A card is of a size the shop does not list"),
    _("A card of another size is refused, or scaled to the nearest size without being asked."),
    _("Choose one of the shop's sizes, or ask the shop for this one."),
)
MIXED = define(
    "preflight/mixed-sizes",
    _("Cards of several sizes in one file"),
    _("A sheet is cut to one size: the others come out with a white edge or cut off."),
    _("Make one PDF for each size."),
)


def check(job: Job) -> Iterator[Finding]:
    """The trimmed size of each page; each size that is not listed once, where it comes first."""
    sizes = job.preset.sizes
    listed = joined(
        _("{name} {width:g} × {height:g}", name=name, width=one.width, height=one.height) for name, one in sizes.items()
    )
    first = job.trim(job.pdf.pages[0]) if job.pdf.pages else None
    told: set[str] = set()
    for page in job.pdf.pages:
        trim = job.trim(page)
        if first and not near(trim, (first.width, first.height)):
            form, number = _("{size}, but page {page} is {other}"), job.pdf.pages[0].number
            yield MIXED.finding(_(form, size=size(trim), page=number, other=size(first)), on(page, trim))
        known = any(near(trim, (one.width, one.height), job.preset.tolerance) for one in sizes.values())
        if sizes and not known and size(trim) not in told:
            told.add(size(trim))
            severity = Severity.WARNING if job.preset.other_sizes else Severity.ERROR
            message = _("{size}; the shop lists {listed} mm", size=size(trim), listed=listed)
            yield replace(SIZE.finding(message, on(page, trim)), severity=severity)
