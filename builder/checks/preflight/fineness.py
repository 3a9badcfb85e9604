"""What is too fine or too coarse for print: small type, type of several inks, thin lines, pictures of few pixels."""

from collections.abc import Iterable, Iterator

from builder.checks.preflight.job import Place, Portion, apart, each, quoted
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
    grow,
    paints,
    visible,
)
from builder.units import from_points, to_points

SMALL = define(
    "preflight/small-type",
    _("Type is smaller than the shop prints"),
    _("Below the shop's smallest size strokes break up and counters fill in."),
    _("Set the text larger or say less."),
)
INKS = define(
    "preflight/text-in-many-inks",
    _("Small black text is made of several inks"),
    _("The inks never land exactly on each other: thin black letters get coloured edges."),
    _("Set text in black ink alone (cyan, magenta, yellow 0, black 100)."),
    Severity.WARNING,
)
THIN = define(
    "preflight/thin-line",
    _("A line is thinner than the shop prints"),
    _(
        "Below a quarter of a point, or what the shop's preset says, a line breaks up in print or vanishes; "
        "so do frames and rings, however they are drawn. A width of 0 is drawn as thin as the machine can."
    ),
    _("Draw it wider: 0.25 pt at least."),
    Severity.WARNING,
)

LOW = define(
    "preflight/low-resolution",
    _("A picture has less resolution than the shop asks for"),
    _(
        "It prints a little soft, and many shops warn of it; below half of it pixels show as steps at reading distance."
    ),
    _("Put in a larger picture or print it smaller, if the softness is not meant."),
    Severity.WARNING,
)
SLACK = 0.05
"""Points: what rounding in files may make of a size."""
LARGE = 18.0
"""Points: from here on strokes are broad enough to hide a misfit of the inks."""

BLACK, DARK = 0.7, 0.75
"""Share of black from which a colour is read as black, and of black with what all three colours share."""

LEAST = from_points(0.25)
ROUNDING = 0.005
"""Mm: what rounding in files may make of a width."""
NEARLY = 0.98
"""Share of the wanted resolution that is as good as all of it."""


def check(job: Portion) -> Iterator[Finding]:
    """Type of each page, the smallest first, lines, the thinnest first, and pictures."""
    limit = job.preset.thinnest_line
    for page in job.pdf.pages:
        if job.preset.smallest_type is not None:
            yield from each(SMALL, page, _small(page, job.preset.smallest_type))
        if job.preset.colour.space == "cmyk":
            yield from each(INKS, page, _many(page))
        yield from each(THIN, page, _thin(page, LEAST if limit is None else from_points(limit)))
    yield from check_pictures(job)


def check_pictures(job: Portion) -> Iterator[Finding]:
    """Each placed picture at its effective resolution, the coarsest first.

    Below half of the resolution that the shop asks for it is an error, but for an image of a few pixels: it may be
    meant as a pattern of plain colours.
    """
    dpi = job.preset.dpi
    for page in job.pdf.pages:
        coarse = [
            image for image in page.images if min(image.dpi) < dpi * NEARLY and not image.is_flat
        ]
        coarse.sort(key=lambda image: min(image.dpi))
        blocky = [
            image
            for image in coarse
            if min(image.dpi) < dpi / 2 and max(image.pixels) > MAX_SWATCH_PIXELS
        ]
        soft = [image for image in coarse if image not in blocky]
        yield from each(LOW, page, _describe_images(blocky, dpi), Severity.ERROR)
        yield from each(LOW, page, _describe_images(soft, dpi))


def _describe_images(images: Iterable[Image], wanted: int) -> Iterator[Place]:
    for image in images:
        form = _("{wide} × {high} pixels are {dpi:.0f} dpi here; the shop asks for {wanted}")
        wide, high = image.pixels
        yield _(form, wide=wide, high=high, dpi=min(image.dpi), wanted=wanted), visible(image)


def _small(page: Page, least: float) -> Iterator[Place]:
    for text in sorted(page.texts, key=lambda text: text.size):
        if text.visible and text.size < least - SLACK:
            form = _("{text} is {size:.3g} pt; the shop prints from {least:g} pt")
            yield _(form, text=quoted(text.text), size=text.size, least=least), text.box


def _many(page: Page) -> Iterator[Place]:
    for text in page.texts:
        rich = next(filter(_rich, paints(text)), None)
        if text.size < LARGE and rich:
            inks = "/".join(f"{value * 100:.0f}" for value in rich.values)
            yield _("{text} is black in inks {inks}", text=quoted(text.text), inks=inks), text.box


def _rich(paint: Paint) -> bool:
    """True for a black or near black of more inks than black: what all colours share darkens as black does."""
    if paint.family != "CMYK" or len(paint.values) != 4:
        return False
    *colours, black = paint.values
    return max(colours) > 0.05 and (black >= BLACK or 1 - (1 - black) * (1 - min(colours)) >= DARK)


def _thin(page: Page, least: float) -> Iterator[Place]:
    drawn = [item for item in page.items if isinstance(item, Shape | PdfText)]
    found = [
        (width, item) for item in drawn if (width := _width(item)) is not None and _seen(item, page)
    ]
    for width, item in sorted(found, key=lambda pair: pair[0]):
        if width < least - ROUNDING:
            form = _("a line {wide:.2f} pt wide")
            outline = _("{text} is outlined {wide:.2f} pt wide")
            text = quoted(item.text) if isinstance(item, PdfText) else ""
            yield _(outline if text else form, wide=to_points(width), text=text), _extent(item)


def _width(item: Shape | PdfText) -> float | None:
    """How broad a line is, in mm; None for what is no line."""
    if item.stroke is None:
        return item.thin if isinstance(item, Shape) else None
    # A stroke in the colour of what it goes around makes that larger and is no line.
    return None if item.stroke == item.fill else item.width


def _extent(item: Shape | PdfText) -> Box:
    return item.extent if isinstance(item, Shape) else item.box


def _seen(item: Shape | PdfText, page: Page) -> bool:
    """False for what the page's end or a clip hides as a whole; a flat box is grown a little to have area."""
    extent = grow(_extent(item), ROUNDING)
    return not any(apart(extent, area) for area in (page.crop, item.look.clip) if area is not None)
