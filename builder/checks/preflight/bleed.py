"""Check that pages have bleed, and that drawings at the cut reach to the end of the bleed."""

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import (
    TOLERANCE_MM,
    PageBatch,
    Place,
    is_white,
    locate_on_page,
    measure_margins_by_side,
    report_places,
)
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define
from builder.model.pdf import (
    Item,
    Page,
    PdfText,
    Shape,
    find_visible_box,
    grow_box,
    intersect_boxes,
)
from builder.model.words import get_term

BLEED = define(
    "preflight/no-bleed",
    _("A page has less bleed than the shop requires"),
    _("The cut can be off by a millimetre. Without bleed a white edge is visible."),
    _("Export with the shop's bleed and extend the background to its edge."),
)
ENDS_AT_CUT = define(
    "preflight/art-ends-at-cut",
    _("Artwork reaches the cut but not the end of the bleed"),
    _(
        "If the cut is slightly off, a thin white or light line is visible beside the artwork."
    ),
    _(
        "Extend the background or panel to the edge of the bleed. Or keep the panel inside "
        "the safe zone."
    ),
)
MIN_BACKGROUND_SHARE, MIN_PANEL_SHARE = 0.5, 0.1
"""Shares of a side from which a drawing is a background, or at least a panel."""

OPPOSITE_SIDES = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
END_TOLERANCE_MM = 0.3
"""Mm by which a drawing may miss the end of the bleed: no cut wanders so far."""
MIN_PANEL_DEPTH_MM = 1.0
"""The minimum depth of a panel into the card. Anything narrower is a line."""
MIN_LIGHTNESS_STEP = 0.15
"""The difference of lightness (0 to 1) that makes a thin strip beside a panel visible."""


def check(pdf_job: PageBatch) -> Iterator[Finding]:
    """Check that each page has enough bleed, and that its art fills the bleed."""
    for page in pdf_job.pdf.pages:
        trim = pdf_job.find_trim(page)
        outer_box = page.bleed if "BleedBox" in page.declared_boxes else page.crop
        # a page may declare more bleed than it has paper
        available_box = intersect_boxes(outer_box, page.media) or page.media
        short_sides = []
        for side, length in measure_margins_by_side(trim, available_box).items():
            if length < pdf_job.preset.bleed - TOLERANCE_MM:
                short_sides.append(
                    _("{side} {far:.2f} mm", side=get_term(side), far=length)
                )
        if short_sides:
            form = _("the bleed is {short}; the shop requires {wanted:g} mm")
            message = _(
                form, short=join_messages(short_sides), wanted=pdf_job.preset.bleed
            )
            yield BLEED.finding(message, locate_on_page(page, trim))
        else:
            yield from _check_ends_at_cut(
                page, trim, grow_box(trim, pdf_job.preset.bleed)
            )


def _check_ends_at_cut(page: Page, trim: Box, bleed: Box) -> Iterator[Finding]:
    """Report backgrounds that end at the cut line as errors, and smaller panels as warnings."""
    backgrounds = []
    panels = []
    for share, place in _find_ends_at_cut(page, trim, bleed):
        if share >= MIN_BACKGROUND_SHARE:
            backgrounds.append(place)
        elif share >= MIN_PANEL_SHARE:
            panels.append(place)
    panels += _find_panels_on_lighter_background(page, trim, bleed)
    yield from report_places(ENDS_AT_CUT, page, backgrounds)
    yield from report_places(ENDS_AT_CUT, page, panels, Severity.WARNING)


def _find_ends_at_cut(
    page: Page, trim: Box, bleed: Box
) -> Iterator[tuple[float, Place]]:
    """Yield drawings that stop at the cut line, each with the share of the side that it covers."""
    drawings = [item for item in page.items if not isinstance(item, PdfText)]
    # white is no ink, so nobody sees where it ends
    boxes = [find_visible_box(item) for item in drawings if not is_white(item)]
    boxes = [box for box in boxes if box.width > 0 and box.height > 0]
    for side, expected in measure_margins_by_side(trim, bleed).items():
        for box in boxes:
            past = measure_margins_by_side(trim, box)[side]
            # What lies wholly outside the cut on this side is a mark.
            if (
                past < -END_TOLERANCE_MM
                or _measure_inward(trim, box, side) <= TOLERANCE_MM
            ):
                continue
            if (
                _measure_reach(box, boxes, trim, side, expected)
                < expected - END_TOLERANCE_MM
            ):
                form = _("the artwork ends {far:.2f} mm outside the {side} cut line")
                message = _(form, far=max(0.0, past), side=get_term(side))
                share = _measure_side(box, side) / _measure_side(trim, side)
                yield share, (message, box)


