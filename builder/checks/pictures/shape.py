"""Exact pixels and the resolution that is written into the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.checks.pictures.face import Face, counts
from builder.findings import Finding, Severity
from builder.model.codes import define
from builder.model.order import shown_size
from builder.tongue.told import Told, joined

PIXELS = define(
    "preflight/image-pixels",
    "An image has not the size in pixels that the shop takes",
    "The shop's page refuses it, or scales it unasked: type gets soft and the cut falls elsewhere.",
    "Export it at exactly this size, bleed included; do not scale a finished image.",
)
LIES = define(
    "preflight/image-lies",
    "An image lies where the shop takes it upright",
    "It is refused, or squeezed into the upright size.",
    "Rotate it by a quarter: the front clockwise, the back the other way.",
)
ENTRY = define(
    "preflight/image-resolution-entry",
    "The resolution written into an image is not the shop's",
    "Programs that place an image by it make the card larger or smaller; the pixels themselves are not changed by it.",
    "Write the shop's resolution into the file; the pixels stay as they are.",
    Severity.WARNING,
)
NEAR = 0.02
"""Share by which a resolution may differ: formats round it to whole pixels a metre."""


def check(face: Face) -> Iterator[Finding]:
    """The size of one image."""
    found, sizes = face.raster.pixels, face.sizes
    exact = face.listed is not None or any(size.pixels for size in face.preset.sizes.values())
    if sizes and found not in sizes.values():
        named = (Told("{pixels} ({size})", pixels=counts(size), size=shown_size(name)) for name, size in sizes.items())
        if found[::-1] in sizes.values():
            message = Told("{pixels}; the shop takes {wanted}", pixels=counts(found), wanted=counts(found[::-1]))
            yield LIES.finding(message, face.place())
        else:
            severity = Severity.ERROR if exact or not face.preset.other_sizes else Severity.WARNING
            wanted = joined(named, "{first} or {rest}")
            message = Told("{pixels}; the shop takes {wanted}", pixels=counts(found), wanted=wanted)
            yield replace(PIXELS.finding(message, face.place()), severity=severity)
    yield from _entry(face)


def _entry(face: Face) -> Iterator[Finding]:
    written, wanted = face.raster.dpi, face.preset.dpi
    if written is None:
        message = Told("no resolution is written into it; the shop asks for {wanted} dpi", wanted=wanted)
        yield replace(ENTRY.finding(message, face.place()), severity=Severity.NOTE)
    elif any(abs(one - wanted) > wanted * NEAR for one in written):
        said = " × ".join(f"{one:.0f}" for one in dict.fromkeys(written))
        yield ENTRY.finding(Told("says {said} dpi; the shop asks for {wanted}", said=said, wanted=wanted), face.place())
