"""Convert text to curves, for shops that accept no fonts. Each glyph becomes a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING

from builder.messages import gettext as _
from builder.pdf import (
    Array,
    Dictionary,
    Instruction,
    Matrix,
    Name,
    Object,
    ObjectId,
    Operand,
    Pdf,
    String,
    list_entries,
    read_cid_widths,
    read_instructions,
    serialize_instructions,
    to_numbers,
)
from builder.render.cache import Result, ResultCache
from builder.render.prepress.drawings import (
    find_drawings,
    hash_resources,
    read_content,
    replace_content,
)
from builder.render.sheets.pdfwriter import format_number

if TYPE_CHECKING:
    from fontTools.ttLib.ttGlyphSet import _TTGlyphSet as GlyphSet

    from builder.render.glyphpen import Outline

FILL_MODE, STROKE_MODE, BOTH_MODE, HIDDEN_MODE = range(4)
SHOW_OPERATORS = ("Tj", "TJ", "'", '"')
FIELDS_BY_OPERATOR = {"Tc": "spacing", "TL": "leading", "Ts": "rise"}


class EmbeddedFont:
    """An embedded font whose character codes are glyph numbers of 2 bytes."""

    def __init__(self, program: bytes, descendant: Object) -> None:
        from fontTools.ttLib import TTFont

        self._widths = read_cid_widths(descendant)
        self._default_width = float(descendant.get("/DW", 1000))
        self._font = TTFont(BytesIO(program), lazy=True)
        self._names = self._font.getGlyphOrder()
        self.units_per_em = int(self._font["head"].unitsPerEm)

    @cached_property
    def _glyphs(self) -> GlyphSet:
        return self._font.getGlyphSet()

    def find_width(self, glyph: int) -> float:
        """Return the advance width of a glyph as a share of the type size."""
        # A PDF states widths in thousandths of the type size.
        return self._widths.get(glyph, self._default_width) / 1000

    def read_outline(self, glyph: int) -> Outline:
        """Return the outline of a glyph in the font's units. Empty for a space."""
        from builder.render.glyphpen import CubicPen

        pen = CubicPen(self._glyphs)
        if glyph < len(self._names):
            self._glyphs[self._names[glyph]].draw(pen)
        return pen.path


def open_embedded_font(resource: Object) -> EmbeddedFont | None:
    """Open a font of a PDF. Return None for a font of another type."""
    descendant = resource.get("/DescendantFonts", [None])[0]
    # Only with both identities are the codes in a text the ids of glyphs.
    if descendant is None or str(resource.get("/Encoding")) != "/Identity-H":
        return None
    if str(descendant.get("/CIDToGIDMap", "/Identity")) != "/Identity":
        return None
    program = dict(list_entries(descendant, "/FontDescriptor")).get("/FontFile2")
    return None if program is None else EmbeddedFont(program.read_bytes(), descendant)


def _format_outline(outline: Outline) -> bytes:
    lines = []
    for points, operator in outline:
        parts = []
        for x, y in points:
            parts += [format_number(x), format_number(y)]
        parts.append(operator.encode())
        lines.append(b" ".join(parts) + b"\n")
    return b"".join(lines)


@dataclass(frozen=True, slots=True)
class _TextState:
    font: EmbeddedFont | None = None
    resource_name: str = ""
    font_name: str = ""
    size: float = 1.0
    spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = FILL_MODE


class _NotOutlinedError(Exception):
    """The text of a drawing cannot be converted to outlines. The drawing is not changed."""


