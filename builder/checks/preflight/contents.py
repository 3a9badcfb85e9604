"""Checks the contents of a file for print: pages, fonts, and no interactive parts."""

from collections.abc import Iterable, Iterator

from builder.checks.preflight.job import PreflightJob, locate_on_page, quote_text
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _, ngettext
from builder.model.codes import define
from builder.model.pdf import Font, Page

FORMAT = define(
    "preflight/format",
    _("A file has a format that the shop does not accept"),
    _("The shop may refuse the file. JPEG also blurs small text."),
    _("Save it in the shop's format, or build the order with `--profile shop:...`."),
)
EMPTY = define(
    "preflight/no-pages",
    _("The file has no pages"),
    _("There is nothing to print."),
    _("Export again."),
)
DAMAGED = define(
    "preflight/damaged",
    _("Part of a page cannot be read"),
    _("Other programs may draw this part differently or refuse the file."),
    _("Export the file again from the program that made it."),
)
BLANK = define(
    "preflight/blank-page",
    _("A page is empty"),
    _("The page may be blank on purpose, or a face is missing."),
    _("If the page is blank on purpose, ignore this note."),
    Severity.NOTE,
)
LOCKED = define(
    "preflight/encrypted",
    _("The file is encrypted"),
    _("The shop's software cannot process the file."),
    _("Save it without a password and without restrictions."),
)
ACTIVE = define(
    "preflight/interactive",
    _("The file contains interactive parts"),
    _(
        "Comments, form fields and layers may or may not be printed. Shops refuse files "
        "with scripts."
    ),
    _("Flatten layers, and export without annotations, forms and scripts."),
    Severity.WARNING,
)
EMBEDDED = define(
    "preflight/font-not-embedded",
    _("A font is not embedded in the file"),
    _(
        "The shop's software uses another font instead. Lines become longer, or characters "
        "are missing."
    ),
    _("Export with all fonts embedded."),
)
OUTLINES = define(
    "preflight/text-not-outlined",
    _("The shop requires text as outlines"),
    _("Some shops refuse files with text, even if its fonts are embedded."),
    _("Ask the shop if embedded fonts are enough, or convert the text to outlines."),
    Severity.WARNING,
)


def check(job: PreflightJob) -> Iterator[Finding]:
    """Check the file format, pages, scripts, layers and fonts of a PDF."""
    if job.preset.output != "pdf":
        form = job.preset.output.upper()
        yield FORMAT.finding(
            _("{shop} accepts {form} images", shop=job.preset.id, form=form)
        )
    if not job.pdf.pages:
        yield EMPTY.finding(_("the file has no pages"))
    if job.pdf.encrypted:
        yield LOCKED.finding(_("the file is encrypted"))
    if job.pdf.guessed_count:
        places = ngettext(
            "the file is damaged in {count} place",
            "the file is damaged in {count} places",
            job.pdf.guessed_count,
        )
        yield DAMAGED.finding(places)
    if job.pdf.javascript or any("script" in page.features for page in job.pdf.pages):
        yield ACTIVE.finding(_("the file contains a script"))
    if job.pdf.attached:
        message = ngettext(
            "{count} attached file", "{count} attached files", job.pdf.attached
        )
        yield ACTIVE.finding(message)
    if job.pdf.layers:
        yield ACTIVE.finding(_("the file has layers"))
    yield from _check_pages(job)
    yield from _check_fonts(job)


def _check_pages(job: PreflightJob) -> Iterator[Finding]:
    for page in job.pdf.pages:
        if page.damaged:
            message = ngettext(
                "{count} drawing command of the page cannot be read",
                "{count} drawing commands of the page cannot be read",
                page.damaged,
            )
            yield DAMAGED.finding(message, locate_on_page(page, page.crop))
        elif not page.items:
            yield BLANK.finding(_("the page is empty"), locate_on_page(page, page.crop))
        if page.annotations:
            message = ngettext(
                "{count} annotation", "{count} annotations", page.annotations
            )
            yield ACTIVE.finding(message, locate_on_page(page))


def _check_fonts(job: PreflightJob) -> Iterator[Finding]:
    """Report each font that is not in the file, once. It is a warning for invisible text."""
    reported: set[str] = set()
    for page in job.pdf.pages:
        for font in _find_missing_fonts(page.fonts, reported):
            message = _(
                "font {name} is not embedded", name=font.name or _("without a name")
            )
            yield EMBEDDED.finding(message, _locate_font(font, page))
    for page in job.pdf.pages:
        for font in _find_missing_fonts(page.invisible_fonts, reported):
            form = _("font {name}, used only by invisible text, is not embedded")
            message = _(form, name=font.name or _("without a name"))
            hint = _(
                "Remove the invisible text layer (from text recognition), or embed its font."
            )
            yield EMBEDDED.finding(
                message, _locate_font(font, page), hint, Severity.WARNING
            )
    if job.preset.outlined_text:
        yield from _report_live_text(job)


def _find_missing_fonts(
    fonts: Iterable[Font], reported_names: set[str]
) -> Iterator[Font]:
    """Yield the fonts that are not embedded and were not reported before."""
    for font in fonts:
        if not font.embedded and font.name not in reported_names:
            reported_names.add(font.name)
            yield font


def _locate_font(font: Font, page: Page) -> Location:
    box = next((text.box for text in page.texts if text.font == font.name), None)
    return locate_on_page(page, box)


def _report_live_text(job: PreflightJob) -> Iterator[Finding]:
    """Report the first visible text that was not converted to outlines."""
    for page in job.pdf.pages:
        for text in page.texts:
            if text.visible:
                form = _("the text uses fonts; the first text is {text}")
                message = _(form, text=quote_text(text.text))
                yield OUTLINES.finding(message, locate_on_page(page, text.box))
                return
