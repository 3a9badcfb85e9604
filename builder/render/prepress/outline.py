"""Text as curves, for shops that take no fonts: every letter becomes the drawing of its glyph, at its place.

A glyph is one form of the file, drawn wherever its letter stood, so that outlined files stay small; letters that are
stroked are written out, since a stroke would be scaled with the form. No Type 3 fonts: a shop's program sees paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING

from builder.messages import gettext as _
from builder.pdf import Instruction, Object, Operand, Pdf, entries, instructions, unparsed
from builder.render.cache import Result, ResultCache
from builder.render.prepress.drawings import content, drawings, stated, store
from builder.render.sheets.pdfwriter import number

if TYPE_CHECKING:
    from fontTools.pens.basePen import BasePen
    from fontTools.ttLib.ttGlyphSet import _TTGlyphSet as GlyphSet

Point = tuple[float, float]


class Typeface:
    """One font resource whose codes are glyph ids of two bytes, its program inside the file.

    `widths` are what the file says of them, in thousandths of the type size; `default` that of all others.
    """

    def __init__(self, program: bytes, widths: Mapping[int, float], default: float = 1000.0) -> None:
        from fontTools.ttLib import TTFont

        self._widths, self._default = widths, default
        self._font = TTFont(BytesIO(program), lazy=True)
        self._names = self._font.getGlyphOrder()
        self.units = int(self._font["head"].unitsPerEm)

    @cached_property
    def _set(self) -> GlyphSet:
        return self._font.getGlyphSet()

    def width(self, glyph: int) -> float:
        """How far a glyph moves on, as a part of the type size."""
        return self._widths.get(glyph, self._default) / 1000

    def path(self, glyph: int) -> list[tuple[Sequence[Point], bytes]]:
        """The outline in the font's units: points and operator; nothing for a space."""
        pen = _pen(self._set)
        if glyph < len(self._names):
            self._set[self._names[glyph]].draw(pen)
        found: list[tuple[Sequence[Point], bytes]] = pen.path
        return found


def typeface(resource: Object) -> Typeface | None:
    """The typeface of a font resource; None for a font of another make."""
    inner = resource.get("/DescendantFonts", [None])[0] if resource is not None else None
    if inner is None or str(resource.get("/Encoding")) != "/Identity-H":
        return None
    if str(inner.get("/CIDToGIDMap", "/Identity")) != "/Identity":
        return None
    program = dict(entries(inner, "/FontDescriptor")).get("/FontFile2")
    if program is None:
        return None
    return Typeface(program.read_bytes(), _widths(list(inner.get("/W", []))), float(inner.get("/DW", 1000)))


def _widths(entries: list[Object]) -> dict[int, float]:
    """The W array: a first code and a list, or a first and a last code and one width for all."""
    import pikepdf

    found: dict[int, float] = {}
    while len(entries) > 1:
        first, second = int(entries[0]), entries[1]
        if isinstance(second, pikepdf.Array):
            found |= {first + index: float(width) for index, width in enumerate(list(second))}
            entries = entries[2:]
        else:
            found |= dict.fromkeys(range(first, int(second) + 1), float(entries[2]))
            entries = entries[3:]
    return found


def drawn(path: Sequence[tuple[Sequence[Point], bytes]]) -> bytes:
    """A path as operators."""
    return b"".join(
        b"%s %s\n" % (b" ".join(number(part) for point in points for part in point), name) if points else name + b"\n"
        for points, name in path
    )


def _pen(glyphs: GlyphSet) -> BasePen:
    """A pen that writes what it draws as operators; quadratic curves become cubic ones."""
    from fontTools.pens.basePen import BasePen

    class Pen(BasePen):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(glyphs)
            self.path: list[tuple[Sequence[Point], bytes]] = []

        def _moveTo(self, pt: Point) -> None:  # noqa: N802
            self.path.append(((pt,), b"m"))

        def _lineTo(self, pt: Point) -> None:  # noqa: N802
            self.path.append(((pt,), b"l"))

        def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
            self.path.append(((pt1, pt2, pt3), b"c"))

        def _closePath(self) -> None:  # noqa: N802
            self.path.append(((), b"h"))

        def _endPath(self) -> None:  # noqa: N802
            pass

    return Pen()