class Outliner:
    """Converts the text of a PDF to outlines. `refused` lists text that cannot be converted."""

    def __init__(self, pdf: Pdf, cache: ResultCache | None = None) -> None:
        self._pdf = pdf
        self._cache = cache or ResultCache()
        self._fonts: dict[ObjectId, EmbeddedFont | None] = {}
        self._forms: dict[tuple[ObjectId, int], Object | None] = {}
        self.refused: set[str] = set()

    def outline(self) -> None:
        """Convert the text on all pages to outlines."""
        for item, resources in find_drawings(self._pdf.pages):
            fonts = resources.get("/Font") if resources is not None else None
            if fonts and resources is not None:
                self._outline_drawing(item, resources, fonts)

    def _outline_drawing(self, item: Object, resources: Object, fonts: Object) -> None:
        inputs = [read_content(item), hash_resources(resources, "/Font")]
        data, names = self._cache.get(
            "outlines", inputs, lambda: self._outline_text(item, fonts)
        )
        if not data:
            self.refused |= set(names)
            return
        replace_content(item, data, self._pdf)
        # A copy: drawings may share their resources.
        objects = Dictionary(dict(resources.get("/XObject", Dictionary()).items()))
        for name in names:
            font, _dot, glyph = name.rpartition(".")
            objects[name] = self.find_form(fonts[font], int(glyph))
        resources["/XObject"] = objects
        del resources["/Font"]

    def _outline_text(self, item: Object, fonts: Object) -> Result:
        """Convert the text of one drawing to outlines.

        Return the new stream and the names of the glyph forms that it uses. If the text cannot be
        converted, return an empty stream and the reason.
        """
        rewriter = _TextRewriter(self, fonts)
        try:
            instructions = rewriter.rewrite(read_instructions(item))
        except _NotOutlinedError as error:
            return b"", [str(error)]
        return serialize_instructions(instructions), list(rewriter.form_names)

    def find_font(self, resource: Object) -> EmbeddedFont | None:
        """Return an embedded font, which is opened once for each file."""
        if resource.objgen not in self._fonts:
            self._fonts[resource.objgen] = open_embedded_font(resource)
        return self._fonts[resource.objgen]

    def find_form(self, resource: Object, glyph: int) -> Object | None:
        """Return the form that draws a glyph, or None if the glyph has no outline.

        Each is made once per file.
        """
        key = (resource.objgen, glyph)
        if key not in self._forms:
            font = self.find_font(resource)
            outline = [] if font is None else font.read_outline(glyph)
            self._forms[key] = None
            if outline and font is not None:
                self._forms[key] = self._make_form(outline, font.units_per_em)
        return self._forms[key]

    def _make_form(self, outline: Outline, units_per_em: int) -> Object:
        xs: list[float] = []
        ys: list[float] = []
        for points, _operator in outline:
            xs += [x for x, _y in points]
            ys += [y for _x, y in points]
        form = self._pdf.make_stream(_format_outline(outline) + b"f\n")
        form["/Type"] = Name.XObject
        form["/Subtype"] = Name.Form
        # A box on whole units around the glyph: a form is cut off at its box.
        x_min = int(min(xs)) - 1
        y_min = int(min(ys)) - 1
        x_max = int(max(xs)) + 2
        y_max = int(max(ys)) + 2
        form["/BBox"] = Array([x_min, y_min, x_max, y_max])
        matrix = Matrix().scaled(1 / units_per_em, 1 / units_per_em)
        form["/Matrix"] = Array([Decimal(f"{part:.8f}") for part in matrix.shorthand])
        form["/Resources"] = Dictionary()
        return self._pdf.make_indirect(form)


