"""Check the distances between blocks of a printed face, and whether they lie inside their panels.

Pure. A face has several layers (a frame, the text on it), which are checked together.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import NamedTuple

from builder.findings import Box
from builder.geometry.boxes import unite_boxes
from builder.messages import Message, gettext as _

TOLERANCE_MM = 0.1
"""The engines place characters apart by up to this distance."""


class PaintedBlock(NamedTuple):
    """A painted block of a face: its box in mm from the corner of the bleed, and its panel."""

    name: str
    panel: str
    box: Box


def find_spacing_faults(
    blocks: Sequence[PaintedBlock], min_gap: float
) -> Iterator[tuple[Message, Box]]:
    """Yield the blocks of a face that are too close to each other, with their positions.

    Blocks of one name are one group, and may touch.
    """
    panels = _merge_blocks(blocks)
    for block in blocks:
        panel = panels.get(block.panel)
        if panel is not None:
            overhang = -min(block.box.measure_margins(panel.box))
            if overhang > TOLERANCE_MM:
                form = _(
                    "block {block!r} extends {out:.1f} mm beyond its panel {panel!r}"
                )
                yield (
                    _(form, block=block.name, panel=panel.name, out=overhang),
                    block.box,
                )
    for first, second in _find_near_pairs(blocks, min_gap - TOLERANCE_MM):
        if not _may_touch(first, second, panels):
            # Blocks near both across and down may still be far enough diagonally.
            distance = measure_distance(first.box, second.box)
            if distance < min_gap - TOLERANCE_MM:
                yield _describe_distance(first, second, distance, min_gap), second.box


def _merge_blocks(blocks: Sequence[PaintedBlock]) -> dict[str, PaintedBlock]:
    """Return the blocks by name. Blocks with the same name are merged."""
    merged_blocks: dict[str, PaintedBlock] = {}
    for block in blocks:
        earlier = merged_blocks.get(block.name)
        # A panel may be declared at only one block of a group.
        if earlier:
            box = unite_boxes(earlier.box, block.box)
            block = PaintedBlock(block.name, block.panel or earlier.panel, box)
        merged_blocks[block.name] = block
    return merged_blocks


def _find_near_pairs(
    blocks: Sequence[PaintedBlock], distance: float
) -> Iterator[tuple[PaintedBlock, PaintedBlock]]:
    """Yield pairs of blocks that are at most this distance apart, in both directions.

    Most pairs are not: comparing precomputed edges excludes them fastest.
    """
    edges = []
    for block in blocks:
        box = block.box
        edges.append((block, box.x, box.y, box.right, box.bottom))
    for first, second in combinations(edges, 2):
        first_block, x1, y1, x2, y2 = first
        second_block, x3, y3, x4, y4 = second
        is_far_across = x3 - x2 >= distance or x1 - x4 >= distance
        if not is_far_across and y3 - y2 < distance and y1 - y4 < distance:
            yield first_block, second_block


def _may_touch(
    first: PaintedBlock, second: PaintedBlock, panels: dict[str, PaintedBlock]
) -> bool:
    """Return True for blocks of one group, and for a block and the panel around it."""
    if first.name == second.name:
        return True
    is_around = first.name in _find_panels_around(second, panels)
    return is_around or second.name in _find_panels_around(first, panels)


def _describe_distance(
    first: PaintedBlock, second: PaintedBlock, distance: float, min_gap: float
) -> Message:
    form = _(
        "blocks {one!r} and {other!r} are {apart:.1f} mm apart instead of {gap:g} mm"
    )
    if distance < 0:
        form = _(
            "blocks {one!r} and {other!r} overlap by {over:.1f} mm; they must be {gap:g} mm apart"
        )
    values = {"apart": distance, "over": -distance, "gap": min_gap}
    return _(form, one=first.name, other=second.name, **values)


def measure_distance(first: Box, second: Box) -> float:
    """Return the distance between two boxes in mm, negative if they overlap."""
    across = max(second.x - first.right, first.x - second.right)
    down = max(second.y - first.bottom, first.y - second.bottom)
    if across > 0 and down > 0:
        # Boxes that lie diagonally are nearest at their corners.
        return hypot(across, down)
    return max(across, down)


def _find_panels_around(
    block: PaintedBlock, panels: dict[str, PaintedBlock]
) -> set[str]:
    """Return the names of the panels that contain a block."""
    names: set[str] = set()
    # A template may declare panels in a circle.
    while block.panel in panels and block.panel not in names:
        names.add(block.panel)
        block = panels[block.panel]
    return names
