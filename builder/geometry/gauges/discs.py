"""Discs with rings, spokes, a marked centre and a hole. Pure."""

from math import cos, pi, sin

from builder.geometry.boxes import Point
from builder.geometry.gauges.art import (
    MARK_TAG,
    Path,
    Piece,
    TextStyle,
    make_circle,
    make_rect,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour
from builder.geometry.gauges.context import Context
from builder.model.gauge import Disc

RIM_MM = 4.2
"""Width of the coloured rim that bears the name of a large disc."""
MIN_WIDTH_FOR_RIM_MM = 19.0
"""A disc at least this wide from edge to hole has the name on its rim instead of under it."""


def draw_disc(gauge: Disc, context: Context) -> tuple[Piece, ...]:
    """Draw a disc with its rings."""
    canvas = Canvas(context, gauge)
    radius = gauge.r
    centre = (radius, radius)
    background = canvas.colour if gauge.solid else canvas.style.paper
    ink = choose_text_colour(background)
    name = context.localize(gauge.name)
    has_rim = _has_rim(gauge)
    canvas.fill(make_circle(radius, radius, radius), background)
    if has_rim:
        _draw_rim(canvas, gauge, name.upper())
    elif not gauge.solid:
        edge = make_circle(radius, radius, radius - 0.9)
        canvas.art.append(Path(edge, stroke=canvas.colour, width=1.0))
    start = max((gauge.hole or 0) / 2, radius * 0.12)
    end = radius - (RIM_MM if has_rim else 1.5)
    for index in range(gauge.spokes):
        angle = 2 * pi * index / gauge.spokes
        spoke_start = find_point_on_ray(centre, angle, start)
        spoke_end = find_point_on_ray(centre, angle, end)
        canvas.draw_line(spoke_start, spoke_end, 0.25, colour=ink, tag=MARK_TAG)
    for ring in gauge.rings:
        circle = make_circle(radius, radius, ring.radius)
        canvas.art.append(Path(circle, None, ink, 0.3, (2, 1.2), tag=MARK_TAG))
        label = context.localize(ring.label)
        if label:
            style = TextStyle(3.6, ink, weight="black")
            position = (radius, radius + ring.radius)
            _draw_text_on_patch(canvas, label, position, background, style)
    if gauge.hole:
        _draw_ring_label(canvas, gauge, background, ink)
        # The hole is painted white, because the disc's background reaches across it.
        canvas.draw_cut_line(make_circle(radius, radius, gauge.hole / 2), "#ffffff")
    else:
        _draw_centre(canvas, gauge, ink)
    canvas.draw_cut_line(make_circle(radius, radius, radius))
    caption = "" if has_rim else name
    diameter = 2 * radius
    return (Piece(gauge.id, diameter, diameter, tuple(canvas.art), caption=caption),)


def _has_rim(gauge: Disc) -> bool:
    return gauge.r - (gauge.hole or 0) / 2 >= MIN_WIDTH_FOR_RIM_MM


def find_point_on_ray(centre: Point, angle: float, distance: float) -> Point:
    """Return the point at a distance and an angle from a centre. 0 radians is upwards."""
    return centre[0] + distance * sin(angle), centre[1] - distance * cos(angle)


def _draw_rim(canvas: Canvas, gauge: Disc, name: str) -> None:
    radius = gauge.r
    outer = make_circle(radius, radius, radius)
    inner = make_circle(radius, radius, radius - RIM_MM)
    colour = canvas.context.band if gauge.solid else canvas.colour
    # By the even-odd rule, the inner circle stays free.
    canvas.fill((*outer, *inner), colour, even_odd=True)
    # The name takes at most three quarters of the rim: 2.4 of 3.14 diameters.
    size = canvas.context.fit_size(name, 2 * radius * 2.4, 2.7)
    style = TextStyle(size, choose_text_colour(colour))
    canvas.draw_text_on_arc(name, radius, radius, radius - RIM_MM / 2, style)


def _draw_ring_label(canvas: Canvas, gauge: Disc, background: str, ink: str) -> None:
    """Draw the label and the icon between the hole and the edge or the outermost ring."""
    radius = gauge.r
    outer = radius - (RIM_MM if _has_rim(gauge) else 0)
    inner = (gauge.hole or 0) / 2
    for ring in gauge.rings:
        if ring.radius < outer:
            inner = max(inner, ring.radius)
    distance = (outer + inner) / 2
    label = canvas.context.localize(gauge.label)
    if label:
        size = min(9.0, (outer - inner) * 0.55)
        style = TextStyle(size, ink, weight="black")
        _draw_text_on_patch(
            canvas, label, (radius, radius + distance), background, style
        )
    if gauge.icon:
        canvas.draw_icon(
            gauge.icon, radius, radius - distance, min(12.0, radius * 0.3), ink
        )


def _draw_centre(canvas: Canvas, gauge: Disc, ink: str) -> None:
    """Draw the mark in the centre, with the label above it and the icon below it."""
    radius = gauge.r
    if gauge.centre == "cross":
        arm = min(radius * 0.22, 6.0)
        start = radius - arm
        end = radius + arm
        canvas.draw_line((start, radius), (end, radius), 0.3, colour=ink)
        canvas.draw_line((radius, start), (radius, end), 0.3, colour=ink)
    elif gauge.centre == "dot":
        canvas.fill(make_circle(radius, radius, 0.6), ink)
    label = canvas.context.localize(gauge.label)
    is_marked = gauge.centre != "none"
    offset = radius * 0.52 if is_marked else 0.0
    if label:
        size = radius * 0.62
        if is_marked:
            size = min(radius * 0.5, 9.0)
        style = TextStyle(size, ink, radius * 1.1, weight="black")
        canvas.draw_text(label, radius, radius - offset, style)
    if gauge.icon:
        y = radius - offset
        if label:
            y = radius + offset * 0.95
        size = radius * (0.62 if is_marked else 1.1)
        canvas.draw_icon(gauge.icon, radius, y, size, ink)


def _draw_text_on_patch(
    canvas: Canvas, text: str, position: Point, background: str, style: TextStyle
) -> None:
    """Draw a label on a patch of background color, so that no line runs through it."""
    x, y = position
    size = style.size
    width = canvas.context.measure(text, size, "black") + size * 0.4
    patch = make_rect(x - width / 2, y - size / 2, width, size, size * 0.2)
    canvas.fill(patch, background)
    canvas.draw_text(text, x, y, style)
