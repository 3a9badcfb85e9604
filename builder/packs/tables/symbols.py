"""Symbols of tables that no typeface has, and the stand-in icons that are printed for them.

Pure.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from math import copysign, cos, pi, sin
from unicodedata import category

from builder.packs.scaffold import make_id, number_id

CORNERS_AND_DEPTHS = (
    *(
        (48, 1.0),
        (4, 1.0),
        (3, 1.0),
        (5, 0.45),
        (4, 0.35),
        (6, 1.0),
        (8, 0.4),
        (6, 0.6),
    ),
    *((3, 0.35), (12, 0.7), (8, 0.7), (5, 1.0)),
)
"""Outlines: corners, and how far the points between them are from the middle (1: no such points).

Circle, diamond, triangle, star, star of four points, hexagon, star of eight points ...
"""
HOLE_CORNERS = (0, 4, 3, 24, 6)
"""The corners of the hole in an outline. 0 is no hole."""
OUTER_RADIUS = 440
HOLE_RADIUS = 140
CENTRE = 500
# In this order: a key such as 1 with a frame, a flag of two letters, and any other symbol. The last
# may be followed by signs for its colour or skin, and be joined with others.
SYMBOL = re.compile(
    "[0-9#*]\ufe0f?\u20e3"
    "|[\U0001f1e6-\U0001f1ff]{2}"
    "|[^\\w\\s](?:[\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*(?:\u200d[^\\w\\s]\ufe0f?)?)*"
)
"""A symbol as readers see it: a key, a flag, or a sign with the signs that change or extend it."""
FIRST_SYMBOL = 0x2190
"""Signs before this one, such as ° and №, belong to texts."""
VARIATION_SIGN = "\ufe0f"


def find_symbols(texts: Iterable[str]) -> list[str]:
    """Return the symbols in these texts, such as arrows and emoji, each once."""
    symbols: dict[str, None] = {}
    for text in texts:
        if text.isascii():
            continue
        for match in SYMBOL.finditer(text):
            if is_symbol(match[0]):
                symbols[match[0].rstrip(VARIATION_SIGN)] = None
    return list(symbols)


def is_symbol(text: str) -> bool:
    """Return True for an emoji, shape or arrow, False for letters and punctuation."""
    # A key consists of a digit and a frame, so its first character is no symbol.
    if text.endswith("\u20e3"):
        return True
    return ord(text[0]) >= FIRST_SYMBOL and category(text[0]) in ("So", "Sm")


def remove_symbols(text: str) -> str:
    """Return a text without its symbols, or the text itself if it has only symbols."""
    without_symbols = SYMBOL.sub(replace_symbol, text)
    return " ".join(without_symbols.split()) or text


def replace_symbol(match: re.Match[str]) -> str:
    """Return a space for a symbol, else the same text."""
    return " " if is_symbol(match[0]) else match[0]


def name_icons(
    symbols: Iterable[str], taken_names: Collection[str], drawn_count: int = 0
) -> dict[str, str]:
    """Choose an icon name for each symbol, as long as there are different shapes for them.

    Symbols without a drawing of their own are left out.
    """
    icons: dict[str, str] = {}
    for symbol in symbols:
        if drawn_count + len(icons) == len(CORNERS_AND_DEPTHS) * len(HOLE_CORNERS):
            break
        used_names = {*taken_names, *icons.values()}
        icons[symbol] = number_id(make_id(symbol) or "symbol", used_names)
    return icons


def draw_icons(icons: Mapping[str, str]) -> dict[str, bytes]:
    """Return an SVG drawing for each icon name, each with another shape."""
    return {name: draw_shape(number) for number, name in enumerate(icons.values())}


def draw_shape(shape_number: int) -> bytes:
    """Return the shape with this number as SVG."""
    hole, outline = divmod(shape_number, len(CORNERS_AND_DEPTHS))
    corners, depth = CORNERS_AND_DEPTHS[outline]
    hole_corners = HOLE_CORNERS[hole % len(HOLE_CORNERS)]
    path = draw_outline(corners, depth, OUTER_RADIUS)
    if hole_corners:
        # Against the direction of the outline, so that the area inside stays empty.
        path += draw_outline(hole_corners, 1.0, -HOLE_RADIUS)
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">'
    return f'{head}<path d="{path}"/></svg>\n'.encode()


def draw_outline(corners: int, depth: float, radius: float) -> str:
    """Return the SVG path of a polygon or star. A negative radius reverses its direction."""
    is_star = depth != 1.0
    steps = 2 * corners if is_star else corners
    points: list[str] = []
    for step in range(steps):
        angle = 2 * pi * step / steps
        length = abs(radius)
        if is_star and step % 2:
            length *= depth
        # A path that is mirrored from left to right has the other direction.
        x = CENTRE + copysign(length, radius) * sin(angle)
        y = CENTRE - length * cos(angle)
        points.append(f"{x:.0f} {y:.0f}")
    return f"M{'L'.join(points)}Z"
