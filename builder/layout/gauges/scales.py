"""Marks and numerals along an edge. Pure."""

from __future__ import annotations

from math import floor

from builder.layout.gauges.art import MARK, Art, Path, line, rect
from builder.layout.gauges.context import Context
from builder.model.gauge import Scale

EDGE = 2.2
"""Height of the chequered strip on the very edge, in mm."""

TICKS = (8.6, 6.2, 4.6, 3.6)
"""Lengths of marks in mm, by rank."""

NUMERAL = 5.0
"""Type size of numerals in mm."""


def units(scale: Scale, length: float) -> int:
    """How many whole units a piece carries."""
    return floor((length - scale.offset) / scale.unit + 1e-6)


def along(scale: Scale, context: Context, first: int, last: int, colour: str) -> list[Art]:
    """A scale on the upper edge from unit `first` to unit `last`, the first at x = 0."""
    unit = scale.unit
    art: list[Art] = []
    for number in range(first, last):
        ground = colour if number % 2 == 0 else context.style.paper
        art.append(Path(rect((number - first) * unit, 0, unit, EDGE), fill=ground))
    art.append(Path(line((0, EDGE), ((last - first) * unit, EDGE)), stroke=context.style.ink, width=0.25))
    seen: set[int] = set()
    for rank, step in enumerate(scale.steps):
        for k in range(round((last - first) / step) + 1):
            place = round(k * step * unit * 1000)
            if place in seen or place > round((last - first) * unit * 1000):
                continue
            seen.add(place)
            tick = TICKS[min(rank, len(TICKS) - 1)]
            x = k * step * unit
            width = 0.5 if rank == 0 else 0.3 if rank == 1 else 0.2
            art.append(Path(line((x, 0), (x, tick)), stroke=context.style.ink, width=width, tag=MARK))
    return art + numerals(scale, context, first, last)


def numerals(scale: Scale, context: Context, first: int, last: int) -> list[Art]:
    """Numbers under the longest marks; the outermost are kept inside the piece."""
    art: list[Art] = []
    end = (last - first) * scale.unit
    sign = context.say(scale.sign)
    for number in range(first, last + 1):
        if number % scale.every:
            continue
        x = (number - first) * scale.unit
        shown = f"{number + scale.start}{sign if number == last else ''}"
        half = context.measure(shown, NUMERAL, "black") / 2 + 0.8
        inside = min(max(x, half), end - half)
        art.append(context.line(shown, inside, TICKS[0] + NUMERAL * 0.5, NUMERAL, context.style.ink, weight="black"))
    return art
