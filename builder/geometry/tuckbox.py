"""Tuck boxes: a blank sized from its deck, what is cut, what is creased and what is printed. Pure.

Lengths are mm. The blank lies open, seen from outside: glue flap, back, side, front, side. The lid
hangs on the back, the bottom on the front, dust flaps on both sides. A thumb notch opens the lid.
"""

from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.gauges.art import (
    CUT_TAG,
    FOLD_TAG,
    Art,
    Path,
    Point,
    Segments,
    TextStyle,
    make_arc,
    make_line,
    make_rect,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.context import MIN_TYPE_SIZE_MM, Context
from builder.model.product import TuckBox

GLUE_FLAP_MM, TUCK_FLAP_MM = 12.0, 14.0
CORNER_RADIUS_MM, NOTCH_RADIUS_MM = 6.0, 9.0
FLAP_TAPER_MM = 2.0
"""The amount by which dust flaps are narrower at their end, on each side."""
BLEED_MM = 3.0
BACK, LEFT_SIDE, FRONT, RIGHT_SIDE = range(4)
"""Walls from left to right."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A box laid open: outer width, height and depth of the closed box."""

    width: float
    height: float
    depth: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole blank."""
        width = GLUE_FLAP_MM + 2 * self.width + 2 * self.depth
        return width, self.height + 2 * (self.depth + TUCK_FLAP_MM)

    @property
    def columns(self) -> tuple[float, float, float, float, float]:
        """The left edges of the 4 walls, and the right edge of the last."""
        side = GLUE_FLAP_MM + self.width
        front = side + self.depth
        return GLUE_FLAP_MM, side, front, front + self.width, front + self.width + self.depth

    @property
    def rows(self) -> tuple[float, float]:
        """The upper and the lower edge of the walls."""
        return TUCK_FLAP_MM + self.depth, TUCK_FLAP_MM + self.depth + self.height

    def find_wall(self, wall: int) -> Box:
        """Return the box of a wall."""
        x_min, x_max = self.columns[wall : wall + 2]
        return Box(x_min, self.rows[0], x_max - x_min, self.height)

    @property
    def outline(self) -> Segments:
        """The line that is cut, clockwise."""
        back, side, front, right_side, end = self.columns
        top, bottom = self.rows
        flap = min(self.width / 2.2, self.depth + 8)
        lid = 0.0
        bottom_flap = self.size[1]
        radius = CORNER_RADIUS_MM
        return (
            *make_line((0, top + GLUE_FLAP_MM / 2), (back, top), (back, lid + radius)),
            *make_arc(back + radius, lid + radius, radius, 180, 270, joined=True),
            *make_arc(side - radius, lid + radius, radius, 270, 360, joined=True),
            ("L", (side, top)),
            *self._make_dust_flap(side, front, top, top - flap),
            *make_arc(front + self.width / 2, top, NOTCH_RADIUS_MM, 180, 0, joined=True),
            ("L", (right_side, top)),
            *self._make_dust_flap(right_side, end, top, top - flap),
            ("L", (end, bottom)),
            *self._make_dust_flap(end, right_side, bottom, bottom + flap),
            ("L", (right_side, bottom_flap - radius)),
            *make_arc(right_side - radius, bottom_flap - radius, radius, 0, 90, joined=True),
            *make_arc(front + radius, bottom_flap - radius, radius, 90, 180, joined=True),
            ("L", (front, bottom)),
            *self._make_dust_flap(front, side, bottom, bottom + flap),
            ("L", (back, bottom)),
            ("L", (0, bottom - GLUE_FLAP_MM / 2)),
            ("Z", ()),
        )

    def _make_dust_flap(self, start: float, end: float, edge: float, tip: float) -> Segments:
        """Return the lines around a flap, from the x `start` to `end`."""
        taper = min(FLAP_TAPER_MM, self.depth / 4)
        if start > end:
            taper = -taper
        return ("L", (start + taper, tip)), ("L", (end - taper, tip)), ("L", (end, edge))

    @property
    def creases(self) -> tuple[tuple[Point, Point], ...]:
        """The lines that are folded."""
        back, side, front, right_side, end = self.columns
        top, bottom = self.rows
        flap_edges = ((side, front), (right_side, end))
        creases: list[tuple[Point, Point]] = [
            ((back, top), (side, top)),
            ((back, TUCK_FLAP_MM), (side, TUCK_FLAP_MM)),
            ((front, bottom), (right_side, bottom)),
            ((front, bottom + self.depth), (right_side, bottom + self.depth)),
        ]
        creases += [((x, top), (x, bottom)) for x in (back, side, front, right_side)]
        for y in (top, bottom):
            creases += [((x_min, y), (x_max, y)) for x_min, x_max in flap_edges]
        return tuple(creases)


def make_blank(card_count: int, width: float, height: float, box: TuckBox) -> Blank:
    """Return the blank for cards of this size."""
    extra = box.play + 2 * box.paper
    return Blank(width + extra, height + extra, card_count * box.card + extra)


def draw_background(blank: Blank, box: TuckBox) -> tuple[Art, ...]:
    """Return the colour of the box with its bleed; the glue flap stays bare."""
    bare_area = make_rect(
        -BLEED_MM - 1,
        blank.rows[0] - BLEED_MM,
        GLUE_FLAP_MM + BLEED_MM,
        blank.height + 2 * BLEED_MM,
    )
    return Path(blank.outline, box.colour, box.colour, 2 * BLEED_MM), Path(bare_area, "#ffffff")


@dataclass(frozen=True, slots=True)
class BoxTitles:
    """The texts of a box: the deck's name and the game's."""

    deck: str
    game: str
    ink: str


def draw_titles(
    blank: Blank, titles: BoxTitles, context: Context, bare_walls: tuple[int, ...]
) -> tuple[Art, ...]:
    """Return the titles on the walls without a picture, and on sides and lid where legible."""
    canvas = Canvas(context)
    for number in bare_walls:
        wall = blank.find_wall(number)
        x = wall.x + wall.width / 2
        max_width = wall.width - 12
        deck_style = TextStyle(9, titles.ink, max_width)
        canvas.draw_block(titles.deck, x, wall.y + wall.height * 0.44, deck_style)
        game_style = TextStyle(3.2, titles.ink, max_width)
        canvas.draw_text(titles.game, x, wall.bottom - 9, game_style)
    size = min(5.0, blank.depth * 0.6)
    if size >= MIN_TYPE_SIZE_MM:
        side_style = TextStyle(size, titles.ink, blank.height - 16, angle=90)
        for number in (LEFT_SIDE, RIGHT_SIDE):
            wall = blank.find_wall(number)
            x = wall.x + wall.width / 2
            y = wall.y + wall.height / 2
            canvas.draw_text(titles.deck, x, y, side_style)
        lid_style = TextStyle(size, titles.ink, blank.width - 12, angle=180)
        x = blank.columns[BACK] + blank.width / 2
        y = TUCK_FLAP_MM + blank.depth / 2
        canvas.draw_text(titles.deck, x, y, lid_style)
    return tuple(canvas.art)


def draw_dieline(blank: Blank) -> tuple[Path, ...]:
    """Return cut line and creases, which are drawn above all."""
    dash = (2.0, 1.5)
    return (
        Path(blank.outline, None, "#e6007e", 0.25, tag=CUT_TAG),
        *(
            Path(make_line(*crease), None, "#00a0e0", 0.25, dash, tag=FOLD_TAG)
            for crease in blank.creases
        ),
    )


def write_dieline_svg(blank: Blank) -> str:
    """Return the dieline as SVG for a cutting machine, with the layers `cut` and `crease`."""
    width, height = blank.size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.3f}mm" height="{height:.3f}mm" '
        f'viewBox="0 0 {width:.3f} {height:.3f}" fill="none" stroke-width="0.1">',
        '<g id="cut" stroke="#ff0000">',
        _format_path(blank.outline),
        "</g>",
        '<g id="crease" stroke="#0000ff">',
    ]
    lines += [_format_path(make_line(*crease)) for crease in blank.creases]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _format_path(segments: Segments) -> str:
    commands = []
    for kind, values in segments:
        commands.append(kind + " ".join(f"{value:.3f}" for value in values))
    return f'<path d="{" ".join(commands)}"/>'
