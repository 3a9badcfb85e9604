"""Bleed of an image: what reaches the cut reaches the image's edge."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.images.face import ImageFace
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.codes import define
from builder.model.terms import term

ENDS = define(
    "preflight/image-ends-at-cut",
    _("The art of an image ends where it is cut"),
    _("The bleed is there but empty: a cut that wanders shows a strip of another colour beside the art."),
    _("Let the art reach the edge of the image instead of putting a border around it."),
    Severity.WARNING,
)
NEAR = 0.35
"""Mm within which art that ends beside the cut ends at it."""

EVEN = 0.2
"""Mm within which borders on all sides are of one width."""

SPARSE = 0.25
"""Of an edge, what points and corners fill at most: a pattern's tips end there, not the art."""


def check(face: ImageFace) -> Iterator[Finding]:
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
        if filled > SPARSE and NEAR < border < bleed + NEAR and (framed or border > bleed - NEAR)
    ]
    if short:
        form = _("a border of one colour up to the art: {where}; bleed is {bleed:.3g} mm")
        message = _(form, where=joined(short), bleed=min(trim.x, trim.y))
        yield ENDS.finding(message, face.place(drawn))
