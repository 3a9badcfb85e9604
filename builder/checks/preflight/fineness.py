"""What is too fine or too coarse for print: small type, type of several inks, thin lines, pictures of few pixels."""

from collections.abc import Iterator

from builder.checks.preflight.job import Place, Portion, apart, each, quoted
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, Paint, Shape, grow, visible
from builder.units import points, to_points

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

COARSE = define(
    "preflight/coarse-image",
    _("A picture has less than half the resolution the shop asks for"),
    _("Pixels show as steps at reading distance."),
    _("Put in a larger picture or print it smaller."),
)
LOW = define(
    "preflight/low-resolution",
    _("A picture has less resolution than the shop asks for"),
    _("It prints a little soft; many shops warn of it."),
    _("Put in a larger picture or print it smaller, if the softness is not meant."),
    Severity.WARNING,
)
SLACK = 0.05
"""Points: what rounding in files may make of a size."""
LARGE = 18.0
"""Points: from here on strokes are broad enough to hide a misfit of the inks."""

LEAST = points(0.25)
ROUNDING = 0.005
"""Mm: what rounding in files may make of a width."""
NEARLY = 0.98
"""Share of the wanted resolution that is as good as all of it."""
FLAT = 4
"""Pixels a side up to which a picture is a colour rather than a picture."""


def check(job: Portion) -> Iterator[Finding]:
    """Type of each page, the smallest first, lines, the thinnest first, and pictures."""
    limit = job.preset.thinnest_line
    for page in job.pdf.pages:
        if job.preset.smallest_type is not None:
            yield from each(SMALL, page, _small(page, job.preset.smallest_type))
        if job.preset.colour.space == "cmyk":
            yield from each(INKS, page, _many(page))
        yield from each(THIN, page, _thin(page, LEAST if limit is None else points(limit)))
    yield from check_pictures(job)


def check_pictures(job: Portion) -> Iterator[Finding]:
    """Each placed picture at its effective resolution, the coarsest first."""
    for page in job.pdf.pages:
        yield from each(COARSE, page, _between(page, 0, job.preset.dpi / 2, job.preset.dpi))
        yield from each(LOW, page, _between(page, job.preset.dpi / 2, job.preset.dpi * NEARLY, job.preset.dpi))


def _between(page: Page, least: float, most: float, wanted: int) -> Iterator[Place]:
    for image in sorted(page.images, key=lambda image: min(image.dpi)):
        if least <= min(image.dpi) < most and max(image.pixels) > FLAT:
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
        if text.size < LARGE and text.fill and _rich(text.fill):
            inks = "/".join(f"{value * 100:.0f}" for value in text.fill.values)
            yield _("{text} is black in inks {inks}", text=quoted(text.text), inks=inks), text.box


def _rich(paint: Paint) -> bool:
    """True for a black or near black of more inks than black."""
    return paint.family == "CMYK" and len(paint.values) == 4 and paint.values[3] >= 0.7 and max(paint.values[:3]) > 0.05


def _thin(page: Page, least: float) -> Iterator[Place]:
    found = [(width, shape) for shape in page.shapes if (width := _width(shape)) is not None and _seen(shape, page)]
    for width, shape in sorted(found, key=lambda pair: pair[0]):
        if width < least - ROUNDING:
            yield _("a line {wide:.2f} pt wide", wide=to_points(width)), shape.extent


def _width(shape: Shape) -> float | None:
    """How broad a line is, in mm; None for what is no line."""
    if shape.stroke is None:
        return shape.thin
    # A stroke in the colour of what it goes around makes that larger and is no line.
    return None if shape.stroke == shape.fill else shape.width


def _seen(shape: Shape, page: Page) -> bool:
    """False for what the page's end or a clip hides as a whole; a flat box is grown a little to have area."""
    extent = grow(shape.extent, ROUNDING)
    return not any(apart(extent, area) for area in (page.crop, shape.look.clip) if area is not None)
