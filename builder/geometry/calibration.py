"""The calibration sheet: crosses on the front, rulers around the same points on the back. Pure; mm, top left is 0."""

from __future__ import annotations

from dataclasses import dataclass

from builder.geometry.imposition import Stroke
from builder.geometry.marks import cross
from builder.messages import gettext as _
from builder.messages import translate
from builder.model.profile import Paper

APART = 130.0
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


def spots(paper: Paper) -> tuple[tuple[float, float], tuple[float, float]]:
    """The two points that are measured: level with the middle of the sheet, as far from it on both sides."""
    middle, level = paper.width / 2, paper.height / 2
    return (middle - APART / 2, level), (middle + APART / 2, level)


def front(paper: Paper, lang: str) -> CalibrationSide:
    """A fine cross at each point, and an arrow at the sheet's head."""
    lines = tuple(line for x, y in spots(paper) for line in cross(x, y, 40))
    middle = paper.width / 2
    arrow = (Stroke(middle, 15, middle, 30), Stroke(middle, 15, middle - 3, 20), Stroke(middle, 15, middle + 3, 20))
    how = _("FRONT. Print on both sides at 100 %, then read the other side against a light.")
    return CalibrationSide((*lines, *arrow), (Caption(translate(how, lang), 20, 40, 9),))


def back(paper: Paper, lang: str) -> CalibrationSide:
    """A ruler across and a ruler down through each point, its numbers what the backs must be moved by."""
    lines: list[Stroke] = []
    how = _("BACK. Where does the cross of the front fall? Read each ruler across and down:")
    words: list[Caption] = [
        Caption(translate(how, lang), 20, 40, 9),
        Caption("squadpress printer set NAME --left ACROSS,DOWN --right ACROSS,DOWN", 20, 46, 9),
    ]
    for name, (x, y) in zip(("left", "right"), spots(paper), strict=True):
        words.append(Caption(name, x - 3, y - REACH - 6, 9))
        lines += [Stroke(x - REACH, y, x + REACH, y), Stroke(x, y - REACH, x, y + REACH)]
        for number in range(round(-REACH / STEP), round(REACH / STEP) + 1):
            away = number * STEP
            size = 2.4 if number % 10 == 0 else 1.6 if number % 2 == 0 else 0.9
            lines += [Stroke(x + away, y - size, x + away, y + size), Stroke(x - size, y + away, x + size, y + away)]
            if number % 10 == 0 and number:
                words += [
                    Caption(f"{away:+g}", x + away - 1.6, y + ROW, 6),
                    Caption(f"{away:+g}", x + 3, y + away + 0.8, 6),
                ]
    return CalibrationSide(tuple(lines), tuple(words))
