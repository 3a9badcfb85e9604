"""Page boxes and sizes: where a page is cut is stated, boxes lie in one another, cards are of a size the shop makes."""

from collections.abc import Iterator

from builder.checks.preflight.job import TOLERANCE, Job, near, on, size, within
from builder.findings import Finding, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define

NO_TRIM = define(
    "preflight/no-trim-box",
    _("A page does not say where it is cut"),
    _(
        "Without a TrimBox the shop must guess the card's size and place from the page, and may guess wrong."
    ),
    _("Export with a TrimBox of the card's size."),
    Severity.WARNING,
)
NESTED = define(
    "preflight/box-outside",
    _("A page box reaches outside the one around it"),
    _(
        "Trim, bleed and media box must lie in one another; a shop's program refuses the page or cuts it wrongly."
    ),
    _("Export again with the boxes right: media around bleed around trim."),
)
ORIGIN = define(
    "preflight/box-origin",
    _("A page does not start at zero"),
    _("Some programs of shops show such a page shifted, so that the cut falls beside the card."),
    _("Export with a MediaBox that starts at 0 0."),
    Severity.WARNING,
)
SIZE = define(
    "preflight/size",
    _("A card is of a size the shop does not list"),
    _("A card of another size is refused, or scaled to the nearest size without being asked."),
    _("Choose one of the shop's sizes, or ask the shop for this one."),
)
MIXED = define(
    "preflight/mixed-sizes",
    _("Cards of several sizes in one file"),
    _("A sheet is cut to one size: the others come out with a white edge or cut off."),
    _("Make one PDF for each size."),
)


def check(job: Job) -> Iterator[Finding]:
    """The boxes of each page, then its trimmed size."""
    for page in job.pdf.pages:
        if not page.stated & {"TrimBox", "ArtBox"}:
            yield NO_TRIM.finding(_("no TrimBox"), on(page, page.crop))
        for inner, outer, names in (
            (page.trim, page.bleed, _("the TrimBox reaches outside the BleedBox")),
            (page.bleed, page.media, _("the BleedBox reaches outside the MediaBox")),
            (job.trim(page), page.crop, _("the CropBox cuts into the card")),
        ):
            if not within(inner, outer):
                yield NESTED.finding(names, on(page, inner))
        if max(abs(page.origin[0]), abs(page.origin[1])) > TOLERANCE:
            x, y = page.origin
            yield ORIGIN.finding(
                _("the MediaBox starts at {x:.4g}, {y:.4g} mm", x=x, y=y), on(page)
            )
    yield from _sizes(job)


def _sizes(job: Job) -> Iterator[Finding]:
    """The trimmed size of each page; each size that is not listed once, where it comes first."""
    sizes = job.preset.sizes
    listed = join_messages(
        _("{name} {width:g} × {height:g}", name=name, width=one.width, height=one.height)
        for name, one in sizes.items()
    )
    first = job.trim(job.pdf.pages[0]) if job.pdf.pages else None
    told: set[str] = set()
    for page in job.pdf.pages:
        trim = job.trim(page)
        if first and not near(trim, (first.width, first.height)):
            form, number = _("{size}, but page {page} is {other}"), job.pdf.pages[0].number
            yield MIXED.finding(
                _(form, size=size(trim), page=number, other=size(first)), on(page, trim)
            )
        known = any(
            near(trim, (one.width, one.height), job.preset.tolerance) for one in sizes.values()
        )
        if sizes and not known and size(trim) not in told:
            told.add(size(trim))
            severity = Severity.WARNING if job.preset.other_sizes else Severity.ERROR
            message = _("{size}; the shop lists {listed} mm", size=size(trim), listed=listed)
            yield SIZE.finding(message, on(page, trim), severity=severity)
