"""Plan correction stickers: which part of a card each one covers, and where it lies on a sheet.

Pure. Lengths are in mm; parts of a card are measured from the top left corner of its trim.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.boxes import unite_boxes
from builder.geometry.gauges.packing import PackedPage
from builder.geometry.imposition import Stroke
from builder.geometry.spacing import PaintedBlock, measure_distance
from builder.model.profile import Paper, Profile

BLEED_MM = 0.8
"""How far the card's background is printed beyond the cut."""
MARK_LENGTH_MM = 1.2
MARK_SPACE_MM = BLEED_MM + MARK_LENGTH_MM
"""Space for bleed and cut marks on each side of a sticker."""
LABEL_SIZE_PT = 5.0
LABEL_LINES_MM = (3.8, 5.8)
"""The base lines of both lines of a label, below the cut."""
LABEL_HEIGHT_MM = 6.4
MAX_TOUCHING_MM = 0.1
"""Blocks at most this far apart are covered by one sticker."""
MAX_FACE_SHARE = 0.6
"""If more of a face changed, the whole card is printed."""
STRIP_HEIGHT_MM = 5.0
"""The height of the line with which a printed sheet is measured, and its text."""


@dataclass(frozen=True, slots=True)
class BlockMove:
    """A block of the new face with its old position. None if a face lacks the block."""

    name: str
    old: Box | None
    new: Box | None

    @property
    def box(self) -> Box:
        """The area that contains both the old and the new position."""
        if self.old is None or self.new is None:
            box = self.old or self.new
            assert box is not None
            return box
        return unite_boxes(self.old, self.new)

    @property
    def is_moved(self) -> bool:
        """True if the old and the new position do not overlap."""
        if self.old is None or self.new is None:
            return False
        return measure_distance(self.old, self.new) >= 0


def pair_blocks(
    old: Sequence[PaintedBlock], new: Sequence[PaintedBlock]
) -> list[BlockMove]:
    """Pair the blocks of an old and a new face by name and order."""
    old_boxes, new_boxes = _number_blocks(old), _number_blocks(new)
    keys = dict.fromkeys((*new_boxes, *old_boxes))
    return [BlockMove(key[0], old_boxes.get(key), new_boxes.get(key)) for key in keys]


def _number_blocks(blocks: Iterable[PaintedBlock]) -> dict[tuple[str, int], Box]:
    counts: Counter[str] = Counter()
    boxes: dict[tuple[str, int], Box] = {}
    for block in blocks:
        boxes[block.name, counts[block.name]] = block.box
        counts[block.name] += 1
    return boxes


def merge_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Unite boxes that overlap or touch, until none of them do."""
    merged: list[Box] = []
    for box in boxes:
        neighbours = [
            part for part in merged if measure_distance(box, part) <= MAX_TOUCHING_MM
        ]
        while neighbours:
            for neighbour in neighbours:
                merged.remove(neighbour)
                box = unite_boxes(box, neighbour)
            # The united box may reach others.
            neighbours = [
                part
                for part in merged
                if measure_distance(box, part) <= MAX_TOUCHING_MM
            ]
        merged.append(box)
    return merged


@dataclass(frozen=True, slots=True)
class PlacedSticker:
    """A sticker on a sheet: its index in the list of stickers, and the box to cut out."""

    index: int
    box: Box

    def make_cut_marks(self) -> Iterator[Stroke]:
        """Yield two short lines at each corner, which show where to cut."""
        box = self.box
        for x in (box.x, box.right):
            yield Stroke(x, box.y - MARK_SPACE_MM, x, box.y - BLEED_MM)
            yield Stroke(x, box.bottom + BLEED_MM, x, box.bottom + MARK_SPACE_MM)
        for y in (box.y, box.bottom):
            yield Stroke(box.x - MARK_SPACE_MM, y, box.x - BLEED_MM, y)
            yield Stroke(box.right + BLEED_MM, y, box.right + MARK_SPACE_MM, y)


def find_sticker_area(paper: Paper, profile: Profile) -> Box:
    """Return the area of a sheet on which stickers and their labels may lie."""
    edge = profile.margin + MARK_SPACE_MM
    strip = STRIP_HEIGHT_MM if profile.check_line else 0.0
    return Box(edge, edge, paper.width - 2 * edge, paper.height - 2 * edge - strip)


def pack_stickers(
    sizes: Sequence[tuple[float, float]], label_widths: Mapping[int, float], area: Box
) -> list[list[PlacedSticker]]:
    """Place stickers on pages, the highest first. Stickers that do not fit are left out."""
    pages: list[PackedPage] = []
    stickers_by_page: list[list[PlacedSticker]] = []
    for index in sorted(range(len(sizes)), key=lambda index: -round(sizes[index][1])):
        width, height = sizes[index]
        needed = (max(width, label_widths.get(index, 0.0)), height + LABEL_HEIGHT_MM)
        if not fits_area(sizes[index], area):
            continue
        corner = None
        for page, stickers in zip(pages, stickers_by_page, strict=True):
            corner = page.reserve(*needed)
            if corner is not None:
                stickers.append(PlacedSticker(index, Box(*corner, width, height)))
                break
        if corner is None:
            page = PackedPage(area)
            x, y = page.reserve(*needed) or (area.x, area.y)
            pages.append(page)
            stickers_by_page.append([PlacedSticker(index, Box(x, y, width, height))])
    return stickers_by_page


def fits_area(size: tuple[float, float], area: Box) -> bool:
    """Return True if a sticker of this size fits on a sheet with its label."""
    return size[0] <= area.width and size[1] + LABEL_HEIGHT_MM <= area.height
