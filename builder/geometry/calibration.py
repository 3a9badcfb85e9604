"""The calibration sheet: how far a printer's backs miss their fronts, with pictures of what to do.

Pure; mm from the top left corner.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from textwrap import wrap

from builder.geometry.boxes import Point, list_corners
from builder.geometry.imposition import Stroke
from builder.geometry.marks import make_cross
from builder.messages import gettext as _, translate
from builder.model.profile import Paper

RULER_DISTANCE_MM = 130.0
RULER_REACH_MM = 10
"""How far a ruler reaches to either side."""
STEP_MM = 0.5
NUMBERS_OFFSET_MM = 8.2
"""Distance of the numbers from a horizontal ruler: between two numbers of the vertical one."""
MARGIN_MM = 20.0
EXAMPLE_OFFSET_MM = (2.0, -1.0)
EXAMPLE_SCALE = 4.0
"""Where the cross of the example falls on its ruler, and how much larger that is drawn."""
MAX_LINE_CHARACTERS = 34
INK = "#1b1f24"
TINT = "#eef1f3"
PAPER = "#ffffff"
ACCENT = "#d9480f"
"""The colours of gauges. Rulers and crosses stay black on white: they are read through paper."""
HEADER_HEIGHT_MM = 18.0


@dataclass(frozen=True, slots=True)
class Caption:
    """A text on the calibration sheet. (x, y) is the start of its baseline, `size` is in pt."""

    text: str
    x: float
    y: float
    size: float = 7.0
    colour: str = INK
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class CalibrationPanel:
    """A filled rectangle, with lines and captions on top of it."""

    x: float
    y: float
    width: float
    height: float
    colour: str = TINT


@dataclass(frozen=True, slots=True)
class CalibrationSide:
    """One side of the calibration sheet."""

    lines: tuple[Stroke, ...]
    captions: tuple[Caption, ...]
    panels: tuple[CalibrationPanel, ...] = ()


def _draw_polyline(*points: Point) -> Iterator[Stroke]:
    for start, end in pairwise(points):
        yield Stroke(*start, *end)


def _draw_ring(x: float, y: float, radius: float) -> Iterator[Stroke]:
    points: list[Point] = []
    # A polygon of 16 sides looks round at this size; it ends where it begins.
    for side in range(17):
        angle = 2 * pi * side / 16
        points.append((x + radius * cos(angle), y + radius * sin(angle)))
    yield from _draw_polyline(*points)


def _draw_rulers(
    x: float, y: float, steps: int, scale: float, tick_sizes: tuple[float, float, float]
) -> Iterator[Stroke]:
    """Draw a horizontal and a vertical ruler through a point, with `steps` ticks to each side.

    `tick_sizes` are those of every tenth, of every second and of the other ticks.
    """
    reach = steps * STEP_MM * scale
    yield from make_cross(x, y, 2 * reach)
    for number in range(-steps, steps + 1):
        offset = number * STEP_MM * scale
        size = tick_sizes[2]
        if number % 10 == 0:
            size = tick_sizes[0]
        elif number % 2 == 0:
            size = tick_sizes[1]
        yield Stroke(x + offset, y - size, x + offset, y + size)
        yield Stroke(x - size, y + offset, x + size, y + offset)


def _draw_small_sheet(x: float, y: float) -> list[Stroke]:
    """Draw the small picture of a sheet with its two crosses."""
    x_min = x - 9
    x_max = x + 9
    y_min = y - 13
    y_max = y + 13
    corners = list_corners(x_min, y_min, x_max, y_max)
    lines = list(_draw_polyline(*corners, corners[0]))
    lines += make_cross(x - 5, y, 4)
    lines += make_cross(x + 5, y, 4)
    return lines


def _draw_turned_sheet(x: float, y: float) -> list[Stroke]:
    """Draw the small picture of a sheet that is turned over its long edge."""
    arc: list[Point] = []
    for step in range(13):
        angle = pi * (1 + step / 12)
        arc.append((x + 11 * cos(angle), y - 13 + 5 * sin(angle)))
    lines = _draw_small_sheet(x - 12, y + 3)
    lines += _draw_small_sheet(x + 12, y + 3)
    lines += _draw_polyline(*arc)
    # The tip of an arrow at the end of the arc.
    tip_y = y - 16
    lines += _draw_polyline((x + 9, tip_y), arc[-1], (x + 13, tip_y))
    return lines


def _draw_lamp_and_eye(x: float, y: float) -> list[Stroke]:
    """Draw the small picture of a lamp, the sheet in front of it, and an eye."""
    lamp = x - 16
    eye = x + 18
    lines = list(_draw_ring(lamp, y, 5))
    for step in range(8):
        dx = cos(pi * step / 4)
        dy = sin(pi * step / 4)
        ray_start = (lamp + 7 * dx, y + 7 * dy)
        ray_end = (lamp + 10 * dx, y + 10 * dy)
        lines.append(Stroke(*ray_start, *ray_end))
    x_min = x - 3
    x_max = x + 3
    # The sheet is seen from the side, so its upper and lower edges are slanted.
    sheet = (
        (x_min, y - 15),
        (x_max, y - 11),
        (x_max, y + 15),
        (x_min, y + 11),
    )
    lines += _draw_polyline(*sheet, sheet[0])
    lid = (
        (eye - 5, y),
        (eye, y - 3.5),
        (eye + 5, y),
        (eye, y + 3.5),
    )
    lines += _draw_polyline(*lid, lid[0])
    lines += _draw_ring(eye, y, 1.4)
    return lines


def _draw_enlarged_rulers(x: float, y: float) -> list[Stroke]:
    """Draw the enlarged picture of both rulers, with the cross of the front in dashes."""
    lines = list(_draw_rulers(x, y, 10, EXAMPLE_SCALE, (1.6, 1.6, 0.8)))
    offset_x, offset_y = EXAMPLE_OFFSET_MM
    cross_x = x + offset_x * EXAMPLE_SCALE
    cross_y = y + offset_y * EXAMPLE_SCALE
    for dash in range(-20, 17, 2):
        start_x = cross_x + dash
        start_y = cross_y + dash
        lines.append(Stroke(start_x, cross_y, start_x + 1.2, cross_y))
        lines.append(Stroke(cross_x, start_y, cross_x, start_y + 1.2))
    return lines


def find_measured_points(paper: Paper) -> tuple[Point, Point]:
    """Return the two points of the sheet at which users measure, left and right of its middle."""
    x = paper.width / 2
    y = paper.height / 2
    half_distance = RULER_DISTANCE_MM / 2
    return (x - half_distance, y), (x + half_distance, y)


def _draw_header(
    paper: Paper, side: str, lang: str
) -> tuple[list[CalibrationPanel], list[Caption]]:
    """Draw the band at the top with the name of the sheet and of the side."""
    top = MARGIN_MM - 6
    width = paper.width - 2 * MARGIN_MM
    panels = [
        CalibrationPanel(MARGIN_MM, top, width, HEADER_HEIGHT_MM, INK),
        CalibrationPanel(MARGIN_MM, top, 3, HEADER_HEIGHT_MM, ACCENT),
    ]
    title = translate(_("Calibration sheet"), lang)
    x = MARGIN_MM + 8
    base = top + HEADER_HEIGHT_MM / 2
    captions = [
        Caption(title, x, base + 0.6, 17, PAPER, is_bold=True),
        Caption(side, x, base + 5.6, 8.5, PAPER),
    ]
    return panels, captions


def draw_front(paper: Paper, lang: str) -> CalibrationSide:
    """Draw the front: a cross at each point, an arrow at the top, and the steps as pictures."""
    lines: list[Stroke] = []
    for x, y in find_measured_points(paper):
        lines += make_cross(x, y, 40)
    middle = paper.width / 2
    lines.append(Stroke(middle, 48, middle, 62))
    lines.append(Stroke(middle, 48, middle - 3, 53))
    lines.append(Stroke(middle, 48, middle + 3, 53))
    title = _(
        "FRONT. Print both sides at 100 %, then hold the sheet against a light and read the back."
    )
    panels, captions = _draw_header(paper, translate(_("Front"), lang), lang)
    captions.append(Caption(translate(title, lang), MARGIN_MM, 40, 9))
    steps = (
        (_("1. Print both sides."), _draw_turned_sheet),
        (
            _("2. Hold the sheet against a light, this side away from you."),
            _draw_lamp_and_eye,
        ),
        (_("3. On the back, read where the crosses fall."), _draw_enlarged_rulers),
    )
    top = paper.height - 75
    width = (paper.width - 2 * MARGIN_MM) / 3
    for index, (step, draw_picture) in enumerate(steps):
        x = MARGIN_MM + index * width
        panels.append(CalibrationPanel(x, top - 10, width - 3, 64))
        lines += draw_picture(x + (width - 3) / 2, top + 18)
        base = top + 45
        text = translate(step, lang)
        for line in wrap(
            text, MAX_LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False
        ):
            captions.append(Caption(line, x + 3, base, 8, is_bold=True))
            base += 4
    return CalibrationSide(tuple(lines), tuple(captions), tuple(panels))


def draw_back(paper: Paper, lang: str) -> CalibrationSide:
    """Draw the back: two rulers through each point, whose numbers are the shift of the back."""
    title = _(
        "BACK. Where does the cross of the front fall? Read each ruler across and down:"
    )
    example = _("Example: the cross falls at +2 across and -1 down.")
    command = "squadpress printer set NAME --left ACROSS,DOWN --right ACROSS,DOWN"
    x = MARGIN_MM + 26
    y = 84.0
    reach = 5 * EXAMPLE_SCALE
    lines = _draw_enlarged_rulers(x, y)
    panels, captions = _draw_header(paper, translate(_("Back"), lang), lang)
    panels.append(CalibrationPanel(MARGIN_MM, 52, paper.width - 2 * MARGIN_MM, 64))
    captions += [
        Caption(translate(title, lang), MARGIN_MM, 40, 9),
        Caption(command, MARGIN_MM, 46, 9, is_bold=True),
        Caption(translate(example, lang), 82, 82, 9),
        Caption("--left 2,-1", 82, 88, 9, ACCENT, is_bold=True),
        Caption("-5", x - reach - 5, y + 1, 8),
        Caption("+5", x + reach + 2, y + 1, 8),
        Caption("-5", x + 2, y + 1 - reach, 8),
        Caption("+5", x + 2, y + reach + 1, 8),
    ]
    step_count = round(RULER_REACH_MM / STEP_MM)
    # The names are those of the options: they are not translated.
    for name, point in zip(("left", "right"), find_measured_points(paper), strict=True):
        x, y = point
        base = y - RULER_REACH_MM - 6
        captions.append(Caption(name, x - 3, base, 10, ACCENT, is_bold=True))
        lines += _draw_rulers(x, y, step_count, 1, (2.4, 1.6, 0.9))
        for offset in (-10, -5, 5, 10):
            text = f"{offset:+g}"
            captions.append(Caption(text, x + offset - 1.6, y + NUMBERS_OFFSET_MM, 6))
            captions.append(Caption(text, x + 3, y + offset + 0.8, 6))
    return CalibrationSide(tuple(lines), tuple(captions), tuple(panels))
