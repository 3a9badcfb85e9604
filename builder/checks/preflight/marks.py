"""No marks in the bleed: shops cut by their own."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, apart, each
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, Shape, Text, visible

MARKS = define(
    "preflight/marks",
    _("Marks beside the card"),
    _("Cut marks in the bleed show on the card's edge when the cut wanders, and shops set their own."),
    _("Export without printer's marks."),
    Severity.WARNING,
)
LINE = 1.0
"""Mm up to which a drawing is a line."""


def check(job: Job) -> Iterator[Finding]:
    """Lines and text wholly outside the cut."""
    for page in job.pdf.pages:
        yield from each(MARKS, page, _marks(page, job.trim(page)))


def _marks(page: Page, trim: Box) -> Iterator[Place]:
    for item in page.items:
        if not isinstance(item, Shape | Text) or not apart(visible(item), trim):
            continue
        box, clip = visible(item), item.look.clip
        if clip is not None and apart(clip, trim):
            continue  # art repeated there to fill the bleed
        if isinstance(item, Text) and item.visible:
            yield _("text outside the cut"), box
        elif isinstance(item, Shape) and min(box.width, box.height) < LINE < max(box.width, box.height):
            yield _("a line outside the cut"), box
