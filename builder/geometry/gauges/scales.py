"""Marks and numerals along an edge. Pure."""

from __future__ import annotations

from dataclasses import replace
from math import floor

from builder.geometry.gauges.art import CAP, MARK, Art, Path, half_turn, line, rect
from builder.geometry.gauges.context import Context
from builder.model.gauge import Scale

EDGE = 2.2
"""Height of the chequered strip on the very edge, in mm."""

TICKS = (8.6, 6.2, 4.6, 3.6)
"""Lengths of marks in mm, by rank."""

NUMERAL = 5.0
"""Type size of numerals in mm."""

CENTRE = TICKS[0] + NUMERAL * 0.5
"""How far the middle of the numerals lies from the edge, in mm."""

WEIGHTS = (0.5, 0.3, 0.2)
"""Line widths of marks in mm, by rank."""


def units(scale: Scale, length: float) -> int:
    """How many whole units a piece carries."""
    return floor((length - scale.offset) / scale.unit + 1e-6)


def along(scale: Scale, context: Context, begin: float, end: float, last: int, colour: str) -> list[Art]:
    """A scale on the upper edge of a piece that shows the axis from `begin` to `end` mm; zero is the origin.

    `last`: how many units the whole ruler carries; nothing is marked beyond.
    """
    unit, style = scale.unit, context.style
    art: list[Art] = []
    for number in range(last):
        left, right = max(number * unit, begin), min((number + 1) * unit, end)
        if right - left > 1e-6:
            ground = colour if number % 2 == 0 else style.paper
            art.append(Path(rect(left - begin, 0, right - left, EDGE), fill=ground))
    first, stop = max(begin, 0.0), min(end, last * unit)
    art.append(Path(line((first - begin, EDGE), (stop - begin, EDGE)), stroke=style.ink, width=0.25))
    seen: set[int] = set()
    for rank, step in enumerate(scale.steps):
        for k in range(round(last / step) + 1):
            place = k * step * unit
            if round(place * 1000) in seen or not begin - 1e-6 <= place <= end + 1e-6:
                continue
            seen.add(round(place * 1000))
            x, tick = place - begin, TICKS[min(rank, len(TICKS) - 1)]
            art.append(Path(line((x, 0), (x, tick)), stroke=style.ink, width=WEIGHTS[min(rank, 2)], tag=MARK))
    return art + numerals(scale, context, begin, end, last)


def numerals(scale: Scale, context: Context, begin: float, end: float, last: int) -> list[Art]:
    """Numbers under the longest marks; the outermost are kept inside the piece."""
    art: list[Art] = []
    sign = context.say(scale.sign)
    size = min(NUMERAL, scale.unit * scale.every * 0.46)
    for number in range(0, last + 1, scale.every):
        place = number * scale.unit
        if not begin - 1e-6 <= place <= end + 1e-6:
            continue
        shown = f"{number + scale.start}{sign if number == last else ''}"
        half = context.measure(shown, size, "black") / 2 + 0.8
        inside = min(max(place - begin, half), end - begin - half)
        art.append(context.line(shown, inside, CENTRE, size, context.style.ink, weight="black"))
    return art


def edge(
    scale: Scale, context: Context, whole: float, part: tuple[float, float], wide: float, colour: str, *, lower: bool
) -> tuple[Art, ...]:
    """A scale on the upper or lower edge of the part from a to b mm of a ruler `whole` mm long.

    Reversed on the lower edge it is read by turning the ruler around; elsewhere its numerals stand upright.
    """
    start, stop = part
    begin, end = start - scale.offset, stop - scale.offset
    if scale.reverse:
        begin, end = whole - scale.offset - stop, whole - scale.offset - start
    art = along(scale, context, begin, end, units(scale, whole), colour)
    if lower and scale.reverse:
        return half_turn(art, (stop - start) / 2, wide / 2)
    if scale.reverse:
        return tuple(_mirrored(item, stop - start, None) for item in art)
    return tuple(_mirrored(item, None, wide) for item in art) if lower else tuple(art)


def _mirrored(item: Art, across: float | None, down: float | None) -> Art:
    """Mirrored left to right (about `across` / 2) or top to bottom (about `down` / 2); letters stay upright."""
    if isinstance(item, Path):
        about = (across, down)
        flipped = tuple(
            (kind, tuple(v if (axis := about[i % 2]) is None else axis - v for i, v in enumerate(values)))
            for kind, values in item.segments
        )
        return replace(item, segments=flipped)
    x = item.x if across is None else across - item.x
    y = item.y if down is None else down - item.y + CAP * item.size
    return replace(item, x=x, y=y)
