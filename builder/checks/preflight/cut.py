"""Check that text keeps the shop's safe distance from the cut, and that no marks are beside it."""

from collections.abc import Iterator

from builder.checks.preflight.job import (
    PageBatch,
    Place,
    are_apart,
    has_only_symbols,
    is_inside,
    quote_text,
    report_places,
)
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import (
    Page,
    PdfText,
    Shape,
    find_visible_box,
    grow_box,
    intersect_boxes,
)

CUT = define(
    "preflight/text-cut",
    _("Text crosses the cut line"),
    _("The part outside the cut line is cut off."),
    _("Move the text inside the cut line, at least by the shop's safe distance."),
)
UNSAFE = define(
    "preflight/text-outside-safe",
    _("Text is too close to the cut line"),
    _(
        "If the cut is slightly off, part of the text is cut off or the margin looks uneven."
    ),
    _("Move the text away from the edge."),
    Severity.WARNING,
)
MARKS = define(
    "preflight/marks",
    _("Printer's marks around the card"),
    _(
        "Shops add their own marks. If the cut is slightly off, marks in the bleed are visible on "
        "the card."
    ),
    _("Export without printer's marks."),
    Severity.WARNING,
)

MIN_DRAWING_SIZE_PT = 18.0
"""Points from which a symbol is a drawing, which may run over the cut as art does; smaller ones are
read like text.
"""
TEXT_TOLERANCE_MM = 0.25
"""The tolerance for a text's box, which is a little larger than its letters."""
MAX_LINE_MM = 1.0
"""Mm up to which a drawing is a line."""
UNUSED_HEIGHT_SHARE = 0.12
"""Share of the height of a text's box (0 to 1), above and below, that letters do not fill."""


def check(job: PageBatch) -> Iterator[Finding]:
    """Check that text is far enough inside the cut line, and that no marks are around the card."""
    for page in job.pdf.pages:
        trim = job.find_trim(page)
        form = _("{text} extends {over:.2f} mm over the cut line")
        yield from report_places(CUT, page, _find_text_outside(page, trim, trim, form))
        safe = job.preset.safe
        if safe:
            form = _("{text} extends {over:.2f} mm into the safe zone of {safe:g} mm")
            places = _find_text_outside(page, grow_box(trim, -safe), trim, form, safe)
            yield from report_places(UNSAFE, page, places)
        yield from report_places(MARKS, page, _find_marks(page, trim))


def _find_text_outside(
    page: Page, zone: Box, trim: Box, form: str, safe: float = 0
) -> Iterator[Place]:
    is_cut = zone == trim
    for text in page.texts:
        # A large symbol of a font's own is a drawing that happens to be a letter: it may run over
        # the cut.
        is_drawing = text.size >= MIN_DRAWING_SIZE_PT and has_only_symbols(text.text)
        if not text.visible or (is_cut and is_drawing):
            continue
        letters = _find_letters_box(text)
        # text over the cut is reported once, not again for the safe zone
        is_in_card = is_cut or is_inside(letters, trim, TEXT_TOLERANCE_MM)
        if not is_in_card or are_apart(letters, trim):
            continue
        if not is_inside(letters, zone, TEXT_TOLERANCE_MM):
            over = -min(letters.measure_margins(zone))
            yield _(form, text=quote_text(text.text), over=over, safe=safe), text.box


def _find_letters_box(text: PdfText) -> Box:
    """Return the visible box of a text's letters. It is estimated if the font has no extents."""
    if text.letters is not None:
        letters = grow_box(text.letters, text.width / 2)
        return intersect_boxes(letters, text.look.clip) or letters
    box = text.box
    # the box of an oblique text does not tell where its letters end
    if text.angle % 90:
        return box
    if text.angle % 180 == 0:
        unused = box.height * UNUSED_HEIGHT_SHARE
        letters = Box(box.x, box.y + unused, box.width, box.height - 2 * unused)
    else:
        unused = box.width * UNUSED_HEIGHT_SHARE
        letters = Box(box.x + unused, box.y, box.width - 2 * unused, box.height)
    return intersect_boxes(letters, text.look.clip) or box


def _find_marks(page: Page, trim: Box) -> Iterator[Place]:
    for item in page.items:
        box = find_visible_box(item)
        if not isinstance(item, Shape | PdfText) or not are_apart(box, trim):
            continue
        clip = item.look.clip
        # art that is repeated there to fill the bleed is no mark
        if clip is not None and are_apart(clip, trim):
            continue
        thickness, length = sorted((box.width, box.height))
        if isinstance(item, PdfText) and item.visible:
            yield _("text outside the cut line"), box
        elif isinstance(item, Shape) and thickness < MAX_LINE_MM < length:
            yield _("a line outside the cut line"), box
