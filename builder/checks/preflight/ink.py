"""Total ink: no spot of a page holds more than the shop's paper dries."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, each
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import InkSpot, Page, paints

INK = define(
    "preflight/ink",
    _("Too much ink on one spot"),
    _("Ink above the limit does not dry: it smears, and cards stick together."),
    _("Convert art with the shop's profile, which keeps the limit; use the shop's rich black for large black areas."),
)
UNMEASURED = define(
    "preflight/ink-unmeasured",
    _("Total ink was not measured"),
    _("Ink is measured on pages drawn by Ghostscript; without it too much ink stays unseen."),
    _("Install Ghostscript (the program gs) and Pillow, and run preflight again."),
    Severity.WARNING,
)


def check(job: Job) -> Iterator[Finding]:
    """The spots above the limit, the most ink first."""
    limit = job.preset.colour.ink_limit
    if limit is None or job.inks is None:
        return
    if job.inks.missing:
        yield UNMEASURED.finding(_("total ink was not measured: {reason}", reason=job.inks.missing), Location())
    by_page: dict[int, list[InkSpot]] = {}
    for spot in job.inks.spots:
        by_page.setdefault(spot.page, []).append(spot)
    for page in job.pdf.pages:
        spots = sorted(by_page.get(page.number, ()), key=lambda spot: -spot.percent)
        yield from each(INK, page, _places(spots, limit, page))


def _places(spots: list[InkSpot], limit: float, page: Page) -> Iterator[Place]:
    """Ink of RGB colours is what the drawing program makes of them: said, since the shop's may differ."""
    guessed = any(paint.family == "RGB" for one in page.items for paint in paints(one))
    how = _(" (RGB colours as converted here)") if guessed else ""
    for spot in spots:
        form = _("total ink {percent:.0f} %{how}; the shop's limit is {limit:g} %")
        yield _(form, percent=spot.percent, how=how, limit=limit), spot.box
