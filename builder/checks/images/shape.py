"""Exact pixels, the resolution that is written into the file, and art that reaches the edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.checks.images.face import ImageFace, counts
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.codes import define
from builder.model.shop import shown_size
from builder.model.terms import term

PIXELS = define(
    "preflight/image-pixels",
    _("An image has not the size in pixels that the shop takes"),
    _("The shop's page refuses it, or scales it unasked: type gets soft and the cut falls elsewhere."),
    _("Export it at exactly this size, bleed included; do not scale a finished image."),
)
LIES = define(
    "preflight/image-lies",
    _("An image lies where the shop takes it upright"),
    _("It is refused, or squeezed into the upright size."),
    _("Rotate it by a quarter: the front clockwise, the back the other way."),
)
ENTRY = define(
    "preflight/image-resolution-entry",
    _("The resolution written into an image is not the shop's"),
    _(
        "Programs that place an image by it make the card larger or smaller; the pixels themselves are not "
        "changed by it."
    ),
    _("Write the shop's resolution into the file; the pixels stay as they are."),
    Severity.WARNING,
)
ENDS = define(
    "preflight/image-ends-at-cut",
    _("The art of an image ends where it is cut"),
    _("The bleed is there but empty: a cut that wanders shows a strip of another colour beside the art."),
    _("Let the art reach the edge of the image instead of putting a border around it."),
    Severity.WARNING,
)


NEAR = 0.02
"""Share by which a resolution may differ: formats round it to whole pixels a metre."""


def check(face: ImageFace) -> Iterator[Finding]:
    """The size of one image, then where its art ends."""
    yield from _check_shape(face)
    yield from _check_edges(face)


def _check_shape(face: ImageFace) -> Iterator[Finding]:
    """The size of one image."""
    found, sizes = face.raster.pixels, face.sizes
    exact = face.listed is not None or any(size.pixels for size in face.preset.sizes.values())
    if sizes and found not in sizes.values():
        named = (_("{pixels} ({size})", pixels=counts(size), size=shown_size(name)) for name, size in sizes.items())
        if found[::-1] in sizes.values():
            message = _("{pixels}; the shop takes {wanted}", pixels=counts(found), wanted=counts(found[::-1]))
            yield LIES.finding(message, face.place())
        else:
            severity = Severity.ERROR if exact or not face.preset.other_sizes else Severity.WARNING
            wanted = joined(named, _("{first} or {rest}"))
            message = _("{pixels}; the shop takes {wanted}", pixels=counts(found), wanted=wanted)
            yield replace(PIXELS.finding(message, face.place()), severity=severity)
    yield from _entry(face)


def _entry(face: ImageFace) -> Iterator[Finding]:
    written, wanted = face.raster.dpi, face.preset.dpi
    if written is None:
        message = _("no resolution is written into it; the shop asks for {wanted} dpi", wanted=wanted)
        yield replace(ENTRY.finding(message, face.place()), severity=Severity.NOTE)
    elif any(abs(one - wanted) > wanted * NEAR for one in written):
        said = " × ".join(f"{one:.0f}" for one in dict.fromkeys(written))
        yield ENTRY.finding(_("says {said} dpi; the shop asks for {wanted}", said=said, wanted=wanted), face.place())


AT_CUT = 0.35
"""Mm within which art that ends beside the cut ends at it."""

EVEN = 0.2
"""Mm within which borders on all sides are of one width."""

SPARSE = 0.25
"""Of an edge, what points and corners fill at most: a pattern's tips end there, not the art."""


def _check_edges(face: ImageFace) -> Iterator[Finding]:
    """Where the art of one image ends, seen against the colour of its corner."""
    drawn, trim, page = face.raster.drawn, face.trim, face.shows
    if drawn is None:
        return
    wide, high = face.raster.pixels
    across, down = page.width / wide, page.height / high
    ends = {
        "left": (drawn[0] * across, trim.x),
        "top": (drawn[1] * down, trim.y),
        "right": ((wide - drawn[2]) * across, page.width - trim.x - trim.width),
        "bottom": ((high - drawn[3]) * down, page.height - trim.y - trim.height),
    }
    borders = [border for border, _unused in ends.values()]
    framed = max(borders) - min(borders) < EVEN
    short = [
        _("{side} {far:.2f} mm", side=term(side), far=border)
        for (side, (border, bleed)), filled in zip(ends.items(), face.raster.filled, strict=True)
        if filled > SPARSE and AT_CUT < border < bleed + AT_CUT and (framed or border > bleed - AT_CUT)
    ]
    if short:
        form = _("a border of one colour up to the art: {where}; bleed is {bleed:.3g} mm")
        message = _(form, where=joined(short), bleed=min(trim.x, trim.y))
        yield ENDS.finding(message, face.place(drawn))
