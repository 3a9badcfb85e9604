"""Sheets of gauges: pieces drawn by type, placed on pages, with heading, check line and captions.

Pure.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from builder.findings import Box
from builder.geometry.gauges.art import CHECK_TAG, Art, ArtText, Piece, TextStyle
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.discs import draw_disc
from builder.geometry.gauges.grids import draw_grid_ruler
from builder.geometry.gauges.heights import draw_height_ruler
from builder.geometry.gauges.packing import (
    PlacedPiece,
    find_back_position,
    measure_piece,
    pack_pieces,
)
from builder.geometry.gauges.reaches import draw_reach
from builder.geometry.gauges.rulers import draw_ruler
from builder.geometry.gauges.templates import draw_template
from builder.geometry.gauges.tokens import draw_token
from builder.geometry.gauges.tracks import draw_panel, draw_slider
from builder.messages import gettext as _
from builder.model.gauge import AnyGauge, GaugeSet
from builder.model.profile import Paper

TITLE, BACKS = _("Gauges and tokens"), _("backs")
"""The title of the sheets, and what marks a page of backs."""
PAPERS = {
    "a4": Paper(width=210.0, height=297.0),
    "letter": Paper(width=215.9, height=279.4),
}
MARGIN_MM = 10.0
HEADER_HEIGHT_MM = 11.0
FOOTER_HEIGHT_MM = 12.0
CHECK_LINE_MM = 100.0
TICK_WIDTH_MM = 0.25
CAPTION_TOLERANCE_MM = 0.05

DRAWERS: dict[str, Callable[[Any, Context], Iterable[Piece]]] = {
    "ruler": draw_ruler,
    "height-ruler": draw_height_ruler,
    "disc": draw_disc,
    "template": draw_template,
    "token": draw_token,
    "panel": draw_panel,
    "slider": draw_slider,
    "reach": draw_reach,
    "grid-ruler": draw_grid_ruler,
}
"""The functions that draw each type of gauge."""


def draw_gauge(gauge: AnyGauge, context: Context) -> tuple[Piece, ...]:
    """Return all pieces of a gauge, repeated as often as the gauge says."""
    return tuple(DRAWERS[gauge.type](gauge, context)) * gauge.count


def find_free_area(paper: Paper) -> Box:
    """Return the part of a sheet on which pieces may lie."""
    width = paper.width - 2 * MARGIN_MM
    height = paper.height - 2 * MARGIN_MM - HEADER_HEIGHT_MM - FOOTER_HEIGHT_MM
    return Box(MARGIN_MM, MARGIN_MM + HEADER_HEIGHT_MM, width, height)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page with its pieces. `is_back` shows the backs of the pieces."""

    art: tuple[Art, ...]
    pieces: tuple[PlacedPiece, ...]
    is_back: bool = False


class _Side(NamedTuple):
    heading: str
    pieces: list[PlacedPiece]
    is_back: bool


def lay_out_sheets(
    gauges: GaugeSet, context: Context, paper: Paper, title: str
) -> tuple[list[Sheet], list[Piece]]:
    """Place gauges on pages, each followed by its back. Return also the pieces that do not fit."""
    # All sides are planned first: each footer states their number.
    sides, too_large = _plan_sides(gauges, context, paper)
    sheets: list[Sheet] = []
    for number, side in enumerate(sides, start=1):
        canvas = Canvas(context)
        _draw_header(canvas, paper, side.heading, title)
        _draw_footer(canvas, paper, f"{number} / {len(sides)}")
        if not side.is_back:
            for placed in side.pieces:
                _draw_caption(canvas, placed)
        sheets.append(Sheet(tuple(canvas.art), tuple(side.pieces), side.is_back))
    return sheets, too_large


def _plan_sides(
    gauges: GaugeSet, context: Context, paper: Paper
) -> tuple[list[_Side], list[Piece]]:
    """Place the pieces of all groups on pages.

    Groups share pages. Pieces with backs come first, so that few pages have 2 sides, then the tall
    ones of each group.
    """
    pieces: list[Piece] = []
    group_by_piece: dict[int, int] = {}
    for index, group in enumerate(gauges.groups):
        for gauge in group.gauges:
            for piece in draw_gauge(gauge, context):
                pieces.append(piece)
                group_by_piece[id(piece)] = index

    def sort_key(piece: Piece) -> tuple[bool, int, float]:
        height = measure_piece(piece, is_turned=False)[1]
        return piece.back_art is None, group_by_piece[id(piece)], -height

    pages, too_large = pack_pieces(sorted(pieces, key=sort_key), find_free_area(paper))

    def list_groups(page: list[PlacedPiece]) -> list[int]:
        return sorted({group_by_piece[id(placed.piece)] for placed in page})

    # Pieces with backs were placed first: their pages return to the order of groups.
    sides: list[_Side] = []
    for page in sorted(pages, key=lambda page: list_groups(page)[0]):
        titles = [
            context.localize(gauges.groups[group].title) for group in list_groups(page)
        ]
        sides += _make_sides(page, titles, context, paper)
    return sides, too_large


