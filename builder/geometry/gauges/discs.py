"""Round gauges. Pure."""

from __future__ import annotations

from math import cos, pi, sin

from builder.geometry.gauges import ink
from builder.geometry.gauges.art import CUT, MARK, Art, Icon, Path, Piece, circle, line, rect
from builder.geometry.gauges.context import Context
from builder.model.gauge import Disc

RIM = 4.2
"""Width of the coloured rim that bears the name of a large disc, in mm."""

LARGE = 19.0
"""From this radius on the name stands on the rim instead of under the disc, in mm."""


def disc(gauge: Disc, context: Context) -> tuple[Piece, ...]:
    """A disc with its rim, rings, rays, centre and hole."""
    style, colour, r = context.style, context.colour(gauge), gauge.r
    large = r - (gauge.hole or 0) / 2 >= LARGE
    ground = colour if gauge.solid else style.paper
    on = ink.readable(ground)
    art: list[Art] = [Path(circle(r, r, r), fill=ground)]
    name = context.say(gauge.name).upper()
    if large:
        inner = circle(r, r, r - RIM)
        art.append(Path((*circle(r, r, r), *inner), fill=context.band if gauge.solid else colour, even=True))
        rim = ink.readable(context.band if gauge.solid else colour)
        size = context.fitted(name, 2 * r * 2.4, 2.7)
        art += context.around(name, r, r, r - RIM / 2, size, rim)
    elif not gauge.solid:
        art.append(Path(circle(r, r, r - 0.9), stroke=colour, width=1.0))
    art += _rays(gauge, r, r - (RIM if large else 1.5), on)
    art += _rings(gauge, context, on)
    art += _middle(gauge, context, on)
    if gauge.hole:
        art.append(Path(circle(r, r, gauge.hole / 2), fill="#ffffff", stroke=style.cut, width=0.2, tag=CUT))
    art.append(Path(circle(r, r, r), stroke=style.cut, width=0.2, tag=CUT))
    return (Piece(gauge.id, 2 * r, 2 * r, tuple(art), caption="" if large else context.say(gauge.name)),)


def _rings(gauge: Disc, context: Context, on: str) -> list[Art]:
    art: list[Art] = []
    r = gauge.r
    for ring in gauge.rings:
        art.append(Path(circle(r, r, ring.radius), stroke=on, width=0.3, dash=(2, 1.2), tag=MARK))
        label = context.say(ring.label)
        if label:
            art += _patched(context, label, r, r + ring.radius, 3.6, gauge, on)
    return art


def _rays(gauge: Disc, r: float, reach: float, on: str) -> list[Art]:
    start = max((gauge.hole or 0) / 2, r * 0.12)
    art: list[Art] = []
    for k in range(gauge.spokes):
        x, y = sin(2 * pi * k / gauge.spokes), -cos(2 * pi * k / gauge.spokes)
        ray = line((r + start * x, r + start * y), (r + reach * x, r + reach * y))
        art.append(Path(ray, stroke=on, width=0.25, tag=MARK))
    return art


def _middle(gauge: Disc, context: Context, on: str) -> list[Art]:
    """Icon and label share the middle: with a cross they move apart, above and below it."""
    r = gauge.r
    art: list[Art] = []
    label = context.say(gauge.label)
    if gauge.hole:
        outer = r - (RIM if r - gauge.hole / 2 >= LARGE else 0)
        inner = max([gauge.hole / 2, *(ring.radius for ring in gauge.rings if ring.radius < outer)])
        band = (outer + inner) / 2
        if label:
            art += _patched(context, label, r, r + band, min(9.0, (outer - inner) * 0.55), gauge, on)
        if gauge.icon:
            art.append(Icon(r, r - band, gauge.icon, min(12.0, r * 0.3), on))
        return art
    if gauge.centre == "cross":
        arm = min(r * 0.22, 6.0)
        art.append(Path(line((r - arm, r), (r + arm, r)), stroke=on, width=0.3))
        art.append(Path(line((r, r - arm), (r, r + arm)), stroke=on, width=0.3))
    elif gauge.centre == "dot":
        art.append(Path(circle(r, r, 0.6), fill=on))
    clear = 0.0 if gauge.centre == "none" else r * 0.52
    if label:
        size = min(r * 0.5, 9.0) if clear else r * 0.62
        art.append(context.line(label, r, r - clear, size, on, width=r * 1.1, weight="black"))
    if gauge.icon:
        art.append(Icon(r, r + clear * 0.95 if label else r - clear, gauge.icon, r * (0.62 if clear else 1.1), on))
    return art


def _patched(context: Context, text: str, x: float, y: float, size: float, gauge: Disc, on: str) -> list[Art]:
    """A label on a patch of the ground, so that no line runs through it."""
    ground = context.colour(gauge) if gauge.solid else context.style.paper
    half = context.measure(text, size, "black") / 2 + size * 0.2
    patch = rect(x - half, y - size * 0.5, 2 * half, size, size * 0.2)
    return [Path(patch, fill=ground), context.line(text, x, y, size, on, weight="black")]