@dataclass
class _TextRewriter:
    """Replaces the text of one drawing by outlines.

    `form_names` are the names of the forms that it draws: `FONT.GLYPH`.
    """

    outliner: Outliner
    fonts: Object
    form_names: dict[str, None] = field(default_factory=dict)
    _state: _TextState = _TextState()
    _saved_states: list[_TextState] = field(default_factory=list)
    _line: Matrix = field(default_factory=Matrix)
    _cursor: Matrix = field(default_factory=Matrix)
    _instructions: list[Instruction] = field(default_factory=list)

    def rewrite(self, drawing: Iterable[Instruction]) -> list[Instruction]:
        """Return the drawing with curves in place of text.

        Raise _NotOutlinedError if that is not possible.
        """
        for operands, operator in drawing:
            if operator in ("BT", "ET"):
                self._line = self._cursor = Matrix()
            elif operator in SHOW_OPERATORS:
                self._show(operands, operator)
            elif not self._set_state(operands, operator) and not self._move(
                operands, operator
            ):
                if operator == "q":
                    self._saved_states.append(self._state)
                elif operator == "Q" and self._saved_states:
                    self._state = self._saved_states.pop()
                self._instructions.append((operands, operator))
        return self._instructions

    def _set_state(self, operands: Sequence[Operand], operator: str) -> bool:
        """Apply a PDF operator of the text state. Return False for other operators."""
        if operator == "Tf":
            self._set_font(str(operands[0]), float(operands[1]))
        elif operator in FIELDS_BY_OPERATOR:
            change = {FIELDS_BY_OPERATOR[operator]: float(operands[0])}
            self._state = replace(self._state, **change)  # type: ignore[arg-type]
        elif operator == "Tz":
            self._state = replace(self._state, stretch=float(operands[0]) / 100)
        elif operator == "Tr":
            self._state = replace(self._state, mode=int(operands[0]))
        else:
            return operator == "Tw"  # word spacing applies to fonts of one byte only
        return True

    def _set_font(self, name: str, size: float) -> None:
        resource = self.fonts.get(name)
        font = None
        font_name = ""
        if resource is not None:
            font = self.outliner.find_font(resource)
            font_name = str(resource.get("/BaseFont", ""))[1:]
        self._state = replace(
            self._state, font=font, resource_name=name, font_name=font_name, size=size
        )

    def _move(self, operands: Sequence[Operand], operator: str) -> bool:
        """Apply a PDF operator that positions text. Return False for other operators."""
        if operator == "Tm":
            self._line = self._cursor = Matrix(*to_numbers(operands))
        elif operator in ("Td", "TD"):
            x, y = to_numbers(operands)
            if operator == "TD":
                self._state = replace(self._state, leading=-y)
            self._line = self._cursor = self._line.translated(x, y)
        elif operator == "T*":
            self._line = self._cursor = self._line.translated(0, -self._state.leading)
        else:
            return False
        return True

    def _show(self, operands: Sequence[Operand], operator: str) -> None:
        if self._state.mode > HIDDEN_MODE:
            raise _NotOutlinedError(_("text used as a clipping path"))
        font = self._state.font
        if font is None:
            name = self._state.font_name or _("no font")
            raise _NotOutlinedError(_("text in {font}", font=name))
        # These operators begin a new line first.
        if operator in ("'", '"'):
            self._move((), "T*")
        string = operands[-1]
        for part in list(string) if isinstance(string, Array) else [string]:
            if isinstance(part, String):
                data = bytes(part)
                for start in range(0, len(data) - 1, 2):
                    glyph = int.from_bytes(data[start : start + 2], "big")
                    self._draw_glyph(glyph, font)
            else:
                # A number between texts moves back, in thousandths of the type size.
                self._advance_position(-float(part) / 1000 * self._state.size)

    def _advance_position(self, distance: float) -> None:
        self._cursor = self._cursor.translated(distance * self._state.stretch, 0)

    def _draw_glyph(self, glyph: int, font: EmbeddedFont) -> None:
        """Draw one glyph, and move the text position by its width."""
        state = self._state
        width = state.size * state.stretch
        matrix = Matrix(width, 0, 0, state.size, 0, state.rise) @ self._cursor
        if state.mode == FILL_MODE:
            resource = self.fonts[state.resource_name]
            if self.outliner.find_form(resource, glyph) is not None:
                name = f"{state.resource_name}.{glyph}"
                self.form_names[name] = None
                self._instructions += [
                    ((), "q"),
                    (_to_decimals(matrix.shorthand), "cm"),
                    ((Name(name),), "Do"),
                    ((), "Q"),
                ]
        elif state.mode in (STROKE_MODE, BOTH_MODE):
            # Not a form: its scale would also change the width of the line.
            outline = font.read_outline(glyph)
            unit = matrix.scaled(1 / font.units_per_em, 1 / font.units_per_em)
            for points, operator in outline:
                coordinates: list[float] = []
                for point in points:
                    coordinates += unit.transform(point)
                self._instructions.append((_to_decimals(coordinates), operator))
            if outline:
                self._instructions.append(
                    ((), "S" if state.mode == STROKE_MODE else "B")
                )
        self._advance_position(font.find_width(glyph) * state.size + state.spacing)


def _to_decimals(values: Iterable[float]) -> tuple[Decimal, ...]:
    return tuple(
        Decimal(f"{value:.6f}".rstrip("0").rstrip(".") or "0") for value in values
    )
