"""Gauges drawn by type, packed on paper and laid out on sheets. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from builder.findings import Box
from builder.geometry.gauges.art import CHECK, Art, ArtText, Path, Piece, line, rect
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.heights import height
from builder.geometry.gauges.rulers import reach, ruler
from builder.geometry.gauges.templates import disc, grid, template
from builder.geometry.gauges.tokens import panel, slider, token
from builder.messages import gettext as _
from builder.model.gauge import AnyGauge, GaugeSet
from builder.model.profile import Paper

CAPTION = 6.4
"""Height kept under a piece for its caption (two lines), in mm."""
GAP = 4.0
"""Distance between pieces in mm: room for scissors and for the bleed of backs."""
STRIP = 3.0
"""From this ratio of its sides on a piece may be turned to use the room that is left."""
TITLE, BACKS = _("Gauges and tokens"), _("backs")
"""What the sheets are called, and what marks a page of backs."""

EPS = 1e-6


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on a page, its box's top left corner in mm from the page's; `turned` a quarter clockwise."""

    piece: Piece
    x: float
    y: float
    turned: bool = False

    @property
    def box(self) -> Box:
        """The piece's own box as it lies, without its caption."""
        width, height = self.piece.width, self.piece.height
        return Box(
            self.x, self.y, height if self.turned else width, width if self.turned else height
        )


def need(piece: Piece, *, turned: bool) -> tuple[float, float]:
    """Width and height that a piece takes with its caption."""
    wide, tall = (piece.height, piece.width) if turned else (piece.width, piece.height)
    return wide, tall + (CAPTION if piece.caption else 0.0)


def pack(pieces: Iterable[Piece], area: Box) -> tuple[list[list[PlacedPiece]], list[Piece]]:
    """Pages of pieces in their order, each as high and then as far left as it goes; later pieces fill earlier gaps.

    Apart from them what fits on no page, either way round.
    """
    pages: list[tuple[list[PlacedPiece], list[Box]]] = []
    lost: list[Piece] = []
    for piece in pieces:
        ways = [turned for turned in (False, True) if _fits(need(piece, turned=turned), area)]
        if not ways:
            lost.append(piece)
            continue
        tries = (
            ways
            if max(piece.width, piece.height) > STRIP * min(piece.width, piece.height)
            else ways[:1]
        )
        if not any(_put(piece, turned, *page) for page in pages for turned in tries):
            pages.append(([], [Box(area.x, area.y, area.width + GAP, area.height + GAP)]))
            _put(piece, ways[0], *pages[-1])
    return [page for page, _holes in pages], lost


def _fits(size: tuple[float, float], area: Box) -> bool:
    return size[0] <= area.width + EPS and size[1] <= area.height + EPS


def _put(piece: Piece, turned: bool, page: list[PlacedPiece], holes: list[Box]) -> bool:
    wide, tall = (side + GAP for side in need(piece, turned=turned))
    fitting = [hole for hole in holes if _fits((wide, tall), hole)]
    if not fitting:
        return False
    best = min(fitting, key=lambda hole: (round(hole.y, 3), hole.x))
    page.append(PlacedPiece(piece, best.x, best.y, turned))
    left = list(
        dict.fromkeys(
            part for hole in holes for part in _split(hole, Box(best.x, best.y, wide, tall))
        )
    )
    holes[:] = [
        hole
        for hole in left
        if not any(hole is not other and min(hole.margins(other)) >= -EPS for other in left)
    ]
    return True


def _split(hole: Box, taken: Box) -> list[Box]:
    """The largest free rectangles that remain of a hole."""
    right, low, end_x, end_y = hole.right, hole.bottom, taken.right, taken.bottom
    if (
        taken.x >= right - EPS
        or end_x <= hole.x + EPS
        or taken.y >= low - EPS
        or end_y <= hole.y + EPS
    ):
        return [hole]
    parts = (
        Box(hole.x, hole.y, taken.x - hole.x, hole.height),
        Box(end_x, hole.y, right - end_x, hole.height),
        Box(hole.x, hole.y, hole.width, taken.y - hole.y),
        Box(hole.x, end_y, hole.width, low - end_y),
    )
    return [part for part in parts if min(part.width, part.height) > EPS]


def mirrored(placed: PlacedPiece, paper_width: float) -> PlacedPiece:
    """Where the back of a piece lies on the next page when the paper is turned over its long edge."""
    return PlacedPiece(
        placed.piece, paper_width - placed.x - placed.box.width, placed.y, placed.turned
    )


DRAW: dict[str, Callable[[Any, Context], Iterable[Piece]]] = {
    "ruler": ruler,
    "height-ruler": height,
    "disc": disc,
    "template": template,
    "token": token,
    "panel": panel,
    "slider": slider,
    "reach": reach,
    "grid-ruler": grid,
}
"""Type of a gauge -> what draws it; every type of the model is here."""


def draw(gauge: AnyGauge, context: Context) -> tuple[Piece, ...]:
    """All pieces of a gauge, as often as it is wanted."""
    return tuple(DRAW[gauge.type](gauge, context)) * gauge.count


MARGIN, HEAD, FOOT = 10.0, 11.0, 12.0
CHECK_LINE = 100.0
"""Length of the check line in mm."""
TICK = 0.25
"""Width of its ticks in mm; the outer ones lie inside, so that it measures true from edge to edge."""


PAPERS = {"a4": Paper(width=210.0, height=297.0), "letter": Paper(width=215.9, height=279.4)}


