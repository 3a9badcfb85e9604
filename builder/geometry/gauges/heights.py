"""The standing strip that measures height from a base or, turned over, from the table. Pure."""

from collections.abc import Iterator

from builder.geometry.gauges.art import MARK, Art, Path, Piece, line, moved, polygon, rect
from builder.geometry.gauges.context import Context, mix
from builder.geometry.gauges.rulers import marks
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
        art.append(Path(rect(0, top, wide, gauge.unit), fill=mix(colour, style.paper, 0.8)))
    art += _lines(gauge, context, wide, tall)
    art += _reading(gauge, context, tall, context.say(gauge.base))
    turned = _reading(gauge, context, tall - gauge.offset, context.say(gauge.table))
    art += moved(turned, wide, tall, turned=True)
    if gauge.offset:
        art += _hatch(wide, gauge.offset, colour)
    middle = tall - gauge.unit * (0.5 if gauge.unit == tall else 1.5)
    name, ink = context.say(gauge.name).upper(), mix(style.ink, style.paper, 0.2)
    art.append(context.line(name, wide / 2, middle, 2.6, ink, width=gauge.unit - 4, angle=-90))
    return (context.piece(gauge, wide, tall, art, context.say(gauge.note)),)


def _lines(gauge: HeightRuler, context: Context, wide: float, tall: float) -> Iterator[Art]:
    """The common lines: whole units across, parts from both sides."""
    for rank, place in marks(gauge.steps, gauge.units):
        y, weight = tall - place * gauge.unit, 0.25 if rank else 0.5
        inset = wide * (1, 0.36, 0.2)[min(rank, 2)]
        yield Path(line((0, y), (inset, y)), stroke=context.style.ink, width=weight, tag=MARK)
        if rank:
            yield Path(
                line((wide - inset, y), (wide, y)), stroke=context.style.ink, width=weight, tag=MARK
            )


def _reading(gauge: HeightRuler, context: Context, zero: float, label: str) -> Iterator[Art]:
    """One way to read it: numerals and halves under their lines on the left, the label at the foot."""
    style = context.style
    for k in range(1, gauge.units + 1):
        y = zero - k * gauge.unit
        yield context.line(
            str(k), 1.4, y + NUMERAL * 0.5, NUMERAL, style.ink, weight="black", anchor="start"
        )
        if 0.5 in gauge.steps:
            half = "½" if k == 1 else f"{k - 1}½"
            yield context.line(half, 1.4, y + gauge.unit / 2 + 2.2, 3.4, style.ink, anchor="start")
    if label:
        foot = zero - 2.6
        yield Path(
            polygon([(1.4, foot - 1.4), (4.2, foot - 1.4), (2.8, foot + 1.8)]),
            fill=context.colour(gauge),
        )
        yield context.line(
            label, 5.2, foot, 2.5, style.ink, width=gauge.width - 12.2, anchor="start"
        )


def _hatch(wide: float, tall: float, colour: str) -> Iterator[Art]:
    """The zone below zero of the turned reading: the thickness of a base, in warning stripes."""
    yield Path(rect(0, 0, wide, tall), fill=mix(colour, "#000000", 0.15))
    for left in range(0, int(wide), 4):
        if left + 2 + tall <= wide:
            stripe = polygon(
                [(left + tall, 0), (left + tall + 2, 0), (left + 2.0, tall), (float(left), tall)]
            )
            yield Path(stripe, fill="#ffffff")
