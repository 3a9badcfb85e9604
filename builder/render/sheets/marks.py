"""What stands on sheets beside faces: short texts, outlines of cards, backs moved to where a printer puts them right;
and sheets of nothing else.

Nothing here is laid out by the engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from builder.cache import Cache, Value
from builder.findings import Box
from builder.geometry.boxes import find_hexagon_corners
from builder.geometry.calibration import CalibrationSide
from builder.geometry.gauges.art import Segment, make_polygon, make_rect, transform
from builder.geometry.imposition import Stroke
from builder.geometry.marks import SILHOUETTE_LINE_MM, make_silhouette_marks
from builder.geometry.sheetplan import SheetPlan
from builder.model.pack import Size
from builder.model.profile import Paper, Profile
from builder.render.fonts import find_font_file, hash_font, hash_fonts
from builder.render.sheets.fontmerge import write_fonts
from builder.render.sheets.pdfwriter import PdfWriter, format_number, format_points
from builder.render.sheets.record import FontUse, pack
from builder.units import to_points

NAME = "SHEETS"
OPERATORS = {"M": b"m", "L": b"l", "C": b"c", "Z": b"h"}


class TextStamp:
    """Texts in one weight of Roboto. Collects the glyphs it has drawn, so that the document can embed them.

    `missing` are letters that the font does not have: an empty box stands for each.
    """

    def __init__(self, weight: str = "regular", kept: Cache | None = None) -> None:
        self.file = f"Roboto-{weight.title()}.ttf"
        self._kept = kept
        self.widths: dict[int, float] = {}
        self.letters: dict[int, str] = {}
        self.missing: set[str] = set()

    def width(self, text: str, size: float) -> float:
        """The length of a text, in the unit of its type size."""
        return sum(self._glyph(letter)[1] for letter in text) * size / 1000

    def glyphs(self, text: str) -> bytes:
        """A text as a drawing shows it."""
        for letter in text:
            glyph, width = self._glyph(letter)
            self.widths[glyph], self.letters[glyph] = width, letter
            if not glyph:
                self.missing.add(letter)
        return b"<%s>" % b"".join(b"%04x" % self._glyph(letter)[0] for letter in text)

    def can_draw(self, text: str) -> bool:
        """True if the font has all letters of a text."""
        return all(self._glyph(letter)[0] for letter in text)

    def _glyph(self, letter: str) -> tuple[int, float]:
        """Glyph id and width (thousandths of the size) of a letter; an empty box for an unknown one."""
        metrics = _metrics(self.file, self._kept)
        return metrics.glyphs.get(ord(letter), metrics.empty)

    def draw(self, text: str, size: float, x: float, y: float, *, standing: bool = False) -> bytes:
        """Operators of a text with its size in pt; x, y in mm from the page's bottom left. `standing` reads upwards."""
        matrix = b"0 1 -1 0" if standing else b"1 0 0 1"
        shown = self.glyphs(text)
        return b"BT /%s %s Tf %s %s %s Tm %s Tj ET\n" % (
            NAME.encode(),
            format_number(size),
            matrix,
            format_points(x),
            format_points(y),
            shown,
        )

    def use(self) -> FontUse:
        """The font as it was used."""
        font, metrics = (
            hash_font(find_font_file(self.file).read_bytes()),
            _metrics(self.file, self._kept),
        )
        family = self.file.removesuffix(".ttf").removesuffix("-Regular")
        return FontUse(font, self.widths, self.letters, family, metrics.ascent, metrics.descent)


EMPTY = -1
"""Stands for all code points that a font does not have."""


class _Metrics(NamedTuple):
    """What texts need of a font, in thousandths of the size: glyph id and width by code point, those of an `empty`
    box.
    """

    ascent: int
    descent: int
    glyphs: dict[int, tuple[int, float]]
    empty: tuple[int, float]


