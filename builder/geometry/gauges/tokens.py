"""What stands beside a model or a player: tokens, panels and sliders. Pure."""

from collections.abc import Iterator
from math import ceil

from builder.geometry.gauges.art import (
    FOLD,
    Art,
    Icon,
    Path,
    Piece,
    Segment,
    extent,
    line,
    moved,
    polygon,
    rect,
    shift,
)
from builder.geometry.gauges.context import Context, mix, readable
from builder.geometry.gauges.outlines import figure
from builder.messages import gettext as _
from builder.model.gauge import Cell, Panel, Side, Slider, Token, Track

BACK_BLEED = 1.5
"""How far a back reaches past the outline, in mm: printers shift the second side."""
INSET = 0.055
"""The inner line's distance from the edge in parts of the size."""
CENTRE = {"triangle": 0.64, "shield": 0.44, "pentagon": 0.54}
"""Height of the optical centre in parts of the height, where it is not the middle."""
ROOM = {"triangle": 0.5, "diamond": 0.6, "circle": 0.8, "hex": 0.74, "pentagon": 0.72}
"""Width free for icon and text in parts of the size (a square: 0.86)."""


ALONE = {"triangle": 0.4, "diamond": 0.42, "pentagon": 0.5, "hex": 0.54}
"""Size of an icon without a text in parts of the size."""
FOOT = {
    "triangle": 0.5,
    "diamond": 0.34,
    "circle": 0.62,
    "hex": 0.54,
    "pentagon": 0.56,
    "shield": 0.5,
}
"""Width free for the text under an icon in parts of the size (a square: 0.78)."""


def token(gauge: Token, context: Context) -> Iterator[Piece]:
    """Each front as often as it is wanted; the same back behind all that state no other.

    Low outlines stand in the middle of a square, so that tokens of one size form even rows.
    """
    for sign in gauge.series or ("",):
        for face in gauge.faces:
            back = face.back or gauge.back
            _, _, right, bottom = extent(figure(gauge.figure, gauge.size))
            pad = max(0.0, gauge.size - bottom) / 2
            behind = (
                moved(_side(gauge, back, sign, context, bleed=BACK_BLEED), 0, pad) if back else None
            )
            front = moved(_side(gauge, face, sign, context, bleed=0), 0, pad)
            caption = context.say(gauge.name) if gauge.caption else ""
            yield from (
                Piece(gauge.id, right, bottom + 2 * pad, front, behind, caption),
            ) * face.count


def _scaled(
    shape: tuple[Segment, ...], width: float, height: float, by: float
) -> tuple[Segment, ...]:
    """The outline grown (or shrunk) by so many mm on each side, around its middle."""
    return shift(shape, -by, -by, (width + 2 * by) / width, (height + 2 * by) / height)


def _side(gauge: Token, side: Side, sign: str, context: Context, *, bleed: float) -> Iterator[Art]:
    size, shape = gauge.size, figure(gauge.figure, gauge.size)
    _, _, wide, tall = extent(shape)
    ground = side.colour or context.colour(gauge)
    on = side.ink or readable(ground)
    yield Path(_scaled(shape, wide, tall, bleed) if bleed else shape, fill=ground)
    inset = size * INSET * (1.6 if gauge.figure in ("triangle", "diamond", "pentagon") else 1)
    yield Path(_scaled(shape, wide, tall, -inset), stroke=mix(ground, on, 0.55), width=size * 0.016)
    yield from _content(gauge, side, sign, context, on, (wide, tall))
    if not bleed:
        yield context.cut(shape)


