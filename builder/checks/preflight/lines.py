"""Lines: none thinner than ink can hold."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, apart, each
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, Shape, grow
from builder.units import points, to_points

THIN = define(
    "preflight/thin-line",
    _("A line is thinner than the shop prints"),
    _(
        "Below a quarter of a point, or what the shop's preset says, a line breaks up in print or vanishes; "
        "so do frames "
        "and rings, however they are drawn. A width of 0 is drawn as thin as the machine can."
    ),
    _("Draw it wider: 0.25 pt at least."),
    Severity.WARNING,
)
LEAST = points(0.25)
SLACK = 0.005
"""Mm: what rounding in files may make of a width."""


def check(job: Job) -> Iterator[Finding]:
    """Strokes, and what is filled as narrowly, of each page; the thinnest first."""
    limit = job.preset.thinnest_line
    least = LEAST if limit is None else points(limit)
    for page in job.pdf.pages:
        yield from each(THIN, page, _thin(page, least))


def _thin(page: Page, least: float) -> Iterator[Place]:
    found = [(width, shape) for shape in page.shapes if (width := _width(shape)) is not None and _seen(shape, page)]
    for width, shape in sorted(found, key=lambda pair: pair[0]):
        if width < least - SLACK:
            yield _("a line {wide:.2f} pt wide", wide=to_points(width)), shape.extent


def _width(shape: Shape) -> float | None:
    """How broad a line is, in mm; None for what is no line."""
    if shape.stroke is None:
        return shape.thin
    # A stroke in the colour of what it goes around makes that larger and is no line.
    return None if shape.stroke == shape.fill else shape.width


def _seen(shape: Shape, page: Page) -> bool:
    """False for what the page's end or a clip hides as a whole; a flat box is grown a little to have area."""
    extent = grow(shape.extent, SLACK)
    return not any(apart(extent, area) for area in (page.crop, shape.look.clip) if area is not None)
