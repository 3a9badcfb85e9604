"""Bleed: the page has it, and what reaches the cut reaches to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import TOLERANCE, Place, Portion, each, on, within
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.codes import define
from builder.model.pdf import Item, Page, PdfText, grow, meet, paints, visible
from builder.model.terms import term

BLEED = define(
    "preflight/no-bleed",
    _("A page has less bleed than the shop asks for"),
    _("The cut wanders by up to a millimetre; without bleed it shows a white edge."),
    _("Export with the shop's bleed and let the background reach to its end."),
)
ENDS = define(
    "preflight/art-ends-at-cut",
    _("Something reaches the cut but not the end of the bleed"),
    _("The page has room for bleed, but nothing is drawn there: a cut that wanders shows white beside it."),
    _("Draw the background further, to the end of the bleed."),
)
PART = define(
    "preflight/part-ends-at-cut",
    _("A panel reaches the cut but not the end of the bleed"),
    _("Beside a smaller panel a cut that wanders shows a short white edge."),
    _("Draw the panel further, to the end of the bleed, or keep it inside the safe zone."),
    Severity.WARNING,
)
GROUND, PANEL = 0.5, 0.1
"""Shares of a side from which a drawing is a background, or at least a panel."""

BLANK = {("Gray", (1.0,)), ("RGB", (1.0, 1.0, 1.0)), ("CMYK", (0.0, 0.0, 0.0, 0.0))}
OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
SLACK = 0.3
"""Mm by which a drawing may miss the end of the bleed: no cut wanders so far."""


def check(job: Portion) -> Iterator[Finding]:
    """The bleed of each page: the smaller of what the page states and what it has room for."""
    for page in job.pdf.pages:
        trim = job.trim(page)
        room = meet(page.bleed if "BleedBox" in page.stated else page.crop, page.media) or page.media
        sides = _sides(trim, room)
        least = min(sides.values())
        if least < job.preset.bleed - TOLERANCE:
            short = joined(
                _("{side} {far:.2f} mm", side=term(side), far=has)
                for side, has in sides.items()
                if has < job.preset.bleed - TOLERANCE
            )
            message = _("bleed of {short}; the shop asks for {wanted:g} mm", short=short, wanted=job.preset.bleed)
            yield BLEED.finding(message, on(page, trim))
        else:
            found = list(_ends(page, trim, grow(trim, job.preset.bleed)))
            yield from each(ENDS, page, (place for share, place in found if share >= GROUND))
            yield from each(PART, page, (place for share, place in found if PANEL <= share < GROUND))


def _sides(inner: Box, outer: Box) -> dict[str, float]:
    """How far one box reaches past another on each side, in mm."""
    return {
        "left": inner.x - outer.x,
        "top": inner.y - outer.y,
        "right": outer.x + outer.width - inner.x - inner.width,
        "bottom": outer.y + outer.height - inner.y - inner.height,
    }


def _ends(page: Page, trim: Box, bleed: Box) -> Iterator[tuple[float, Place]]:
    """What touches a side of the cut and stops there, and which share of the side it takes up."""
    drawn = [visible(item) for item in page.items if not isinstance(item, PdfText) and not _blank(item)]
    drawn = [box for box in drawn if box.width > 0 and box.height > 0]
    for side, wanted in _sides(trim, bleed).items():
        at_cut = [box for box in drawn if _sides(trim, box)[side] >= -SLACK and _beside(box, trim, side)]
        for box in at_cut:
            if _reach(box, drawn, trim, side, wanted) < wanted - SLACK:
                share = _length(box, trim, side)
                past = max(0.0, _sides(trim, box)[side])
                yield share, (_("art ends {far:.2f} mm past the {side} cut", far=past, side=term(side)), box)


def _reach(box: Box, drawn: Sequence[Box], trim: Box, side: str, wanted: float) -> float:
    """How far past the cut a drawing goes, with all that lies behind it or joins it along all of its length."""
    edge = box
    while _sides(trim, edge)[side] < wanted - SLACK:
        further = [
            other
            for other in drawn
            if _sides(edge, other)[side] > SLACK / 10 and _joins(edge, other, side) and _spans(box, other, side)
        ]
        if not further:
            break
        edge = max(further, key=lambda other: _sides(trim, other)[side])
    return _sides(trim, edge)[side]


def _blank(item: Item) -> bool:
    """True for white: paper cannot be missed."""
    return all((paint.family, tuple(round(value, 3) for value in paint.values)) in BLANK for paint in paints(item))


def _along(box: Box, side: str) -> float:
    """A box's measure across a side."""
    return box.width if side in ("left", "right") else box.height


def _beside(box: Box, trim: Box, side: str) -> bool:
    """True if a drawing is not wholly outside the cut on this side, like a mark."""
    return not within(box, _strip(trim, side))


def _strip(trim: Box, side: str) -> Box:
    """What lies outside the cut on one side: marks and bleed alone."""
    far = 1000.0
    return {
        "left": Box(trim.x - far, trim.y - far, far, trim.height + 2 * far),
        "right": Box(trim.x + trim.width, trim.y - far, far, trim.height + 2 * far),
        "top": Box(trim.x - far, trim.y - far, trim.width + 2 * far, far),
        "bottom": Box(trim.x - far, trim.y + trim.height, trim.width + 2 * far, far),
    }[side]


def _joins(box: Box, other: Box, side: str) -> bool:
    """True if another drawing begins before this one ends."""
    return _sides(box, other)[OPPOSITE[side]] >= -_along(box, side) - SLACK


def _spans(box: Box, other: Box, side: str) -> bool:
    """True if another drawing covers this one's length along a side."""
    if side in ("left", "right"):
        return other.y <= box.y + SLACK and other.y + other.height >= box.y + box.height - SLACK
    return other.x <= box.x + SLACK and other.x + other.width >= box.x + box.width - SLACK


def _length(box: Box, trim: Box, side: str) -> float:
    """The share of a side that a drawing takes up, 0 to 1."""
    if side in ("left", "right"):
        return min(1.0, box.height / trim.height)
    return min(1.0, box.width / trim.width)
