"""Text operators: where strings are shown and how large."""

from collections.abc import Sequence
from math import hypot
from typing import Protocol

from builder.model.pdf import Look, PdfText
from builder.pdf import Array, Matrix, Object, Operand, String
from builder.pdfinfo.fonts import Drawings
from builder.pdfinfo.geometry import direction, scale, transformed
from builder.pdfinfo.state import State, numbers
from builder.units import to_points

SHOWS = {"Tj", "TJ", "'", '"'}
SETS = {"Tc": "char_space", "Tw": "word_space", "TL": "leading", "Ts": "rise"}
OPERATORS = {"BT", "ET", "Tf", "Td", "TD", "Tm", "T*", "Tz", "Tr"} | SHOWS | set(SETS)
INVISIBLE = (3, 7)


class TextReader(Protocol):
    """What reads the stream that text stands in."""

    state: State

    def use_font(self, name: object, size: float) -> None:
        """Choose a font by its resource name."""

    def look(self) -> Look:
        """How a thing painted now appears."""
        ...

    def draw_letter(self, drawing: Object, place: Matrix, resources: Object | None) -> None:
        """Paint a letter that has colours of its own."""


class Lines:
    """The text and line matrices of one stream."""

    def __init__(self) -> None:
        self.line = Matrix()
        self.cursor = Matrix()

    def step(self, operator: str, operands: Sequence[Operand], reader: TextReader) -> list[PdfText]:
        """One text operator; the strings it shows."""
        if operator in SHOWS:
            return self._show(operator, operands, reader)
        values = numbers(operands)
        state = reader.state
        if operator == "BT":
            self.line = self.cursor = Matrix()
        elif operator == "Tm" and len(values) == 6:
            self.line = self.cursor = Matrix(*values)
        elif operator == "Tf" and len(operands) == 2:
            reader.use_font(operands[0], (*values, 1.0)[0])
        elif operator in SETS and values:
            setattr(state, SETS[operator], values[0])
        elif operator == "Tz" and values:
            state.stretch = values[0] / 100
        elif operator == "Tr" and values:
            state.mode = int(values[0])
        else:
            self._move(operator, values, reader)
        return []

    def _move(self, operator: str, values: tuple[float, ...], reader: TextReader) -> None:
        if operator == "T*":
            values = (0.0, -reader.state.leading)
        elif operator not in ("Td", "TD") or len(values) != 2:
            return
        if operator == "TD":
            reader.state.leading = -values[1]
        self.line = self.cursor = Matrix(1, 0, 0, 1, values[0], values[1]) @ self.line

    def _show(
        self, operator: str, operands: Sequence[Operand], reader: TextReader
    ) -> list[PdfText]:
        if operator in ("'", '"'):
            if operator == '"' and len(operands) == 3:
                reader.state.word_space, reader.state.char_space = (
                    float(operands[0]),
                    float(operands[1]),
                )
            self._move("T*", (), reader)
        if not operands:
            return []
        shown = operands[-1]
        return self._string(list(shown) if isinstance(shown, Array) else [shown], reader)

    def _string(self, parts: Sequence[Operand], reader: TextReader) -> list[PdfText]:
        state, font = reader.state, reader.state.font
        advance, shown = 0.0, list[int]()
        for part in parts:
            if isinstance(part, String):
                codes = font.codes(bytes(part))
                shown += codes
                spaces = codes.count(32) if not font.two_bytes else 0
                glyphs = sum(font.width(code) for code in codes) * state.size / 1000
                advance += (
                    glyphs + len(codes) * state.char_space + spaces * state.word_space
                ) * state.stretch
            else:
                advance -= float(part) * state.size / 1000 * state.stretch
        place = Matrix(1, 0, 0, 1, 0, state.rise) @ self.cursor @ state.ctm
        if font.drawings is not None and state.mode not in INVISIBLE:
            _coloured(font.drawings, parts, place, reader)
        self.cursor = Matrix(1, 0, 0, 1, advance, 0) @ self.cursor
        content = font.text(shown)
        if not content.strip():
            return []
        low, high = (edge * state.size / 1000 for edge in (font.descent, font.ascent))
        ink = font.letters.of(shown) if font.letters is not None else None
        deep, tall = (edge * state.size / 1000 for edge in ink or (0.0, 0.0))
        before = after = 0.0
        if ink is not None and content != content.strip():
            before, after = _blank(parts, state), _blank(parts[::-1], state, step=-1)
        seen = state.mode not in INVISIBLE
        stroked = seen and state.mode in (1, 2, 5, 6)
        return [
            PdfText(
                transformed(place, 0, low, advance, high - low),
                content,
                font.font.name,
                to_points(abs(state.size) * hypot(place.c, place.d)),
                direction(place),
                state.fill if seen and state.mode in (0, 2, 4, 6) else None,
                state.stroke if stroked else None,
                reader.look(),
                None
                if ink is None
                else transformed(place, before, deep, advance - before - after, tall - deep),
                state.width * scale(state.ctm) if stroked else 0.0,
            )
        ]


def _coloured(
    drawings: Drawings, parts: Sequence[Operand], place: Matrix, reader: TextReader
) -> None:
    """Letters with colours of their own, each the first time that a string shows it."""
    state, left, x = reader.state, dict(drawings.by_code), 0.0
    for part in parts:
        if not isinstance(part, String):
            x -= float(part) * state.size / 1000 * state.stretch
            continue
        for code in bytes(part):
            if code in left:
                size = Matrix(state.size * state.stretch, 0, 0, state.size, x, 0)
                reader.draw_letter(left.pop(code), drawings.unit @ size @ place, drawings.resources)
            x += (state.font.width(code) * state.size / 1000 + state.char_space) * state.stretch


def _blank(parts: Sequence[Operand], state: State, step: int = 1) -> float:
    """How far the spaces reach that these parts of a string begin with; read backwards with a step of -1."""
    font, reach = state.font, 0.0
    for part in parts:
        if not isinstance(part, String):
            reach -= float(part) * state.size / 1000 * state.stretch
            continue
        for code in font.codes(bytes(part))[::step]:
            if font.text([code]).strip():
                return reach
            space = state.word_space if code == 32 and not font.two_bytes else 0.0
            reach += (
                font.width(code) * state.size / 1000 + state.char_space + space
            ) * state.stretch
    return reach
