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
from builder.pdf import (
    Array,
    Dictionary,
    Instruction,
    Matrix,
    Name,
    Object,
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
from builder.render.prepress.drawings import content, drawings, stated, store
from builder.render.sheets.pdfwriter import number

if TYPE_CHECKING:
    from fontTools.ttLib.ttGlyphSet import _TTGlyphSet as GlyphSet

    from builder.render.glyphpen import Outline


class EmbeddedFont:
    """One font resource whose codes are glyph ids of two bytes, its program inside the file.

    `widths` are what the file says of them, in thousandths of the type size; `default` that of all others.
    """

    def __init__(
        self, program: bytes, widths: Mapping[int, float], default: float = 1000.0
    ) -> None:
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

    def path(self, glyph: int) -> Outline:
        """The outline in the font's units; nothing for a space."""
        from builder.render.glyphpen import CubicPen

        pen = CubicPen(self._set)
        if glyph < len(self._names):
            self._set[self._names[glyph]].draw(pen)
        return pen.path


def embedded_font(resource: Object) -> EmbeddedFont | None:
    """A font resource ready to be drawn; None for a font of another make."""
    inner = resource.get("/DescendantFonts", [None])[0] if resource is not None else None
    if inner is None or str(resource.get("/Encoding")) != "/Identity-H":
        return None
    if str(inner.get("/CIDToGIDMap", "/Identity")) != "/Identity":
        return None
    program = dict(list_entries(inner, "/FontDescriptor")).get("/FontFile2")
    if program is None:
        return None
    return EmbeddedFont(program.read_bytes(), read_cid_widths(inner), float(inner.get("/DW", 1000)))


def drawn(path: Outline) -> bytes:
    """A path as operators."""
    return b"".join(
        b" ".join([*(number(x) for point in points for x in point), name.encode()]) + b"\n"
        for points, name in path
    )


FILLED, STROKED, BOTH, HIDDEN = 0, 1, 2, 3
SHOWS = ("Tj", "TJ", "'", '"')
STATES = {"Tc": "spacing", "TL": "leading", "Ts": "rise"}


@dataclass(frozen=True, slots=True)
class _Type:
    """The text state."""

    face: EmbeddedFont | None = None
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
        self._faces: dict[tuple[int, int], EmbeddedFont | None] = {}
        self._forms: dict[tuple[tuple[int, int], int], Object | None] = {}
        self.refused: set[str] = set()

    def outline(self) -> None:
        """All text of all pages."""
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
            objects = Dictionary(dict(resources.get("/XObject", Dictionary()).items()))
            for name in used:
                font, _, glyph = name.rpartition(".")
                objects[name] = self.form(fonts[font], int(glyph))
            resources["/XObject"] = objects
            del resources["/Font"]

    def _curves(self, item: Object, fonts: Object) -> Result:
        """A drawing without text, and the names of the glyphs it draws; nothing and the reason where it stays text."""
        setter = _Setter(self, fonts)
        try:
            return serialize_instructions(setter.rewrite(read_instructions(item))), list(
                setter.used
            )
        except _StaysText as stays:
            return b"", [str(stays)]

    def face(self, resource: Object) -> EmbeddedFont | None:
        """A font's glyphs."""
        if resource.objgen not in self._faces:
            self._faces[resource.objgen] = embedded_font(resource)
        return self._faces[resource.objgen]

    def form(self, resource: Object, glyph: int) -> Object | None:
        """The form of a glyph, made once a file; None for one without an outline."""
        key, face = (resource.objgen, glyph), self.face(resource)
        if key not in self._forms:
            path = [] if face is None else face.path(glyph)
            self._forms[key] = None
            if path and face is not None:
                xs, ys = zip(*(point for points, _ in path for point in points), strict=True)
                made = self._pdf.make_stream(drawn(path) + b"f\n")
                made["/Type"], made["/Subtype"] = Name.XObject, Name.Form
                made["/BBox"] = Array(
                    [int(min(xs)) - 1, int(min(ys)) - 1, int(max(xs)) + 2, int(max(ys)) + 2]
                )
                whole = Matrix().scaled(1 / face.units, 1 / face.units)
                made["/Matrix"] = Array([Decimal(f"{part:.8f}") for part in whole.shorthand])
                made["/Resources"] = Dictionary()
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
    _line: Matrix = field(default_factory=Matrix)
    _at: Matrix = field(default_factory=Matrix)
    _out: list[Instruction] = field(default_factory=list)

    def rewrite(self, drawing: Iterable[Instruction]) -> list[Instruction]:
        """The drawing with its text as curves. Raises _StaysText."""
        for operands, name in drawing:
            if name in ("BT", "ET"):
                self._line = self._at = Matrix()
            elif name in SHOWS:
                self._show(operands, name)
            elif not self._state(operands, name) and not self._move(operands, name):
                if name == "q":
                    self._saved.append(self._type)
                elif name == "Q" and self._saved:
                    self._type = self._saved.pop()
                self._out.append((operands, name))
        return self._out

    def _state(self, operands: Sequence[Operand], name: str) -> bool:
        """One operator of the text state; True if it was one."""
        if name == "Tf":
            font = str(operands[0])
            resource = self.fonts.get(font)
            face = self.outliner.face(resource) if resource is not None else None
            called = "" if resource is None else str(resource.get("/BaseFont", ""))[1:]
            self._type = replace(
                self._type, face=face, font=font, name=called, size=float(operands[1])
            )
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
            self._line = self._at = Matrix(*to_numbers(operands))
        elif name in ("Td", "TD"):
            across, down = to_numbers(operands)
            if name == "TD":
                self._type = replace(self._type, leading=-down)
            self._line = self._at = self._line.translated(across, down)
        elif name == "T*":
            self._line = self._at = self._line.translated(0, -self._type.leading)
        else:
            return False
        return True

    def _show(self, operands: Sequence[Operand], name: str) -> None:
        if self._type.mode > HIDDEN:
            raise _StaysText(_("text that clips what follows"))
        if self._type.face is None:
            raise _StaysText(_("text in {font}", font=self._type.name or _("no font")))
        if name in ("'", '"'):
            self._move((), "T*")
        shown = operands[-1]
        for part in list(shown) if isinstance(shown, Array) else [shown]:
            if isinstance(part, String):
                raw = bytes(part)
                for at in range(0, len(raw) - 1, 2):
                    self._glyph(int.from_bytes(raw[at : at + 2], "big"))
            else:
                self._forward(-float(part) / 1000 * self._type.size)

    def _forward(self, way: float) -> None:
        self._at = self._at.translated(way * self._type.stretch, 0)

    def _glyph(self, glyph: int) -> None:
        """One letter drawn, and the place moved on."""
        kind, face = self._type, self._type.face
        assert face is not None
        place = Matrix(kind.size * kind.stretch, 0, 0, kind.size, 0, kind.rise) @ self._at
        if kind.mode == FILLED:
            if self.outliner.form(self.fonts[kind.font], glyph) is not None:
                name = f"{kind.font}.{glyph}"
                self.used[name] = None
                self._out += [
                    ((), "q"),
                    (_decimals(place.shorthand), "cm"),
                    ((Name(name),), "Do"),
                    ((), "Q"),
                ]
        elif kind.mode in (STROKED, BOTH) and (path := face.path(glyph)):
            whole = place.scaled(1 / face.units, 1 / face.units)
            for points, operator in path:
                ends = [part for point in points for part in whole.transform(point)]
                self._out.append((_decimals(ends), operator))
            self._out.append(((), "S" if kind.mode == STROKED else "B"))
        self._forward(face.width(glyph) * kind.size + kind.spacing)


def _decimals(values: Iterable[float]) -> tuple[Decimal, ...]:
    return tuple(Decimal(f"{value:.6f}".rstrip("0").rstrip(".") or "0") for value in values)
