"""Lines: none thinner than ink can hold."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, each
from builder.findings import Finding, Severity
from builder.model.codes import define
from builder.model.pdf import Page, Shape
from builder.units import points, to_points

THIN = define(
    "preflight/thin-line",
    "A line is thinner than a quarter of a point",
    "Such a line breaks up in print or vanishes; a width of 0 is drawn as thin as the machine can.",
    "Draw it at least 0.25 pt wide.",
    Severity.WARNING,
)
LEAST = points(0.25)
SLACK = 0.005
"""Mm: what rounding in files may make of a width."""


def check(job: Job) -> Iterator[Finding]:
    """Strokes, and filled bars as narrow, of each page; the thinnest first."""
    for page in job.pdf.pages:
        yield from each(THIN, page, _thin(page))


def _thin(page: Page) -> Iterator[Place]:
    found = [(width, shape) for shape in page.shapes if (width := _width(shape)) is not None]
    for width, shape in sorted(found, key=lambda pair: pair[0]):
        if width < LEAST - SLACK:
            yield f"a line {to_points(width):.2f} pt wide", shape.extent


def _width(shape: Shape) -> float | None:
    """How broad a line is, in mm; None for what is no line."""
    if shape.stroke is not None and shape.fill is None:
        return shape.width
    narrow, long = sorted((shape.box.width, shape.box.height))
    # However many points: some programs fill all sides of a border at once, those of no width too.
    bar = shape.fill is not None and shape.stroke is None and len(shape.points) >= 4
    return narrow if bar and long > 1 else None