def _content(
    gauge: Token, side: Side, sign: str, context: Context, on: str, box: tuple[float, float]
) -> Iterator[Art]:
    size, (wide, tall) = gauge.size, box
    x, y = wide / 2, tall * CENTRE.get(gauge.figure, 0.5)
    room = size * ROOM.get(gauge.figure, 0.86)
    text = context.say(side.text)
    if side.icon and (text or sign):
        shown = text or sign
        foot = size * FOOT.get(gauge.figure, 0.78)
        if len(shown) <= 2:
            yield Icon(x, y - size * 0.14, side.icon, size * 0.4, on)
            yield context.line(
                shown, x, y + size * 0.22, size * 0.28, on, width=foot, weight="black"
            )
        else:
            yield Icon(x, y - size * 0.1, side.icon, size * 0.46, on)
            yield context.line(shown, x, y + size * 0.24, size * 0.15, on, width=foot)
    elif side.icon:
        yield Icon(x, y, side.icon, size * ALONE.get(gauge.figure, 0.6), on)
    elif text:
        large = size * (0.46 if len(text) <= 2 else 0.22)
        yield from context.block(
            text, x, y - (size * 0.08 if sign else 0), large, on, width=room * 0.9
        )
    elif sign:
        yield context.line(sign, x, y, size * 0.46, on, width=room, weight="black")
    if sign and text:
        yield context.line(sign, x, y + size * 0.33, size * 0.14, on, width=room * 0.5)


HEAD, TITLE, PAD, GAP = 8.0, 6.0, 4.0, 1.2
CLEARANCE = 0.8
"""How much wider than the strip a sleeve is folded, in mm."""

HANDLE, MARGIN, WALL = 10.0, 2.5, 5.0


def panel(gauge: Panel, context: Context) -> tuple[Piece, ...]:
    """A framed board: a dark head with the name, then each track with its title."""
    style, colour = context.style, context.colour(gauge)
    drawn = [_track(track, context) for track in gauge.tracks]
    wide = max(item[1] for item in drawn) + 2 * PAD
    tall = HEAD + PAD + sum(item[2] for item in drawn) + PAD * len(drawn)
    art: list[Art] = [
        Path(rect(0, 0, wide, tall, 2), fill=style.tint),
        Path(rect(0, 0, wide, HEAD), fill=context.band),
    ]
    art.append(Path(polygon([(0, 0), (9, 0), (5, HEAD), (0, HEAD)]), fill=colour))
    on = readable(context.band)
    art.append(
        context.line(
            context.say(gauge.name).upper(), 11, HEAD / 2, 4.2, on, width=wide - 14, anchor="start"
        )
    )
    y = HEAD + PAD
    for items, _unused, height in drawn:
        art += moved(items, PAD, y)
        y += height + PAD
    return (context.piece(gauge, wide, tall, art, context.say(gauge.note)),)


