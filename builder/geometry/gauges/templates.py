"""Templates of any outline, with lines, rays, a label and a hole. Pure."""

from math import ceil, radians

from builder.findings import Box
from builder.geometry.gauges.art import (
    MARK_TAG,
    ArtText,
    Piece,
    TextStyle,
    find_bounds,
    make_rect,
    move_art,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import mix_colours
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.discs import find_point_on_ray
from builder.geometry.gauges.outlines import make_outline
from builder.model.gauge import Template, TemplateLine
from builder.model.outline import Drop, Sector

DASH_MM = (2.0, 1.2)


def draw_template(gauge: Template, context: Context) -> tuple[Piece, ...]:
    """Draw a template: its outline on a pale background, its lines, label and hole."""
    canvas = Canvas(context, gauge)
    shape = make_outline(gauge.outline)
    box = find_bounds(shape)
    background = mix_colours(canvas.colour, canvas.style.paper, 0.78)
    canvas.fill(shape, background)
    for line in gauge.lines:
        _draw_line(canvas, line)
    if isinstance(gauge.outline, Sector) and gauge.degrees:
        _draw_rays(canvas, gauge.outline, gauge.degrees)
    if gauge.label or not gauge.hole:
        _draw_label(canvas, gauge, box, background)
    elif gauge.icon:
        _draw_icon(canvas, gauge.icon, _find_label_box(gauge, box))
    if gauge.hole:
        # The hole comes after the lines, so that none is visible in it.
        canvas.draw_cut_line(make_outline(gauge.hole), "#ffffff")
    canvas.draw_cut_line(shape)
    # The name stands on the template itself if there is nothing else.
    caption = ""
    if gauge.label or gauge.hole:
        caption = context.localize(gauge.name)
    # Outlines lie around their own origin; a piece begins at (0, 0).
    art = move_art(canvas.art, -box.x, -box.y)
    return (Piece(gauge.id, box.width, box.height, art, caption=caption),)


def _draw_line(canvas: Canvas, line: TemplateLine) -> None:
    (x0, y0) = line.start
    (x1, y1) = line.end
    ink = canvas.style.ink
    dash = DASH_MM if line.dashed else ()
    canvas.draw_line(line.start, line.end, 0.3, dash=dash, tag=MARK_TAG)
    label = canvas.context.localize(line.label)
    if not label:
        return
    x = (x0 + x1) / 2
    y = (y0 + y1) / 2
    is_steep = abs(y1 - y0) > abs(x1 - x0)
    if is_steep:
        canvas.draw_text(label, x + 1.2, y, TextStyle(3.0, ink, anchor="start"))
    else:
        canvas.draw_text(label, x, y - 2.2, TextStyle(3.0, ink))


def _draw_rays(canvas: Canvas, sector: Sector, degrees: float) -> None:
    """Draw numbered rays at equal angles, in degrees."""
    origin = (0.0, 0.0)
    style = TextStyle(3.0, canvas.style.ink)
    start_distance = max(sector.inner, sector.radius * 0.15)
    end_distance = sector.radius - 5
    # Less a tolerance, so that rounding draws no ray on the sector's own edge.
    part_count = ceil(sector.angle / degrees - 1e-6)
    for index in range(1, part_count):
        angle = radians(index * degrees - sector.angle / 2)
        start = find_point_on_ray(origin, angle, start_distance)
        end = find_point_on_ray(origin, angle, end_distance)
        canvas.draw_line(start, end, 0.3, tag=MARK_TAG)
        x, y = find_point_on_ray(origin, angle, sector.radius - 2.8)
        canvas.draw_text(f"{index * degrees:g}°", x, y, style)


def _find_label_box(gauge: Template, box: Box) -> Box:
    """Return the box for the label. In a teardrop it is the wide end."""
    if not isinstance(gauge.outline, Drop):
        return box
    size = gauge.outline.wide
    return Box(box.x + (box.width - size) / 2, box.y, size, size)


def _draw_icon(canvas: Canvas, icon: str, box: Box) -> float:
    """Draw the icon above the middle of a box. Return how far the label must move down."""
    size = min(box.width, box.height) * 0.4
    x = box.x + box.width / 2
    y = box.y + box.height / 2
    canvas.draw_icon(icon, x, y - size * 0.35, size, canvas.style.ink)
    return size * 0.45


def _draw_label(canvas: Canvas, gauge: Template, bounds: Box, background: str) -> None:
    """Draw the label and the icon in the middle of the outline, upwards if it is narrow."""
    context = canvas.context
    ink = canvas.style.ink
    box = _find_label_box(gauge, bounds)
    x = box.x + box.width / 2
    y = box.y + box.height / 2
    if gauge.icon:
        y += _draw_icon(canvas, gauge.icon, box)
    label = context.localize(gauge.label) or context.localize(gauge.name)
    size = min(6.0, min(box.width, box.height) * 0.3)
    if box.height > 2.5 * box.width:
        upward_style = TextStyle(size, ink, box.height * 0.8, angle=-90)
        canvas.draw_text(label, x, y, upward_style)
        return
    words = Canvas(context)
    label_style = TextStyle(size, ink, box.width * 0.76)
    words.draw_text_block(label, x, y, label_style)
    # The background lies under each line, so that no line of the template runs through it.
    for text in words.art:
        assert isinstance(text, ArtText)
        size = text.style.size
        width = context.measure(text.text, size, text.style.weight) + 1.6
        patch = make_rect(text.x - width / 2, text.y - size, width, size * 1.25)
        canvas.fill(patch, background)
    canvas.art += words.art
