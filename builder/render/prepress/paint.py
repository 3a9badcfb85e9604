"""Convert drawings to inks: each colour operator, and large black areas to rich black."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from builder.geometry.boxes import Point, list_corners
from builder.messages import gettext as _
from builder.pdf import (
    Array,
    Instruction,
    Name,
    Object,
    Operand,
    list_entries,
    to_numbers,
)
from builder.render.prepress.ink import BLACK, Cmyk, Ink
from builder.render.sheets.pdfwriter import format_number
from builder.units import from_points

Family = Literal["rgb", "grey", "cmyk", "pattern", "other"]

FAMILIES_BY_NAME: dict[str, Family] = {
    **dict.fromkeys(("/DeviceRGB", "/RGB", "/CalRGB"), "rgb"),
    **dict.fromkeys(("/DeviceGray", "/G", "/CalGray"), "grey"),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), "cmyk"),
    "/Pattern": "pattern",
}
FAMILIES_BY_COMPONENTS: dict[int, Family] = {1: "grey", 3: "rgb", 4: "cmyk"}
CONVERTED_FAMILIES = ("rgb", "grey", "cmyk")

MIN_RICH_AREA_MM2 = 100.0
"""Black areas of at least this size are printed in rich black."""
MIN_FILLED_SHARE = 0.3
"""Such shapes must fill at least this share of their box. Frames and fine drawings do not."""
MIN_RICH_WIDTH_MM = 2.0
"""And only broad ones: on thin lines inks out of register would show."""

PATH_OPERATORS = frozenset({"m", "l", "c", "v", "y", "h", "re", "W", "W*"})
FILL_OPERATORS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
PAINT_OPERATORS = FILL_OPERATORS | {"S", "s", "n"}
DEVICE_OPERATORS = frozenset({"rg", "RG", "g", "G", "k", "K"})


def find_family(space: Operand | None, resources: Object | None = None) -> Family:
    """Return the color family of a PDF color space: Gray, RGB, CMYK or other."""
    if isinstance(space, Name):
        resource = dict(list_entries(resources, "/ColorSpace")).get(str(space))
        if resource is not None:
            return find_family(resource)
        return FAMILIES_BY_NAME.get(str(space), "other")
    if isinstance(space, Array) and len(space):
        kind = str(space[0])
        # /N is the number of components of a profile; an indexed space names its base second.
        if kind == "/ICCBased":
            return FAMILIES_BY_COMPONENTS.get(int(space[1].get("/N", 0)), "other")
        if kind == "/Indexed":
            return find_family(space[1], resources)
        return FAMILIES_BY_NAME.get(kind, "other")
    return "other"


@dataclass(frozen=True, slots=True)
class _PainterState:
    """The fill color, the current color spaces, and the scale of a drawing.

    `type_fill` is the fill of type, which may be another black. None is an unknown colour.
    """

    fill: Cmyk | None = BLACK
    type_fill: Cmyk | None = BLACK
    fill_family: Family = "grey"
    stroke_family: Family = "grey"
    unit_area: float = from_points(1) ** 2


@dataclass
class Painter:
    """Converts the colors of a drawing to inks. `refused` lists what cannot be converted."""

    ink: Ink
    resources: Object | None
    is_page: bool = False
    refused: set[str] = field(default_factory=set)
    _is_in_text: bool = False
    _state: _PainterState = _PainterState()
    _saved_states: list[_PainterState] = field(default_factory=list)
    _path: list[Instruction] = field(default_factory=list)
    _instructions: list[Instruction] = field(default_factory=list)

    def rewrite(self, drawing: Iterable[Instruction]) -> list[Instruction]:
        """Return the drawing with all colors in inks."""
        # A page begins in the device's black; a form begins in the colour it is drawn with.
        if self.is_page:
            self._instructions = [_make_colour(BLACK, "k"), _make_colour(BLACK, "K")]
        else:
            self._state = _PainterState(None, None)
        for operands, operator in drawing:
            if operator in PATH_OPERATORS:
                self._path.append((operands, operator))
            elif operator in PAINT_OPERATORS:
                self._paint_path((operands, operator))
            elif operator in DEVICE_OPERATORS:
                family = FAMILIES_BY_COMPONENTS.get(len(operands), "other")
                self._convert(operands, family, stroke=operator.isupper())
            elif operator in ("cs", "CS"):
                self._set_space(operands, operator)
            elif operator in ("sc", "scn", "SC", "SCN"):
                self._set_colour(operands, operator)
            elif operator in ("BT", "ET"):
                self._switch_text(operands, operator)
            else:
                self._follow(operands, operator)
                self._instructions.append((operands, operator))
        return self._instructions

    def _follow(self, operands: Sequence[Operand], operator: str) -> None:
        """Keep track of the state that an operator changes, and write the operator unchanged."""
        match operator:
            case "q":
                self._saved_states.append(self._state)
            case "Q" if self._saved_states:
                self._state = self._saved_states.pop()
            case "cm":
                a, b, c, d = to_numbers(operands[:4])
                # The determinant of a matrix is the factor by which areas grow.
                unit_area = self._state.unit_area * abs(a * d - b * c)
                self._state = replace(self._state, unit_area=unit_area)
            case "INLINE IMAGE":
                self.refused.add(_("a picture inside a drawing"))

    def _switch_text(self, operands: Sequence[Operand], operator: str) -> None:
        """Begin or end text, whose black may be another one than that of drawings."""
        self._is_in_text = operator == "BT"
        fill = self._state.fill
        type_fill = self._state.type_fill
        if fill is None or type_fill is None or fill == type_fill:
            self._instructions.append((operands, operator))
        elif self._is_in_text:
            self._instructions += [_make_colour(type_fill, "k"), (operands, operator)]
        else:
            self._instructions += [(operands, operator), _make_colour(fill, "k")]

    def _set_space(self, operands: Sequence[Operand], operator: str) -> None:
        """Set a color space. Its initial color is black."""
        family = find_family(operands[0], self.resources)
        is_stroke = operator == "CS"
        if is_stroke:
            self._state = replace(self._state, stroke_family=family)
        else:
            self._state = replace(self._state, fill_family=family)
        if family in CONVERTED_FAMILIES:
            self._emit_colour(BLACK, stroke=is_stroke)
            return
        if family == "other":
            self.refused.add(_("the colour space {name}", name=operands[0]))
        if not is_stroke:
            self._state = replace(self._state, fill=None, type_fill=None)
        self._instructions.append((operands, operator))

    def _set_colour(self, operands: Sequence[Operand], operator: str) -> None:
        """Set a color of the current color space."""
        is_stroke = operator.isupper()
        family = self._state.stroke_family if is_stroke else self._state.fill_family
        if family in CONVERTED_FAMILIES:
            self._convert(operands, family, stroke=is_stroke)
            return
        # A coloured pattern is set by its name alone. An uncoloured one also gets its colour here.
        if len(operands) > 1:
            self.refused.add(_("an uncoloured tiling pattern"))
        self._instructions.append((operands, operator))

    def _convert(
        self, operands: Sequence[Operand], family: Family, *, stroke: bool
    ) -> None:
        match to_numbers(operands):
            case (red, green, blue) if family == "rgb":
                rgb = (red, green, blue)
                type_inks = self.ink.convert_type(rgb)
                self._emit_colour(
                    self.ink.convert(rgb), stroke=stroke, type_inks=type_inks
                )
            case (level,) if family == "grey":
                self._emit_colour(self.ink.convert_grey(level), stroke=stroke)
            case (cyan, magenta, yellow, black) if family == "cmyk":
                self._emit_colour((cyan, magenta, yellow, black), stroke=stroke)
            case values:
                self.refused.add(_("a colour of {many} numbers", many=len(values)))

    def _emit_colour(
        self, inks: Cmyk, *, stroke: bool, type_inks: Cmyk | None = None
    ) -> None:
        """Write the operator that sets a color. Text gets `type_inks` instead."""
        type_inks = type_inks or inks
        if not stroke:
            self._state = replace(self._state, fill=inks, type_fill=type_inks)
        used_inks = type_inks if self._is_in_text else inks
        self._instructions.append(_make_colour(used_inks, "K" if stroke else "k"))

    def _paint_path(self, paint: Instruction) -> None:
        """Paint a complete path. A large black area gets rich black."""
        path = self._path
        self._path = []
        is_black = self._state.fill == BLACK and paint[1] in FILL_OPERATORS
        is_rich = is_black and self.ink.rich_black != BLACK and self._is_large(path)
        # A colour may not be set within a path: it comes before the whole of it.
        if is_rich:
            self._instructions.append(_make_colour(self.ink.rich_black, "k"))
        self._instructions += path
        self._instructions.append(paint)
        if is_rich:
            self._instructions.append(_make_colour(BLACK, "k"))

    def _is_large(self, path: Sequence[Instruction]) -> bool:
        loops = _list_loops(path)
        xs: list[float] = []
        ys: list[float] = []
        for loop in loops:
            xs += [x for x, _y in loop]
            ys += [y for _x, y in loop]
        if not xs:
            return False
        width = max(xs) - min(xs)
        height = max(ys) - min(ys)
        # Signed areas: a hole runs the other way round and is subtracted.
        area = abs(sum(map(_measure_area, loops)))
        unit_area = self._state.unit_area
        is_broad = min(width, height) ** 2 * unit_area >= MIN_RICH_WIDTH_MM**2
        is_solid = area >= MIN_FILLED_SHARE * width * height
        is_large = area * unit_area >= MIN_RICH_AREA_MM2
        return is_broad and is_solid and is_large


def _make_colour(inks: Cmyk, operator: str) -> Instruction:
    """Return the PDF instruction that sets a color."""
    return [Decimal(format_number(part).decode()) for part in inks], operator


def _list_loops(path: Sequence[Instruction]) -> list[list[Point]]:
    """Return the corners of each closed part of a path. The ends of curves count as corners."""
    loops: list[list[Point]] = []
    for operands, operator in path:
        values = to_numbers(operands)
        if operator == "re":
            x, y, width, height = values
            loops.append([*list_corners(x, y, x + width, y + height)])
        elif operator == "m":
            loops.append([(values[0], values[1])])
        elif operator in ("l", "c", "v", "y"):
            # A faulty path may begin without a move.
            if not loops:
                loops.append([])
            loops[-1].append((values[-2], values[-1]))
    return loops


def _measure_area(loop: Sequence[Point]) -> float:
    """Return the area of a polygon. It is negative for one of the two directions."""
    double_area = 0.0
    next_corners = [*loop[1:], loop[0]]
    for (x1, y1), (x2, y2) in zip(loop, next_corners, strict=True):
        double_area += x1 * y2 - x2 * y1
    return double_area / 2
