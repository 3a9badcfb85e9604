"""Pictures: enough pixels for their size on paper."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Place, Portion, each
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, visible

COARSE = define(
    "preflight/coarse-image",
    _("A picture has less than half the resolution the shop asks for"),
    _("Pixels show as steps at reading distance."),
    _("Put in a larger picture or print it smaller."),
)
LOW = define(
    "preflight/low-resolution",
    _("A picture has less resolution than the shop asks for"),
    _("It prints a little soft; many shops warn of it."),
    _("Put in a larger picture or print it smaller, if the softness is not meant."),
    Severity.WARNING,
)
NEARLY = 0.98
"""Share of the wanted resolution that is as good as all of it."""

FLAT = 4
"""Pixels a side up to which a picture is a colour rather than a picture."""


def check(job: Portion) -> Iterator[Finding]:
    """Each placed picture at its effective resolution, the coarsest first."""
    for page in job.pdf.pages:
        yield from each(COARSE, page, _between(page, 0, job.preset.dpi / 2, job.preset.dpi))
        yield from each(LOW, page, _between(page, job.preset.dpi / 2, job.preset.dpi * NEARLY, job.preset.dpi))


def _between(page: Page, least: float, most: float, wanted: int) -> Iterator[Place]:
    for image in sorted(page.images, key=lambda image: min(image.dpi)):
        if least <= min(image.dpi) < most and max(image.pixels) > FLAT:
            form = _("{wide} × {high} pixels are {dpi:.0f} dpi here; the shop asks for {wanted}")
            wide, high = image.pixels
            yield _(form, wide=wide, high=high, dpi=min(image.dpi), wanted=wanted), visible(image)
