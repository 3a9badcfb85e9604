"""Measuring sticks, and figures with sides, of one fixed distance. Pure."""

from builder.geometry.gauges.art import (
    CUT_TAG,
    Path,
    Piece,
    TextStyle,
    find_bounds,
    make_polygon,
    transform,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour
from builder.geometry.gauges.context import MIN_TYPE_SIZE_MM, Context
from builder.geometry.gauges.outlines import make_figure, make_figure_by_side
from builder.model.gauge import Reach
from builder.units import MM_PER_INCH


def draw_reach(gauge: Reach, context: Context) -> tuple[Piece, ...]:
    """Draw a measuring stick of one distance, or a figure with sides of that length."""
    label = context.localize(gauge.label) or f"{gauge.length / MM_PER_INCH:g}″"
    if gauge.form == "stick" or not gauge.figure:
        return (_draw_stick(gauge, label, context),)
    canvas = Canvas(context, gauge)
    shape = make_figure_by_side(gauge.figure, gauge.length)
    box = find_bounds(shape)
    canvas.fill(shape, canvas.colour)
    middle = box.height * 0.5
    if gauge.figure == "triangle":
        # A triangle is widest at its base, so its text stands lower.
        middle = box.height * 0.62
    size = min(box.height * 0.32, 14)
    colour = choose_text_colour(canvas.colour)
    style = TextStyle(size, colour, box.width * 0.5, weight="black")
    canvas.draw_text(label, box.width / 2, middle, style)
    canvas.art.append(Path(shape, None, context.style.ink, 0.25, tag=CUT_TAG))
    name = context.localize(gauge.name)
    caption = "" if name == label else name
    art = tuple(canvas.art)
    return (Piece(gauge.id, box.width, box.height, art, caption=caption),)


def _draw_stick(gauge: Reach, label: str, context: Context) -> Piece:
    canvas = Canvas(context, gauge)
    length = gauge.length
    width = gauge.width
    centre = (width - 3.4) / 2
    colour = choose_text_colour(canvas.colour)
    figure_size = 0.0
    gap = 0.0
    if gauge.figure:
        figure_size = min(width * 0.5, length * 0.36)
        gap = 1.5
    label_size = min(width * 0.36, 7.5)
    label_width = context.measure(label, label_size, "black")
    x = (length - figure_size - gap - label_width) / 2
    canvas.fill_rect(0, 0, length, width, canvas.colour)
    if gauge.figure:
        figure = make_figure(gauge.figure, figure_size)
        figure_top = centre - find_bounds(figure).height / 2
        canvas.fill(transform(figure, x, figure_top), colour)
    label_style = TextStyle(label_size, colour, weight="black", anchor="start")
    canvas.draw_text(label, x + figure_size + gap, centre, label_style)
    canvas.fill_rect(0, width - 3.8, length, 3.8, context.band)
    name = context.localize(gauge.name)
    upper_name = name.upper()
    caption = name
    # The name goes on the band if it is legible there, else below the stick.
    if context.measure(upper_name, MIN_TYPE_SIZE_MM, "bold") <= length - 2:
        caption = ""
        name_style = TextStyle(2.6, choose_text_colour(context.band), length - 2)
        canvas.draw_text(upper_name, length / 2, width - 1.9, name_style)
    # Arrows point to both ends, between which the distance is measured.
    for end, inner in ((0.0, 1.6), (length, length - 1.6)):
        arrow = [(end, centre), (inner, centre - 1.8), (inner, centre + 1.8)]
        canvas.fill(make_polygon(arrow), colour)
    return canvas.make_rect_piece(gauge, length, width, caption)
