"""Check that text keeps the shop's safe distance from the cut, and that no marks are beside it."""

from collections.abc import Iterator

from builder.checks.preflight.job import (
    Place,
    Portion,
    are_apart,
    has_only_symbols,
    is_inside,
    quote_text,
    report_places,
)
from builder.findings import Box, Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import Page, PdfText, Shape, find_visible_box, grow_box, intersect_boxes

CUT = define(
    "preflight/text-cut",
    _("Text crosses the cut line"),
    _("The part outside the cut line is cut off."),
    _("Move the text inside the cut line, at least by the shop's safe distance."),
)
UNSAFE = define(
    "preflight/text-outside-safe",
    _("Text is too close to the cut line"),
    _("If the cut is slightly off, part of the text is cut off or the margin looks uneven."),
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


def check(job: Portion) -> Iterator[Finding]:
    """Check visible text and marks. What lies wholly outside the cut is a mark."""
    for page in job.pdf.pages:
        trim = job.find_trim(page)
        yield from report_places(
            CUT,
            page,
            _find_text_outside(
                page, trim, trim, _("{text} extends {over:.2f} mm over the cut line")
            ),
        )
        if job.preset.safe:
            inner = grow_box(trim, -job.preset.safe)
            form = _("{text} extends {over:.2f} mm into the safe zone of {safe:g} mm")
            yield from report_places(
                UNSAFE, page, _find_text_outside(page, inner, trim, form, job.preset.safe)
            )
        yield from report_places(MARKS, page, _find_marks(page, trim))


def _find_text_outside(
    page: Page, zone: Box, trim: Box, form: str, safe: float = 0
) -> Iterator[Place]:
    for text in page.texts:
        # A large symbol of a font's own is a drawing that happens to be a letter: it may run over
        # the cut.
        if not text.visible or (
            zone == trim and text.size >= MIN_DRAWING_SIZE_PT and has_only_symbols(text.text)
        ):
            continue
        letters = _find_letters_box(text)
        is_in_card = zone == trim or is_inside(letters, trim, TEXT_TOLERANCE_MM)
        if (
            is_in_card
            and not are_apart(letters, trim)
            and not is_inside(letters, zone, TEXT_TOLERANCE_MM)
        ):
            over = -min(letters.measure_margins(zone))
            yield _(form, text=quote_text(text.text), over=over, safe=safe), text.box


def _find_letters_box(text: PdfText) -> Box:
    """Return the box of a text's glyphs within its clip; an estimate if the file does not tell."""
    if text.letters is not None:
        letters = grow_box(text.letters, text.width / 2)
        return intersect_boxes(letters, text.look.clip) or letters
    if text.angle % 90:
        return text.box
    upright = text.angle % 180 == 0
    unused_height = (text.box.height if upright else text.box.width) * 0.12
    box = Box(
        text.box.x, text.box.y + unused_height, text.box.width, text.box.height - 2 * unused_height
    )
    lying = Box(
        text.box.x + unused_height, text.box.y, text.box.width - 2 * unused_height, text.box.height
    )
    return intersect_boxes(box if upright else lying, text.look.clip) or text.box


def _find_marks(page: Page, trim: Box) -> Iterator[Place]:
    for item in page.items:
        if not isinstance(item, Shape | PdfText) or not are_apart(find_visible_box(item), trim):
            continue
        box = find_visible_box(item)
        clip = item.look.clip
        if clip is not None and are_apart(clip, trim):
            continue  # art repeated there to fill the bleed
        if isinstance(item, PdfText) and item.visible:
            yield _("text outside the cut line"), box
        elif isinstance(item, Shape) and min(box.width, box.height) < MAX_LINE_MM < max(
            box.width, box.height
        ):
            yield _("a line outside the cut line"), box
