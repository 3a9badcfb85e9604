"""Rows of boxes: panels that lie beside the table, and sliders with a sleeve. Pure."""

from dataclasses import dataclass
from math import ceil

from builder.geometry.gauges.art import (
    FOLD_TAG,
    Art,
    Path,
    Piece,
    TextStyle,
    make_polygon,
    make_rect,
    move_art,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour
from builder.geometry.gauges.context import Context
from builder.messages import gettext as _
from builder.model.gauge import Cell, Panel, Slider, Track

HEAD_HEIGHT_MM = 8.0
TITLE_HEIGHT_MM = 6.0
PADDING_MM = 4.0
BOX_GAP_MM = 1.2
BOX_CORNER_MM = 1.4
SLEEVE_CLEARANCE_MM = 0.8
"""How much wider than the strip a sleeve is folded."""
HANDLE_LENGTH_MM = 10.0
STRIP_MARGIN_MM = 2.5
WINDOW_FRAME_MM = 5.0


@dataclass(frozen=True, slots=True)
class DrawnTrack:
    """A drawn track with its title, and its size in mm."""

    art: list[Art]
    width: float
    height: float


def draw_panel(gauge: Panel, context: Context) -> tuple[Piece, ...]:
    """Draw a board: a header with the name, and each track with its title."""
    tracks = [_draw_track(track, context) for track in gauge.tracks]
    width = max(track.width for track in tracks) + 2 * PADDING_MM
    height = HEAD_HEIGHT_MM + PADDING_MM
    for track in tracks:
        height += track.height + PADDING_MM
    canvas = Canvas(context, gauge)
    canvas.fill(make_rect(0, 0, width, height, 2), canvas.style.tint)
    canvas.fill_rect(0, 0, width, HEAD_HEIGHT_MM, context.band)
    corner = [
        (0, 0),
        (9, 0),
        (5, 8),
        (0, 8),
    ]
    canvas.fill(make_polygon(corner), canvas.colour)
    name_colour = choose_text_colour(context.band)
    name_style = TextStyle(4.2, name_colour, width - 14, anchor="start")
    name = context.localize(gauge.name).upper()
    canvas.draw_text(name, 11, HEAD_HEIGHT_MM / 2, name_style)
    y = HEAD_HEIGHT_MM + PADDING_MM
    for track in tracks:
        canvas.art += move_art(track.art, PADDING_MM, y)
        y += track.height + PADDING_MM
    return (canvas.make_rect_piece(gauge, width, height, context.localize(gauge.note)),)


def _draw_track(track: Track, context: Context) -> DrawnTrack:
    """Draw a track: its title, and its boxes in rows."""
    canvas = Canvas(context)
    ink = context.style.ink
    box_count = len(track.boxes)
    per_row = track.per_row or box_count
    row_count = ceil(box_count / per_row)
    step_x = track.width + BOX_GAP_MM
    step_y = track.height + BOX_GAP_MM
    width = min(per_row, box_count) * step_x - BOX_GAP_MM
    top = 0.0
    title = context.localize(track.title)
    if title:
        start = 0.0
        if track.icon:
            canvas.draw_icon(track.icon, 2.2, 2.2, 4.6, ink)
            start = 6.0
        # A short track may have a title of up to 40 mm, which then makes the panel wider.
        size = context.fit_size(title, max(width - start, 40), 3.2)
        canvas.draw_text(title, start, 2.2, TextStyle(size, ink, anchor="start"))
        width = max(width, start + context.measure(title, size, "bold"))
        top = TITLE_HEIGHT_MM
    for index, cell in enumerate(track.boxes):
        row, column = divmod(index, per_row)
        art = _draw_cell(track, index, cell, context, BOX_CORNER_MM)
        canvas.art += move_art(art, column * step_x, top + row * step_y)
    return DrawnTrack(canvas.art, width, top + row_count * step_y - BOX_GAP_MM)


def _choose_background(track: Track, index: int, cell: Cell, paper: str) -> str:
    """Return the color of a box: its own, or that of the last zone that contains it."""
    if cell.colour:
        return cell.colour
    # Zones count boxes from 1.
    for zone in reversed(track.zones):
        if zone.first <= index + 1 <= zone.last:
            return zone.colour
    return paper


def _draw_cell(
    track: Track, index: int, cell: Cell, context: Context, corner: float
) -> list[Art]:
    canvas = Canvas(context)
    style = context.style
    width = track.width
    height = track.height
    background = _choose_background(track, index, cell, style.paper)
    ink = style.ink
    if background != style.paper:
        ink = choose_text_colour(background)
    outline = make_rect(0, 0, width, height, corner)
    canvas.art.append(Path(outline, background, style.ink, 0.3))
    label = context.localize(cell.label)
    side = min(width, height)
    max_width = width - 1.6
    if cell.icon and label:
        canvas.draw_icon(cell.icon, width / 2, height * 0.38, side * 0.52, ink)
        text_style = TextStyle(height * 0.2, ink, max_width)
        canvas.draw_text(label, width / 2, height * 0.82, text_style)
    elif cell.icon:
        canvas.draw_icon(cell.icon, width / 2, height * 0.5, side * 0.7, ink)
    elif label:
        size = side * (0.5 if len(label) <= 3 else 0.24)
        canvas.draw_text_block(
            label, width / 2, height / 2, TextStyle(size, ink, max_width), 3
        )
    return canvas.art


def draw_slider(gauge: Slider, context: Context) -> tuple[Piece, ...]:
    """Draw a slider: the strip, and the sleeve before it is folded."""
    return _draw_strip(gauge, context), _draw_sleeve(gauge, context)


def _draw_strip(gauge: Slider, context: Context) -> Piece:
    canvas = Canvas(context, gauge)
    track = gauge.track
    width = len(track.boxes) * track.width + 2 * HANDLE_LENGTH_MM
    height = track.height + 2 * STRIP_MARGIN_MM
    canvas.fill_rect(0, 0, width, height, context.band)
    name = context.localize(gauge.name)
    name_colour = choose_text_colour(canvas.colour)
    name_style = TextStyle(2.6, name_colour, height - 2, angle=-90)
    for x in (0.0, width - HANDLE_LENGTH_MM):
        canvas.fill_rect(x, 0, HANDLE_LENGTH_MM, height, canvas.colour)
        canvas.draw_text(name.upper(), x + HANDLE_LENGTH_MM / 2, height / 2, name_style)
    for index, cell in enumerate(track.boxes):
        art = _draw_cell(track, index, cell, context, 0)
        canvas.art += move_art(
            art, HANDLE_LENGTH_MM + index * track.width, STRIP_MARGIN_MM
        )
    return canvas.make_rect_piece(gauge, width, height, name)


def _draw_sleeve(gauge: Slider, context: Context) -> Piece:
    """Draw a sleeve before it is folded: front with window, back, and a tab to be glued."""
    canvas = Canvas(context, gauge)
    track = gauge.track
    is_arrow = gauge.pointer == "arrow"
    width = track.width + 2 * WINDOW_FRAME_MM
    if is_arrow:
        width = max(track.width * 0.6, 8.0)
    side = track.height + 2 * STRIP_MARGIN_MM + SLEEVE_CLEARANCE_MM
    tab = side * 0.7
    glued_edge = 2 * side
    height = 2 * side + tab
    ink = choose_text_colour(canvas.colour)
    canvas.fill_rect(0, 0, width, glued_edge, canvas.colour)
    tab_corners = [
        (width, glued_edge),
        (width - 2, height),
        (2, height),
        (0, glued_edge),
    ]
    canvas.fill(make_polygon(tab_corners), canvas.style.tint)
    _draw_window(canvas, gauge, width, ink)
    for y in (side, glued_edge):
        canvas.draw_line((0, y), (width, y), 0.2, colour=ink, dash=(1, 1), tag=FOLD_TAG)
    angle = 0.0
    name_width = width - 2
    glue_width = width - 5
    if is_arrow:
        # A narrow sleeve is lettered upwards.
        angle = -90.0
        name_width = side - 2
        glue_width = tab - 2
    name_style = TextStyle(2.4, ink, name_width, angle=angle)
    canvas.draw_text(context.localize(gauge.name), width / 2, side * 1.5, name_style)
    glue_style = TextStyle(2.4, canvas.style.ink, glue_width, angle=angle)
    canvas.draw_text(
        context.localize(_("glue")), width / 2, glued_edge + tab / 2, glue_style
    )
    canvas.draw_cut_line(make_polygon([(0, 0), (width, 0), *tab_corners]))
    return Piece(gauge.id, width, height, tuple(canvas.art))


def _draw_window(canvas: Canvas, gauge: Slider, width: float, ink: str) -> None:
    """Draw a window around a box, or a slot above an arrow, to be cut out."""
    track = gauge.track
    top = STRIP_MARGIN_MM + SLEEVE_CLEARANCE_MM / 2
    if gauge.pointer == "window":
        window = make_rect(WINDOW_FRAME_MM, top, track.width, track.height)
        canvas.draw_cut_line(window, "#ffffff")
        return
    middle = width / 2
    half = width * 0.34
    tip = top + track.height * 0.5
    base = tip + 4
    arrow = [(middle, tip), (middle + half, base), (middle - half, base)]
    canvas.fill(make_polygon(arrow), ink)
    canvas.draw_cut_line(make_rect(1.5, top, width - 3, track.height * 0.45), "#ffffff")
