"""Whether blocks of a printed face keep their distance: from each other, and inside the panels they belong into. Pure.

A face is several layers (a frame, what lies on it): only together do they tell.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import NamedTuple

from builder.findings import Box
from builder.messages import Message, gettext as _

SLACK = 0.1
"""Mm by which two engines place letters apart."""


class PaintedBlock(NamedTuple):
    """What is painted of one block, in mm from the bleed box's corner; the panel it belongs into, if any."""

    name: str
    panel: str
    box: Box


def crowded(blocks: Sequence[PaintedBlock], gap: float) -> Iterator[tuple[Message, Box]]:
    """What is wrong with the blocks of a face, and where. Blocks of one name are one group, and may touch."""
    panels: dict[str, PaintedBlock] = {}
    for block in blocks:
        before = panels.get(block.name)
        both = before and PaintedBlock(
            block.name, block.panel or before.panel, _both(before.box, block.box)
        )
        panels[block.name] = both or block
    for block in blocks:
        panel = panels.get(block.panel)
        if panel is None:
            continue
        out = -min(block.box.margins(panel.box))
        if out > SLACK:
            form = _("block {block!r} sticks out of its panel {panel!r} by {out:.1f} mm")
            yield _(form, block=block.name, panel=panel.name, out=out), block.box
    near = gap - SLACK
    edges = [
        (block, block.box.x, block.box.y, block.box.right, block.box.bottom) for block in blocks
    ]
    for (one, left, top, right, bottom), (other, x, y, across, down) in combinations(edges, 2):
        if x - right >= near or left - across >= near or y - bottom >= near or top - down >= near:
            continue  # most are far apart
        if (
            one.name == other.name
            or one.name in _around(other, panels)
            or other.name in _around(one, panels)
        ):
            continue
        apart = distance(one.box, other.box)
        if apart < near:
            form = _("blocks {one!r} and {other!r} are {apart:.1f} mm apart instead of {gap:g} mm")
            if apart < 0:
                form = _(
                    "blocks {one!r} and {other!r} overlap by {over:.1f} mm; {gap:g} mm apart is asked for"
                )
            yield (
                _(form, one=one.name, other=other.name, apart=apart, over=-apart, gap=gap),
                other.box,
            )


def _both(one: Box, other: Box) -> Box:
    left, top = min(one.x, other.x), min(one.y, other.y)
    return Box(left, top, max(one.right, other.right) - left, max(one.bottom, other.bottom) - top)


def distance(one: Box, other: Box) -> float:
    """Mm between two boxes; negative where they overlap."""
    across, down = (
        max(other.x - one.right, one.x - other.right),
        max(other.y - one.bottom, one.y - other.bottom),
    )
    return hypot(across, down) if across > 0 and down > 0 else max(across, down)


def _around(block: PaintedBlock, panels: dict[str, PaintedBlock]) -> set[str]:
    """The panels a block stands in."""
    names, at = set[str](), block
    while at.panel in panels and at.panel not in names:
        names.add(at.panel)
        at = panels[at.panel]
    return names
