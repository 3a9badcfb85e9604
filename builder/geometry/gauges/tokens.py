"""Tokens: markers to cut out, on request with a back. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.gauges.art import (
    Art,
    Path,
    Piece,
    Segments,
    TextStyle,
    find_bounds,
    move_art,
    transform,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour, mix_colours
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.outlines import make_figure
from builder.model.gauge import Side, Token

BACK_BLEED_MM = 1.5
"""How far a back reaches past the outline: printers shift the second side."""


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """Where the parts of a token are, as shares of its height or size."""

    centre: float = 0.5
    text_width: float = 0.86
    caption_width: float = 0.78
    """Free width for the text under an icon."""
    icon_size: float = 0.6
    """Size of an icon without a text."""
    inset: float = 0.055
    """Distance of the inner line from the edge."""


LAYOUTS = {
    "circle": TokenLayout(text_width=0.8, caption_width=0.62),
    "square": TokenLayout(),
    "triangle": TokenLayout(0.64, 0.5, 0.5, 0.4, 0.088),
    "diamond": TokenLayout(0.5, 0.6, 0.34, 0.42, 0.088),
    "pentagon": TokenLayout(0.54, 0.72, 0.56, 0.5, 0.088),
    "hex": TokenLayout(0.5, 0.74, 0.54, 0.54),
    "shield": TokenLayout(0.44, caption_width=0.5),
}


def draw_token(gauge: Token, context: Context) -> Iterator[Piece]:
    """Return the pieces of a token: each front as often as stated, with its back.

    Low outlines get the height of a square, so that tokens of one size form even rows.
    """
    box = find_bounds(make_figure(gauge.figure, gauge.size))
    padding = max(0.0, gauge.size - box.height) / 2
    height = box.height + 2 * padding
    caption = context.localize(gauge.name) if gauge.caption else ""
    for sign in gauge.series or ("",):
        for face in gauge.faces:
            front_art = move_art(_draw_side(gauge, face, sign, context), 0, padding)
            back_side = face.back or gauge.back
            back_art = None
            if back_side:
                art = _draw_side(gauge, back_side, sign, context, is_back=True)
                back_art = move_art(art, 0, padding)
            piece = Piece(gauge.id, box.width, height, front_art, back_art, caption)
            for _copy in range(face.count):
                yield piece


@dataclass(frozen=True, slots=True)
class SideContent:
    """What is drawn on one side of a token. `sign` is the mark of its series."""

    icon: str | None
    text: str
    sign: str
    x: float
    y: float
    ink: str


def _draw_side(
    gauge: Token, side: Side, sign: str, context: Context, *, is_back: bool = False
) -> list[Art]:
    canvas = Canvas(context, gauge)
    size = gauge.size
    shape = make_figure(gauge.figure, size)
    box = find_bounds(shape)
    layout = LAYOUTS[gauge.figure]
    background = side.colour or canvas.colour
    ink = side.ink or choose_text_colour(background)
    filled_shape = _enlarge_shape(shape, box, BACK_BLEED_MM) if is_back else shape
    canvas.fill(filled_shape, background)
    inner_line = _enlarge_shape(shape, box, -size * layout.inset)
    line_colour = mix_colours(background, ink, 0.55)
    canvas.art.append(Path(inner_line, stroke=line_colour, width=size * 0.016))
    text = context.localize(side.text)
    x = box.width / 2
    y = box.height * layout.centre
    content = SideContent(side.icon, text, sign, x, y, ink)
    _draw_content(canvas, content, size, layout)
    # The front alone shows the cut line: the back's bleed reaches past it.
    if not is_back:
        canvas.draw_cut_line(shape)
    return canvas.art


def _enlarge_shape(shape: Segments, box: Box, distance: float) -> Segments:
    """Return a shape that is larger by a distance in mm on each side of its box."""
    scale_x = (box.width + 2 * distance) / box.width
    scale_y = (box.height + 2 * distance) / box.height
    return transform(shape, -distance, -distance, scale_x, scale_y)


def _draw_content(
    canvas: Canvas, content: SideContent, size: float, layout: TokenLayout
) -> None:
    x = content.x
    y = content.y
    ink = content.ink
    text = content.text
    sign = content.sign
    if content.icon and (text or sign):
        _draw_icon_with_text(canvas, content, size, layout)
    elif content.icon:
        canvas.draw_icon(content.icon, x, y, size * layout.icon_size, ink)
    elif text:
        text_size = size * (0.46 if len(text) <= 2 else 0.22)
        style = TextStyle(text_size, ink, size * layout.text_width * 0.9)
        # The mark of a series takes room below the text.
        text_y = y - size * 0.08 if sign else y
        canvas.draw_text_block(text, x, text_y, style)
    elif sign:
        style = TextStyle(size * 0.46, ink, size * layout.text_width, weight="black")
        canvas.draw_text(sign, x, y, style)
    if sign and text:
        style = TextStyle(size * 0.14, ink, size * layout.text_width * 0.5)
        canvas.draw_text(sign, x, y + size * 0.33, style)


def _draw_icon_with_text(
    canvas: Canvas, content: SideContent, size: float, layout: TokenLayout
) -> None:
    """Draw an icon above its text or mark. A text of 1 or 2 characters is large."""
    assert content.icon
    x = content.x
    y = content.y
    ink = content.ink
    text = content.text or content.sign
    max_width = size * layout.caption_width
    if len(text) <= 2:
        canvas.draw_icon(content.icon, x, y - size * 0.14, size * 0.4, ink)
        style = TextStyle(size * 0.28, ink, max_width, weight="black")
        canvas.draw_text(text, x, y + size * 0.22, style)
    else:
        canvas.draw_icon(content.icon, x, y - size * 0.1, size * 0.46, ink)
        canvas.draw_text(
            text, x, y + size * 0.24, TextStyle(size * 0.15, ink, max_width)
        )
