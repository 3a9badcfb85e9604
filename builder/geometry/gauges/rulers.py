"""Rulers: scales along the edges of a strip, cut into parts where the paper is too short. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, floor

from builder.geometry.gauges.art import (
    CAPITAL_HEIGHT_EM,
    FOLD_TAG,
    MARK_TAG,
    Art,
    ArtText,
    Path,
    Piece,
    TextStyle,
    make_polygon,
    transform,
)
from builder.geometry.gauges.canvas import Canvas
from builder.geometry.gauges.colours import choose_text_colour, mix_colours
from builder.geometry.gauges.context import MIN_TYPE_SIZE_MM, Context
from builder.geometry.gauges.outlines import make_figure
from builder.messages import gettext as _
from builder.model.gauge import Repeat, Ruler, Scale

CHEQUERS_HEIGHT_MM = 2.2
MARK_LENGTHS_MM = (8.6, 6.2, 4.6, 3.6)
"""Lengths of marks by the rank of their step."""
MARK_WIDTHS_MM = (0.5, 0.3, 0.2)
NUMERAL_SIZE_MM = 5.0
NUMERAL_CENTRE_MM = MARK_LENGTHS_MM[0] + NUMERAL_SIZE_MM * 0.5
"""Distance of the middle of the numerals from the edge."""
BAND_HEIGHT_MM = 5.2
"""Height of the dark band that bears the name."""
TAB_LENGTH_MM = 12.0
"""Length of the tab that joins two parts."""
REPEAT_ROW_MM = 6.4
TOLERANCE_MM = 1e-6


@dataclass(frozen=True, slots=True)
class RulerPart:
    """A part of a ruler, from `start` mm on, `length` mm long.

    `label` is empty if it is the only part.
    """

    start: float
    length: float
    label: str
    has_tab: bool


def draw_ruler(gauge: Ruler, context: Context) -> Iterator[Piece]:
    """Draw a ruler. It is divided into parts of whole units if it is longer than the paper."""
    for part in _split_ruler(gauge, context):
        yield _draw_part(gauge, part, context)


def _split_ruler(gauge: Ruler, context: Context) -> Iterator[RulerPart]:
    unit = gauge.scale.unit
    unit_count = count_units(gauge.scale, gauge.length)
    rest = gauge.length - unit_count * unit
    part_count = 1
    # A unit is never cut: the smallest parts have one each.
    while part_count < unit_count:
        tab = TAB_LENGTH_MM if part_count > 1 else 0.0
        longest_part = ceil(unit_count / part_count) * unit + rest + tab
        if longest_part <= context.max_length:
            break
        part_count += 1
    units_per_part = ceil(unit_count / part_count)
    for index in range(part_count):
        first = index * units_per_part
        end = min(unit_count, (index + 1) * units_per_part)
        is_last = index == part_count - 1
        length = (end - first) * unit
        if is_last:
            length += rest
        label = ""
        if part_count > 1:
            number = f"{index + 1}/{part_count}"
            label = context.localize(_("part {number}", number=number))
        yield RulerPart(first * unit, length, label, has_tab=not is_last)


def count_units(scale: Scale, length: float) -> int:
    """Return the number of whole units on a ruler of this length."""
    return floor((length - scale.offset) / scale.unit + TOLERANCE_MM)


def find_marks(steps: Iterable[float], unit_count: int) -> Iterator[tuple[int, float]]:
    """Yield the position of each mark in units, with the index of the first matching step."""
    seen_positions: set[int] = set()
    for rank, step in enumerate(steps):
        for number in range(round(unit_count / step) + 1):
            # In thousandths, because sums of steps such as 0.1 are not exact.
            position = round(number * step * 1000)
            if position not in seen_positions:
                seen_positions.add(position)
                yield rank, number * step


def _draw_part(gauge: Ruler, part: RulerPart, context: Context) -> Piece:
    canvas = Canvas(context, gauge)
    width = gauge.width
    length = part.length
    canvas.fill_rect(0, 0, length, width, canvas.style.paper)
    canvas.fill_rect(0, 0, length, MARK_LENGTHS_MM[0] + 0.6, canvas.style.tint)
    _draw_scale(canvas, gauge.scale, part, gauge.length)
    y = MARK_LENGTHS_MM[0] + NUMERAL_SIZE_MM + 1.0
    for repeat in gauge.repeats:
        _draw_repeat(canvas, repeat, part, y)
        y += REPEAT_ROW_MM
    if gauge.opposite:
        opposite = Canvas(context, gauge)
        _draw_scale(opposite, gauge.opposite, part, gauge.length)
        canvas.art += _flip_scale(opposite.art, width)
    caption = _draw_name(canvas, gauge, part)
    if part.has_tab:
        _draw_tab(canvas, length, width)
    piece = canvas.make_rect_piece(gauge, length, width, caption)
    if part.has_tab:
        # The tab is outside the cut line, but takes room on the paper.
        piece = replace(piece, width=length + TAB_LENGTH_MM)
    return piece


def _draw_scale(
    canvas: Canvas, scale: Scale, part: RulerPart, ruler_length: float
) -> None:
    """Draw a scale on the upper edge, up to the ruler's last unit."""
    unit = scale.unit
    unit_count = count_units(scale, ruler_length)
    start = part.start - scale.offset
    end = start + part.length
    for number in range(unit_count):
        x_min = max(number * unit, start)
        x_max = min((number + 1) * unit, end)
        if x_max - x_min > TOLERANCE_MM:
            colour = canvas.colour if number % 2 == 0 else canvas.style.paper
            canvas.fill_rect(
                x_min - start, 0, x_max - x_min, CHEQUERS_HEIGHT_MM, colour
            )
    first = max(start, 0.0) - start
    last = min(end, unit_count * unit) - start
    canvas.draw_line((first, CHEQUERS_HEIGHT_MM), (last, CHEQUERS_HEIGHT_MM), 0.25)
    for rank, position in find_marks(scale.steps, unit_count):
        x = position * unit - start
        if -TOLERANCE_MM <= x <= part.length + TOLERANCE_MM:
            mark_length = MARK_LENGTHS_MM[min(rank, 3)]
            mark_width = MARK_WIDTHS_MM[min(rank, 2)]
            canvas.draw_line((x, 0), (x, mark_length), mark_width, tag=MARK_TAG)
    # Numerals of narrow units become smaller, or they would touch.
    size = min(NUMERAL_SIZE_MM, unit * scale.every * 0.46)
    for number in range(0, unit_count + 1, scale.every):
        x = number * unit - start
        if -TOLERANCE_MM <= x <= part.length + TOLERANCE_MM:
            sign = canvas.context.localize(scale.sign) if number == unit_count else ""
            _draw_numeral(canvas, f"{number + scale.start}{sign}", x, part.length, size)


