"""Transparency, where the shop or its standard takes none."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, Place, each, on
from builder.findings import Finding
from builder.messages import Message
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Look, Page, visible

ALPHA = define(
    "preflight/transparency",
    _("Something lets what is behind it shine through"),
    _("The shop takes no transparency: its machine refuses the file or draws the object solid."),
    _("Flatten the transparency on export (PDF 1.3, PDF/X-1a)."),
)
GROUP = define(
    "preflight/transparency-group",
    _("A page declares a transparency group"),
    _("PDF/X-1a forbids the group even where nothing in it is transparent."),
    _("Flatten on export; if nothing is transparent, drop the group."),
)


def check(job: Job) -> Iterator[Finding]:
    """Each page of a file that must be opaque."""
    if job.preset.colour.transparency:
        return
    for page in job.pdf.pages:
        yield from each(ALPHA, page, _transparent(page))
        if job.preset.colour.standard == "pdf/x-1a" and (page.group is not None or page.groups):
            yield GROUP.finding(_("a transparency group"), on(page))


def _transparent(page: Page) -> Iterator[Place]:
    for item in page.items:
        if item.look.transparent:
            yield _how(item.look), visible(item)


def _how(look: Look) -> Message:
    """Why a thing needs transparency."""
    if look.soft_mask:
        return _("a soft mask")
    return _("opacity {alpha:.2g}", alpha=look.alpha) if look.alpha < 1 else _("blend mode {mode}", mode=look.blend)