@cache
def _metrics(file: str, kept: Cache | None) -> _Metrics:
    """Those of one of the program's fonts: to read them of the font takes as long as to compose a hundred sides."""
    key = f"{file} {hash_fonts()}"
    told = cast("dict[str, Any]", kept.value("metrics", key) if kept else None)
    if told is None:
        told = _read_metrics(file)
        if kept:
            kept.write("metrics", key, told)
    try:
        columns = zip(told["letters"], told["glyphs"], told["widths"], strict=True)
        glyphs = {int(letter): (int(glyph), float(width)) for letter, glyph, width in columns}
        if not all(
            0 <= glyph < 1 << 16 and 0 <= width < math.inf for glyph, width in glyphs.values()
        ):
            raise ValueError
        return _Metrics(int(told["ascent"]), int(told["descent"]), glyphs, glyphs.pop(EMPTY))
    except (KeyError, TypeError, ValueError, OverflowError):  # a cache may hold anything
        return _metrics(file, None)


def _read_metrics(file: str) -> Value:
    from fontTools.ttLib import TTFont

    font = TTFont(find_font_file(file), lazy=True)
    font.setGlyphOrder(range(font["maxp"].numGlyphs))  # else a name is worked out for each glyph
    scale, letters = 1000 / font["head"].unitsPerEm, {**(font.getBestCmap() or {}), EMPTY: 0}
    widths = [
        round(font["hmtx"][glyph][0] * 1000 / font["head"].unitsPerEm, 3)
        for glyph in letters.values()
    ]
    edges = {
        "ascent": round(font["hhea"].ascent * scale),
        "descent": round(font["hhea"].descent * scale),
    }
    return {**edges, "letters": [*letters], "glyphs": [*letters.values()], "widths": widths}


HALO = 0.15
"""Mm of white on each side of a mark that lies on a card."""


def moved(profile: Profile, paper: Paper) -> bytes:
    """The matrix that turns a back about the sheet's middle and moves it; nothing where neither is asked."""
    across, down = profile.back_shift
    if not moves(profile):
        return b""
    angle = -math.radians(profile.back_turn)
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = to_points(paper.width / 2), to_points(paper.height / 2)
    e = x - cos * x + sin * y + to_points(across)
    f = y - sin * x - cos * y - to_points(down)
    return b"%.6f %.6f %.6f %.6f %.4f %.4f cm\n" % (cos, sin, -sin, cos, e, f)


def upright(profile: Profile, paper: Paper) -> tuple[bytes, Paper]:
    """A lying sheet as the paper passes through the printer, where backs are moved: a matrix, and the upright paper.

    Drivers rotate lying pages one way or the other; only on upright paper is right and down what was measured. Both
    sides are turned alike, so each back stays behind its front.
    """
    if not moves(profile) or paper.width <= paper.height:
        return b"", paper
    return b"0 1 -1 0 %s 0 cm\n" % format_points(paper.height), Paper(
        width=paper.height, height=paper.width
    )


def moves(profile: Profile) -> bool:
    """True if backs are to be moved at all."""
    return any(profile.back_shift) or bool(profile.back_turn)


def strokes(lines: Iterable[Stroke], paper: Paper) -> bytes:
    """The paths of straight lines, not yet painted."""
    return b"".join(
        b"%s %s m %s %s l\n"
        % (
            format_points(line.x1),
            format_points(paper.height - line.y1),
            format_points(line.x2),
            format_points(paper.height - line.y2),
        )
        for line in lines
    )


def ink(
    lines: Iterable[Stroke],
    paper: Paper,
    profile: Profile,
    *,
    halo: bool = False,
    weight: float = 0,
) -> bytes:
    """Operators that stroke lines in black; with a white edge to each where they lie on cards."""
    weight = weight or (profile.marks.weight if profile.marks else 0.1)
    paths = strokes(lines, paper)
    under = b"1 G %s w\n%sS " % (format_points(weight + 2 * HALO), paths) if halo else b""
    return b"q %s0 G %s w\n%sS Q\n" % (under, format_points(weight), paths) if paths else b""