def _make_sides(
    page: list[PlacedPiece], titles: list[str], context: Context, paper: Paper
) -> Iterator[_Side]:
    """Yield the front of a page, and its back if any piece has one."""
    yield _Side(" · ".join(titles), page, False)
    backs = [
        find_back_position(placed, paper.width)
        for placed in page
        if placed.piece.back_art is not None
    ]
    if backs:
        yield _Side(" · ".join((*titles, context.localize(BACKS))), backs, True)


@dataclass(frozen=True, slots=True)
class OverwideText:
    """A text that is too wide even at the smallest type size. Widths are in mm."""

    gauge: str
    text: str
    width: float
    max_width: float


def find_overwide_texts(
    sheets: Iterable[Sheet], context: Context
) -> list[OverwideText]:
    """Return all texts on the sheets that are too wide, each once."""
    too_long: dict[tuple[str, str], OverwideText] = {}
    for sheet in sheets:
        for gauge, item in _list_art(sheet):
            finding = _check_text(gauge, item, context)
            if finding:
                too_long.setdefault((gauge, finding.text), finding)
    return list(too_long.values())


def _list_art(sheet: Sheet) -> Iterator[tuple[str, Art]]:
    """Yield everything drawn on a sheet, with the id of its gauge, if any."""
    for placed in sheet.pieces:
        art = placed.piece.back_art if sheet.is_back else placed.piece.front_art
        for item in art or ():
            yield placed.piece.gauge, item
    for item in sheet.art:
        yield "", item


def _check_text(gauge: str, item: Art, context: Context) -> OverwideText | None:
    if not isinstance(item, ArtText) or item.style.max_width is None:
        return None
    width = context.measure(item.text, item.style.size, item.style.weight)
    if width <= item.style.max_width + CAPTION_TOLERANCE_MM:
        return None
    return OverwideText(gauge, item.text, width, item.style.max_width)


def _draw_header(canvas: Canvas, paper: Paper, heading: str, title: str) -> None:
    context = canvas.context
    style = canvas.style
    y = MARGIN_MM + 2.6
    line_end = paper.width - MARGIN_MM
    max_width = paper.width * 0.58
    canvas.fill_rect(MARGIN_MM, MARGIN_MM - 0.4, 3.0, 6.0, style.accent)
    # The titles of many groups take 2 lines.
    lines = context.break_lines(heading.upper(), max_width, 3.4, 2)
    size = 5.2
    line_y = y
    if len(lines) == 2:
        size = 2.9
        line_y = y - 1.75
    heading_style = TextStyle(
        size, style.ink, max_width, weight="black", anchor="start"
    )
    for line in lines:
        canvas.draw_text(line, MARGIN_MM + 5, line_y, heading_style)
        line_y += 3.5
    title_style = TextStyle(2.8, style.ink, weight="regular", anchor="end")
    canvas.draw_text(f"{title} · {context.localize(TITLE)}", line_end, y, title_style)
    canvas.draw_line((MARGIN_MM, MARGIN_MM + 7.4), (line_end, MARGIN_MM + 7.4), 0.3)


def _draw_footer(canvas: Canvas, paper: Paper, page_number: str) -> None:
    """Draw the check line of 100 mm and the page number."""
    ink = canvas.style.ink
    y = paper.height - MARGIN_MM - 1.5
    end = MARGIN_MM + CHECK_LINE_MM
    canvas.draw_line((MARGIN_MM, y), (end, y), 0.3, tag=CHECK_TAG)
    half_tick = TICK_WIDTH_MM / 2
    for index in range(11):
        # The outer ticks move inwards: the line measures 100 mm with their width.
        x = max(MARGIN_MM + index * 10, MARGIN_MM + half_tick)
        x = min(x, end - half_tick)
        length = 2.2 if index % 5 == 0 else 1.2
        canvas.draw_line((x, y - length), (x, y), TICK_WIDTH_MM)
    note = canvas.context.localize(
        _("Print at 100 %. This line measures exactly 100 mm.")
    )
    note_style = TextStyle(2.5, ink, weight="regular", anchor="start")
    canvas.draw_text(note, MARGIN_MM, y - 4.2, note_style)
    number_style = TextStyle(2.8, ink, anchor="end")
    canvas.draw_text(page_number, paper.width - MARGIN_MM, y - 1, number_style)


def _draw_caption(canvas: Canvas, placed: PlacedPiece) -> None:
    context = canvas.context
    box = placed.box
    if not placed.piece.caption:
        return
    max_width = box.width + 3
    lines = context.break_lines(placed.piece.caption, box.width + 2, 2.3, 2)
    # Both lines have the size of the longer one.
    size = min(context.fit_size(line, max_width, 2.3, "regular") for line in lines)
    style = TextStyle(size, canvas.style.ink, max_width, weight="regular")
    x = box.x + box.width / 2
    y = box.bottom + 2.2
    for line in lines:
        canvas.draw_text(line, x, y, style)
        y += 2.6
