"""The standing strip that measures height from a base or, upside down, from the table. Pure."""

from builder.geometry.gauges.art import (
    MARK_TAG,
    Piece,
    TextStyle,
    make_polygon,
    move_art,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import mix_colours
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.rulers import find_marks
from builder.model.gauge import HeightRuler

NUMERAL_SIZE_MM = 6.0
MARK_SHARES = (1, 0.36, 0.2)
"""Lengths of marks by the rank of their step, as shares of the width."""


def draw_height_ruler(gauge: HeightRuler, context: Context) -> tuple[Piece, ...]:
    """Draw a height ruler with two scales: from the base, and upside down from the table.

    The strip is units x unit + offset long, so the marks of both readings fall on the same lines.
    """
    canvas = Canvas(context, gauge)
    style = canvas.style
    unit = gauge.unit
    width = gauge.width
    height = gauge.units * unit + gauge.offset
    canvas.fill_rect(0, 0, width, height, style.paper)
    band_colour = mix_colours(canvas.colour, style.paper, 0.8)
    for number in range(0, gauge.units, 2):
        y = height - (number + 1) * unit
        canvas.fill_rect(0, y, width, unit, band_colour)
    _draw_marks(canvas, gauge, height)
    _draw_scale_numbers(canvas, gauge, height, context.localize(gauge.base))
    from_table = Canvas(context, gauge)
    _draw_scale_numbers(
        from_table, gauge, height - gauge.offset, context.localize(gauge.table)
    )
    canvas.art += move_art(from_table.art, width, height, upside_down=True)
    if gauge.offset:
        _draw_hatch(canvas, width, gauge.offset)
    # The name stands in the second unit: the lowest one has the label of the reading.
    middle = height - 1.5 * unit
    if unit == height:
        middle = unit / 2
    name = context.localize(gauge.name).upper()
    name_colour = mix_colours(style.ink, style.paper, 0.2)
    name_style = TextStyle(2.6, name_colour, unit - 4, angle=-90)
    canvas.draw_text(name, width / 2, middle, name_style)
    note = context.localize(gauge.note)
    return (canvas.make_rect_piece(gauge, width, height, note),)


def _draw_marks(canvas: Canvas, gauge: HeightRuler, height: float) -> None:
    """Draw lines at whole units across the strip, and at parts of units from both sides."""
    width = gauge.width
    for rank, position in find_marks(gauge.steps, gauge.units):
        y = height - position * gauge.unit
        length = width * MARK_SHARES[min(rank, 2)]
        line_width = 0.25 if rank else 0.5
        canvas.draw_line((0, y), (length, y), line_width, tag=MARK_TAG)
        if rank:
            start = (width - length, y)
            canvas.draw_line(start, (width, y), line_width, tag=MARK_TAG)


def _draw_scale_numbers(
    canvas: Canvas, gauge: HeightRuler, zero: float, label: str
) -> None:
    """Draw the numbers of one scale under their lines, and its label at the lower end."""
    ink = canvas.style.ink
    numeral_style = TextStyle(NUMERAL_SIZE_MM, ink, weight="black", anchor="start")
    half_style = TextStyle(3.4, ink, anchor="start")
    for number in range(1, gauge.units + 1):
        y = zero - number * gauge.unit
        canvas.draw_text(str(number), 1.4, y + NUMERAL_SIZE_MM / 2, numeral_style)
        if 0.5 in gauge.steps:
            half = f"{number - 1}½"
            if number == 1:
                half = "½"
            canvas.draw_text(half, 1.4, y + gauge.unit / 2 + 2.2, half_style)
    if label:
        y = zero - 2.6
        arrow_top = y - 1.4
        arrow = [
            (1.4, arrow_top),
            (4.2, arrow_top),
            (2.8, y + 1.8),
        ]
        canvas.fill(make_polygon(arrow), canvas.colour)
        label_style = TextStyle(2.5, ink, gauge.width - 12.2, anchor="start")
        canvas.draw_text(label, 5.2, y, label_style)


def _draw_hatch(canvas: Canvas, width: float, height: float) -> None:
    """Draw warning stripes below the zero of the scale from the table.

    They are as high as a base is thick.
    """
    background = mix_colours(canvas.colour, "#000000", 0.15)
    canvas.fill_rect(0, 0, width, height, background)
    for x_min in range(0, int(width), 4):
        x_max = x_min + 2
        # A stripe leans by the height of the area: one that would leave it is omitted.
        if x_max + height <= width:
            stripe = [
                (x_min + height, 0),
                (x_max + height, 0),
                (x_max, height),
                (x_min, height),
            ]
            canvas.fill(make_polygon(stripe), "#ffffff")