def _draw_numeral(
    canvas: Canvas, text: str, x: float, length: float, size: float
) -> None:
    """Draw a number under its mark. The first and the last one stay inside the piece."""
    half_width = canvas.context.measure(text, size, "black") / 2 + 0.8
    x = max(x, half_width)
    x = min(x, length - half_width)
    style = TextStyle(size, canvas.style.ink, weight="black")
    canvas.draw_text(text, x, NUMERAL_CENTRE_MM, style)


def _flip_scale(art: Iterable[Art], height: float) -> Iterator[Art]:
    """Move a scale to the lower edge of a piece, with upright numbers."""
    for item in art:
        if isinstance(item, Path):
            yield replace(item, segments=transform(item.segments, 0, height, 1, -1))
        elif isinstance(item, ArtText):
            # The mirrored upper edge of the capitals is their new baseline.
            capital_height = CAPITAL_HEIGHT_EM * item.style.size
            yield replace(item, y=height - item.y + capital_height)


def _draw_repeat(canvas: Canvas, repeat: Repeat, part: RulerPart, y: float) -> None:
    """Draw a row of numbered symbols, one at each multiple of a distance."""
    style = canvas.style
    step = repeat.every
    height = REPEAT_ROW_MM - 0.8
    first = round(part.start / step)
    centre = y + height / 2
    text_style = TextStyle(3.6, style.ink, weight="black", anchor="end")
    for index in range(int(part.length / step + TOLERANCE_MM)):
        x = index * step
        number = first + index
        paleness = 0.82 if number % 2 else 0.66
        colour = mix_colours(canvas.colour, style.paper, paleness)
        canvas.fill_rect(x, y, step, height, colour)
        middle = x + step / 2
        end = x + step
        figure = make_figure(repeat.figure, 3.6)
        canvas.fill(transform(figure, middle + 0.2, centre - 1.8), style.ink)
        canvas.draw_text(str(number + 1), middle - 0.8, centre, text_style)
        canvas.draw_line((end, y), (end, y + height), 0.4, tag=MARK_TAG)


def _draw_name(canvas: Canvas, gauge: Ruler, part: RulerPart) -> str:
    """Draw the name and the note of a ruler, on a band or between two scales.

    Return the caption for what does not fit.
    """
    context = canvas.context
    style = canvas.style
    if gauge.opposite:
        middle = gauge.width / 2
        start = 2.0
        colour = style.ink
    else:
        middle = gauge.width - BAND_HEIGHT_MM / 2
        start = 6.5
        colour = choose_text_colour(context.band)
        top = middle - BAND_HEIGHT_MM / 2
        bottom = middle + BAND_HEIGHT_MM / 2
        canvas.fill_rect(0, top, part.length, BAND_HEIGHT_MM, context.band)
        corner = [
            (0, top),
            (5, top),
            (2.6, bottom),
            (0, bottom),
        ]
        canvas.fill(make_polygon(corner), canvas.colour)
    free_width = part.length - start - 2
    name = context.localize(gauge.name)
    note = context.localize(gauge.note)
    if part.label:
        name = f"{name} · {part.label}"
    upper_name = name.upper()
    # A long name must leave some width for the note.
    max_name_width = free_width * 0.55 if note else free_width
    size = context.fit_size(upper_name, max_name_width, 3.0)
    name_width = context.measure(upper_name, size, "bold")
    if name_width > free_width:
        return name
    canvas.draw_text(upper_name, start, middle, TextStyle(size, colour, anchor="start"))
    note_width = free_width - name_width - 4
    if not note or context.measure(note, MIN_TYPE_SIZE_MM, "regular") > note_width:
        return note
    note_style = TextStyle(2.5, colour, note_width, weight="regular", anchor="end")
    canvas.draw_text(note, part.length - 2, middle, note_style)
    return ""


def _draw_tab(canvas: Canvas, length: float, width: float) -> None:
    style = canvas.style
    end = length + TAB_LENGTH_MM
    bottom = width - 0.8
    # The tab is narrower than the ruler, so that it stays hidden below the next part.
    corners = [(length, 0.8), (end - 2, 0.8), (end, 2.8)]
    corners += [(end, bottom - 2), (end - 2, bottom), (length, bottom)]
    canvas.art.append(Path(make_polygon(corners), style.tint, style.cut))
    canvas.draw_line((length, 0), (length, width), 0.2, dash=(1, 1), tag=FOLD_TAG)
    text_style = TextStyle(2.8, style.ink, width - 6, angle=-90)
    glue = canvas.context.localize(_("glue"))
    canvas.draw_text(glue, length + TAB_LENGTH_MM / 2, width / 2, text_style)
