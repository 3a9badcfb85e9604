"""Places pieces on pages: later pieces fill earlier gaps. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.boxes import Point
from builder.geometry.gauges.art import Piece

CAPTION_HEIGHT_MM = 6.4
"""Height kept free under a piece for its caption (2 lines)."""
GAP_MM = 4.0
"""Distance between pieces: room for scissors and for the bleed of backs."""
MIN_RATIO_TO_TURN = 3.0
"""A piece whose sides have at least this ratio may be turned to fill a gap."""
TOLERANCE_MM = 1e-6


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece at its position on a page. If `is_turned`, it is turned 90° clockwise."""

    piece: Piece
    x: float
    y: float
    is_turned: bool = False

    @property
    def box(self) -> Box:
        """The box of the piece on the page, without its caption."""
        width = self.piece.width
        height = self.piece.height
        if self.is_turned:
            width, height = height, width
        return Box(self.x, self.y, width, height)


class PackedPage:
    """A page with its pieces, and the largest free rectangles, which may overlap."""

    def __init__(self, area: Box) -> None:
        self.pieces: list[PlacedPiece] = []
        # Each piece takes a gap to its right and below it, also at the edge of the page.
        width = area.width + GAP_MM
        height = area.height + GAP_MM
        self.holes = [Box(area.x, area.y, width, height)]

    def place(self, piece: Piece, *, is_turned: bool) -> bool:
        """Place a piece as high and then as far left as possible.

        Return False if there is no room.
        """
        corner = self.reserve(*measure_piece(piece, is_turned=is_turned))
        if corner is None:
            return False
        self.pieces.append(PlacedPiece(piece, *corner, is_turned))
        return True

    def reserve(self, width: float, height: float) -> Point | None:
        """Take a free rectangle of this size, as high and then as far left as possible.

        Return its top left corner, None if there is no room.
        """
        width += GAP_MM
        height += GAP_MM
        fitting_holes = [
            hole for hole in self.holes if _is_fitting((width, height), hole)
        ]
        if not fitting_holes:
            return None
        # Rounded, so that holes at almost the same height count as one row.
        hole = min(fitting_holes, key=lambda hole: (round(hole.y, 3), hole.x))
        self._fill_box(Box(hole.x, hole.y, width, height))
        return hole.x, hole.y

    def _fill_box(self, filled_box: Box) -> None:
        """Remove a used rectangle from the free ones, and drop those inside another one."""
        # Of equal rectangles a dictionary keeps one: two would each lie in the other.
        holes: dict[Box, None] = {}
        for hole in self.holes:
            holes |= dict.fromkeys(_split_hole(hole, filled_box))
        self.holes = [hole for hole in holes if not _is_in_another(hole, holes)]


def measure_piece(piece: Piece, *, is_turned: bool) -> tuple[float, float]:
    """Return the width and height of a piece with its caption, in mm."""
    width, height = piece.width, piece.height
    if is_turned:
        width, height = height, width
    if piece.caption:
        height += CAPTION_HEIGHT_MM
    return width, height


def pack_pieces(
    pieces: Iterable[Piece], area: Box
) -> tuple[list[list[PlacedPiece]], list[Piece]]:
    """Place pieces on pages. Return the pages, and the pieces that are too large for any page."""
    pages: list[PackedPage] = []
    too_large: list[Piece] = []
    for piece in pieces:
        sizes_by_way = {
            way: measure_piece(piece, is_turned=way) for way in (False, True)
        }
        ways = [way for way, size in sizes_by_way.items() if _is_fitting(size, area)]
        if ways:
            _place_on_a_page(piece, ways, pages, area)
        else:
            too_large.append(piece)
    return [page.pieces for page in pages], too_large


def _place_on_a_page(
    piece: Piece, orientations: list[bool], pages: list[PackedPage], area: Box
) -> None:
    """Place a piece on the first page with room, or on a new page."""
    shorter, longer = sorted((piece.width, piece.height))
    tried_ways = (
        orientations if longer > MIN_RATIO_TO_TURN * shorter else orientations[:1]
    )
    for page in pages:
        for is_turned in tried_ways:
            if page.place(piece, is_turned=is_turned):
                return
    pages.append(PackedPage(area))
    pages[-1].place(piece, is_turned=orientations[0])


def _is_fitting(size: tuple[float, float], area: Box) -> bool:
    width, height = size
    return width <= area.width + TOLERANCE_MM and height <= area.height + TOLERANCE_MM


def _split_hole(hole: Box, filled_box: Box) -> list[Box]:
    """Return the largest rectangles that remain free in a free rectangle."""
    if min(hole.right - filled_box.x, filled_box.right - hole.x) <= TOLERANCE_MM:
        return [hole]
    if min(hole.bottom - filled_box.y, filled_box.bottom - hole.y) <= TOLERANCE_MM:
        return [hole]
    rectangles = (
        Box(hole.x, hole.y, filled_box.x - hole.x, hole.height),
        Box(filled_box.right, hole.y, hole.right - filled_box.right, hole.height),
        Box(hole.x, hole.y, hole.width, filled_box.y - hole.y),
        Box(hole.x, filled_box.bottom, hole.width, hole.bottom - filled_box.bottom),
    )
    return [box for box in rectangles if min(box.width, box.height) > TOLERANCE_MM]


def _is_in_another(hole: Box, holes: Iterable[Box]) -> bool:
    for outer in holes:
        if outer is not hole and min(hole.measure_margins(outer)) >= -TOLERANCE_MM:
            return True
    return False


def find_back_position(placed: PlacedPiece, paper_width: float) -> PlacedPiece:
    """Return the position of a piece's back, with the paper turned over its long edge."""
    x = paper_width - placed.box.right
    return PlacedPiece(placed.piece, x, placed.y, placed.is_turned)
