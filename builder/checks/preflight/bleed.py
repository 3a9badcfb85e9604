"""Bleed: the page has it, and what reaches the cut reaches to its end."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import TOLERANCE, Job, Place, each, on, within
from builder.findings import Box, Finding
from builder.model.codes import define
from builder.model.pdf import Item, Page, Text, grow, meet, paints, visible

BLEED = define(
    "preflight/no-bleed",
    "A page has less bleed than the shop asks for",
    "The cut wanders by up to a millimetre; without bleed it shows a white edge.",
    "Export with the shop's bleed and let the background reach to its end.",
)
ENDS = define(
    "preflight/art-ends-at-cut",
    "Something reaches the cut but not the end of the bleed",
    "The page has room for bleed, but nothing is drawn there: a cut that wanders shows white beside it.",
    "Draw the background further, to the end of the bleed.",
)
BLANK = {("Gray", (1.0,)), ("RGB", (1.0, 1.0, 1.0)), ("CMYK", (0.0, 0.0, 0.0, 0.0))}
OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
SLACK = 0.3
"""Mm by which a drawing may miss the end of the bleed: no cut wanders so far."""


def check(job: Job) -> Iterator[Finding]:
    """The bleed of each page: the smaller of what the page states and what it has room for."""
    for page in job.pdf.pages:
        trim = job.trim(page)
        room = meet(page.bleed if "BleedBox" in page.stated else page.crop, page.media) or page.media
        sides = _sides(trim, room)
        least = min(sides.values())
        if least < job.preset.bleed - TOLERANCE:
            short = ", ".join(f"{side} {has:.2f}" for side, has in sides.items() if has < job.preset.bleed - TOLERANCE)
            yield BLEED.finding(f"bleed of {short} mm; the shop asks for {job.preset.bleed:g} mm", on(page, trim))
        else:
            yield from each(ENDS, page, _ends(page, trim, grow(trim, job.preset.bleed)))


def _sides(inner: Box, outer: Box) -> dict[str, float]:
    """How far one box reaches past another on each side, in mm."""
    return {
        "left": inner.x - outer.x,
        "top": inner.y - outer.y,
        "right": outer.x + outer.width - inner.x - inner.width,
        "bottom": outer.y + outer.height - inner.y - inner.height,
    }


def _ends(page: Page, trim: Box, bleed: Box) -> Iterator[Place]:
    """What touches a side of the cut and stops there, with nothing else behind it that goes on."""
    drawn = [visible(item) for item in page.items if not isinstance(item, Text) and not _blank(item)]
    drawn = [box for box in drawn if box.width > 0 and box.height > 0]
    for side, wanted in _sides(trim, bleed).items():
        at_cut = [box for box in drawn if _sides(trim, box)[side] >= -SLACK and _beside(box, trim, side)]
        reaching = [box for box in drawn if _sides(trim, box)[side] >= wanted - SLACK]
        for box in at_cut:
            if box not in reaching and not any(_goes_on(box, other, side) for other in reaching):
                yield f"art ends {max(0.0, _sides(trim, box)[side]):.2f} mm past the {side} cut", box


def _blank(item: Item) -> bool:
    """True for white: paper cannot be missed."""
    return all((paint.family, tuple(round(value, 3) for value in paint.values)) in BLANK for paint in paints(item))


def _along(box: Box, side: str) -> float:
    """A box's measure across a side."""
    return box.width if side in ("left", "right") else box.height


def _beside(box: Box, trim: Box, side: str) -> bool:
    """True if a drawing is as good as a background: along this side at least a tenth of the card, and inside it."""
    if side in ("left", "right"):
        return min(box.height, trim.height) >= trim.height / 10 and not within(box, _strip(trim, side))
    return min(box.width, trim.width) >= trim.width / 10 and not within(box, _strip(trim, side))


def _strip(trim: Box, side: str) -> Box:
    """What lies outside the cut on one side: marks and bleed alone."""
    far = 1000.0
    return {
        "left": Box(trim.x - far, trim.y - far, far, trim.height + 2 * far),
        "right": Box(trim.x + trim.width, trim.y - far, far, trim.height + 2 * far),
        "top": Box(trim.x - far, trim.y - far, trim.width + 2 * far, far),
        "bottom": Box(trim.x - far, trim.y + trim.height, trim.width + 2 * far, far),
    }[side]


def _goes_on(box: Box, other: Box, side: str) -> bool:
    """True if another drawing lies behind or joins this one, along all of its length."""
    if _sides(box, other)[OPPOSITE[side]] < -_along(box, side) - SLACK:
        return False
    if side in ("left", "right"):
        return other.y <= box.y + SLACK and other.y + other.height >= box.y + box.height - SLACK
    return other.x <= box.x + SLACK and other.x + other.width >= box.x + box.width - SLACK
