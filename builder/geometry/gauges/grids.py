"""Squares of a board, numbered with the cost of the way from a corner. Pure."""

from builder.geometry.gauges.art import (
    Path,
    Piece,
    TextStyle,
    Weight,
    make_polygon,
    make_rect,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour, mix_colours
from builder.geometry.gauges.context import Context
from builder.model.gauge import GridRuler

BAND_HEIGHT_MM = 6.0
"""Height of the band below the squares that bears the name."""


def find_path_cost(columns: int, rows: int, diagonal_cost: float) -> float:
    """Return the lowest cost of a path over this many columns and rows of squares.

    A straight step costs 1. A diagonal step costs `diagonal_cost`, or 2 as two straight steps.
    """
    diagonal_steps = min(columns, rows)
    straight_steps = abs(columns - rows)
    return straight_steps + diagonal_steps * min(diagonal_cost, 2)


def draw_grid_ruler(gauge: GridRuler, context: Context) -> tuple[Piece, ...]:
    """Draw numbered squares. The start is in the lower left corner."""
    canvas = Canvas(context, gauge)
    width = gauge.columns * gauge.cell
    height = gauge.rows * gauge.cell
    for row in range(gauge.rows):
        for column in range(gauge.columns):
            _draw_cell(canvas, gauge, column, row)
    canvas.fill_rect(0, height, width, BAND_HEIGHT_MM, context.band)
    name = context.localize(gauge.name).upper()
    name_colour = choose_text_colour(context.band)
    name_style = TextStyle(3.2, name_colour, width - 4)
    canvas.draw_text(name, width / 2, height + BAND_HEIGHT_MM / 2, name_style)
    note = context.localize(gauge.note)
    return (canvas.make_rect_piece(gauge, width, height + BAND_HEIGHT_MM, note),)


def _draw_cell(canvas: Canvas, gauge: GridRuler, column: int, row: int) -> None:
    """Draw one square with its cost. Squares with an even cost are lighter."""
    cell = gauge.cell
    style = canvas.style
    x_min = column * cell
    y_min = (gauge.rows - row - 1) * cell
    x = x_min + cell / 2
    y = y_min + cell / 2
    cost = find_path_cost(column, row, gauge.diagonal)
    is_start = row == 0 and column == 0
    background = canvas.colour
    if not is_start:
        share = 0.72 if int(cost) % 2 else 0.88
        background = mix_colours(canvas.colour, style.paper, share)
    ink = choose_text_colour(background)
    square = make_rect(x_min, y_min, cell, cell)
    canvas.art.append(Path(square, background, style.ink, 0.25))
    if is_start:
        arm = cell * 0.2
        corners = [
            (x, y - arm),
            (x + arm, y),
            (x, y + arm),
            (x - arm, y),
        ]
        canvas.fill(make_polygon(corners), ink)
        return
    text = f"{cost:g}"
    if cost % 1 == 0.5:
        text = f"{int(cost)}½"
    weight: Weight = "black" if column == row else "bold"
    canvas.draw_text(text, x, y, TextStyle(cell * 0.36, ink, cell * 0.8, weight))
