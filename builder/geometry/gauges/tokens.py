"""Tokens with fronts and backs. Pure."""

from __future__ import annotations

from builder.geometry.gauges import ink
from builder.geometry.gauges.art import CUT, Art, Icon, Path, Piece, Segment, extent, moved, shift
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.outlines import figure
from builder.model.gauge import Side, Token

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

FOOT = {"triangle": 0.5, "diamond": 0.34, "circle": 0.62, "hex": 0.54, "pentagon": 0.56, "shield": 0.5}
"""Width free for the text under an icon in parts of the size (a square: 0.78)."""


def token(gauge: Token, context: Context) -> tuple[Piece, ...]:
    """Each front as often as it is wanted; the same back behind all that state no other.

    Low outlines stand in the middle of a square, so that tokens of one size form even rows.
    """
    pieces: list[Piece] = []
    for sign in gauge.series or ("",):
        for face in gauge.faces:
            back = face.back or gauge.back
            _, _, right, bottom = extent(figure(gauge.figure, gauge.size))
            pad = max(0.0, gauge.size - bottom) / 2
            behind = moved(_side(gauge, back, sign, context, bleed=BACK_BLEED), 0, pad) if back else None
            piece = Piece(
                gauge.id,
                right,
                bottom + 2 * pad,
                moved(_side(gauge, face, sign, context, bleed=0), 0, pad),
                behind,
                caption=context.say(gauge.name) if gauge.caption else "",
            )
            pieces += [piece] * face.count
    return tuple(pieces)


def _scaled(shape: tuple[Segment, ...], width: float, height: float, by: float) -> tuple[Segment, ...]:
    """The outline grown (or shrunk) by so many mm on each side, around its middle."""
    sx, sy = (width + 2 * by) / width, (height + 2 * by) / height
    grown = tuple((kind, tuple(v * (sy if i % 2 else sx) for i, v in enumerate(values))) for kind, values in shape)
    return shift(grown, -by, -by)


def _side(gauge: Token, side: Side, sign: str, context: Context, *, bleed: float) -> tuple[Art, ...]:
    size = gauge.size
    shape = figure(gauge.figure, size)
    _, _, wide, tall = extent(shape)
    ground = side.colour or context.colour(gauge)
    on = side.ink or ink.readable(ground)
    art: list[Art] = [Path(_scaled(shape, wide, tall, bleed) if bleed else shape, fill=ground)]
    line = ink.mix(ground, on, 0.55)
    inset = size * INSET * (1.6 if gauge.figure in ("triangle", "diamond", "pentagon") else 1)
    art.append(Path(_scaled(shape, wide, tall, -inset), stroke=line, width=size * 0.016))
    art += _content(gauge, side, sign, context, on, (wide, tall))
    if not bleed:
        art.append(Path(shape, stroke=context.style.cut, width=0.2, tag=CUT))
    return tuple(art)


def _content(gauge: Token, side: Side, sign: str, context: Context, on: str, box: tuple[float, float]) -> list[Art]:
    size, (wide, tall) = gauge.size, box
    x, y = wide / 2, tall * CENTRE.get(gauge.figure, 0.5)
    room = size * ROOM.get(gauge.figure, 0.86)
    text = context.say(side.text)
    art: list[Art] = []
    if side.icon and (text or sign):
        shown = text or sign
        foot = size * FOOT.get(gauge.figure, 0.78)
        if len(shown) <= 2:
            art.append(Icon(x, y - size * 0.14, side.icon, size * 0.4, on))
            art.append(context.line(shown, x, y + size * 0.22, size * 0.28, on, width=foot, weight="black"))
        else:
            art.append(Icon(x, y - size * 0.1, side.icon, size * 0.46, on))
            art.append(context.line(shown, x, y + size * 0.24, size * 0.15, on, width=foot))
    elif side.icon:
        art.append(Icon(x, y, side.icon, size * ALONE.get(gauge.figure, 0.6), on))
    elif text:
        large = size * (0.46 if len(text) <= 2 else 0.22)
        art += context.block(text, x, y - (size * 0.08 if sign else 0), large, on, width=room * 0.9)
    elif sign:
        art.append(context.line(sign, x, y, size * 0.46, on, width=room, weight="black"))
    if sign and text:
        art.append(context.line(sign, x, y + size * 0.33, size * 0.14, on, width=room * 0.5))
    return art
