"""Templates of any outline. Pure."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

from builder.geometry.gauges import ink
from builder.geometry.gauges.art import CUT, MARK, Art, Icon, Path, Piece, Text, extent, line, moved, rect
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.outlines import segments
from builder.model.gauge import Line, Template
from builder.model.outline import Drop, Sector


def template(gauge: Template, context: Context) -> tuple[Piece, ...]:
    """The outline in a pale ground, its lines, label and hole."""
    style, colour = context.style, context.colour(gauge)
    shape = segments(gauge.outline)
    left, top, right, bottom = extent(shape)
    ground = ink.mix(colour, style.paper, 0.78)
    art: list[Art] = [Path(shape, fill=ground)]
    for drawn in gauge.lines:
        art += _line(drawn, context)
    if isinstance(gauge.outline, Sector) and gauge.degrees:
        art += _rays(gauge.outline, gauge.degrees, context)
    art += _label(gauge, context, (left, top, right, bottom), ground)
    if gauge.hole:
        art.append(Path(segments(gauge.hole), fill="#ffffff", stroke=style.cut, width=0.2, tag=CUT))
    art.append(Path(shape, stroke=style.cut, width=0.2, tag=CUT))
    return (Piece(gauge.id, right - left, bottom - top, moved(art, -left, -top), caption=_caption(gauge, context)),)


def _caption(gauge: Template, context: Context) -> str:
    """The name, where it does not stand on the template itself."""
    return context.say(gauge.name) if gauge.label or gauge.hole else ""


def _line(drawn: Line, context: Context) -> list[Art]:
    dash = (2.0, 1.2) if drawn.dashed else ()
    ruled = Path(line(drawn.start, drawn.end), stroke=context.style.ink, width=0.3, dash=dash, tag=MARK)
    label = context.say(drawn.label)
    if not label:
        return [ruled]
    x, y = (drawn.start[0] + drawn.end[0]) / 2, (drawn.start[1] + drawn.end[1]) / 2
    upright = abs(drawn.end[1] - drawn.start[1]) > abs(drawn.end[0] - drawn.start[0])
    aside = (1.2, 0.0) if upright else (0.0, -2.2)
    words = context.line(label, x + aside[0], y + aside[1], 3.0, context.style.ink)
    return [ruled, replace(words, anchor="start" if upright else "middle")]


def _rays(sector: Sector, degrees: float, context: Context) -> list[Art]:
    art: list[Art] = []
    count = int(sector.angle / degrees + 1e-6)
    for k in range(count + 1):
        angle = -sector.angle / 2 + k * degrees
        x, y = sin(angle * pi / 180), -cos(angle * pi / 180)
        start, end = max(sector.inner, sector.radius * 0.15), sector.radius - 5
        edge = k > 0 and angle < sector.angle / 2 - 1e-6
        if edge:
            art.append(
                Path(line((start * x, start * y), (end * x, end * y)), stroke=context.style.ink, width=0.3, tag=MARK)
            )
            size = sector.radius - 2.8
            words = context.line(f"{k * degrees:g}°", size * x, size * y, 3.0, context.style.ink)
            art.append(words)
    return art


def _label(gauge: Template, context: Context, box: tuple[float, float, float, float], ground: str) -> list[Art]:
    """In the middle of the outline; in a teardrop in the middle of its wide end; a slim one is lettered upright."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    x, y = (left + right) / 2, (top + bottom) / 2
    if isinstance(gauge.outline, Drop):
        y = top + gauge.outline.wide / 2
        wide = tall = gauge.outline.wide
    art: list[Art] = []
    if gauge.icon:
        size = min(wide, tall) * 0.4
        art.append(Icon(x, y - size * 0.35, gauge.icon, size, context.style.ink))
        y += size * 0.45
    label = context.say(gauge.label) or context.say(gauge.name)
    if gauge.hole and not gauge.label:
        return art
    size = min(6.0, min(wide, tall) * 0.3)
    if tall > 2.5 * wide:
        art.append(context.line(label, x, y, size, context.style.ink, width=tall * 0.8, angle=-90))
    else:
        words = context.block(label, x, y, size, context.style.ink, width=wide * 0.76)
        art += [*_patches(context, words, ground), *words]
    return art


def _patches(context: Context, words: tuple[Text, ...], ground: str) -> list[Art]:
    """The ground under a label, so that no line runs through it."""
    found: list[Art] = []
    for word in words:
        half = context.measure(word.text, word.size, word.weight) / 2 + 0.8
        found.append(Path(rect(word.x - half, word.y - word.size, 2 * half, word.size * 1.25), fill=ground))
    return found
