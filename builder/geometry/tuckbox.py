"""Tuck boxes: a blank sized from its deck, what is cut, what is creased and what is printed. Pure.

Lengths are mm. The blank lies open, seen from outside: glue flap, back, side, front, side. The lid
hangs on the back, the bottom on the front, dust flaps on both sides. A thumb notch opens the lid.
"""

from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.boxes import Point
from builder.geometry.gauges.art import (
    CUT_TAG,
    FOLD_TAG,
    Art,
    Path,
    Segments,
    TextStyle,
    make_arc,
    make_line,
    make_rect,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.context import MIN_TYPE_SIZE_MM, Context
from builder.model.product import TuckBox

GLUE_FLAP_MM = 12.0
TUCK_FLAP_MM = 14.0
CORNER_RADIUS_MM = 6.0
NOTCH_RADIUS_MM = 9.0
FLAP_TAPER_MM = 2.0
"""The amount by which dust flaps are narrower at their end, on each side."""
BLEED_MM = 3.0
BACK_WALL, LEFT_WALL, FRONT_WALL, RIGHT_WALL = range(4)
"""Walls from left to right."""


@dataclass(frozen=True, slots=True)
class Blank:
    """An unfolded card box: the outer width, height and depth of the closed box, in mm."""

    width: float
    height: float
    depth: float

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the whole blank in mm."""
        width = GLUE_FLAP_MM + 2 * self.width + 2 * self.depth
        return width, self.height + 2 * (self.depth + TUCK_FLAP_MM)

    @property
    def columns(self) -> tuple[float, float, float, float, float]:
        """The left edges of the four walls, and the right edge of the last one."""
        left_side = GLUE_FLAP_MM + self.width
        front = left_side + self.depth
        right_side = front + self.width
        return GLUE_FLAP_MM, left_side, front, right_side, right_side + self.depth

    @property
    def rows(self) -> tuple[float, float]:
        """The upper and the lower edge of the walls."""
        top = TUCK_FLAP_MM + self.depth
        return top, top + self.height

    def get_wall_area(self, wall_index: int) -> Box:
        """Return the rectangle of one wall of the card box on the unfolded sheet.

        The index counts from left to right: BACK_WALL, LEFT_WALL, FRONT_WALL, RIGHT_WALL.
        """
        x_min, x_max = self.columns[wall_index : wall_index + 2]
        return Box(x_min, self.rows[0], x_max - x_min, self.height)

    @property
    def outline(self) -> Segments:
        """The line that is cut, clockwise."""
        back_wall, left_side, front, right_side, end = self.columns
        top, bottom = self.rows
        # Dust flaps of opposite sides must not meet under the lid.
        flap = min(self.width / 2.2, self.depth + 8)
        upper_flap = top - flap
        lower_flap = bottom + flap
        radius = CORNER_RADIUS_MM
        # Centres of the rounded corners: of the lid above, of the bottom below.
        lid_y = radius
        bottom_y = self.size[1] - radius
        return (
            *make_line(
                (0, top + GLUE_FLAP_MM / 2), (back_wall, top), (back_wall, lid_y)
            ),
            *make_arc(back_wall + radius, lid_y, radius, 180, 270, joined=True),
            *make_arc(left_side - radius, lid_y, radius, 270, 360, joined=True),
            ("L", (left_side, top)),
            *self._make_dust_flap(left_side, front, top, upper_flap),
            *make_arc(
                front + self.width / 2, top, NOTCH_RADIUS_MM, 180, 0, joined=True
            ),
            ("L", (right_side, top)),
            *self._make_dust_flap(right_side, end, top, upper_flap),
            ("L", (end, bottom)),
            *self._make_dust_flap(end, right_side, bottom, lower_flap),
            ("L", (right_side, bottom_y)),
            *make_arc(right_side - radius, bottom_y, radius, 0, 90, joined=True),
            *make_arc(front + radius, bottom_y, radius, 90, 180, joined=True),
            ("L", (front, bottom)),
            *self._make_dust_flap(front, left_side, bottom, lower_flap),
            ("L", (back_wall, bottom)),
            ("L", (0, bottom - GLUE_FLAP_MM / 2)),
            ("Z", ()),
        )

    def _make_dust_flap(
        self, start: float, end: float, edge: float, tip: float
    ) -> Segments:
        """Return the lines around a small flap, from `start` to `end` along x."""
        taper = min(FLAP_TAPER_MM, self.depth / 4)
        # Lower flaps are traced from right to left.
        if start > end:
            taper = -taper
        return (
            ("L", (start + taper, tip)),
            ("L", (end - taper, tip)),
            ("L", (end, edge)),
        )

    @property
    def creases(self) -> tuple[tuple[Point, Point], ...]:
        """The lines that are folded."""
        back_wall, left_side, front, right_side, end = self.columns
        top, bottom = self.rows
        tuck_y = bottom + self.depth
        flap_edges = ((left_side, front), (right_side, end))
        creases: list[tuple[Point, Point]] = [
            ((back_wall, top), (left_side, top)),
            ((back_wall, TUCK_FLAP_MM), (left_side, TUCK_FLAP_MM)),
            ((front, bottom), (right_side, bottom)),
            ((front, tuck_y), (right_side, tuck_y)),
        ]
        # The left edge of each wall.
        creases += [((x, top), (x, bottom)) for x in self.columns[:4]]
        for y in (top, bottom):
            creases += [((x_min, y), (x_max, y)) for x_min, x_max in flap_edges]
        return tuple(creases)


def make_blank(card_count: int, width: float, height: float, box: TuckBox) -> Blank:
    """Return the unfolded box for this many cards of this size."""
    extra = box.play + 2 * box.paper
    return Blank(width + extra, height + extra, card_count * box.card + extra)


def draw_background(blank: Blank, box: TuckBox) -> tuple[Art, ...]:
    """Return the background of the box with its bleed. The flap for glue stays empty."""
    bare_area = make_rect(
        -BLEED_MM - 1,
        blank.rows[0] - BLEED_MM,
        GLUE_FLAP_MM + BLEED_MM,
        blank.height + 2 * BLEED_MM,
    )
    # A line twice as wide as the bleed reaches past the outline by the bleed.
    background = Path(blank.outline, box.colour, box.colour, 2 * BLEED_MM)
    return background, Path(bare_area, "#ffffff")


@dataclass(frozen=True, slots=True)
class BoxTitles:
    """The texts on a box: the name of the deck and the name of the game."""

    deck: str
    game: str
    ink: str


def draw_titles(
    blank: Blank, titles: BoxTitles, context: Context, bare_walls: tuple[int, ...]
) -> tuple[Art, ...]:
    """Return the titles on all walls without a picture, and on sides and lid where they fit."""
    canvas = Canvas(context)
    for number in bare_walls:
        wall = blank.get_wall_area(number)
        x = wall.x + wall.width / 2
        max_width = wall.width - 12
        deck_style = TextStyle(9, titles.ink, max_width)
        canvas.draw_text_block(titles.deck, x, wall.y + wall.height * 0.44, deck_style)
        game_style = TextStyle(3.2, titles.ink, max_width)
        canvas.draw_text(titles.game, x, wall.bottom - 9, game_style)
    size = min(5.0, blank.depth * 0.6)
    # The sides of a thin box stay blank.
    if size >= MIN_TYPE_SIZE_MM:
        side_style = TextStyle(size, titles.ink, blank.height - 16, angle=90)
        for number in (LEFT_WALL, RIGHT_WALL):
            wall = blank.get_wall_area(number)
            x = wall.x + wall.width / 2
            y = wall.y + wall.height / 2
            canvas.draw_text(titles.deck, x, y, side_style)
        lid_style = TextStyle(size, titles.ink, blank.width - 12, angle=180)
        x = blank.columns[BACK_WALL] + blank.width / 2
        y = TUCK_FLAP_MM + blank.depth / 2
        canvas.draw_text(titles.deck, x, y, lid_style)
    return tuple(canvas.art)


def draw_dieline(blank: Blank) -> tuple[Path, ...]:
    """Return the lines to cut and to fold, which are drawn on top of everything."""
    dash = (2.0, 1.5)
    cut = Path(blank.outline, None, "#e6007e", 0.25, tag=CUT_TAG)
    creases = [
        Path(make_line(*crease), None, "#00a0e0", 0.25, dash, tag=FOLD_TAG)
        for crease in blank.creases
    ]
    return (cut, *creases)


def write_dieline_svg(blank: Blank) -> str:
    """Return the lines to cut and to fold as SVG, for a cutting machine."""
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
    lines += ["</g>", "</svg>", ""]
    return "\n".join(lines)


def _format_path(segments: Segments) -> str:
    commands = []
    for kind, values in segments:
        commands.append(kind + " ".join(f"{value:.3f}" for value in values))
    return f'<path d="{" ".join(commands)}"/>'
