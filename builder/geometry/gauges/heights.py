"""The standing strip that measures height from a base or, turned over, from the table. Pure."""

from __future__ import annotations

from builder.geometry.gauges import colours
from builder.geometry.gauges.art import CUT, MARK, Art, Path, Piece, half_turn, line, polygon, rect
from builder.geometry.gauges.context import Context
from builder.model.base import Localized
from builder.model.gauge import HeightRuler

NUMERAL = 6.0
"""Type size of numerals in mm."""


def height(gauge: HeightRuler, context: Context) -> tuple[Piece, ...]:
    """Numbers on the left count from the lower end; on the right, upside down, from the upper end less the offset.

    As the strip is units x unit + offset long, the marks of both readings fall on the same lines.
    """
    style, colour = context.style, context.colour(gauge)
    wide, tall = gauge.width, gauge.units * gauge.unit + gauge.offset
    art: list[Art] = [Path(rect(0, 0, wide, tall), fill=style.paper)]
    for number in range(0, gauge.units, 2):
        top = tall - (number + 1) * gauge.unit
        art.append(Path(rect(0, top, wide, gauge.unit), fill=colours.mix(colour, style.paper, 0.8)))
    art += _lines(gauge, context, wide, tall)
    art += _reading(gauge, context, tall, context.say(gauge.base))
    turned = _reading(gauge, context, tall - gauge.offset, context.say(gauge.table))
    art += half_turn(turned, wide / 2, tall / 2)
    if gauge.offset:
        art += _hatch(wide, gauge.offset, colour)
    art += _name(context, gauge.name, wide, tall, gauge.unit)
    art.append(Path(rect(0, 0, wide, tall), stroke=style.cut, width=0.2, tag=CUT))
    return (Piece(gauge.id, wide, tall, tuple(art), caption=context.say(gauge.note)),)


def _lines(gauge: HeightRuler, context: Context, wide: float, tall: float) -> list[Art]:
    """The common lines: whole units across, parts from both sides."""
    art: list[Art] = []
    seen: set[int] = set()
    for rank, step in enumerate(gauge.steps):
        for k in range(round(gauge.units / step) + 1):
            place = round(k * step * 1000)
            if place in seen:
                continue
            seen.add(place)
            y = tall - k * step * gauge.unit
            weight = 0.5 if rank == 0 else 0.25
            inset = wide if rank == 0 else wide * (0.36 if rank == 1 else 0.2)
            art.append(Path(line((0, y), (inset, y)), stroke=context.style.ink, width=weight, tag=MARK))
            if rank:
                art.append(Path(line((wide - inset, y), (wide, y)), stroke=context.style.ink, width=weight, tag=MARK))
    return art


def _reading(gauge: HeightRuler, context: Context, zero: float, label: str) -> list[Art]:
    """One way to read it: numerals and halves under their lines on the left, the label at the foot."""
    style = context.style
    art: list[Art] = []
    for k in range(1, gauge.units + 1):
        y = zero - k * gauge.unit
        art.append(context.line(str(k), 1.4, y + NUMERAL * 0.5, NUMERAL, style.ink, weight="black", anchor="start"))
        if 0.5 in gauge.steps:
            half = "½" if k == 1 else f"{k - 1}½"
            art.append(context.line(half, 1.4, y + gauge.unit / 2 + 2.2, 3.4, style.ink, anchor="start"))
    if label:
        foot = zero - 2.6
        art.append(Path(polygon([(1.4, foot - 1.4), (4.2, foot - 1.4), (2.8, foot + 1.8)]), fill=context.colour(gauge)))
        art.append(context.line(label, 5.2, foot, 2.5, style.ink, width=gauge.width - 12.2, anchor="start"))
    return art


def _hatch(wide: float, tall: float, colour: str) -> list[Art]:
    """The zone below zero of the turned reading: the thickness of a base, in warning stripes."""
    art: list[Art] = [Path(rect(0, 0, wide, tall), fill=colours.mix(colour, "#000000", 0.15))]
    step = 4.0
    x = 0.0
    while x + step / 2 + tall <= wide:
        stripe = polygon([(x + tall, 0), (x + tall + step / 2, 0), (x + step / 2, tall), (x, tall)])
        art.append(Path(stripe, fill="#ffffff"))
        x += step
    return art


def _name(context: Context, name: Localized, wide: float, tall: float, unit: float) -> list[Art]:
    """The name beside the axis, in the middle of a unit."""
    middle = tall - unit / 2 if unit == tall else tall - unit * 1.5
    shown = context.say(name).upper()
    colour = colours.mix(context.style.ink, context.style.paper, 0.2)
    return [context.line(shown, wide / 2, middle, 2.6, colour, width=unit - 4, angle=-90)]
