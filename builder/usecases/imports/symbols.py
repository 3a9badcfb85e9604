"""Icons and fonts for the characters of a list that the program's typefaces do not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi, radians, sin
from unicodedata import category, name

from builder.packs.project import Project
from builder.packs.scaffold import make_id
from builder.packs.tables.symbols import draw_shape
from builder.render.fonts import find_covered_characters
from builder.render.installed_fonts import FontCopy, find_family

MAX_SHAPES = 60
"""The number of different shapes for unknown symbols."""
MISSING_ICON = "missing-character"
LETTER_CATEGORIES = ("L", "M", "N")
"""First letters of the Unicode categories of letters, their marks, and digits."""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><path d="{}"/></svg>\n'
POLYGONS = {
    "●⬤⚫⚪○◯•": (48, 0.0),
    "▲△⏶": (3, 0.0),
    "▶➤►➔⇒➡▸": (3, 90.0),
    "▼▽": (3, 180.0),
    "◀◄": (3, 270.0),
    "■□▪◼⬛▢": (4, 45.0),
    "◆◇⬥❖": (4, 0.0),
    "⬟⬠": (5, 0.0),
    "⬢⬡": (6, 0.0),
}
"""The number of corners and the rotation in degrees of regular polygons, by symbols."""
CENTRE = (500, 500)
STARS = "★☆✦✪✶✹✱⚝"
DICE = "⚀⚁⚂⚃⚄⚅"
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
CROSS = (
    "M150 270 270 150 500 380 730 150 850 270 620 500 850 730 730 850 500 620 270 850 150 730"
    " 380 500Z"
)
TICK = "M120 520 260 380 420 540 760 180 890 310 420 800Z"
FRAME = "M120 120 880 120 880 880 120 880ZM240 240 240 760 760 760 760 240Z"


@dataclass(frozen=True, slots=True)
class SymbolFiles:
    """The icons and fonts that a pack needs for characters that the program's fonts lack.

    `icons` are names of icons by character, `drawings` SVG files by name. `missing` are letters
    that no installed font has.
    """

    icons: Mapping[str, str] = field(default_factory=dict)
    drawings: Mapping[str, bytes] = field(default_factory=dict)
    fonts: tuple[FontCopy, ...] = ()
    missing: tuple[str, ...] = ()


def choose_symbols(project: Project, texts: Iterable[str], lang: str) -> SymbolFiles:
    """Choose icons and fonts for characters of texts that the program's fonts lack."""
    characters = set("".join(texts))
    ranges = find_covered_characters((), "", project.cache)
    for first, last in ranges:
        characters.difference_update(map(chr, range(first, last + 1)))
    letters: set[str] = set()
    symbols: list[str] = []
    for character in sorted(characters):
        if character.isspace():
            continue
        if category(character)[0] in LETTER_CATEGORIES:
            letters.add(character)
        else:
            symbols.append(character)
    fonts = tuple(_find_fonts(letters, lang))
    for font in fonts:
        letters.difference_update(map(chr, font.characters))
    missing = sorted(letters)
    icons: dict[str, str] = dict.fromkeys(missing, MISSING_ICON)
    drawings = {MISSING_ICON: SVG.format(FRAME).encode()} if missing else {}
    for number, character in enumerate(symbols):
        # Control and format characters are not printed.
        if category(character) in ("Cf", "Cc", "Cs"):
            continue
        icon = make_id(name(character, f"symbol {ord(character):x}"))
        icons[character] = icon
        drawings[icon] = _draw_symbol(character, number % MAX_SHAPES)
    return SymbolFiles(icons, drawings, fonts, tuple(missing))


def _draw_symbol(character: str, number: int) -> bytes:
    """Draw a symbol as SVG. An unknown symbol gets the shape of this number."""
    for characters, (corners, angle) in POLYGONS.items():
        if character in characters:
            return SVG.format(_draw_polygon(corners, angle)).encode()
    if character in STARS:
        return draw_shape(3)
    if character in DICE:
        return SVG.format(_draw_die(DICE.index(character) + 1)).encode()
    if character in "✓✔☑":
        return SVG.format(TICK).encode()
    if character in "⌖🎯◎⊕⦿":
        # A disc, a hole in it, and a dot in the hole.
        path = _draw_polygon(48, 0.0)
        path += _draw_ring(48, 0.0, 310, CENTRE, -1)
        path += _draw_ring(24, 0.0, 150, CENTRE, 1)
        return SVG.format(path).encode()
    if character in "✗✘☒✖⨯⚔🗡🤺":
        return SVG.format(CROSS).encode()
    # The first 4 shapes, from circle to star, stand for known symbols.
    return draw_shape(number + 4)


def _draw_polygon(corners: int, angle: float, radius: float = 430) -> str:
    return _draw_ring(corners, angle, radius, CENTRE, 1)


def _draw_ring(
    corners: int,
    angle: float,
    radius: float,
    centre: tuple[float, float],
    direction: int,
) -> str:
    points = []
    for corner in range(corners):
        turn = direction * 2 * pi * corner / corners + radians(angle)
        x = centre[0] + radius * sin(turn)
        y = centre[1] - radius * cos(turn)
        points.append(f"{x:.0f} {y:.0f}")
    return f"M{'L'.join(points)}Z"


def _draw_die(pip_count: int) -> str:
    """Draw a die as an SVG path. Pips run against the outline, so that they stay empty."""
    path = _draw_polygon(4, 45.0, 590)
    for x, y in PIPS[pip_count]:
        path += _draw_ring(16, 0.0, 95, (500 + 240 * x, 500 + 240 * y), -1)
    return path


def _find_fonts(letters: set[str], lang: str) -> Iterator[FontCopy]:
    """Yield installed fonts until they have all letters, or no font has the others."""
    code_points = set(map(ord, letters))
    while code_points:
        copy = find_family(code_points, lang)
        if copy is None or not code_points & copy.characters:
            return
        code_points -= copy.characters
        yield copy
