"""What lies on the table: discs, templates and squares that tell the cost of a way. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, cos, pi, radians, sin

from builder.geometry.gauges.art import (
    MARK,
    Art,
    Icon,
    Path,
    Piece,
    Weight,
    circle,
    extent,
    line,
    moved,
    polygon,
    rect,
)
from builder.geometry.gauges.context import Context, mix, readable
from builder.geometry.gauges.outlines import segments
from builder.model.gauge import Disc, GridRuler, Template, TemplateLine
from builder.model.outline import Drop, Sector

RIM = 4.2
"""Width of the coloured rim that bears the name of a large disc, in mm."""
LARGE = 19.0
"""From this radius on the name stands on the rim instead of under the disc, in mm."""


def disc(gauge: Disc, context: Context) -> tuple[Piece, ...]:
    """A disc with its rim, rings, rays, centre and hole."""
    style, colour, r = context.style, context.colour(gauge), gauge.r
    large = r - (gauge.hole or 0) / 2 >= LARGE
    ground = colour if gauge.solid else style.paper
    on = readable(ground)
    art: list[Art] = [Path(circle(r, r, r), fill=ground)]
    name = context.say(gauge.name).upper()
    if large:
        inner = circle(r, r, r - RIM)
        art.append(
            Path(
                (*circle(r, r, r), *inner), fill=context.band if gauge.solid else colour, even=True
            )
        )
        rim = readable(context.band if gauge.solid else colour)
        size = context.fitted(name, 2 * r * 2.4, 2.7)
        art += context.around(name, r, r, r - RIM / 2, size, rim)
    elif not gauge.solid:
        art.append(Path(circle(r, r, r - 0.9), stroke=colour, width=1.0))
    start, end = max((gauge.hole or 0) / 2, r * 0.12), r - (RIM if large else 1.5)
    art += [_ray(r, 2 * pi * k / gauge.spokes, start, end, on, 0.25) for k in range(gauge.spokes)]
    for ring in gauge.rings:
        art.append(Path(circle(r, r, ring.radius), stroke=on, width=0.3, dash=(2, 1.2), tag=MARK))
        if label := context.say(ring.label):
            art += _patched(context, label, r, r + ring.radius, 3.6, gauge, on)
    art += _middle(gauge, context, on)
    if gauge.hole:
        art.append(context.cut(circle(r, r, gauge.hole / 2), "#ffffff"))
    art.append(context.cut(circle(r, r, r)))
    return (
        Piece(gauge.id, 2 * r, 2 * r, tuple(art), caption="" if large else context.say(gauge.name)),
    )


def _ray(middle: float, angle: float, start: float, end: float, ink: str, width: float) -> Path:
    """A mark along a radius, from a distance to another; 0 radians are upwards."""
    x, y = sin(angle), -cos(angle)
    ends = line((middle + start * x, middle + start * y), (middle + end * x, middle + end * y))
    return Path(ends, stroke=ink, width=width, tag=MARK)


def _middle(gauge: Disc, context: Context, on: str) -> Iterator[Art]:
    """Icon and label share the middle: with a cross they move apart, above and below it."""
    r = gauge.r
    label = context.say(gauge.label)
    if gauge.hole:
        outer = r - (RIM if r - gauge.hole / 2 >= LARGE else 0)
        inner = max([gauge.hole / 2, *(ring.radius for ring in gauge.rings if ring.radius < outer)])
        band = (outer + inner) / 2
        if label:
            yield from _patched(
                context, label, r, r + band, min(9.0, (outer - inner) * 0.55), gauge, on
            )
        if gauge.icon:
            yield Icon(r, r - band, gauge.icon, min(12.0, r * 0.3), on)
        return
    if gauge.centre == "cross":
        arm = min(r * 0.22, 6.0)
        yield Path(line((r - arm, r), (r + arm, r)), stroke=on, width=0.3)
        yield Path(line((r, r - arm), (r, r + arm)), stroke=on, width=0.3)
    elif gauge.centre == "dot":
        yield Path(circle(r, r, 0.6), fill=on)
    clear = 0.0 if gauge.centre == "none" else r * 0.52
    if label:
        size = min(r * 0.5, 9.0) if clear else r * 0.62
        yield context.line(label, r, r - clear, size, on, width=r * 1.1, weight="black")
    if gauge.icon:
        yield Icon(
            r,
            r + clear * 0.95 if label else r - clear,
            gauge.icon,
            r * (0.62 if clear else 1.1),
            on,
        )


def _patched(
    context: Context, text: str, x: float, y: float, size: float, gauge: Disc, on: str
) -> list[Art]:
    """A label on a patch of the ground, so that no line runs through it."""
    ground = context.colour(gauge) if gauge.solid else context.style.paper
    half = context.measure(text, size, "black") / 2 + size * 0.2
    patch = rect(x - half, y - size * 0.5, 2 * half, size, size * 0.2)
    return [Path(patch, fill=ground), context.line(text, x, y, size, on, weight="black")]


def template(gauge: Template, context: Context) -> tuple[Piece, ...]:
    """The outline in a pale ground, its lines, label and hole."""
    style, colour = context.style, context.colour(gauge)
    shape = segments(gauge.outline)
    left, top, right, bottom = extent(shape)
    ground = mix(colour, style.paper, 0.78)
    art: list[Art] = [Path(shape, fill=ground)]
    for drawn in gauge.lines:
        art += _line(drawn, context)
    if isinstance(gauge.outline, Sector) and gauge.degrees:
        art += _sector_rays(gauge.outline, gauge.degrees, context)
    art += _label(gauge, context, (left, top, right, bottom), ground)
    if gauge.hole:
        art.append(context.cut(segments(gauge.hole), "#ffffff"))
    art.append(context.cut(shape))
    caption = (
        context.say(gauge.name) if gauge.label or gauge.hole else ""
    )  # where it is not on the template itself
    return (Piece(gauge.id, right - left, bottom - top, moved(art, -left, -top), caption=caption),)


def _line(drawn: TemplateLine, context: Context) -> Iterator[Art]:
    dash = (2.0, 1.2) if drawn.dashed else ()
    yield Path(
        line(drawn.start, drawn.end), stroke=context.style.ink, width=0.3, dash=dash, tag=MARK
    )
    label = context.say(drawn.label)
    if not label:
        return
    x, y = (drawn.start[0] + drawn.end[0]) / 2, (drawn.start[1] + drawn.end[1]) / 2
    upright = abs(drawn.end[1] - drawn.start[1]) > abs(drawn.end[0] - drawn.start[0])
    aside = (1.2, 0.0) if upright else (0.0, -2.2)
    words = context.line(label, x + aside[0], y + aside[1], 3.0, context.style.ink)
    yield replace(words, anchor="start" if upright else "middle")


def _sector_rays(sector: Sector, degrees: float, context: Context) -> Iterator[Art]:
    start, end, size = (
        max(sector.inner, sector.radius * 0.15),
        sector.radius - 5,
        sector.radius - 2.8,
    )
    for k in range(1, ceil(sector.angle / degrees - 1e-6)):
        angle = radians(k * degrees - sector.angle / 2)
        yield _ray(0, angle, start, end, context.style.ink, 0.3)
        words = f"{k * degrees:g}°"
        yield context.line(words, size * sin(angle), -size * cos(angle), 3.0, context.style.ink)


def _label(
    gauge: Template, context: Context, box: tuple[float, float, float, float], ground: str
) -> Iterator[Art]:
    """In the middle of the outline; in a teardrop in the middle of its wide end; a slim one is lettered upright."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    x, y = (left + right) / 2, (top + bottom) / 2
    if isinstance(gauge.outline, Drop):
        y = top + gauge.outline.wide / 2
        wide = tall = gauge.outline.wide
    if gauge.icon:
        size = min(wide, tall) * 0.4
        yield Icon(x, y - size * 0.35, gauge.icon, size, context.style.ink)
        y += size * 0.45
    label = context.say(gauge.label) or context.say(gauge.name)
    if gauge.hole and not gauge.label:
        return
    size = min(6.0, min(wide, tall) * 0.3)
    if tall > 2.5 * wide:
        yield context.line(label, x, y, size, context.style.ink, width=tall * 0.8, angle=-90)
    else:
        words = context.block(label, x, y, size, context.style.ink, width=wide * 0.76)
        for word in words:  # the ground lies under each, so that no line runs through it
            half = context.measure(word.text, word.size, word.weight) / 2 + 0.8
            yield Path(
                rect(word.x - half, word.y - word.size, 2 * half, word.size * 1.25), fill=ground
            )
        yield from words


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
            ground = colour if start else mix(colour, style.paper, 0.72 if int(price) % 2 else 0.88)
            art.append(Path(rect(x, y, cell, cell), fill=ground, stroke=style.ink, width=0.25))
            cx, cy, on = x + cell / 2, y + cell / 2, readable(ground)
            if start:
                arm = cell * 0.2
                shape = polygon([(cx, cy - arm), (cx + arm, cy), (cx, cy + arm), (cx - arm, cy)])
                art.append(Path(shape, fill=on))
            else:
                shown = f"{int(price)}½" if price % 1 == 0.5 else f"{price:g}"
                weight: Weight = "black" if column == row else "bold"
                art.append(
                    context.line(shown, cx, cy, cell * 0.36, on, width=cell * 0.8, weight=weight)
                )
    art.append(Path(rect(0, tall, wide, BAND), fill=context.band))
    name = context.say(gauge.name).upper()
    art.append(
        context.line(name, wide / 2, tall + BAND / 2, 3.2, readable(context.band), width=wide - 4)
    )
    return (context.piece(gauge, wide, tall + BAND, art, context.say(gauge.note)),)