def _find_panels_on_lighter_background(
    page: Page, trim: Box, bleed: Box
) -> Iterator[Place]:
    """Yield panels that end at the cut line although a lighter background fills the bleed."""
    painted = [item for item in page.items if not isinstance(item, PdfText)]
    for index, item in enumerate(painted):
        lightness = _find_plain_lightness(item)
        if lightness is None or not isinstance(item, Shape):
            continue
        box = find_visible_box(item)
        for side, expected in measure_margins_by_side(trim, bleed).items():
            if not _ends_at_cut(item, box, trim, side, expected):
                continue
            background = _find_background(painted, index, box, side)
            if background is None or not _fills_bleed(background, trim, side, expected):
                continue
            if _is_lighter(background, lightness):
                past = max(0.0, measure_margins_by_side(trim, box)[side])
                form = _(
                    "a panel on a lighter background ends {far:.2f} mm outside the {side} cut line"
                )
                yield _(form, far=past, side=get_term(side)), box


def _is_lighter(background: Item, panel_lightness: float) -> bool:
    """Return True if the background is clearly lighter than a panel."""
    background_lightness = _find_plain_lightness(background)
    if background_lightness is None:
        return False
    return background_lightness - panel_lightness >= MIN_LIGHTNESS_STEP


def _ends_at_cut(item: Shape, box: Box, trim: Box, side: str, bleed_mm: float) -> bool:
    """Return True if a long straight edge of a panel ends at the cut line."""
    past = measure_margins_by_side(trim, box)[side]
    if not -END_TOLERANCE_MM <= past < bleed_mm - END_TOLERANCE_MM:
        return False
    if _measure_inward(trim, box, side) < MIN_PANEL_DEPTH_MM:
        return False
    return _measure_edge(item, box, side) >= MIN_PANEL_SHARE * _measure_side(trim, side)


def _find_background(
    items: Sequence[Item], index: int, box: Box, side: str
) -> Item | None:
    """Return the drawing that is visible beside a panel.

    None if something covers the panel there.
    """
    # What was painted last is what is seen.
    for number in reversed(range(len(items))):
        if number != index and _extends_past(
            box, find_visible_box(items[number]), side
        ):
            return items[number] if number < index else None
    return None


def _fills_bleed(item: Item, trim: Box, side: str, bleed_mm: float) -> bool:
    """Return True if a drawing fills the bleed on one side of the page."""
    past = measure_margins_by_side(trim, find_visible_box(item))[side]
    return past >= bleed_mm - END_TOLERANCE_MM


def _find_plain_lightness(item: Item) -> float | None:
    """Return the lightness (0 to 1) of an area of one opaque color, or None for anything else."""
    if not isinstance(item, Shape) or item.fill is None or item.look.transparent:
        return None
    return item.fill.lightness


def _extends_past(box: Box, drawing: Box, side: str) -> bool:
    """Return True if a drawing covers a whole side of a box and extends past it."""
    past = measure_margins_by_side(box, drawing)[side]
    return past > END_TOLERANCE_MM and _covers_side(box, drawing, side)


def _measure_side(box: Box, side: str) -> float:
    return box.height if side in ("left", "right") else box.width


def _measure_edge(item: Shape, box: Box, side: str) -> float:
    """Return the length in mm of a shape's straight edge on one side, 0 for a curve."""
    # a clip cuts a shape straight, whatever its own edge is
    if measure_margins_by_side(box, item.box)[side] > TOLERANCE_MM:
        return _measure_side(box, side)
    if side in ("left", "right"):
        edge = box.x if side == "left" else box.right
        along_edge = [y for x, y in item.points if abs(x - edge) <= TOLERANCE_MM]
    else:
        edge = box.y if side == "top" else box.bottom
        along_edge = [x for x, y in item.points if abs(y - edge) <= TOLERANCE_MM]
    return max(along_edge) - min(along_edge) if along_edge else 0.0


def _measure_reach(
    box: Box, boxes: Sequence[Box], trim: Box, side: str, bleed_mm: float
) -> float:
    """Return how far past the cut line a drawing extends in mm, with those that continue it."""
    edge = box
    joining = [drawing for drawing in boxes if _covers_side(box, drawing, side)]
    while measure_margins_by_side(trim, edge)[side] < bleed_mm - END_TOLERANCE_MM:
        further = []
        for drawing in joining:
            past = measure_margins_by_side(edge, drawing)[side]
            # each step must gain something, or the loop would not end
            if past > END_TOLERANCE_MM / 10:
                gap = -_measure_inward(edge, drawing, side)
                if gap <= END_TOLERANCE_MM:
                    further.append(drawing)
        if not further:
            break
        edge = max(
            further, key=lambda drawing: measure_margins_by_side(trim, drawing)[side]
        )
    return measure_margins_by_side(trim, edge)[side]


def _measure_inward(box: Box, drawing: Box, side: str) -> float:
    """Return the distance in mm from a side of `box` to the opposite side of `drawing`."""
    depth = box.width if side in ("left", "right") else box.height
    return measure_margins_by_side(box, drawing)[OPPOSITE_SIDES[side]] + depth


def _covers_side(box: Box, drawing: Box, side: str) -> bool:
    """Return True if a drawing is as long as a box along one side."""
    margins = measure_margins_by_side(box, drawing)
    # only the two ends of the side matter
    del margins[side], margins[OPPOSITE_SIDES[side]]
    return min(margins.values()) >= -END_TOLERANCE_MM
