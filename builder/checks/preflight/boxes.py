"""Page boxes: where the page is cut is stated, boxes lie in one another, the page starts at zero."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import TOLERANCE, Job, on, within
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define

NO_TRIM = define(
    "preflight/no-trim-box",
    _("A page does not say where it is cut"),
    _("Without a TrimBox the shop must guess the card's size and place from the page, and may guess wrong."),
    _("Export with a TrimBox of the card's size."),
    Severity.WARNING,
)
NESTED = define(
    "preflight/box-outside",
    _("A page box reaches outside the one around it"),
    _("Trim, bleed and media box must lie in one another; a shop's program refuses the page or cuts it wrongly."),
    _("Export again with the boxes right: media around bleed around trim."),
)
ORIGIN = define(
    "preflight/box-origin",
    _("A page does not start at zero"),
    _("Some programs of shops show such a page shifted, so that the cut falls beside the card."),
    _("Export with a MediaBox that starts at 0 0."),
    Severity.WARNING,
)


def check(job: Job) -> Iterator[Finding]:
    """The boxes of each page."""
    for page in job.pdf.pages:
        if not page.stated & {"TrimBox", "ArtBox"}:
            yield NO_TRIM.finding(_("no TrimBox"), on(page, page.crop))
        for inner, outer, names in (
            (page.trim, page.bleed, _("the TrimBox reaches outside the BleedBox")),
            (page.bleed, page.media, _("the BleedBox reaches outside the MediaBox")),
        ):
            if not within(inner, outer):
                yield NESTED.finding(names, on(page, inner))
        if max(abs(page.origin[0]), abs(page.origin[1])) > TOLERANCE:
            x, y = page.origin
            yield ORIGIN.finding(_("the MediaBox starts at {x:.4g}, {y:.4g} mm", x=x, y=y), on(page))
