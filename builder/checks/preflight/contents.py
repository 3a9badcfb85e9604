"""What a file for print holds or does not hold: whole pages, nothing that moves, opens or hides."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job, on
from builder.findings import Finding, Location, Severity
from builder.model.codes import define
from builder.model.pdf import Pdf
from builder.tongue.told import Told

FORMAT = define(
    "preflight/wants-images",
    "The shop takes images, not PDF",
    "Its page has no place to upload a PDF.",
    "Build the order with `--profile shop:...`, which writes one image for each face.",
)
EMPTY = define(
    "preflight/no-pages",
    "The file has no pages",
    "There is nothing to print.",
    "Export again.",
)
DAMAGED = define(
    "preflight/damaged",
    "Part of a page cannot be read",
    "What one program passes over another draws wrongly or refuses.",
    "Export the file anew from the program it came from.",
)
BLANK = define(
    "preflight/blank-page",
    "A page with nothing on it",
    "A blank side may be meant, or a face may have been lost.",
    "Nothing needs doing if the side is meant to stay blank.",
    Severity.NOTE,
)
LOCKED = define(
    "preflight/encrypted",
    "The file is encrypted",
    "The shop's programs cannot change what they must: impose, convert, trap.",
    "Save it without a password and without restrictions.",
)
ACTIVE = define(
    "preflight/interactive",
    "The file has parts that are not for print",
    "Notes, form fields and layers may be printed or left out as the shop's program likes; scripts make it refuse.",
    "Flatten layers, and export without annotations, forms and scripts.",
    Severity.WARNING,
)


def check(job: Job) -> Iterator[Finding]:
    """The file as a whole, then each page."""
    if job.preset.output != "pdf":
        yield FORMAT.finding(Told("{shop} takes {form} images", shop=job.preset.id, form=job.preset.output.upper()))
    if not job.pdf.pages:
        yield EMPTY.finding("no pages")
    if job.pdf.encrypted:
        yield LOCKED.finding("the file is encrypted")
    if job.pdf.mended:
        one, several = "the file is damaged in one place", "the file is damaged in {many} places"
        yield DAMAGED.finding(Told(one if job.pdf.mended == 1 else several, many=job.pdf.mended))
    yield from _active(job.pdf)
    for page in job.pdf.pages:
        if page.damaged:
            one, several = (
                "one operator of the page cannot be followed",
                "{many} operators of the page cannot be followed",
            )
            yield DAMAGED.finding(Told(one if page.damaged == 1 else several, many=page.damaged), on(page, page.crop))
        elif not page.items:
            yield BLANK.finding("nothing is drawn on this page", on(page, page.crop))


def _active(pdf: Pdf) -> Iterator[Finding]:
    if pdf.javascript:
        yield ACTIVE.finding("the file holds a script", Location())
    if pdf.layers:
        yield ACTIVE.finding("the file has layers", Location())
    for page in pdf.pages:
        if page.annotations:
            form = "{many} annotation" if page.annotations == 1 else "{many} annotations"
            yield ACTIVE.finding(Told(form, many=page.annotations), on(page))
