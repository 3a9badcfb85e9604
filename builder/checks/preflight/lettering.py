"""Type: large enough to print, and small type in one ink."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, each, quoted
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, Paint

SMALL = define(
    "preflight/small-type",
    _("Type is smaller than the shop prints"),
    _("Below the shop's smallest size strokes break up and counters fill in."),
    _("Set the text larger or say less."),
)
INKS = define(
    "preflight/text-in-many-inks",
    _("Small black text is made of several inks"),
    _("The inks never land exactly on each other: thin black letters get coloured edges."),
    _("Set text in black ink alone (cyan, magenta, yellow 0, black 100)."),
    Severity.WARNING,
)
SLACK = 0.05
"""Points: what rounding in files may make of a size."""

LARGE = 18.0
"""Points: from here on strokes are broad enough to hide a misfit of the inks."""


def check(job: Job) -> Iterator[Finding]:
    """Visible text of each page, the smallest first."""
    for page in job.pdf.pages:
        if job.preset.smallest_type is not None:
            yield from each(SMALL, page, _small(page, job.preset.smallest_type))
        if job.preset.colour.space == "cmyk":
            yield from each(INKS, page, _many(page))


def _small(page: Page, least: float) -> Iterator[Place]:
    for text in sorted(page.texts, key=lambda text: text.size):
        if text.visible and text.size < least - SLACK:
            form = _("{text} is {size:.3g} pt; the shop prints from {least:g} pt")
            yield _(form, text=quoted(text.text), size=text.size, least=least), text.box


def _many(page: Page) -> Iterator[Place]:
    for text in page.texts:
        if text.size < LARGE and text.fill and _rich(text.fill):
            inks = "/".join(f"{value * 100:.0f}" for value in text.fill.values)
            yield _("{text} is black in inks {inks}", text=quoted(text.text), inks=inks), text.box


def _rich(paint: Paint) -> bool:
    """True for a black or near black of more inks than black."""
    if paint.family != "CMYK" or len(paint.values) != 4:
        return False
    *colours, black = paint.values
    return black >= 0.7 and max(colours) > 0.05
