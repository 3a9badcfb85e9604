"""Cut lines of a sheet for cutting machines: SVG and DXF, in mm, with marks the machine finds the sheet by. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from builder.findings import Box

QUARTER = math.tan(math.pi / 8)
"""What DXF calls the bulge of a quarter circle."""

Mark = tuple[float, float]


def svg(width: float, height: float, cards: Sequence[Box], corner: float, marks: Sequence[Mark], size: float) -> str:
    """The sheet as SVG: layer `cut` with a rounded rectangle a card, layer `registration` with crosses."""
    rects = [
        f'<rect x="{_n(card.x)}" y="{_n(card.y)}" '
        f'width="{_n(card.width)}" height="{_n(card.height)}" rx="{_n(corner)}"/>'
        for card in cards
    ]
    half = size / 2
    crosses = [
        f'<path d="M{_n(x - half)} {_n(y)}H{_n(x + half)}M{_n(x)} {_n(y - half)}V{_n(y + half)}"/>' for x, y in marks
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}mm" height="{_n(height)}mm" '
            f'viewBox="0 0 {_n(width)} {_n(height)}" fill="none" stroke-width="0.1">',
            '<g id="cut" stroke="#ff0000">',
            *rects,
            "</g>",
            '<g id="registration" stroke="#000000">',
            *crosses,
            "</g>",
            "</svg>",
            "",
        )
    )


def dxf(height: float, cards: Sequence[Box], corner: float, marks: Sequence[Mark], size: float) -> str:
    """The sheet as DXF (AC1009, mm, y upwards): layer CUT with closed lines, layer REGISTRATION with crosses."""
    lines = ["0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009", "9", "$INSUNITS", "70", "4", "0", "ENDSEC"]
    lines += ["0", "SECTION", "2", "ENTITIES"]
    for card in cards:
        lines += _polyline(card, corner, height)
    half = size / 2
    for x, y in marks:
        lines += _line(x - half, height - y, x + half, height - y)
        lines += _line(x, height - y - half, x, height - y + half)
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])


def _polyline(card: Box, corner: float, height: float) -> list[str]:
    """A closed rounded rectangle, counter-clockwise, its corners as true arcs."""
    radius = min(corner, card.width / 2, card.height / 2)
    left, right = card.x, card.x + card.width
    foot, top = height - card.y - card.height, height - card.y
    bulge = QUARTER if radius else 0.0
    spots = (
        (left + radius, foot, 0.0),
        (right - radius, foot, bulge),
        (right, foot + radius, 0.0),
        (right, top - radius, bulge),
        (right - radius, top, 0.0),
        (left + radius, top, bulge),
        (left, top - radius, 0.0),
        (left, foot + radius, bulge),
    )
    out = ["0", "POLYLINE", "8", "CUT", "66", "1", "70", "1"]
    for x, y, bend in spots:
        out += ["0", "VERTEX", "8", "CUT", "10", _n(x), "20", _n(y), "42", f"{bend:.6f}"]
    return [*out, "0", "SEQEND"]


def _line(x1: float, y1: float, x2: float, y2: float) -> list[str]:
    """One line of a registration mark."""
    return ["0", "LINE", "8", "REGISTRATION", "10", _n(x1), "20", _n(y1), "11", _n(x2), "21", _n(y2)]


def _n(value: float) -> str:
    """A number of mm with at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
