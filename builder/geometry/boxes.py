"""The boxes of a face, and changed cells of a grid gathered into rectangles. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from builder.findings import Box

if TYPE_CHECKING:  # what sets faces in other processes needs no models
    from builder.model.pack import Shape, Size


@dataclass(frozen=True, slots=True)
class FaceBoxes:
    """The three boxes every face has; `bleed` is the largest and starts at 0, 0."""

    bleed: Box
    trim: Box
    safe: Box
    shape: Shape = "rectangle"


def face_boxes(size: Size) -> FaceBoxes:
    """The boxes of a card of this size."""
    edge = size.bleed
    return FaceBoxes(
        bleed=Box(0, 0, size.width + 2 * edge, size.height + 2 * edge),
        trim=Box(edge, edge, size.width, size.height),
        safe=Box(
            edge + size.safe,
            edge + size.safe,
            size.width - 2 * size.safe,
            size.height - 2 * size.safe,
        ),
        shape=size.shape,
    )


def hexagon(box: Box) -> tuple[tuple[float, float], ...]:
    """The corners, clockwise, of the hexagon that fills a box; it stands on one where the box is higher than wide."""
    x, y, wide, high = box.x, box.y, box.width, box.height
    if high < wide:
        return tuple((y_x, x_y) for x_y, y_x in reversed(hexagon(Box(y, x, high, wide))))
    low, foot = y + high / 4, y + 3 * high / 4
    return (
        (x + wide / 2, y),
        (x + wide, low),
        (x + wide, foot),
        (x + wide / 2, y + high),
        (x, foot),
        (x, low),
    )


def inside(item: Box, zone: Box, shape: Shape, slack: float) -> bool:
    """True if a box lies within the shape that fills a zone, give or take some mm."""
    left, top, right, foot = item.margins(zone)
    if shape == "rectangle" or min(left, top, right, foot) < -slack:
        return min(left, top, right, foot) >= -slack
    # The corner that is farthest out, as parts of the way from the middle to the edge.
    across, down = (
        1 - (min(left, right) + slack) * 2 / zone.width,
        1 - (min(top, foot) + slack) * 2 / zone.height,
    )
    if shape == "hexagon":
        short, long = (across, down) if zone.height >= zone.width else (down, across)
        return long + short / 2 <= 1
    return across**2 + down**2 <= 1


Cell: TypeAlias = tuple[int, int]
Region: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in cells; right and bottom are not included."""


def regions(cells: Collection[Cell], reach: int = 2) -> tuple[Region, ...]:
    """Rectangles around groups of cells that are at most `reach` apart; rectangles that overlap become one."""
    left, steps = set(cells), range(-reach, reach + 1)
    found: list[Region] = []
    while left:
        group = [left.pop()]
        for x, y in group:  # the group grows while it is walked
            near = left & {(x + dx, y + dy) for dx in steps for dy in steps}
            left -= near
            group += near
        xs, ys = zip(*group, strict=True)
        found.append((min(xs), min(ys), max(xs) + 1, max(ys) + 1))
    return tuple(sorted(_merged(found), key=lambda region: (region[1], region[0])))


def _merged(found: list[Region]) -> list[Region]:
    done: list[Region] = []
    for region in found:
        for other in [one for one in done if _touch(one, region)]:
            done.remove(other)
            (left, top), (right, low) = (
                map(min, region[:2], other[:2]),
                map(max, region[2:], other[2:]),
            )
            region = (left, top, right, low)
        done.append(region)
    return done if len(done) == len(found) else _merged(done)


def _touch(one: Region, other: Region) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
