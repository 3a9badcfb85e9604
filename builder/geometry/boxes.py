"""The boxes of one face: trim, bleed and safe, in mm from the bleed box's top left corner. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from builder.findings import Box
from builder.model.pack import Size


@dataclass(frozen=True, slots=True)
class FaceBoxes:
    """The three boxes every face has; `bleed` is the largest and starts at 0, 0."""

    bleed: Box
    trim: Box
    safe: Box


def face_boxes(size: Size) -> FaceBoxes:
    """The boxes of a card of this size."""
    edge = size.bleed
    return FaceBoxes(
        bleed=Box(0, 0, size.width + 2 * edge, size.height + 2 * edge),
        trim=Box(edge, edge, size.width, size.height),
        safe=Box(edge + size.safe, edge + size.safe, size.width - 2 * size.safe, size.height - 2 * size.safe),
    )
