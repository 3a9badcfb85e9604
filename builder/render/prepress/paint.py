"""Drawings in inks: every colour operator of a content stream converted, large black areas given the rich black."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from builder.messages import gettext as _
from builder.pdf import Array, Instruction, Name, Object, Operand, list_entries, to_numbers
from builder.render.prepress.ink import Cmyk, Ink
from builder.units import from_points

Family = Literal["rgb", "grey", "cmyk", "pattern", "other"]

_DEVICE: dict[str, Family] = {
    **dict.fromkeys(("/DeviceRGB", "/RGB", "/CalRGB"), "rgb"),
    **dict.fromkeys(("/DeviceGray", "/G", "/CalGray"), "grey"),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), "cmyk"),
    "/Pattern": "pattern",
}
COMPONENTS: dict[int, Family] = {1: "grey", 3: "rgb", 4: "cmyk"}


def family(space: Operand | None, resources: Object | None = None) -> Family:
    """What a colour space holds; names are looked up in the resources first."""
    if isinstance(space, Name):
        named = dict(list_entries(resources, "/ColorSpace")).get(str(space))
        return family(named) if named is not None else _DEVICE.get(str(space), "other")
    if isinstance(space, Array) and len(space):
        kind = str(space[0])
        if kind == "/ICCBased":
            return COMPONENTS.get(int(space[1].get("/N", 0)), "other")
        if kind == "/Indexed":
            return family(space[1], resources)
        return _DEVICE.get(kind, "other")
    return "other"


LARGE = 100.0
"""Black areas of at least so many square mm are printed in rich black."""
SOLID = 0.3
"""And of those only shapes that fill at least this part of their box: no frames, no fine drawings."""
BROAD = 2.0
"""And which are at least so many mm across: on thin lines inks out of register would show."""

BUILD = frozenset({"m", "l", "c", "v", "y", "h", "re", "W", "W*"})
FILLS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
ENDS = FILLS | {"S", "s", "n"}
DEVICES = frozenset({"rg", "RG", "g", "G", "k", "K"})
BLACK: Cmyk = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class _State:
    """What matters of the graphics state: is the fill black, which spaces are current, how large is a unit.

    `letters` is what letters are filled with, where that is another colour.
    """

    fill: Cmyk | None = BLACK
    letters: Cmyk | None = BLACK
    spaces: tuple[Family, Family] = ("grey", "grey")
    area: float = from_points(1) ** 2


@dataclass
class Painter:
    """Rewrites one drawing. `refused` collects what cannot be converted."""

    ink: Ink
    resources: Object | None
    page: bool = False
    refused: set[str] = field(default_factory=set)
    _inside: bool = False
    _state: _State = _State()
    _saved: list[_State] = field(default_factory=list)
    _path: list[Instruction] = field(default_factory=list)
    _out: list[Instruction] = field(default_factory=list)

    def rewrite(self, content: Iterable[Instruction]) -> list[Instruction]:
        """The drawing with all colours in inks."""
        # A page begins in black of the device's own grey, said here in inks; a form begins as it is drawn.
        self._out = [_set(BLACK, "k"), _set(BLACK, "K")] if self.page else []
        start = BLACK if self.page else None
        self._state = _State(start, start)
        for operands, name in content:
            if name in BUILD:
                self._path.append((operands, name))
            elif name in ENDS:
                self._end((operands, name))
            elif name in DEVICES:
                self._colour(
                    operands, COMPONENTS.get(len(operands), "other"), stroke=name.isupper()
                )
            elif name in ("cs", "CS"):
                self._space(operands, name)
            elif name in ("sc", "scn", "SC", "SCN"):
                self._value(operands, name)
            elif name in ("BT", "ET"):
                self._text(operands, name)
            else:
                self._follow(operands, name)
                self._out.append((operands, name))
        return self._out

    def _follow(self, operands: Sequence[Operand], name: str) -> None:
        """What an operator that stays as it is changes for those after it."""
        match name:
            case "q":
                self._saved.append(self._state)
            case "Q" if self._saved:
                self._state = self._saved.pop()
            case "cm":
                a, b, c, d = to_numbers(operands[:4])
                self._state = replace(self._state, area=self._state.area * abs(a * d - b * c))
            case "INLINE IMAGE":
                self.refused.add(_("a picture inside a drawing"))

    def _text(self, operands: Sequence[Operand], name: str) -> None:
        """Letters begin or end: they may be of another black than drawings are."""
        self._inside = name == "BT"
        fill, letters = self._state.fill, self._state.letters
        if fill is not None and letters is not None and fill != letters:
            change = _set(letters if self._inside else fill, "k")
            self._out += [change, (operands, name)] if self._inside else [(operands, name), change]
        else:
            self._out.append((operands, name))

    def _space(self, operands: Sequence[Operand], name: str) -> None:
        """A colour space chosen; its first colour is black in all that are converted."""
        found, stroke = family(operands[0], self.resources), name == "CS"
        fill_space, stroke_space = self._state.spaces
        self._state = replace(
            self._state, spaces=(fill_space, found) if stroke else (found, stroke_space)
        )
        if found in ("rgb", "grey", "cmyk"):
            self._emit(BLACK, stroke=stroke)
            return
        if found == "other":
            self.refused.add(_("the colour space {name}", name=operands[0]))
        if not stroke:
            self._state = replace(self._state, fill=None, letters=None)
        self._out.append((operands, name))

    def _value(self, operands: Sequence[Operand], name: str) -> None:
        stroke = name.isupper()
        space = self._state.spaces[stroke]
        if space in ("rgb", "grey", "cmyk"):
            self._colour(operands, space, stroke=stroke)
            return
        if len(operands) > 1:
            self.refused.add(_("a pattern with a colour of its own"))
        self._out.append((operands, name))

    def _colour(self, operands: Sequence[Operand], space: Family, *, stroke: bool) -> None:
        match to_numbers(operands):
            case (red, green, blue) if space == "rgb":
                rgb = (red, green, blue)
                self._emit(self.ink.flat(rgb), stroke=stroke, letters=self.ink.type(rgb))
            case (level,) if space == "grey":
                self._emit(self.ink.grey(level), stroke=stroke)
            case (cyan, magenta, yellow, black) if space == "cmyk":
                self._emit((cyan, magenta, yellow, black), stroke=stroke)
            case values:
                self.refused.add(_("a colour of {many} numbers", many=len(values)))

    def _emit(self, inks: Cmyk, *, stroke: bool, letters: Cmyk | None = None) -> None:
        """Set a colour and remember it; `letters` what letters take instead."""
        if not stroke:
            self._state = replace(self._state, fill=inks, letters=letters or inks)
        shown = letters or inks if self._inside else inks
        self._out.append(_set(shown, "K" if stroke else "k"))

    def _end(self, paint: Instruction) -> None:
        """A path is complete: paint it, large black ones in rich black."""
        path, self._path = self._path, []
        rich = (
            self._state.fill == BLACK
            and paint[1] in FILLS
            and self.ink.rich != BLACK
            and self._large(path)
        )
        if rich:
            self._out.append(_set(self.ink.rich, "k"))
        self._out += [*path, paint]
        if rich:
            self._out.append(_set(BLACK, "k"))

    def _large(self, path: Sequence[Instruction]) -> bool:
        loops = _loops(path)
        spots = [spot for loop in loops for spot in loop]
        if not spots:
            return False
        area = abs(sum(_area(loop) for loop in loops))
        wide = max(x for x, _unused in spots) - min(x for x, _unused in spots)
        high = max(y for _unused, y in spots) - min(y for _unused, y in spots)
        scale = self._state.area
        return (
            area * scale >= LARGE
            and area >= SOLID * wide * high
            and min(wide, high) ** 2 * scale >= BROAD**2
        )


def _set(inks: Cmyk, name: str) -> Instruction:
    return (tuple(Decimal(f"{part:.4f}".rstrip("0").rstrip(".") or "0") for part in inks), name)


def _loops(path: Sequence[Instruction]) -> list[list[tuple[float, float]]]:
    """The corners of each closed part of a path; curves by their ends."""
    loops: list[list[tuple[float, float]]] = []
    for operands, name in path:
        values = [float(part) for part in operands]
        if name == "re":
            x, y, width, height = values
            loops.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        elif name == "m":
            loops.append([(values[0], values[1])])
        elif name in ("l", "c", "v", "y"):
            if not loops:
                loops.append([])
            loops[-1].append((values[-2], values[-1]))
    return loops


def _area(loop: Sequence[tuple[float, float]]) -> float:
    return (
        sum(
            x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(loop, [*loop[1:], loop[0]], strict=True)
        )
        / 2
    )
