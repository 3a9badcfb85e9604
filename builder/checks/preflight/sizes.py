"""Check page boxes and sizes: a declared trim, nested boxes, and sizes that the shop offers."""

from collections.abc import Iterator

from builder.checks.preflight.job import (
    TOLERANCE_MM,
    PreflightJob,
    describe_size,
    has_size,
    is_inside,
    locate_on_page,
)
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define
from builder.model.shop import Preset

NO_TRIM = define(
    "preflight/no-trim-box",
    _("A page has no TrimBox"),
    _(
        "Without a TrimBox, the shop must guess the card's size and position, and may guess wrong."
    ),
    _("Export with a TrimBox of the card's size."),
    Severity.WARNING,
)
NESTED = define(
    "preflight/box-outside",
    _("A page box is larger than the box that should contain it"),
    _(
        "The trim box must be inside the bleed box, and the bleed box inside the media box. "
        "Otherwise the shop refuses the page or cuts it wrongly."
    ),
    _(
        "Export again with correct boxes: the MediaBox contains the BleedBox, which contains "
        "the TrimBox."
    ),
)
ORIGIN = define(
    "preflight/box-origin",
    _("A page does not start at zero"),
    _(
        "Some programs of print shops show such a page "
        "shifted, so the card is cut in the wrong place."
    ),
    _("Export with a MediaBox that starts at 0 0."),
    Severity.WARNING,
)
SIZE = define(
    "preflight/size",
    _("The shop does not list the size of a card"),
    _("The shop refuses the card or scales it to the nearest size without asking."),
    _("Choose one of the shop's sizes, or ask the shop if it offers this size."),
)
MIXED = define(
    "preflight/mixed-sizes",
    _("One file has cards of several sizes"),
    _(
        "A print sheet is cut to one size, so the other cards get white edges or are cut off."
    ),
    _("Make one PDF for each size."),
)


def check(job: PreflightJob) -> Iterator[Finding]:
    """Check the page boxes, then that the shop offers the size of each card."""
    for page in job.pdf.pages:
        # PDF/X allows an ArtBox in place of the TrimBox
        if not page.declared_boxes & {"TrimBox", "ArtBox"}:
            yield NO_TRIM.finding(
                _("the page has no TrimBox"), locate_on_page(page, page.crop)
            )
        for inner, outer, names in (
            (page.trim, page.bleed, _("the TrimBox extends outside the BleedBox")),
            (page.bleed, page.media, _("the BleedBox extends outside the MediaBox")),
            (job.find_trim(page), page.crop, _("the CropBox cuts into the card")),
        ):
            if not is_inside(inner, outer):
                yield NESTED.finding(names, locate_on_page(page, inner))
        if max(abs(page.origin[0]), abs(page.origin[1])) > TOLERANCE_MM:
            x, y = page.origin
            yield ORIGIN.finding(
                _("the MediaBox starts at {x:.4g}, {y:.4g} mm", x=x, y=y),
                locate_on_page(page),
            )
    yield from _check_sizes(job)


def _check_sizes(job: PreflightJob) -> Iterator[Finding]:
    """Check that all cards have one size that the shop offers. Each wrong size is reported once."""
    sizes = job.preset.sizes
    form = _("{name} {width:g} × {height:g}")
    listed = join_messages(
        _(form, name=name, width=size.width, height=size.height)
        for name, size in sizes.items()
    )
    first = job.find_trim(job.pdf.pages[0]) if job.pdf.pages else None
    sizes_in_words = set()
    for page in job.pdf.pages:
        trim = job.find_trim(page)
        if first and not has_size(trim, (first.width, first.height)):
            form = _("{size}, but page {page} is {other}")
            number = job.pdf.pages[0].number
            message = _(
                form, size=describe_size(trim), page=number, other=describe_size(first)
            )
            yield MIXED.finding(message, locate_on_page(page, trim))
        size_in_words = describe_size(trim)
        # each wrong size is reported once, at its first page
        if not _is_offered(trim, job.preset) and size_in_words not in sizes_in_words:
            sizes_in_words.add(size_in_words)
            severity = Severity.WARNING if job.preset.other_sizes else Severity.ERROR
            message = _(
                "{size}; the shop offers {listed} mm", size=size_in_words, listed=listed
            )
            yield SIZE.finding(message, locate_on_page(page, trim), severity=severity)


def _is_offered(trim: Box, preset: Preset) -> bool:
    """Return True if the shop lists this size, or lists no sizes at all."""
    for size in preset.sizes.values():
        if has_size(trim, (size.width, size.height), preset.tolerance):
            return True
    return not preset.sizes