def _track(track: Track, context: Context) -> tuple[list[Art], float, float]:
    art: list[Art] = []
    top = 0.0
    title = context.say(track.title)
    boxes = track.boxes
    per = track.per_row or len(boxes)
    wide = min(per, len(boxes)) * (track.width + GAP) - GAP
    if title:
        start = 0.0
        if track.icon:
            art.append(Icon(2.2, 2.2, track.icon, 4.6, context.style.ink))
            start = 6.0
        size = context.fitted(title, max(wide - start, 40), 3.2)
        art.append(context.line(title, start, 2.2, size, context.style.ink, anchor="start"))
        wide = max(wide, start + context.measure(title, size, "bold"))
        top = TITLE
    for index, cell in enumerate(boxes):
        x, y = (index % per) * (track.width + GAP), top + (index // per) * (track.height + GAP)
        art += moved(_cell(track, index, cell, context, corner=1.4), x, y)
    return art, wide, top + ceil(len(boxes) / per) * (track.height + GAP) - GAP


def _cell(
    track: Track, index: int, cell: Cell, context: Context, *, corner: float
) -> Iterator[Art]:
    zones = (zone.colour for zone in reversed(track.zones) if zone.first <= index + 1 <= zone.last)
    ground = cell.colour or next(zones, context.style.paper)
    on = readable(ground) if ground != context.style.paper else context.style.ink
    wide, tall = track.width, track.height
    yield Path(rect(0, 0, wide, tall, corner), fill=ground, stroke=context.style.ink, width=0.3)
    label = context.say(cell.label)
    if cell.icon:
        size = min(wide, tall) * (0.52 if label else 0.7)
        yield Icon(wide / 2, tall * (0.38 if label else 0.5), cell.icon, size, on)
        if label:
            yield context.line(label, wide / 2, tall * 0.82, tall * 0.2, on, width=wide - 1.6)
    elif label:
        large = min(wide, tall) * (0.5 if len(label) <= 3 else 0.24)
        yield from context.block(label, wide / 2, tall / 2, large, on, width=wide - 1.6, rows=3)


def slider(gauge: Slider, context: Context) -> tuple[Piece, ...]:
    """The strip, and the net of its sleeve."""
    return (_strip(gauge, context), _sleeve(gauge, context))


def _strip(gauge: Slider, context: Context) -> Piece:
    colour, track = context.colour(gauge), gauge.track
    wide, tall = len(track.boxes) * track.width + 2 * HANDLE, track.height + 2 * MARGIN
    art: list[Art] = [Path(rect(0, 0, wide, tall), fill=context.band)]
    art += [Path(rect(x, 0, HANDLE, tall), fill=colour) for x in (0.0, wide - HANDLE)]
    on = readable(colour)
    name = context.say(gauge.name).upper()
    for x in (HANDLE / 2, wide - HANDLE / 2):
        art.append(context.line(name, x, tall / 2, 2.6, on, width=tall - 2, angle=-90))
    for index, cell in enumerate(track.boxes):
        art += moved(
            _cell(track, index, cell, context, corner=0), HANDLE + index * track.width, MARGIN
        )
    return context.piece(gauge, wide, tall, art, context.say(gauge.name))


def _sleeve(gauge: Slider, context: Context) -> Piece:
    """Front with its window, back, and a tab to be glued inside; folded along the dashed lines."""
    style, colour, track = context.style, context.colour(gauge), gauge.track
    panel_tall = track.height + 2 * MARGIN + CLEARANCE
    tab = panel_tall * 0.7
    arrow = gauge.pointer == "arrow"
    wide = max(track.width * 0.6, 8.0) if arrow else track.width + 2 * WALL
    tall = 2 * panel_tall + tab
    on = readable(colour)
    art: list[Art] = [
        Path(rect(0, 0, wide, 2 * panel_tall), fill=colour),
        Path(
            polygon([(0, 2 * panel_tall), (wide, 2 * panel_tall), (wide - 2, tall), (2, tall)]),
            fill=style.tint,
        ),
    ]
    inset = MARGIN + CLEARANCE / 2
    if arrow:
        half = wide * 0.34
        tip = inset + track.height * 0.5
        window = rect(1.5, inset, wide - 3, track.height * 0.45)
        art.append(
            Path(
                polygon([(wide / 2, tip), (wide / 2 + half, tip + 4), (wide / 2 - half, tip + 4)]),
                fill=on,
            )
        )
    else:
        window = rect(WALL, inset, track.width, track.height)
    art.append(context.cut(window, "#ffffff"))
    folds = (panel_tall, 2 * panel_tall)
    art += [
        Path(line((0, y), (wide, y)), stroke=on, width=0.2, dash=(1, 1), tag=FOLD) for y in folds
    ]
    middle = panel_tall * 1.5
    angle, room = (-90.0, panel_tall - 2) if arrow else (0.0, wide - 2)
    art.append(
        context.line(context.say(gauge.name), wide / 2, middle, 2.4, on, width=room, angle=angle)
    )
    lower, room = 2 * panel_tall + tab / 2, (tab - 2 if arrow else wide - 5)
    art.append(
        context.line(
            context.say(_("glue")), wide / 2, lower, 2.4, style.ink, width=room, angle=angle
        )
    )
    outline = polygon(
        [
            (0, 0),
            (wide, 0),
            (wide, 2 * panel_tall),
            (wide - 2, tall),
            (2, tall),
            (0, 2 * panel_tall),
        ]
    )
    return Piece(gauge.id, wide, tall, (*art, context.cut(outline)))
