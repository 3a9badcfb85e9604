"""Puts pieces on pages: nothing is lost, nothing overlaps, backs lie behind their fronts. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.gauges.art import Piece

CAPTION = 6.4
"""Height kept under a piece for its caption (two lines), in mm."""

GAP = 4.0
"""Distance between pieces in mm: room for scissors and for the bleed of backs."""

STRIP = 3.0
"""From this ratio of its sides on a piece may be turned to use the room that is left."""

EPS = 1e-6


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece on a page, its box's top left corner in mm from the page's; `turned` a quarter clockwise."""

    piece: Piece
    x: float
    y: float
    turned: bool = False

    @property
    def box(self) -> Box:
        """The piece's own box as it lies, without its caption."""
        width, height = self.piece.width, self.piece.height
        return Box(self.x, self.y, height if self.turned else width, width if self.turned else height)


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A piece that fits on no page, either way round."""

    piece: Piece


def need(piece: Piece, *, turned: bool) -> tuple[float, float]:
    """Width and height that a piece takes with its caption."""
    wide, tall = (piece.height, piece.width) if turned else (piece.width, piece.height)
    return wide, tall + (CAPTION if piece.caption else 0.0)


def pack(pieces: Iterable[Piece], area: Box) -> tuple[list[list[Placed]], list[TooLarge]]:
    """Pages of pieces in their order, each as high and then as far left as it goes; later pieces fill earlier gaps."""
    pages: list[list[Placed]] = []
    free: list[list[Box]] = []
    lost: list[TooLarge] = []
    for piece in pieces:
        ways = [turned for turned in (False, True) if _fits(need(piece, turned=turned), area)]
        if not ways:
            lost.append(TooLarge(piece))
            continue
        tries = ways if max(piece.width, piece.height) > STRIP * min(piece.width, piece.height) else ways[:1]
        if not any(
            _put(piece, turned, page, holes) for page, holes in zip(pages, free, strict=True) for turned in tries
        ):
            pages.append([])
            free.append([Box(area.x, area.y, area.width + GAP, area.height + GAP)])
            _put(piece, ways[0], pages[-1], free[-1])
    return pages, lost


def _fits(size: tuple[float, float], area: Box) -> bool:
    return size[0] <= area.width + EPS and size[1] <= area.height + EPS


def _put(piece: Piece, turned: bool, page: list[Placed], holes: list[Box]) -> bool:
    size = need(piece, turned=turned)
    wide, tall = size[0] + GAP, size[1] + GAP
    fitting = [hole for hole in holes if wide <= hole.width + EPS and tall <= hole.height + EPS]
    if not fitting:
        return False
    best = min(fitting, key=lambda hole: (round(hole.y, 3), hole.x))
    page.append(Placed(piece, best.x, best.y, turned))
    holes[:] = _without(holes, Box(best.x, best.y, wide, tall))
    return True


def _without(holes: list[Box], taken: Box) -> list[Box]:
    """The largest free rectangles that remain."""
    left: list[Box] = []
    for hole in holes:
        left += _split(hole, taken)
    return [hole for hole in left if not any(hole is not other and _inside(hole, other, left) for other in left)]


def _split(hole: Box, taken: Box) -> list[Box]:
    right, low = hole.x + hole.width, hole.y + hole.height
    end_x, end_y = taken.x + taken.width, taken.y + taken.height
    if taken.x >= right - EPS or end_x <= hole.x + EPS or taken.y >= low - EPS or end_y <= hole.y + EPS:
        return [hole]
    found = []
    if taken.x > hole.x + EPS:
        found.append(Box(hole.x, hole.y, taken.x - hole.x, hole.height))
    if end_x < right - EPS:
        found.append(Box(end_x, hole.y, right - end_x, hole.height))
    if taken.y > hole.y + EPS:
        found.append(Box(hole.x, hole.y, hole.width, taken.y - hole.y))
    if end_y < low - EPS:
        found.append(Box(hole.x, end_y, hole.width, low - end_y))
    return found


def _inside(hole: Box, other: Box, holes: list[Box]) -> bool:
    """True if a hole adds nothing to another (of two equal ones the earlier stays)."""
    if hole == other:
        return holes.index(other) < next(i for i, item in enumerate(holes) if item is hole)
    return (
        hole.x >= other.x - EPS
        and hole.y >= other.y - EPS
        and hole.x + hole.width <= other.x + other.width + EPS
        and hole.y + hole.height <= other.y + other.height + EPS
    )


def mirrored(placed: Placed, paper_width: float) -> Placed:
    """Where the back of a piece lies on the next page when the paper is turned over its long edge."""
    return Placed(placed.piece, paper_width - placed.x - placed.box.width, placed.y, placed.turned)
