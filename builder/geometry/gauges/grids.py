"""Squares that tell the cost of a way. Pure."""

from __future__ import annotations

from builder.geometry.gauges import ink
from builder.geometry.gauges.art import CUT, Art, Path, Piece, Weight, polygon, rect
from builder.geometry.gauges.context import Context
from builder.model.gauge import GridRuler

BAND = 6.0
"""Height of the band that bears the name, in mm; it lies below the squares."""


def cost(across: int, down: int, diagonal: float) -> float:
    """The cheapest way over so many squares: diagonal steps first unless two straight ones are cheaper."""
    shared = min(across, down)
    return abs(across - down) + shared * min(diagonal, 2)


def grid(gauge: GridRuler, context: Context) -> tuple[Piece, ...]:
    """The start in the lower left corner, each square with the cost of reaching it, even costs darker."""
    style, colour, cell = context.style, context.colour(gauge), gauge.cell
    wide, tall = gauge.columns * cell, gauge.rows * cell
    art: list[Art] = []
    for row in range(gauge.rows):
        for column in range(gauge.columns):
            price = cost(column, row, gauge.diagonal)
            x, y = column * cell, tall - (row + 1) * cell
            start = not (row or column)
            ground = colour if start else ink.mix(colour, style.paper, 0.72 if int(price) % 2 else 0.88)
            art.append(Path(rect(x, y, cell, cell), fill=ground, stroke=style.ink, width=0.25))
            shown = f"{int(price)}½" if price % 1 == 0.5 else f"{price:g}"
            on = ink.readable(ground)
            if start:
                arm = cell * 0.2
                cx, cy = x + cell / 2, y + cell / 2
                shape = polygon([(cx, cy - arm), (cx + arm, cy), (cx, cy + arm), (cx - arm, cy)])
                art.append(Path(shape, fill=on))
            else:
                weight: Weight = "black" if column == row else "bold"
                art.append(
                    context.line(shown, x + cell / 2, y + cell / 2, cell * 0.36, on, width=cell * 0.8, weight=weight)
                )
    art.append(Path(rect(0, tall, wide, BAND), fill=context.band))
    name = context.say(gauge.name).upper()
    art.append(context.line(name, wide / 2, tall + BAND / 2, 3.2, ink.readable(context.band), width=wide - 4))
    art.append(Path(rect(0, 0, wide, tall + BAND), stroke=style.cut, width=0.2, tag=CUT))
    return (Piece(gauge.id, wide, tall + BAND, tuple(art), caption=context.say(gauge.note)),)
