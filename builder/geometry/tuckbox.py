"""Tuck boxes: a blank sized from its deck, with what is cut, what is creased, and what is printed. Pure; mm.

The blank lies open, seen from outside: glue flap, back, side, front, side. The lid hangs on the back, the bottom on the
front, dust flaps on both sides; a thumb notch lets the lid be opened.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.gauges.art import (
    CUT,
    FOLD,
    Art,
    ArtText,
    Path,
    Point,
    Segment,
    arc,
    line,
    rect,
)
from builder.geometry.gauges.context import SMALLEST, Context
from builder.model.product import TuckBox

GLUE, TUCK, ROUND, NOTCH, SLANT = 12.0, 14.0, 6.0, 9.0, 2.0
"""Widths of the glue flap and of the flaps tucked in, their round corners, the notch's radius, how flaps narrow."""
BLEED = 3.0


@dataclass(frozen=True, slots=True)
class Blank:
    """A box laid open: outer width, height and depth of the closed box."""

    width: float
    height: float
    depth: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole blank."""
        return GLUE + 2 * self.width + 2 * self.depth, self.height + 2 * (self.depth + TUCK)

    @property
    def columns(self) -> tuple[float, float, float, float, float]:
        """Where back, side, front and side begin from the left, and where the last ends."""
        side, front = GLUE + self.width, GLUE + self.width + self.depth
        return GLUE, side, front, front + self.width, front + self.width + self.depth

    @property
    def rows(self) -> tuple[float, float]:
        """The upper and the lower edge of the walls."""
        return TUCK + self.depth, TUCK + self.depth + self.height

    def wall(self, number: int) -> Box:
        """Back, side, front or side, from 0."""
        left, right = self.columns[number : number + 2]
        return Box(left, self.rows[0], right - left, self.height)

    @property
    def outline(self) -> tuple[Segment, ...]:
        """What is cut, clockwise."""
        back, side, front, other, end = self.columns
        top, foot = self.rows
        middle, flap = front + self.width / 2, min(self.width / 2.2, self.depth + 8)

        def dust(left: float, right: float, edge: float, far: float) -> tuple[Segment, ...]:
            inner = min(SLANT, self.depth / 4) * (1 if left < right else -1)
            return tuple(
                ("L", point) for point in ((left + inner, far), (right - inner, far), (right, edge))
            )

        return (
            *line((0, top + GLUE / 2), (back, top), (back, ROUND)),
            *arc(back + ROUND, ROUND, ROUND, 180, 270, joined=True),
            *arc(side - ROUND, ROUND, ROUND, 270, 360, joined=True),
            ("L", (side, top)),
            *dust(side, front, top, top - flap),
            *arc(middle, top, NOTCH, 180, 0, joined=True),
            ("L", (other, top)),
            *dust(other, end, top, top - flap),
            ("L", (end, foot)),
            *dust(end, other, foot, foot + flap),
            ("L", (other, self.size[1] - ROUND)),
            *arc(other - ROUND, self.size[1] - ROUND, ROUND, 0, 90, joined=True),
            *arc(front + ROUND, self.size[1] - ROUND, ROUND, 90, 180, joined=True),
            ("L", (front, foot)),
            *dust(front, side, foot, foot + flap),
            ("L", (back, foot)),
            ("L", (0, foot - GLUE / 2)),
            ("Z", ()),
        )

    @property
    def creases(self) -> tuple[tuple[Point, Point], ...]:
        """What is folded."""
        back, side, front, other, end = self.columns
        top, foot = self.rows
        upright = (((x, top), (x, foot)) for x in (back, side, front, other))
        flaps = ((side, front), (other, end))
        lying = [
            (back, side, top),
            (back, side, TUCK),
            (front, other, foot),
            (front, other, foot + self.depth),
        ]
        lying += [(left, right, edge) for left, right in flaps for edge in (top, foot)]
        return (*upright, *(((left, y), (right, y)) for left, right, y in lying))


def blank(cards: int, width: float, height: float, box: TuckBox) -> Blank:
    """The blank for so many cards of this size."""
    around = box.play + 2 * box.paper
    return Blank(width + around, height + around, cards * box.card + around)


def ground(shape: Blank, box: TuckBox) -> tuple[Art, ...]:
    """The colour of the box with its bleed; the glue flap stays bare."""
    bare = rect(-BLEED - 1, shape.rows[0] - BLEED, GLUE + BLEED, shape.height + 2 * BLEED)
    return Path(shape.outline, box.colour, box.colour, 2 * BLEED), Path(bare, "#ffffff")


def titles(
    shape: Blank, box: TuckBox, name: str, game: str, context: Context, bare: tuple[int, ...]
) -> Iterator[ArtText]:
    """The deck's name on the walls that bear no picture (`bare`), on sides and lid where it can be read."""
    for wall in map(shape.wall, bare):
        across, down, room = wall.x + wall.width / 2, wall.y + wall.height * 0.44, wall.width - 12
        yield from context.block(name, across, down, 9, box.ink, width=room)
        yield context.line(game, across, wall.y + wall.height - 9, 3.2, box.ink, width=room)
    size = min(5.0, shape.depth * 0.6)
    if size < SMALLEST:
        return
    for wall in map(shape.wall, (1, 3)):
        middle = wall.x + wall.width / 2
        yield context.line(
            name, middle, wall.y + wall.height / 2, size, box.ink, width=wall.height - 16, angle=90
        )
    lid = shape.columns[0] + shape.width / 2
    yield context.line(
        name, lid, TUCK + shape.depth / 2, size, box.ink, width=shape.width - 12, angle=180
    )


def dieline(shape: Blank) -> tuple[Path, ...]:
    """Cut and creases, to be drawn above all."""
    creases = (
        Path(line(*ends), None, "#00a0e0", 0.25, (2.0, 1.5), tag=FOLD) for ends in shape.creases
    )
    return Path(shape.outline, None, "#e6007e", 0.25, tag=CUT), *creases


def dieline_svg(shape: Blank) -> str:
    """The same for a cutting machine: layers `cut` and `crease`."""
    wide, high = shape.size

    def path(segments: tuple[Segment, ...]) -> str:
        return " ".join(
            f"{kind}{' '.join(f'{value:.3f}' for value in values)}" for kind, values in segments
        )

    creases = [f'<path d="{path(line(*ends))}"/>' for ends in shape.creases]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.3f}mm" height="{high:.3f}mm" '
        f'viewBox="0 0 {wide:.3f} {high:.3f}" fill="none" stroke-width="0.1">'
    )
    cut = ['<g id="cut" stroke="#ff0000">', f'<path d="{path(shape.outline)}"/>', "</g>"]
    return "\n".join(
        [head, *cut, '<g id="crease" stroke="#0000ff">', *creases, "</g>", "</svg>", ""]
    )
