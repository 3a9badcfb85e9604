"""Rulers and reaches: a scale along an edge, with its marks and numerals. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import floor

from builder.geometry.gauges.art import (
    CAP,
    FOLD,
    MARK,
    Art,
    Path,
    Piece,
    extent,
    line,
    polygon,
    rect,
    shift,
)
from builder.geometry.gauges.context import SMALLEST, Context, mix, readable
from builder.geometry.gauges.outlines import figure, figure_by_side
from builder.messages import gettext as _
from builder.model.gauge import Reach, Repeat, Ruler, Scale
from builder.units import MM_PER_INCH

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


def marks(steps: Iterable[float], units: int) -> Iterator[tuple[int, float]]:
    """The marks of so many units: the rank of the first step that meets each, and its place in units."""
    seen: set[int] = set()
    for rank, step in enumerate(steps):
        for k in range(round(units / step) + 1):
            if (place := round(k * step * 1000)) not in seen:
                seen.add(place)
                yield rank, k * step


def along(
    scale: Scale, context: Context, begin: float, end: float, last: int, colour: str
) -> Iterator[Art]:
    """A scale on the upper edge of a piece that shows the axis from `begin` to `end` mm; zero is the origin.

    `last`: how many units the whole ruler carries; nothing is marked beyond.
    """
    unit, style = scale.unit, context.style
    for number in range(last):
        left, right = max(number * unit, begin), min((number + 1) * unit, end)
        if right - left > 1e-6:
            ground = colour if number % 2 == 0 else style.paper
            yield Path(rect(left - begin, 0, right - left, EDGE), fill=ground)
    first, stop = max(begin, 0.0), min(end, last * unit)
    yield Path(line((first - begin, EDGE), (stop - begin, EDGE)), stroke=style.ink, width=0.25)
    for rank, place in marks(scale.steps, last):
        if begin - 1e-6 <= place * unit <= end + 1e-6:
            x, tick = place * unit - begin, TICKS[min(rank, len(TICKS) - 1)]
            yield Path(
                line((x, 0), (x, tick)), stroke=style.ink, width=WEIGHTS[min(rank, 2)], tag=MARK
            )
    yield from numerals(scale, context, begin, end, last)


def numerals(scale: Scale, context: Context, begin: float, end: float, last: int) -> Iterator[Art]:
    """Numbers under the longest marks; the outermost are kept inside the piece."""
    sign = context.say(scale.sign)
    size = min(NUMERAL, scale.unit * scale.every * 0.46)
    for number in range(0, last + 1, scale.every):
        place = number * scale.unit
        if not begin - 1e-6 <= place <= end + 1e-6:
            continue
        shown = f"{number + scale.start}{sign if number == last else ''}"
        half = context.measure(shown, size, "black") / 2 + 0.8
        inside = min(max(place - begin, half), end - begin - half)
        yield context.line(shown, inside, CENTRE, size, context.style.ink, weight="black")


def upside_down(art: Iterable[Art], tall: float) -> Iterator[Art]:
    """A scale put on the lower edge of a piece so tall; letters stay upright."""
    for item in art:
        if isinstance(item, Path):
            yield replace(item, segments=shift(item.segments, 0, tall, 1, -1))
        else:
            yield replace(item, y=tall - item.y + CAP * item.size)


BAND = 5.2
"""Height of the dark band that bears the name, in mm."""
TAB = 12.0
"""Length of the tab that joins two parts, in mm."""
ROW = 6.4
"""Height of one row of repeated signs, in mm."""


def ruler(gauge: Ruler, context: Context) -> Iterator[Piece]:
    """A ruler, cut into equal parts of whole units where it is longer than the paper."""
    count = units(gauge.scale, gauge.length)
    rest = gauge.length - count * gauge.scale.unit
    parts = 1
    while (
        parts < count
        and -(-count // parts) * gauge.scale.unit + rest + TAB * (parts > 1) > context.longest
    ):
        parts += 1
    per = -(-count // parts)
    for index in range(parts):
        first, last = index * per, min(count, (index + 1) * per)
        tail = index == parts - 1
        length = (last - first) * gauge.scale.unit + (rest if tail else 0)
        label = context.say(_("part {number}", number=f"{index + 1}/{parts}")) if parts > 1 else ""
        yield _part(gauge, context, first, length, label, tab=not tail)


def _part(
    gauge: Ruler, context: Context, first: int, length: float, label: str, *, tab: bool
) -> Piece:
    style, colour = context.style, context.colour(gauge)
    wide = gauge.width
    art: list[Art] = [Path(rect(0, 0, length, wide), fill=style.paper)]
    art.append(Path(rect(0, 0, length, TICKS[0] + 0.6), fill=style.tint))
    begin = first * gauge.scale.unit

    def marked(scale: Scale) -> Iterator[Art]:
        start = begin - scale.offset
        return along(scale, context, start, start + length, units(scale, gauge.length), colour)

    art += marked(gauge.scale)
    for row, repeat in enumerate(gauge.repeats):
        art += _repeat(repeat, context, begin, length, TICKS[0] + NUMERAL + 1.0 + row * ROW, colour)
    middle = wide - BAND / 2
    if gauge.opposite:
        art += upside_down(marked(gauge.opposite), wide)
        middle = wide / 2
    named, caption = _name(gauge, context, label, length, middle)
    art += named
    if tab:
        art += _tab(context, length, wide)
    return replace(context.piece(gauge, length, wide, art, caption), width=length + TAB * tab)


def _name(
    gauge: Ruler, context: Context, label: str, length: float, middle: float
) -> tuple[list[Art], str]:
    """The band with name and note (between two scales: the bare words), and what must stand under the ruler instead."""
    style, plain = context.style, gauge.opposite is not None
    text = style.ink if plain else readable(context.band)
    art: list[Art] = []
    if not plain:
        top, low = middle - BAND / 2, middle + BAND / 2
        art.append(Path(rect(0, top, length, BAND), fill=context.band))
        art.append(
            Path(polygon([(0, top), (5, top), (2.6, low), (0, low)]), fill=context.colour(gauge))
        )
    start = 2.0 if plain else 6.5
    room = length - start - 2
    name, note = " · ".join(filter(None, (context.say(gauge.name), label))), context.say(gauge.note)
    shown = name.upper()
    size = context.fitted(shown, room * 0.55 if note else room, 3.0)
    taken = context.measure(shown, size, "bold")
    if taken > room:
        return art, name
    art.append(context.line(shown, start, middle, size, text, anchor="start"))
    left = room - taken - 4
    if not note or context.measure(note, SMALLEST, "regular") > left:
        return art, note
    art.append(
        context.line(
            note, length - 2, middle, 2.5, text, width=left, weight="regular", anchor="end"
        )
    )
    return art, ""


def _tab(context: Context, length: float, wide: float) -> list[Art]:
    style, end, low = context.style, length + TAB, wide - 0.8
    shape = polygon(
        [(length, 0.8), (end - 2, 0.8), (end, 2.8), (end, low - 2), (end - 2, low), (length, low)]
    )
    return [
        Path(shape, fill=style.tint, stroke=style.cut, width=0.2),
        Path(line((length, 0), (length, wide)), stroke=style.ink, width=0.2, dash=(1, 1), tag=FOLD),
        context.line(
            context.say(_("glue")),
            length + TAB / 2,
            wide / 2,
            2.8,
            style.ink,
            width=wide - 6,
            angle=-90,
        ),
    ]


def _repeat(
    repeat: Repeat, context: Context, from_mm: float, length: float, y: float, colour: str
) -> Iterator[Art]:
    style = context.style
    first = round(from_mm / repeat.every)
    for index in range(int(length / repeat.every + 1e-6)):
        x, end, low = index * repeat.every, (index + 1) * repeat.every, y + ROW - 0.8
        ground = mix(colour, style.paper, 0.82 if (first + index) % 2 else 0.66)
        yield Path(rect(x, y, repeat.every, ROW - 0.8), fill=ground)
        middle, centre, number = (x + end) / 2, (y + low) / 2, str(first + index + 1)
        yield Path(shift(figure(repeat.figure, 3.6), middle + 0.2, centre - 1.8), fill=style.ink)
        yield context.line(
            number, middle - 0.8, centre, 3.6, style.ink, weight="black", anchor="end"
        )
        yield Path(line((end, y), (end, low)), stroke=style.ink, width=0.4, tag=MARK)


def reach(gauge: Reach, context: Context) -> tuple[Piece, ...]:
    """A stick (or the sign itself) whose length is the distance."""
    style, colour = context.style, context.colour(gauge)
    label = context.say(gauge.label) or f"{gauge.length / MM_PER_INCH:g}″"
    on = readable(colour)
    if gauge.form == "stick" or not gauge.figure:
        return (_stick(gauge, context, label, on, colour),)
    shape = figure_by_side(gauge.figure, gauge.length)
    _, _, wide, tall = extent(shape)
    middle = tall * (0.62 if gauge.figure == "triangle" else 0.5)
    name = context.say(gauge.name)
    art = (
        Path(shape, fill=colour),
        context.line(
            label, wide / 2, middle, min(tall * 0.32, 14), on, width=wide * 0.5, weight="black"
        ),
        replace(context.cut(shape), stroke=style.ink, width=0.25),
    )
    return (Piece(gauge.id, wide, tall, art, caption="" if name == label else name),)


def _stick(gauge: Reach, context: Context, label: str, on: str, colour: str) -> Piece:
    long, wide = gauge.length, gauge.width
    size = min(wide * 0.5, long * 0.36) if gauge.figure else 0.0
    text = min(wide * 0.36, 7.5)
    between = 1.5 if gauge.figure else 0.0
    x = (long - size - between - context.measure(label, text, "black")) / 2
    centre = (wide - 3.4) / 2
    art: list[Art] = [Path(rect(0, 0, long, wide), fill=colour)]
    if gauge.figure:
        sign = figure(gauge.figure, size)
        art.append(Path(shift(sign, x, centre - extent(sign)[3] / 2), fill=on))
    art.append(
        context.line(label, x + size + between, centre, text, on, weight="black", anchor="start")
    )
    name = context.say(gauge.name).upper()
    art.append(Path(rect(0, wide - 3.8, long, 3.8), fill=context.band))
    fits = context.measure(name, SMALLEST, "bold") <= long - 2
    if fits:
        art.append(
            context.line(name, long / 2, wide - 1.9, 2.6, readable(context.band), width=long - 2)
        )
    for end, inner in ((0.0, 1.6), (long, -1.6)):
        arrow = polygon([(end, centre), (end + inner, centre - 1.8), (end + inner, centre + 1.8)])
        art.append(Path(arrow, fill=on))
    return context.piece(gauge, long, wide, art, "" if fits else context.say(gauge.name))
