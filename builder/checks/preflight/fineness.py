"""Checks small type, type in several inks, thin lines, and pictures of low resolution."""

from collections.abc import Iterable, Iterator

from builder.checks.preflight.job import (
    PageBatch,
    Place,
    are_apart,
    quote_text,
    report_places,
)
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import (
    MAX_SWATCH_PIXELS,
    Image,
    Page,
    Paint,
    PdfText,
    Shape,
    find_visible_box,
    grow_box,
    list_paints,
)
from builder.units import from_points, to_points

SMALL = define(
    "preflight/small-type",
    _("Type is smaller than the shop can print"),
    _("Strokes break and the holes in letters fill with ink."),
    _("Set the text larger or shorten it."),
)
INKS = define(
    "preflight/text-in-many-inks",
    _("Small black text is printed with several inks"),
    _("The inks never align exactly, so thin black letters get coloured edges."),
    _("Set the text in black ink only (cyan, magenta and yellow 0, black 100)."),
    Severity.WARNING,
)
THIN = define(
    "preflight/thin-line",
    _("A line is thinner than the shop can print"),
    _(
        "A line below 0.25 pt, or below the shop's limit, breaks up or disappears in "
        "print. This also applies to frames and rings. A width of 0 means the thinnest "
        "line of the printer."
    ),
    _("Make it at least 0.25 pt wide."),
    Severity.WARNING,
)

LOW = define(
    "preflight/low-resolution",
    _("The resolution of a picture is too low"),
    _(
        "The picture looks slightly blurred in print. Below half of the shop's resolution, "
        "pixels are visible."
    ),
    _("Use a larger picture or print it smaller, unless the blur is intended."),
    Severity.WARNING,
)
SIZE_TOLERANCE_PT = 0.05
"""Points: what rounding in files may make of a size."""
MAX_FINE_TYPE_PT = 18.0
"""Points: from here on strokes are broad enough to hide a misfit of the inks."""

MIN_BLACK, MIN_DARKNESS = 0.7, 0.75
"""Share of black from which a colour is read as black, and of black with what all three colours
share.
"""

MIN_LINE_MM = from_points(0.25)
WIDTH_TOLERANCE_MM = 0.005
"""Mm: what rounding in files may make of a width."""
SUFFICIENT_DPI_SHARE = 0.98
"""Share of the required resolution from which a picture is accepted."""


def check(job: PageBatch) -> Iterator[Finding]:
    """Check for type and lines that are too small, and pictures of low resolution."""
    limit = job.preset.thinnest_line
    for page in job.pdf.pages:
        if job.preset.smallest_type is not None:
            yield from report_places(
                SMALL, page, _find_small_type(page, job.preset.smallest_type)
            )
        if job.preset.colour.space == "cmyk":
            yield from report_places(INKS, page, _find_rich_text(page))
        min_width = MIN_LINE_MM if limit is None else from_points(limit)
        yield from report_places(THIN, page, _find_thin_lines(page, min_width))
    yield from check_pictures(job)


def check_pictures(job: PageBatch) -> Iterator[Finding]:
    """Check the resolution at which each picture is printed, the lowest first.

    Below half of the shop's resolution it is an error, unless the image has a few pixels: it may be
    a pattern of plain colors.
    """
    dpi = job.preset.dpi
    for page in job.pdf.pages:
        blocky = []
        soft = []
        for image in sorted(page.images, key=lambda image: min(image.dpi)):
            # an image of one colour has no detail to lose
            if min(image.dpi) >= dpi * SUFFICIENT_DPI_SHARE or image.is_flat:
                continue
            if min(image.dpi) < dpi / 2 and max(image.pixels) > MAX_SWATCH_PIXELS:
                blocky.append(image)
            else:
                soft.append(image)
        yield from report_places(
            LOW, page, _describe_images(blocky, dpi), Severity.ERROR
        )
        yield from report_places(LOW, page, _describe_images(soft, dpi))


def _describe_images(images: Iterable[Image], expected_dpi: int) -> Iterator[Place]:
    for image in images:
        form = _(
            "{wide} × {high} pixels are {dpi:.0f} dpi here; the shop requires {wanted} dpi"
        )
        wide, high = image.pixels
        message = _(form, wide=wide, high=high, dpi=min(image.dpi), wanted=expected_dpi)
        yield message, find_visible_box(image)


def _find_small_type(page: Page, min_size: float) -> Iterator[Place]:
    for text in sorted(page.texts, key=lambda text: text.size):
        if text.visible and text.size < min_size - SIZE_TOLERANCE_PT:
            form = _("{text} is {size:.3g} pt; the shop's minimum is {least:g} pt")
            yield (
                _(form, text=quote_text(text.text), size=text.size, least=min_size),
                text.box,
            )


def _find_rich_text(page: Page) -> Iterator[Place]:
    for text in page.texts:
        paint = next(filter(_is_rich_black, list_paints(text)), None)
        if text.size < MAX_FINE_TYPE_PT and paint:
            inks = "/".join(f"{value * 100:.0f}" for value in paint.values)
            form = _("{text} is black made of the inks {inks}")
            yield _(form, text=quote_text(text.text), inks=inks), text.box


def _is_rich_black(paint: Paint) -> bool:
    """Return True for a black that is printed with further inks.

    Ink that all colours share darkens them like black ink.
    """
    if paint.family != "CMYK" or len(paint.values) != 4:
        return False
    *colours, black = paint.values
    # a trace of other inks cannot be seen beside black
    if max(colours) <= 0.05:
        return False
    darkness = 1 - (1 - black) * (1 - min(colours))
    return black >= MIN_BLACK or darkness >= MIN_DARKNESS


def _find_thin_lines(page: Page, min_width: float) -> Iterator[Place]:
    items = [item for item in page.items if isinstance(item, Shape | PdfText)]
    lines = []
    for item in items:
        width = _measure_width(item)
        if width is not None and _is_visible(item, page):
            lines.append((width, item))
    for width, item in sorted(lines, key=lambda pair: pair[0]):
        if width < min_width - WIDTH_TOLERANCE_MM:
            message = _("a line is {wide:.2f} pt wide", wide=to_points(width))
            if isinstance(item, PdfText):
                form = _("{text} has an outline of {wide:.2f} pt")
                message = _(form, text=quote_text(item.text), wide=to_points(width))
            yield message, _find_extent(item)


def _measure_width(item: Shape | PdfText) -> float | None:
    """Return the width of a line in mm, or None if the object is not a line."""
    if item.stroke is None:
        return item.thin if isinstance(item, Shape) else None
    # A stroke in the colour of what it goes around makes that larger and is no line.
    return None if item.stroke == item.fill else item.width


def _find_extent(item: Shape | PdfText) -> Box:
    return item.extent if isinstance(item, Shape) else item.box


def _is_visible(item: Shape | PdfText, page: Page) -> bool:
    """Return True unless the object is outside the page or its clip.

    A flat box is grown to have an area.
    """
    extent = grow_box(_find_extent(item), WIDTH_TOLERANCE_MM)
    if are_apart(extent, page.crop):
        return False
    return item.look.clip is None or not are_apart(extent, item.look.clip)