def area(paper: Paper) -> Box:
    """Where pieces may lie on a sheet."""
    return Box(
        MARGIN, MARGIN + HEAD, paper.width - 2 * MARGIN, paper.height - 2 * MARGIN - HEAD - FOOT
    )


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: its pieces, and the art around them. On a page of backs (`back`) the pieces show their backs."""

    art: tuple[Art, ...]
    pieces: tuple[PlacedPiece, ...]
    back: bool = False


def sheets(
    gauges: GaugeSet, context: Context, paper: Paper, title: str
) -> tuple[list[Sheet], list[Piece]]:
    """All pages of a pack's gauges, each followed by its backs where pieces have them; what fits on no page apart.

    Groups share pages: those with backs come first, so that few pages have two sides, then the tall ones of each group.
    """
    titles, drawn = [context.say(group.title) for group in gauges.groups], list[tuple[int, Piece]]()
    for number, group in enumerate(gauges.groups):
        drawn += [(number, piece) for gauge in group.gauges for piece in draw(gauge, context)]
    of = {id(piece): number for number, piece in drawn}
    drawn.sort(key=lambda one: (one[1].back is None, one[0], -need(one[1], turned=False)[1]))
    pages, lost = pack((piece for _number, piece in drawn), area(paper))
    planned: list[tuple[str, list[PlacedPiece], bool]] = []
    for page in sorted(pages, key=lambda page: min(of[id(placed.piece)] for placed in page)):
        head = " · ".join(
            titles[number] for number in sorted({of[id(placed.piece)] for placed in page})
        )
        planned.append((head, page, False))
        backs = [mirrored(placed, paper.width) for placed in page if placed.piece.back is not None]
        if backs:
            planned.append((f"{head} · {context.say(BACKS)}", backs, True))
    found = []
    for number, (head, page, back) in enumerate(planned, start=1):
        art = [
            *_head(context, paper, head, title),
            *_foot(context, paper, f"{number} / {len(planned)}"),
        ]
        if not back:
            art += [item for placed in page for item in _caption(context, placed)]
        found.append(Sheet(tuple(art), tuple(page), back))
    return found, lost


@dataclass(frozen=True, slots=True)
class TooLong:
    """A text that is wider than its place even at the smallest size; widths in mm."""

    gauge: str
    text: str
    wide: float
    room: float


def overlong(pages: Iterable[Sheet], context: Context) -> list[TooLong]:
    """Every text that does not fit, each once."""
    found: dict[tuple[str, str], TooLong] = {}
    for page in pages:
        pieces = (
            (p.piece.gauge, (p.piece.back or ()) if page.back else p.piece.front)
            for p in page.pieces
        )
        for gauge, art in (*pieces, ("", page.art)):
            for item in art:
                if not isinstance(item, ArtText) or item.limit is None:
                    continue
                wide = context.measure(item.text, item.size, item.weight)
                if wide > item.limit + 0.05:
                    found.setdefault(
                        (gauge, item.text), TooLong(gauge, item.text, wide, item.limit)
                    )
    return list(found.values())


def _head(context: Context, paper: Paper, head: str, title: str) -> list[Art]:
    style = context.style
    y, right, wide = MARGIN + 2.6, paper.width - MARGIN, paper.width * 0.58
    told = context.broken(head.upper(), wide, 3.4, 2)  # the titles of many groups take two lines
    size, step = (5.2, 0.0) if len(told) == 1 else (2.9, 1.75)
    rows = [
        context.line(
            item,
            MARGIN + 5,
            y + side * step,
            size,
            style.ink,
            width=wide,
            weight="black",
            anchor="start",
        )
        for item, side in zip(told, (-1, 1), strict=False)
    ]
    return [
        Path(rect(MARGIN, MARGIN - 0.4, 3.0, 6.0), fill=style.accent),
        *rows,
        context.line(
            f"{title} · {context.say(TITLE)}",
            right,
            y,
            2.8,
            style.ink,
            weight="regular",
            anchor="end",
        ),
        Path(line((MARGIN, MARGIN + 7.4), (right, MARGIN + 7.4)), stroke=style.ink, width=0.3),
    ]


def _foot(context: Context, paper: Paper, number: str) -> Iterator[Art]:
    style = context.style
    y, end = paper.height - MARGIN - 1.5, MARGIN + CHECK_LINE
    yield Path(line((MARGIN, y), (end, y)), stroke=style.ink, width=0.3, tag=CHECK)
    for step in range(11):
        x = min(max(MARGIN + step * 10, MARGIN + TICK / 2), end - TICK / 2)
        yield Path(
            line((x, y - (2.2 if step % 5 == 0 else 1.2)), (x, y)), stroke=style.ink, width=TICK
        )
    scale = context.say(_("Print at 100 %. This line measures exactly 100 mm."))
    yield context.line(scale, MARGIN, y - 4.2, 2.5, style.ink, weight="regular", anchor="start")
    yield context.line(number, paper.width - MARGIN, y - 1, 2.8, style.ink, anchor="end")


def _caption(context: Context, placed: PlacedPiece) -> Iterator[Art]:
    if not placed.piece.caption:
        return
    box = placed.box
    lines = context.broken(placed.piece.caption, box.width + 2, 2.3, 2)
    size = min(context.fitted(item, box.width + 3, 2.3, "regular") for item in lines)
    x, top, ink = box.x + box.width / 2, box.y + box.height + 2.2, context.style.ink
    for i, item in enumerate(lines):
        yield context.line(item, x, top + i * 2.6, size, ink, width=box.width + 3, weight="regular")
