"""Collects what a gauge is drawn with. Pure."""

from dataclasses import replace
from math import cos, degrees, radians, sin

from builder.geometry.boxes import Point
from builder.geometry.gauges.art import (
    CAPITAL_HEIGHT_EM,
    CUT_TAG,
    Art,
    ArtText,
    Icon,
    Path,
    Piece,
    Segments,
    TextStyle,
    make_line,
    make_rect,
)
from builder.geometry.gauges.context import Context
from builder.model.gauge import Gauge

LINE_HEIGHT_EM = 1.12


class Canvas:
    """Collects the drawing of one piece, background first.

    `colour` is the gauge's colour, else the style's accent.
    """

    def __init__(self, context: Context, gauge: Gauge | None = None) -> None:
        self.context = context
        self.style = context.style
        self.colour = gauge.colour if gauge and gauge.colour else context.style.accent
        self.art: list[Art] = []

    def fill(self, segments: Segments, colour: str, *, even_odd: bool = False) -> None:
        """Fill an outline with a color."""
        self.art.append(Path(segments, fill=colour, even_odd=even_odd))

    def fill_rect(
        self, x: float, y: float, width: float, height: float, colour: str
    ) -> None:
        """Fill a rectangle with a color."""
        self.fill(make_rect(x, y, width, height), colour)

    def draw_line(
        self,
        start: Point,
        end: Point,
        width: float,
        *,
        colour: str = "",
        dash: tuple[float, ...] = (),
        tag: str = "",
    ) -> None:
        """Draw a straight line, by default in the color of the style."""
        line = make_line(start, end)
        stroke = colour or self.style.ink
        self.art.append(Path(line, None, stroke, width, dash, tag=tag))

    def draw_icon(
        self, name: str, x: float, y: float, size: float, colour: str
    ) -> None:
        """Draw an icon of the pack with its middle at (x, y)."""
        self.art.append(Icon(x, y, name, size, colour))

    def draw_cut_line(self, outline: Segments, fill: str | None = None) -> None:
        """Draw the line along which an outline is cut out."""
        self.art.append(Path(outline, fill, self.style.cut, tag=CUT_TAG))

    def draw_text(self, text: str, x: float, y: float, style: TextStyle) -> None:
        """Draw a line of text with its capitals centred on y, smaller if it is too wide."""
        if style.max_width is not None:
            size = self.context.fit_size(
                text, style.max_width, style.size, style.weight
            )
            style = replace(style, size=size)
        # From the middle of the capitals to the baseline, in the direction of the text.
        half = CAPITAL_HEIGHT_EM * style.size / 2
        if style.angle == 90:
            x -= half
        elif style.angle == 180:
            y -= half
        elif style.angle == -90:
            x += half
        else:
            y += half
        self.art.append(ArtText(x, y, text, style))

    def draw_text_block(
        self, text: str, x: float, y: float, style: TextStyle, max_lines: int = 2
    ) -> None:
        """Draw a text in several lines centred on (x, y), as large as it fits."""
        context = self.context
        max_width = style.max_width
        assert max_width is not None
        lines = context.break_lines(text, max_width, style.size, max_lines)
        # All lines have the size at which the longest one fits.
        size = min(context.fit_size(line, max_width, style.size) for line in lines)
        line_height = size * LINE_HEIGHT_EM
        y -= line_height * (len(lines) - 1) / 2
        for index, line in enumerate(lines):
            self.draw_text(line, x, y + index * line_height, replace(style, size=size))

    def draw_text_on_arc(
        self, text: str, cx: float, cy: float, radius: float, style: TextStyle
    ) -> None:
        """Draw a text along the upper half of a circle."""
        base = radius - CAPITAL_HEIGHT_EM * style.size / 2
        width = self.context.measure(text, style.size, "bold")
        # Angles count clockwise from the top, around which the text is centred.
        angle = -degrees(width / base) / 2
        for character in text:
            character_width = self.context.measure(character, style.size, "bold")
            step = degrees(character_width / base)
            middle = angle + step / 2
            x = cx + base * sin(radians(middle))
            y = cy - base * cos(radians(middle))
            self.art.append(ArtText(x, y, character, replace(style, angle=middle)))
            angle += step

    def make_rect_piece(
        self, gauge: Gauge, width: float, height: float, caption: str = ""
    ) -> Piece:
        """Return the drawing as a piece with a rectangular cut line around it."""
        self.draw_cut_line(make_rect(0, 0, width, height))
        return Piece(gauge.id, width, height, tuple(self.art), caption=caption)
