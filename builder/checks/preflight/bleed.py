"""Bleed: the page has it, and what reaches the cut reaches to its end."""

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import TOLERANCE, Place, Portion, blank, each, margins, on
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define
from builder.model.pdf import Item, Page, PdfText, Shape, grow, meet, visible
from builder.model.words import get_term

BLEED = define(
    "preflight/no-bleed",
    _("A page has less bleed than the shop asks for"),
    _("The cut wanders by up to a millimetre; without bleed it shows a white edge."),
    _("Export with the shop's bleed and let the background reach to its end."),
)
ENDS = define(
    "preflight/art-ends-at-cut",
    _("Something reaches the cut but not the end of the bleed"),
    _(
        "If the cut is slightly off, a thin white or light line shows beside artwork that ends at the cut."
    ),
    _(
        "Draw the background or panel further, to the end of the bleed; a panel may as well stay inside the safe zone."
    ),
)
GROUND, PANEL = 0.5, 0.1
"""Shares of a side from which a drawing is a background, or at least a panel."""

OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
SLACK = 0.3
"""Mm by which a drawing may miss the end of the bleed: no cut wanders so far."""
MIN_PANEL_DEPTH_MM = 1.0
"""How far a panel reaches into the card; what is narrower is a line."""
MIN_LIGHTNESS_STEP = 0.15
"""Difference of lightness (0 to 1) from which a thin strip of background is seen beside a panel."""


def check(job: Portion) -> Iterator[Finding]:
    """The bleed of each page: the smaller of what the page states and what it has room for."""
    for page in job.pdf.pages:
        trim = job.trim(page)
        room = (
            meet(page.bleed if "BleedBox" in page.stated else page.crop, page.media) or page.media
        )
        short = {
            side: far
            for side, far in margins(trim, room).items()
            if far < job.preset.bleed - TOLERANCE
        }
        if short:
            told = join_messages(
                _("{side} {far:.2f} mm", side=get_term(side), far=far)
                for side, far in short.items()
            )
            message = _(
                "bleed of {short}; the shop asks for {wanted:g} mm",
                short=told,
                wanted=job.preset.bleed,
            )
            yield BLEED.finding(message, on(page, trim))
        else:
            found = list(_ends(page, trim, grow(trim, job.preset.bleed)))
            yield from each(ENDS, page, (place for share, place in found if share >= GROUND))
            panels = (place for share, place in found if PANEL <= share < GROUND)
            panels_on_ground = _find_panels_on_lighter_background(
                page, trim, grow(trim, job.preset.bleed)
            )
            yield from each(ENDS, page, (*panels, *panels_on_ground), Severity.WARNING)


def _ends(page: Page, trim: Box, bleed: Box) -> Iterator[tuple[float, Place]]:
    """What touches a side of the cut and stops there, and which share of the side it takes up."""
    drawn = [
        visible(item) for item in page.items if not isinstance(item, PdfText) and not blank(item)
    ]
    drawn = [box for box in drawn if box.width > 0 and box.height > 0]
    for side, wanted in margins(trim, bleed).items():
        for box in drawn:
            # What lies wholly outside the cut on this side is a mark.
            at_cut = margins(trim, box)[side] >= -SLACK and _inward(trim, box, side) > TOLERANCE
            if at_cut and _reach(box, drawn, trim, side, wanted) < wanted - SLACK:
                share = (
                    box.height / trim.height
                    if side in ("left", "right")
                    else box.width / trim.width
                )
                past = max(0.0, margins(trim, box)[side])
                yield (
                    share,
                    (
                        _(
                            "art ends {far:.2f} mm past the {side} cut",
                            far=past,
                            side=get_term(side),
                        ),
                        box,
                    ),
                )


def _find_panels_on_lighter_background(page: Page, trim: Box, bleed: Box) -> Iterator[Place]:
    """Plain panels that end at the cut, with a lighter background below them that goes on into the bleed."""
    painted = [item for item in page.items if not isinstance(item, PdfText)]
    for index, item in enumerate(painted):
        lightness = _plain_lightness(item)
        if lightness is None or not isinstance(item, Shape):
            continue
        box = visible(item)
        for side, wanted in margins(trim, bleed).items():
            past = margins(trim, box)[side]
            if not -SLACK <= past < wanted - SLACK or _inward(trim, box, side) < MIN_PANEL_DEPTH_MM:
                continue
            if _edge_length(item, box, side) < PANEL * _side_length(trim, side):
                continue
            # What is seen in the bleed beside the panel is what was painted there last.
            reaching = [
                at
                for at, below in enumerate(painted)
                if at != index and _extends_past(box, visible(below), side)
            ]
            ground = painted[reaching[-1]] if reaching else None
            if (
                ground is None
                or reaching[-1] > index
                or margins(trim, visible(ground))[side] < wanted - SLACK
            ):
                continue
            ground_lightness = _plain_lightness(ground)
            if ground_lightness is not None and ground_lightness - lightness >= MIN_LIGHTNESS_STEP:
                form = _("a panel over a lighter background ends {far:.2f} mm past the {side} cut")
                yield _(form, far=max(0.0, past), side=get_term(side)), box


def _plain_lightness(item: Item) -> float | None:
    """Lightness of an area filled with one opaque colour; None for anything else."""
    if not isinstance(item, Shape) or item.fill is None or item.look.transparent:
        return None
    return item.fill.lightness


def _extends_past(box: Box, other: Box, side: str) -> bool:
    """True if another drawing lies along all of a box's side and reaches past it."""
    return _spans(box, other, side) and margins(box, other)[side] > SLACK


def _side_length(box: Box, side: str) -> float:
    return box.height if side in ("left", "right") else box.width


def _edge_length(item: Shape, box: Box, side: str) -> float:
    """Length in mm of the straight edge that a shape has on a side; a circle only touches it."""
    if side in ("left", "right"):
        edge = box.x if side == "left" else box.right
        along = [y for x, y in item.points if abs(x - edge) <= TOLERANCE]
        is_clipped = (
            item.box.x < box.x - TOLERANCE
            if side == "left"
            else item.box.right > box.right + TOLERANCE
        )
    else:
        edge = box.y if side == "top" else box.bottom
        along = [x for x, y in item.points if abs(y - edge) <= TOLERANCE]
        is_clipped = (
            item.box.y < box.y - TOLERANCE
            if side == "top"
            else item.box.bottom > box.bottom + TOLERANCE
        )
    if is_clipped:
        return _side_length(box, side)
    return max(along) - min(along) if along else 0.0


def _reach(box: Box, drawn: Sequence[Box], trim: Box, side: str, wanted: float) -> float:
    """How far past the cut a drawing goes, with all that lies behind it or joins it along all of its length."""
    edge = box
    behind = [other for other in drawn if _spans(box, other, side)]
    while margins(trim, edge)[side] < wanted - SLACK:
        further = [
            o
            for o in behind
            if margins(edge, o)[side] > SLACK / 10 and _inward(edge, o, side) >= -SLACK
        ]
        if not further:
            break
        edge = max(further, key=lambda other: margins(trim, other)[side])
    return margins(trim, edge)[side]


def _inward(box: Box, other: Box, side: str) -> float:
    """How far another box reaches inward from a side of this one, in mm."""
    return margins(box, other)[OPPOSITE[side]] + (
        box.width if side in ("left", "right") else box.height
    )


def _spans(box: Box, other: Box, side: str) -> bool:
    """True if another drawing covers this one's length along a side."""
    return all(
        far >= -SLACK
        for end, far in margins(box, other).items()
        if end not in (side, OPPOSITE[side])
    )
