"""The boxes of a face, and changed cells of a grid gathered into rectangles. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from builder.findings import Box

if TYPE_CHECKING:  # worker processes need no models
    from builder.model.pack import Shape, Size


Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FaceBoxes:
    """The boxes of a face: bleed, trim and safe area. `bleed` starts at 0, 0."""

    bleed: Box
    trim: Box
    safe: Box
    shape: Shape = "rectangle"


def make_face_boxes(size: Size) -> FaceBoxes:
    """Return the boxes of a card of this size."""
    bleed = size.bleed
    safe = size.safe
    inset = bleed + safe
    return FaceBoxes(
        bleed=Box(0, 0, size.width + 2 * bleed, size.height + 2 * bleed),
        trim=Box(bleed, bleed, size.width, size.height),
        safe=Box(inset, inset, size.width - 2 * safe, size.height - 2 * safe),
        shape=size.shape,
    )


def grow_box(box: Box, margin: float) -> Box:
    """Return a box with a margin in mm on all sides. A negative margin makes it smaller."""
    width = box.width + 2 * margin
    height = box.height + 2 * margin
    return Box(box.x - margin, box.y - margin, width, height)


def list_corners(
    x_min: float, y_min: float, x_max: float, y_max: float
) -> tuple[Point, Point, Point, Point]:
    """Return the four corners of a rectangle, in order around it."""
    return (x_min, y_min), (x_max, y_min), (x_max, y_max), (x_min, y_max)


def unite_boxes(first: Box, second: Box) -> Box:
    """Return the smallest box that contains both boxes."""
    x_min = min(first.x, second.x)
    y_min = min(first.y, second.y)
    x_max = max(first.right, second.right)
    y_max = max(first.bottom, second.bottom)
    return Box(x_min, y_min, x_max - x_min, y_max - y_min)


def find_hexagon_corners(box: Box) -> tuple[Point, ...]:
    """Return the corners of the hexagon that fills a box, clockwise.

    In an upright box it points up, in a lying box to the sides.
    """
    x = box.x
    y = box.y
    width = box.width
    height = box.height
    if height < width:
        # With both axes swapped a lying hexagon is an upright one, traced the other way round.
        corners = find_hexagon_corners(Box(y, x, height, width))
        return tuple((corner_x, corner_y) for corner_y, corner_x in reversed(corners))
    middle = x + width / 2
    x_max = x + width
    upper = y + height / 4
    lower = y + 3 * height / 4
    return (
        (middle, y),
        (x_max, upper),
        (x_max, lower),
        (middle, y + height),
        (x, lower),
        (x, upper),
    )


def is_inside(inner_box: Box, zone: Box, shape: Shape, tolerance: float) -> bool:
    """Return True if a box lies within a shape that fills the zone.

    `tolerance` is in mm.
    """
    margins = inner_box.measure_margins(zone)
    if min(margins) < -tolerance:
        return False
    if shape == "rectangle":
        return True
    # The farthest corner, as shares of the way from the middle to the edge.
    margin_x = min(margins[0], margins[2]) + tolerance
    margin_y = min(margins[1], margins[3]) + tolerance
    across = 1 - margin_x * 2 / zone.width
    down = 1 - margin_y * 2 / zone.height
    if shape == "hexagon":
        # A slanted side goes from the tip to half of the way down, at the full width.
        if zone.height >= zone.width:
            return down + across / 2 <= 1
        return across + down / 2 <= 1
    return across**2 + down**2 <= 1


Cell: TypeAlias = tuple[int, int]
Region: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in cells; right and bottom are not included."""


def group_cells(cells: Collection[Cell], reach: int = 2) -> tuple[Region, ...]:
    """Group cells that are at most `reach` cells apart. Return the rectangle around each group.

    They are sorted from top to bottom. Rectangles that overlap become one.
    """
    remaining_cells = set(cells)
    regions: list[Region] = []
    while remaining_cells:
        group = [remaining_cells.pop()]
        for cell in group:  # the group grows during the loop
            neighbours = remaining_cells & _find_neighbours(cell, reach)
            remaining_cells -= neighbours
            group += neighbours
        xs, ys = zip(*group, strict=True)
        x_end = max(xs) + 1
        y_end = max(ys) + 1
        regions.append((min(xs), min(ys), x_end, y_end))
    merged_regions = _merge_regions(regions)
    return tuple(sorted(merged_regions, key=lambda region: (region[1], region[0])))


def _find_neighbours(cell: Cell, reach: int) -> set[Cell]:
    x, y = cell
    neighbours: set[Cell] = set()
    for row in range(y - reach, y + reach + 1):
        neighbours.update((column, row) for column in range(x - reach, x + reach + 1))
    return neighbours


def _merge_regions(regions: list[Region]) -> list[Region]:
    merged_regions: list[Region] = []
    for region in regions:
        overlapping = [
            earlier for earlier in merged_regions if _is_overlapping(earlier, region)
        ]
        for earlier in overlapping:
            merged_regions.remove(earlier)
            x_min = min(region[0], earlier[0])
            y_min = min(region[1], earlier[1])
            x_max = max(region[2], earlier[2])
            y_max = max(region[3], earlier[3])
            region = (x_min, y_min, x_max, y_max)
        merged_regions.append(region)
    # A grown region may overlap one that was passed before.
    is_final = len(merged_regions) == len(regions)
    return merged_regions if is_final else _merge_regions(merged_regions)


def _is_overlapping(first: Region, second: Region) -> bool:
    is_overlapping_across = first[0] < second[2] and second[0] < first[2]
    is_overlapping_down = first[1] < second[3] and second[1] < first[3]
    return is_overlapping_across and is_overlapping_down
