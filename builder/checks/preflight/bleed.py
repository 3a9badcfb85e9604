"""Bleed: the page has it, and what reaches the cut reaches to its end."""

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import TOLERANCE, Place, Portion, blank, each, margins, on
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _, joined
from builder.model.codes import define
from builder.model.pdf import Page, PdfText, grow, meet, visible
from builder.model.words import term

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
    _("Draw the background or panel further, to the end of the bleed; a panel may as well stay inside the safe zone."),
)
GROUND, PANEL = 0.5, 0.1
"""Shares of a side from which a drawing is a background, or at least a panel."""

OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
SLACK = 0.3
"""Mm by which a drawing may miss the end of the bleed: no cut wanders so far."""


def check(job: Portion) -> Iterator[Finding]:
    """The bleed of each page: the smaller of what the page states and what it has room for."""
    for page in job.pdf.pages:
        trim = job.trim(page)
        room = meet(page.bleed if "BleedBox" in page.stated else page.crop, page.media) or page.media
        short = {side: far for side, far in margins(trim, room).items() if far < job.preset.bleed - TOLERANCE}
        if short:
            told = joined(_("{side} {far:.2f} mm", side=term(side), far=far) for side, far in short.items())
            message = _("bleed of {short}; the shop asks for {wanted:g} mm", short=told, wanted=job.preset.bleed)
            yield BLEED.finding(message, on(page, trim))
        else:
            found = list(_ends(page, trim, grow(trim, job.preset.bleed)))
            yield from each(ENDS, page, (place for share, place in found if share >= GROUND))
            panels = (place for share, place in found if PANEL <= share < GROUND)
            yield from each(ENDS, page, panels, Severity.WARNING)


def _ends(page: Page, trim: Box, bleed: Box) -> Iterator[tuple[float, Place]]:
    """What touches a side of the cut and stops there, and which share of the side it takes up."""
    drawn = [visible(item) for item in page.items if not isinstance(item, PdfText) and not blank(item)]
    drawn = [box for box in drawn if box.width > 0 and box.height > 0]
    for side, wanted in margins(trim, bleed).items():
        for box in drawn:
            # What lies wholly outside the cut on this side is a mark.
            at_cut = margins(trim, box)[side] >= -SLACK and _inward(trim, box, side) > TOLERANCE
            if at_cut and _reach(box, drawn, trim, side, wanted) < wanted - SLACK:
                share = box.height / trim.height if side in ("left", "right") else box.width / trim.width
                past = max(0.0, margins(trim, box)[side])
                yield share, (_("art ends {far:.2f} mm past the {side} cut", far=past, side=term(side)), box)


def _reach(box: Box, drawn: Sequence[Box], trim: Box, side: str, wanted: float) -> float:
    """How far past the cut a drawing goes, with all that lies behind it or joins it along all of its length."""
    edge = box
    behind = [other for other in drawn if _spans(box, other, side)]
    while margins(trim, edge)[side] < wanted - SLACK:
        further = [o for o in behind if margins(edge, o)[side] > SLACK / 10 and _inward(edge, o, side) >= -SLACK]
        if not further:
            break
        edge = max(further, key=lambda other: margins(trim, other)[side])
    return margins(trim, edge)[side]


def _inward(box: Box, other: Box, side: str) -> float:
    """How far another box reaches inward from a side of this one, in mm."""
    return margins(box, other)[OPPOSITE[side]] + (box.width if side in ("left", "right") else box.height)


def _spans(box: Box, other: Box, side: str) -> bool:
    """True if another drawing covers this one's length along a side."""
    return all(far >= -SLACK for end, far in margins(box, other).items() if end not in (side, OPPOSITE[side]))
