"""Fonts: all inside the file, or no fonts at all where the shop wants outlines."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, on, quoted
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define

EMBEDDED = define(
    "preflight/font-not-embedded",
    _("A font is not in the file"),
    _("The shop's machine puts another font in its place: lines run longer or letters are lost."),
    _("Export with all fonts embedded."),
)
OUTLINES = define(
    "preflight/text-not-outlined",
    _("The shop wants text as outlines"),
    _("Some shops send back files with live text, fonts embedded or not."),
    _("Ask the shop whether embedded fonts will do, or convert the text to outlines."),
    Severity.WARNING,
)


def check(job: Job) -> Iterator[Finding]:
    """Each font once, at the first page that has it; live text once."""
    seen: set[str] = set()
    for page in job.pdf.pages:
        for font in page.fonts:
            if not font.embedded and font.name not in seen:
                seen.add(font.name)
                box = next((text.box for text in page.texts if text.font == font.name), None)
                message = _("font {name} is not embedded", name=font.name or _("without a name"))
                yield EMBEDDED.finding(message, on(page, box))
    if job.preset.outlined_text:
        first = next(((page, text) for page in job.pdf.pages for text in page.texts if text.visible), None)
        if first:
            page, text = first
            yield OUTLINES.finding(_("text in fonts, first {text}", text=quoted(text.text)), on(page, text.box))