Matrix = tuple[float, float, float, float, float, float]
ONE: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
FILLED, STROKED, BOTH, HIDDEN = 0, 1, 2, 3
SHOWS = ("Tj", "TJ", "'", '"')
STATES = {"Tc": "spacing", "TL": "leading", "Ts": "rise"}


@dataclass(frozen=True, slots=True)
class _Type:
    """The text state."""

    face: Typeface | None = None
    font: str = ""
    name: str = ""
    size: float = 1.0
    spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = FILLED


class _StaysText(Exception):
    """A drawing whose text cannot be outlined: it is left as it was."""


class Outliner:
    """Outlines the text of one file. `refused` says what had to stay text."""

    def __init__(self, pdf: Pdf, memo: ResultCache | None = None) -> None:
        self._pdf = pdf
        self._memo = memo or ResultCache()
        self._faces: dict[tuple[int, int], Typeface | None] = {}
        self._forms: dict[tuple[tuple[int, int], int], Object | None] = {}
        self.refused: set[str] = set()

    def outline(self) -> None:
        """All text of all pages."""
        import pikepdf

        for item, resources in drawings([page.obj for page in self._pdf.pages]):
            fonts = resources.get("/Font") if resources is not None else None
            if not fonts or resources is None:
                continue
            said = [content(item), stated(resources, "/Font")]
            data, used = self._memo.get("outlines", said, lambda: self._curves(item, fonts))  # noqa: B023
            if not data:
                self.refused |= set(used)
                continue
            store(item, data, self._pdf)
            objects = pikepdf.Dictionary(dict(resources.get("/XObject", pikepdf.Dictionary()).items()))
            for name in used:
                font, _, glyph = name.rpartition(".")
                objects[name] = self.form(fonts[font], int(glyph))
            resources["/XObject"] = objects
            del resources["/Font"]

    def _curves(self, item: Object, fonts: Object) -> Result:
        """A drawing without text, and the names of the glyphs it draws; nothing and the reason where it stays text."""
        setter = _Setter(self, fonts)
        try:
            return unparsed(setter.rewrite(instructions(item))), list(setter.used)
        except _StaysText as stays:
            return b"", [str(stays)]

    def face(self, resource: Object) -> Typeface | None:
        """A font's glyphs."""
        if resource.objgen not in self._faces:
            self._faces[resource.objgen] = typeface(resource)
        return self._faces[resource.objgen]

    def form(self, resource: Object, glyph: int) -> Object | None:
        """The form of a glyph, made once a file; None for one without an outline."""
        import pikepdf

        key, face = (resource.objgen, glyph), self.face(resource)
        if key not in self._forms:
            path = [] if face is None else face.path(glyph)
            self._forms[key] = None
            if path and face is not None:
                spots = [point for points, _ in path for point in points]
                made = self._pdf.make_stream(drawn(path) + b"f\n")
                made["/Type"], made["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Form
                made["/BBox"] = pikepdf.Array(_around(spots))
                made["/Matrix"] = pikepdf.Array([Decimal(f"{part:.8f}") for part in _scaled(1 / face.units)])
                made["/Resources"] = pikepdf.Dictionary()
                self._forms[key] = self._pdf.make_indirect(made)
        return self._forms[key]


@dataclass
class _Setter:
    """Rewrites one drawing; `used` are the names of the forms it draws now: a font's, a full stop, a glyph's number."""

    outliner: Outliner
    fonts: Object
    used: dict[str, None] = field(default_factory=dict)
    _type: _Type = _Type()
    _saved: list[_Type] = field(default_factory=list)
    _line: Matrix = ONE
    _at: Matrix = ONE
    _out: list[Instruction] = field(default_factory=list)

    def rewrite(self, drawing: Iterable[Instruction]) -> list[Instruction]:
        """The drawing with its text as curves. Raises _StaysText."""
        for operands, name in drawing:
            if name in ("BT", "ET"):
                self._line = self._at = ONE
            elif name in SHOWS:
                self._show(operands, name)
            elif not self._state(operands, name) and not self._move(operands, name):
                self._save(name)
                self._out.append((operands, name))
        return self._out

    def _save(self, name: str) -> None:
        """Text states are saved with all others."""
        if name == "q":
            self._saved.append(self._type)
        elif name == "Q" and self._saved:
            self._type = self._saved.pop()

    def _state(self, operands: Sequence[Operand], name: str) -> bool:
        """One operator of the text state; True if it was one."""
        if name == "Tf":
            resource = self.fonts.get(str(operands[0]))
            face = self.outliner.face(resource) if resource is not None else None
            font = str(operands[0])
            called = "" if resource is None else str(resource.get("/BaseFont", ""))[1:]
            self._type = replace(self._type, face=face, font=font, name=called, size=float(operands[1]))
        elif name in STATES:
            self._type = replace(self._type, **{STATES[name]: float(operands[0])})  # type: ignore[arg-type]
        elif name == "Tz":
            self._type = replace(self._type, stretch=float(operands[0]) / 100)
        elif name == "Tr":
            self._type = replace(self._type, mode=int(operands[0]))
        else:
            return name == "Tw"  # words are told apart in fonts of one byte only
        return True

    def _move(self, operands: Sequence[Operand], name: str) -> bool:
        """One operator that places text; True if it was one."""
        if name == "Tm":
            a, b, c, d, e, f = (float(part) for part in operands)
            self._line = self._at = (a, b, c, d, e, f)
        elif name in ("Td", "TD"):
            across, down = (float(part) for part in operands)
            if name == "TD":
                self._type = replace(self._type, leading=-down)
            self._line = self._at = _times((1, 0, 0, 1, across, down), self._line)
        elif name == "T*":
            self._line = self._at = _times((1, 0, 0, 1, 0, -self._type.leading), self._line)
        else:
            return False
        return True

    def _show(self, operands: Sequence[Operand], name: str) -> None:
        """A string."""
        import pikepdf

        if self._type.mode > HIDDEN:
            raise _StaysText(_("text that clips what follows"))
        if self._type.face is None:
            raise _StaysText(_("text in {font}", font=self._type.name or _("no font")))
        if name in ("'", '"'):
            self._move((), "T*")
        shown = operands[-1]
        for part in list(shown) if isinstance(shown, pikepdf.Array) else [shown]:
            if isinstance(part, pikepdf.String):
                raw = bytes(part)
                for at in range(0, len(raw) - 1, 2):
                    self._glyph(int.from_bytes(raw[at : at + 2], "big"))
            else:
                self._forward(-float(part) / 1000 * self._type.size)

    def _forward(self, way: float) -> None:
        self._at = _times((1, 0, 0, 1, way * self._type.stretch, 0), self._at)

    def _glyph(self, glyph: int) -> None:
        """One letter drawn, and the place moved on."""
        kind, face = self._type, self._type.face
        assert face is not None
        place = _times((kind.size * kind.stretch, 0, 0, kind.size, 0, kind.rise), self._at)
        if kind.mode == FILLED:
            if self.outliner.form(self.fonts[kind.font], glyph) is not None:
                name = f"{kind.font}.{glyph}"
                self.used[name] = None
                self._out += [((), "q"), (_numbers(place), "cm"), ((_name(name),), "Do"), ((), "Q")]
        elif kind.mode in (STROKED, BOTH) and (path := face.path(glyph)):
            whole = _times(_scaled(1 / face.units), place)
            for points, operator in path:
                ends = [part for point in points for part in _placed(point, whole)]
                self._out.append((_numbers(ends), operator.decode()))
            self._out.append(((), "S" if kind.mode == STROKED else "B"))
        self._forward(face.width(glyph) * kind.size + kind.spacing)


def _name(name: str) -> Object:
    import pikepdf

    return pikepdf.Name(name)


def _numbers(values: Iterable[float]) -> tuple[Decimal, ...]:
    return tuple(Decimal(f"{value:.6f}".rstrip("0").rstrip(".") or "0") for value in values)


def _scaled(scale: float) -> Matrix:
    return (scale, 0.0, 0.0, scale, 0.0, 0.0)


def _placed(point: Point, matrix: Matrix) -> Point:
    a, b, c, d, e, f = matrix
    return (a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f)


def _times(first: Matrix, then: Matrix) -> Matrix:
    """First one transform, then another."""
    a, b, c, d = then[:4]
    x, y = _placed((first[4], first[5]), then)
    return (
        first[0] * a + first[1] * c,
        first[0] * b + first[1] * d,
        first[2] * a + first[3] * c,
        first[2] * b + first[3] * d,
        x,
        y,
    )


def _around(points: list[Point]) -> list[int]:
    """Whole numbers around all points."""
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return [int(min(xs)) - 1, int(min(ys)) - 1, int(max(xs)) + 2, int(max(ys)) + 2]