def machine_marks(plan: SheetPlan) -> bytes:
    """What a cutting machine finds the sheet by."""
    if plan.profile.registration != "silhouette":
        return ink(plan.machine_marks, plan.paper, plan.profile, halo=True)
    square, arms = make_silhouette_marks(plan.paper)
    place = (square.x, plan.paper.height - square.y - square.height, square.width, square.height)
    filled = b"0 g %s re f\n" % b" ".join(format_points(value) for value in place)
    return b"q %sQ\n" % filled + ink(arms, plan.paper, plan.profile, weight=SILHOUETTE_LINE_MM)


def grown(box: Box, left: float, top: float, right: float, foot: float) -> Box:
    """A box with so many mm more on each side."""
    return Box(box.x - left, box.y - top, box.width + left + right, box.height + top + foot)


def drawn(segments: Iterable[Segment]) -> bytes:
    """An outline as operators, not yet painted."""
    return b"\n".join(
        b" ".join([*map(format_number, values), OPERATORS[kind]]) for kind, values in segments
    )


def outlines(boxes: Iterable[Box], size: Size, paper: Paper, weight: float) -> bytes:
    """Strokes of cards' outlines, black with a white edge: they are seen on any art."""
    paths = b"".join(outline(box, size, paper) for box in boxes)
    return b"q 1 G %s w\n%s0 G %s w\n%sQ\n" % (
        format_points(weight + 2 * HALO),
        paths,
        format_points(weight),
        paths,
    )


def outline(box: Box, size: Size, paper: Paper, paint: bytes = b"S", scale: float = 1) -> bytes:
    """What is cut out of a card of this size, drawn at a scale: stroked, or painted by another operator."""
    unit, corner = to_points(1), size.radius * scale
    around = (
        make_polygon(find_hexagon_corners(box))
        if size.shape == "hexagon"
        else make_rect(box.x, box.y, box.width, box.height, corner)
    )
    return b"%s %s\n" % (drawn(transform(around, 0, to_points(paper.height), unit, -unit)), paint)


def plain_pdf(
    paper: Paper, pages: Sequence[bytes], stamps: Mapping[str, TextStamp], title: str
) -> bytes:
    """A PDF of pages of one size by their operators, to be printed at 100 %; `stamps` drew the texts on them, by the
    names of their fonts.
    """
    out = BytesIO()
    writer = PdfWriter(out)
    parent = writer.reserve()
    with TemporaryDirectory() as folder:
        uses = {name: stamp.use() for name, stamp in stamps.items() if stamp.widths}
        made = write_fonts(writer, uses, Path(folder), ())
    fonts = b" ".join(
        b"/%s %d 0 R" % (name.encode(), writer.add(body)) for name, body in made.items()
    )
    page = (
        b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R/Resources<</Font<<%s>>>>>>"
    )
    numbers = []
    for content in pages:
        body = writer.add_stream(b"/Filter/FlateDecode", pack(content))
        numbers.append(
            writer.add(
                page
                % (parent, format_points(paper.width), format_points(paper.height), body, fonts)
            )
        )
    writer.finish(numbers, parent, title, b"/ViewerPreferences<</PrintScaling/None>>")
    return out.getvalue()


def plain_sheet(profile: Profile, sides: Sequence[CalibrationSide], title: str) -> bytes:
    """A PDF of these sides; every second is a back and moved as the profile says."""
    assert profile.paper is not None
    paper, stamp, pages = profile.paper, TextStamp(), []
    for index, side in enumerate(sides):
        words = b"".join(
            stamp.draw(text.text, text.size, text.x, paper.height - text.y)
            for text in side.captions
        )
        drawing = b"0 G 0 g %s w\n%sS\n%s" % (format_points(0.1), strokes(side.lines, paper), words)
        pages.append((moved(profile, paper) if index % 2 else b"") + drawing)
    return plain_pdf(paper, pages, {NAME: stamp}, title)
