"""The calibration sheet: how far a printer's backs miss their fronts, with pictures of what to do.

Pure; mm, the top left is 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from builder.geometry.imposition import Stroke
from builder.geometry.marks import cross
from builder.messages import gettext as _, translate
from builder.model.profile import Paper

RULERS = 130.0
"""Distance of the two rulers."""
REACH = 10
"""Mm a ruler reads to either side."""
STEP = 0.5
ROW = 8.2
"""Where the numbers across stand below their ruler: between two of the numbers down."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A text and where it begins, on its base line; `standing` reads upwards."""

    text: str
    x: float
    y: float
    size: float = 7.0


@dataclass(frozen=True, slots=True)
class CalibrationSide:
    """One side of the sheet."""

    lines: tuple[Stroke, ...]
    words: tuple[Caption, ...]


MARGIN = 20.0
"""Where texts begin."""
EXAMPLE, SCALE = (2.0, -1.0), 4.0
"""Where the cross of the example falls on its ruler, and how much larger that is drawn."""
LETTERS = 34
"""Letters of a line below a picture."""


def _path(*points: tuple[float, float]) -> Iterator[Stroke]:
    return (Stroke(*start, *end) for start, end in pairwise(points))


def _ring(x: float, y: float, radius: float) -> Iterator[Stroke]:
    angles = [2 * pi * side / 16 for side in range(17)]
    return _path(*((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles))


def _rulers(
    x: float, y: float, steps: int, scale: float, sizes: tuple[float, float, float]
) -> Iterator[Stroke]:
    """A ruler across and one down that meet at a point, with so many marks on either side: `sizes` of every tenth, of
    every second, and of the others.
    """
    reach = steps * STEP * scale
    yield from (Stroke(x - reach, y, x + reach, y), Stroke(x, y - reach, x, y + reach))
    for number in range(-steps, steps + 1):
        away = number * STEP * scale
        size = sizes[0] if number % 10 == 0 else sizes[1] if number % 2 == 0 else sizes[2]
        yield Stroke(x + away, y - size, x + away, y + size)
        yield Stroke(x - size, y + away, x + size, y + away)


def _page(x: float, y: float) -> list[Stroke]:
    """A small sheet with its two crosses."""
    lines = list(
        _path((x - 9, y - 13), (x + 9, y - 13), (x + 9, y + 13), (x - 9, y + 13), (x - 9, y - 13))
    )
    return [*lines, *cross(x - 5, y, 4), *cross(x + 5, y, 4)]


def _printing(x: float, y: float) -> list[Stroke]:
    """A sheet, turned over its long edge."""
    angles = [pi * (1 + step / 12) for step in range(13)]
    arc = [(x + 11 * cos(angle), y - 13 + 5 * sin(angle)) for angle in angles]
    tip = _path((x + 9, y - 16), arc[-1], (x + 13, y - 16))
    return [*_page(x - 12, y + 3), *_path(*arc), *tip, *_page(x + 12, y + 3)]


def _lighting(x: float, y: float) -> list[Stroke]:
    """A lamp, the sheet before it, an eye."""
    rays = (
        Stroke(
            x - 20 + 7 * cos(angle),
            y + 7 * sin(angle),
            x - 20 + 10 * cos(angle),
            y + 10 * sin(angle),
        )
        for angle in (pi * step / 4 for step in range(8))
    )
    sheet = _path(
        (x - 3, y - 15), (x + 3, y - 11), (x + 3, y + 15), (x - 3, y + 11), (x - 3, y - 15)
    )
    eye = _path((x + 12, y), (x + 17, y - 3.5), (x + 22, y), (x + 17, y + 3.5), (x + 12, y))
    return [*_ring(x - 20, y, 5), *rays, *sheet, *eye, *_ring(x + 17, y, 1.4)]


def _reading(x: float, y: float) -> list[Stroke]:
    """A ruler across and a ruler down, enlarged, with the cross of the front in dashes."""
    lines = list(_rulers(x, y, 10, SCALE, (1.6, 1.6, 0.8)))
    left, top = x + EXAMPLE[0] * SCALE, y + EXAMPLE[1] * SCALE
    for dash in range(-11, 11):
        lines += [
            Stroke(left + dash * 2, top, left + dash * 2 + 1.2, top),
            Stroke(left, top + dash * 2, left, top + dash * 2 + 1.2),
        ]
    return lines


def _broken(text: str) -> Sequence[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def spots(paper: Paper) -> tuple[tuple[float, float], tuple[float, float]]:
    """The two points that are measured: level with the middle of the sheet, as far from it on both sides."""
    middle, level = paper.width / 2, paper.height / 2
    return (middle - RULERS / 2, level), (middle + RULERS / 2, level)


def front(paper: Paper, lang: str) -> CalibrationSide:
    """A fine cross at each point, and an arrow at the sheet's head."""
    lines = tuple(line for x, y in spots(paper) for line in cross(x, y, 40))
    middle = paper.width / 2
    arrow = (
        Stroke(middle, 15, middle, 30),
        Stroke(middle, 15, middle - 3, 20),
        Stroke(middle, 15, middle + 3, 20),
    )
    how = _("FRONT. Print on both sides at 100 %, then read the other side against a light.")
    steps = (
        _("1. Print on both sides."),
        _("2. Hold it against a light, this side away from you."),
        _("3. Read on the back where the crosses fall."),
    )
    foot, wide = paper.height - 75, (paper.width - 2 * MARGIN) / 3
    drawn, words = [], [Caption(translate(how, lang), MARGIN, 40, 9)]
    for index, (step, picture) in enumerate(
        zip(steps, (_printing, _lighting, _reading), strict=True)
    ):
        x = MARGIN + index * wide
        drawn += picture(x + wide / 2, foot + 18)
        words += [
            Caption(line, x + 2, foot + 44 + 4 * row, 8)
            for row, line in enumerate(_broken(translate(step, lang)))
        ]
    return CalibrationSide((*lines, *arrow, *drawn), tuple(words))


def back(paper: Paper, lang: str) -> CalibrationSide:
    """A ruler across and a ruler down through each point, its numbers what the backs must be moved by."""
    lines: list[Stroke] = []
    how = _("BACK. Where does the cross of the front fall? Read each ruler across and down:")
    words: list[Caption] = [
        Caption(translate(how, lang), MARGIN, 40, 9),
        Caption(
            "squadpress printer set NAME --left ACROSS,DOWN --right ACROSS,DOWN", MARGIN, 46, 9
        ),
        Caption(
            translate(_("Example: the cross falls at +2 across and -1 down."), lang), 82, 82, 9
        ),
        Caption("--left 2,-1", 82, 88, 9),
    ]
    at, level, far = MARGIN + 26, 84.0, 5 * SCALE
    lines += _reading(at, level)
    ends = (("-5", -far - 5, 1), ("+5", far + 2, 1), ("-5", 2, 1 - far), ("+5", 2, far + 1))
    words += [Caption(name, at + across, level + down, 8) for name, across, down in ends]
    for name, (x, y) in zip(("left", "right"), spots(paper), strict=True):
        words.append(Caption(name, x - 3, y - REACH - 6, 9))
        lines += _rulers(x, y, round(REACH / STEP), 1, (2.4, 1.6, 0.9))
        for away in range(-REACH, REACH + 1, 5):
            if away:
                words += [
                    Caption(f"{away:+g}", x + away - 1.6, y + ROW, 6),
                    Caption(f"{away:+g}", x + 3, y + away + 0.8, 6),
                ]
    return CalibrationSide(tuple(lines), tuple(words))
