"""Follow text operators: where strings are shown, and how large."""

from collections.abc import Sequence
from math import hypot
from typing import Protocol

from builder.findings import Box
from builder.model.pdf import Look, PdfText
from builder.pdf import Array, Matrix, Object, Operand, String
from builder.pdfinfo.fonts import ColouredGlyphs
from builder.pdfinfo.geometry import find_direction, find_scale, transform_box
from builder.pdfinfo.state import State, keep_numbers
from builder.units import to_points

SHOW_OPERATORS = {"Tj", "TJ", "'", '"'}
FIELDS_BY_OPERATOR = {
    "Tc": "char_space",
    "Tw": "word_space",
    "TL": "leading",
    "Ts": "rise",
}
TEXT_OPERATORS = {"BT", "ET", "Tf", "Td", "TD", "Tm", "T*", "Tz", "Tr"}
TEXT_OPERATORS |= SHOW_OPERATORS | set(FIELDS_BY_OPERATOR)
INVISIBLE_MODES = (3, 7)
FILL_MODES = (0, 2, 4, 6)
STROKE_MODES = (1, 2, 5, 6)
SPACE_CODE = 32


class TextReader(Protocol):
    """The interface of a reader that handles the fonts and glyphs of text."""

    state: State

    def use_font(self, name: object, size: float) -> None:
        """Select a font by its resource name."""

    def get_look(self) -> Look:
        """Return the opacity, clip and overprint of an object that is painted now."""
        ...

    def draw_glyph(
        self, drawing: Object, position: Matrix, resources: Object | None
    ) -> None:
        """Draw a glyph that has its own colors."""


class TextCursor:
    """The position of text in one content stream: its text matrix and line matrix."""

    def __init__(self) -> None:
        self.line = Matrix()
        self.cursor = Matrix()

    def apply(
        self, operator: str, operands: Sequence[Operand], reader: TextReader
    ) -> list[PdfText]:
        """Apply a PDF operator for text. Return the strings that it shows."""
        if operator in SHOW_OPERATORS:
            return self._show(operator, operands, reader)
        values = keep_numbers(operands)
        state = reader.state
        match operator:
            case "BT":
                self.line = self.cursor = Matrix()
            case "Tm" if len(values) == 6:
                self.line = self.cursor = Matrix(*values)
            case "Td" | "TD" if len(values) == 2:
                if operator == "TD":
                    state.leading = -values[1]
                self._move(*values)
            case "T*":
                self._move(0.0, -state.leading)
            case "Tf" if len(operands) == 2:
                reader.use_font(operands[0], (*values, 1.0)[0])
            case _ if values:
                _set_text_state(operator, values[0], state)
        return []

    def _move(self, x: float, y: float) -> None:
        self.line = self.cursor = Matrix(1, 0, 0, 1, x, y) @ self.line

    def _show(
        self, operator: str, operands: Sequence[Operand], reader: TextReader
    ) -> list[PdfText]:
        state = reader.state
        # Both quotes begin a new line; the double one also sets the spacing.
        if operator in ("'", '"'):
            if operator == '"' and len(operands) == 3:
                state.word_space = float(operands[0])
                state.char_space = float(operands[1])
            self._move(0.0, -state.leading)
        if not operands:
            return []
        string = operands[-1]
        parts = list(string) if isinstance(string, Array) else [string]
        return self._show_parts(parts, reader)

    def _show_parts(
        self, parts: Sequence[Operand], reader: TextReader
    ) -> list[PdfText]:
        """Show strings with adjustments between them, and move on by their width."""
        state = reader.state
        font = state.font
        codes: list[int] = []
        advance = 0.0
        for part in parts:
            if isinstance(part, String):
                part_codes = font.split_codes(bytes(part))
                codes += part_codes
                advance += _measure_codes(part_codes, state)
            else:
                advance += _measure_adjustment(part, state)
        position = Matrix(1, 0, 0, 1, 0, state.rise) @ self.cursor @ state.ctm
        if font.coloured_glyphs is not None and state.mode not in INVISIBLE_MODES:
            _draw_coloured_glyphs(font.coloured_glyphs, parts, position, reader)
        self.cursor = Matrix(1, 0, 0, 1, advance, 0) @ self.cursor
        text = font.decode(codes)
        if not text.strip():
            return []
        low = font.descent * state.size / 1000
        high = font.ascent * state.size / 1000
        extent = font.extents.measure(codes) if font.extents is not None else None
        ink_box = None
        if extent is not None:
            before = after = 0.0
            # Spaces at the edges have no ink.
            if text != text.strip():
                before = _measure_spaces(parts, state)
                after = _measure_spaces(parts[::-1], state, step=-1)
            bottom = extent[0] * state.size / 1000
            top = extent[1] * state.size / 1000
            width = advance - before - after
            ink_box = transform_box(position, Box(before, bottom, width, top - bottom))
        is_stroked = state.mode in STROKE_MODES
        return [
            PdfText(
                box=transform_box(position, Box(0, low, advance, high - low)),
                text=text,
                font=font.font.name,
                size=to_points(abs(state.size) * hypot(position.c, position.d)),
                angle=find_direction(position),
                fill=state.fill if state.mode in FILL_MODES else None,
                stroke=state.stroke if is_stroked else None,
                look=reader.get_look(),
                letters=ink_box,
                width=state.width * find_scale(state.ctm) if is_stroked else 0.0,
            )
        ]


def _set_text_state(operator: str, value: float, state: State) -> None:
    if operator == "Tz":
        state.stretch = value / 100
    elif operator == "Tr":
        state.mode = int(value)
    elif operator in FIELDS_BY_OPERATOR:
        setattr(state, FIELDS_BY_OPERATOR[operator], value)


def _measure_adjustment(part: Operand, state: State) -> float:
    """Return how far a number between strings moves the text position."""
    return -float(part) * state.size / 1000 * state.stretch


def _measure_codes(codes: Sequence[int], state: State) -> float:
    """Return the width of these character codes, including spacing."""
    font = state.font
    width = sum(font.find_width(code) for code in codes) * state.size / 1000
    width += len(codes) * state.char_space
    # Word spacing applies to codes of one byte only (PDF 32000-1, 9.3.3).
    if not font.is_composite:
        width += codes.count(SPACE_CODE) * state.word_space
    return width * state.stretch


def _draw_coloured_glyphs(
    glyphs: ColouredGlyphs,
    parts: Sequence[Operand],
    position: Matrix,
    reader: TextReader,
) -> None:
    """Draw glyphs that have their own colors, each at its first place in the string."""
    state = reader.state
    x = 0.0
    remaining_drawings = dict(glyphs.drawings_by_code)
    for part in parts:
        if not isinstance(part, String):
            x += _measure_adjustment(part, state)
            continue
        for code in bytes(part):
            if code in remaining_drawings:
                size = Matrix(state.size * state.stretch, 0, 0, state.size, x, 0)
                matrix = glyphs.unit @ size @ position
                reader.draw_glyph(
                    remaining_drawings.pop(code), matrix, glyphs.resources
                )
            width = state.font.find_width(code) * state.size / 1000
            x += (width + state.char_space) * state.stretch


def _measure_spaces(parts: Sequence[Operand], state: State, step: int = 1) -> float:
    """Return the width of the spaces at the start of a string.

    With a step of -1 those at its end.
    """
    font = state.font
    width = 0.0
    for part in parts:
        if not isinstance(part, String):
            width += _measure_adjustment(part, state)
            continue
        for code in font.split_codes(bytes(part))[::step]:
            if font.decode([code]).strip():
                return width
            width += _measure_codes([code], state)
    return width
