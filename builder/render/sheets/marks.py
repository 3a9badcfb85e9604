"""Draw texts, lines and outlines beside faces on sheets, and sheets without faces."""

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
from builder.geometry.gauges.colours import split_colour
from builder.geometry.imposition import Stroke
from builder.geometry.marks import SILHOUETTE_LINE_MM, make_silhouette_marks
from builder.geometry.sheetplan import SheetPlan
from builder.model.pack import Size
from builder.model.profile import Paper, Profile
from builder.render.fonts import find_font_file, hash_font, hash_fonts
from builder.render.sheets.fontmerge import write_fonts
from builder.render.sheets.pdfwriter import PdfWriter, format_number, format_points
from builder.render.sheets.record import FontUse, compress
from builder.units import to_points

STAMP_FONT = "SHEETS"
"""The name of the font in the drawings of sheets."""
PATH_OPERATORS = {"M": b"m", "L": b"l", "C": b"c", "Z": b"h"}
DEFAULT_LINE_MM = 0.1
HALO_MM = 0.15
"""White on each side of a mark that lies on a card."""


class TextStamp:
    """Draws texts in one weight of Roboto, and collects the glyphs for the document to embed.

    `missing_characters` are drawn, but not in the font: as an empty box.
    """

    def __init__(
        self,
        weight: str = "regular",
        cache: Cache | None = None,
        name: str = STAMP_FONT,
    ) -> None:
        self.name = name
        self.file = f"Roboto-{weight.title()}.ttf"
        self._cache = cache
        self.widths_by_glyph: dict[int, float] = {}
        self.characters_by_glyph: dict[int, str] = {}
        self.missing_characters: set[str] = set()

    def measure(self, text: str, size: float) -> float:
        """Return the width of a text, in the unit of its type size."""
        return sum(self._find_glyph(character)[1] for character in text) * size / 1000

    def encode(self, text: str) -> bytes:
        """Return a text as the PDF string that shows it."""
        digits = b""
        for character in text:
            glyph, width = self._find_glyph(character)
            self.widths_by_glyph[glyph] = width
            self.characters_by_glyph[glyph] = character
            # Glyph 0 is the box for unknown characters.
            if not glyph:
                self.missing_characters.add(character)
            digits += b"%04x" % glyph
        return b"<%s>" % digits

    def can_draw(self, text: str) -> bool:
        """Return True if the font has all characters of a text."""
        return all(self._find_glyph(character)[0] for character in text)

    def _find_glyph(self, character: str) -> tuple[int, float]:
        """Return the number of a character's glyph, and its width in thousandths of the type size.

        An empty box for an unknown character.
        """
        metrics = _load_metrics(self.file, self._cache)
        return metrics.glyphs_by_code.get(ord(character), metrics.empty_box)

    def draw(
        self, text: str, size: float, x: float, y: float, *, is_vertical: bool = False
    ) -> bytes:
        """Return PDF operators that draw a text.

        `size` is in pt. (x, y) is in mm from the lower left corner of the paper. `is_vertical`
        reads upwards.
        """
        rotation = b"0 1 -1 0" if is_vertical else b"1 0 0 1"
        font = b"/%s %s Tf" % (self.name.encode(), format_number(size))
        position = b"%s %s" % (format_points(x), format_points(y))
        glyphs = self.encode(text)
        return b"BT %s %s %s Tm %s Tj ET\n" % (font, rotation, position, glyphs)

    def get_font_use(self) -> FontUse:
        """Return the font with the glyphs that were drawn, to be embedded."""
        metrics = _load_metrics(self.file, self._cache)
        return FontUse(
            hash_font(find_font_file(self.file).read_bytes()),
            self.widths_by_glyph,
            self.characters_by_glyph,
            self.file.removesuffix(".ttf").removesuffix("-Regular"),
            metrics.ascent,
            metrics.descent,
        )


EMPTY_BOX_CODE = -1
"""Stands for all code points that a font does not have."""


class _FontMetrics(NamedTuple):
    """The measures of a font, in thousandths of the type size."""

    ascent: int
    descent: int
    glyphs_by_code: dict[int, tuple[int, float]]
    empty_box: tuple[int, float]


@cache
def _load_metrics(file: str, stored: Cache | None) -> _FontMetrics:
    """Load the measures of one of the program's fonts.

    They are cached: reading them from the font takes as long as composing 100 sides.
    """
    key = f"{file} {hash_fonts()}"
    value = stored.value("metrics", key) if stored else None
    if value is None:
        value = _read_metrics(file)
        if stored:
            stored.write("metrics", key, value)
    try:
        return _parse_metrics(value)
    except (
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
    ):  # a cache may hold anything
        return _load_metrics(file, None)


def _parse_metrics(value: Value) -> _FontMetrics:
    """Return the measures of a font from their cached form."""
    lists = cast("dict[str, Any]", value)
    columns = (lists["letters"], lists["glyphs"], lists["widths"])
    glyphs: dict[int, tuple[int, float]] = {}
    for code, glyph, width in zip(*columns, strict=True):
        glyphs[int(code)] = (int(glyph), float(width))
        # Glyph ids have 2 bytes in a PDF.
        if not 0 <= int(glyph) < 1 << 16 or not 0 <= float(width) < math.inf:
            raise ValueError
    empty_box = glyphs.pop(EMPTY_BOX_CODE)
    return _FontMetrics(int(lists["ascent"]), int(lists["descent"]), glyphs, empty_box)


def _read_metrics(file: str) -> Value:
    from fontTools.ttLib import TTFont

    font = TTFont(find_font_file(file), lazy=True)
    # Without an order a name is found for each glyph, which takes long.
    font.setGlyphOrder(range(font["maxp"].numGlyphs))
    scale = 1000 / font["head"].unitsPerEm
    glyphs_by_code = dict(font.getBestCmap() or {})
    glyphs_by_code[EMPTY_BOX_CODE] = 0
    glyphs = list(glyphs_by_code.values())
    advances = [font["hmtx"][glyph][0] for glyph in glyphs]
    return {
        "ascent": round(font["hhea"].ascent * scale),
        "descent": round(font["hhea"].descent * scale),
        "letters": list(glyphs_by_code),
        "glyphs": glyphs,
        "widths": [round(advance * scale, 3) for advance in advances],
    }


def make_back_matrix(profile: Profile, paper: Paper) -> bytes:
    """Return the matrix that turns a back around the middle of the sheet, and moves it.

    Empty if not needed.
    """
    if not moves_backs(profile):
        return b""
    shift_x, shift_y = profile.back_shift
    # Profiles count clockwise and downwards, a PDF the other way.
    angle = -math.radians(profile.back_turn)
    cos = math.cos(angle)
    sin = math.sin(angle)
    x = to_points(paper.width / 2)
    y = to_points(paper.height / 2)
    e = x - cos * x + sin * y + to_points(shift_x)
    f = y - sin * x - cos * y - to_points(shift_y)
    return b"%.6f %.6f %.6f %.6f %.4f %.4f cm\n" % (cos, sin, -sin, cos, e, f)


def turn_upright(profile: Profile, paper: Paper) -> tuple[bytes, Paper]:
    """Return the paper turned upright, as printers need it, with the matrix that turns the page.

    Nothing is turned unless backs are moved. Drivers rotate lying pages one way or the other: only
    on upright paper are right and down what was measured. Both sides are turned alike, so each back
    stays behind its front.
    """
    if not moves_backs(profile) or paper.width <= paper.height:
        return b"", paper
    # A quarter turn to the left about the corner, then to the right by the new width.
    matrix = b"0 1 -1 0 %s 0 cm\n" % format_points(paper.height)
    return matrix, Paper(width=paper.height, height=paper.width)


def moves_backs(profile: Profile) -> bool:
    """Return True if the profile moves or turns the backs of sheets."""
    return any(profile.back_shift) or bool(profile.back_turn)


def _trace_lines(lines: Iterable[Stroke], paper: Paper) -> bytes:
    """Return PDF paths of straight lines, not painted yet."""
    paths = b""
    for line in lines:
        start = format_points(line.x1), format_points(paper.height - line.y1)
        end = format_points(line.x2), format_points(paper.height - line.y2)
        paths += b"%s %s m %s %s l\n" % (*start, *end)
    return paths


def draw_lines(
    lines: Iterable[Stroke],
    paper: Paper,
    profile: Profile,
    *,
    halo: bool = False,
    width: float = 0,
) -> bytes:
    """Return PDF operators that draw black lines. `halo` adds a white edge for lines on cards."""
    if not width:
        width = profile.marks.weight if profile.marks else DEFAULT_LINE_MM
    paths = _trace_lines(lines, paper)
    if not paths:
        return b""
    edge = b""
    if halo:
        edge = b"1 G %s w\n%sS " % (format_points(width + 2 * HALO_MM), paths)
    return b"q %s0 G %s w\n%sS Q\n" % (edge, format_points(width), paths)


def draw_machine_marks(plan: SheetPlan) -> bytes:
    """Return PDF operators of the marks by which a cutting machine finds the sheet."""
    if plan.profile.registration != "silhouette":
        return draw_lines(plan.machine_marks, plan.paper, plan.profile, halo=True)
    square, arms = make_silhouette_marks(plan.paper)
    area = (square.x, plan.paper.height - square.bottom, square.width, square.height)
    square_drawing = b"q 0 g %s re f\nQ\n" % b" ".join(map(format_points, area))
    arms_drawing = draw_lines(arms, plan.paper, plan.profile, width=SILHOUETTE_LINE_MM)
    return square_drawing + arms_drawing


def trace_path(segments: Iterable[Segment]) -> bytes:
    """Return an outline as PDF operators, not painted yet."""
    lines = []
    for kind, values in segments:
        lines.append(b" ".join([*map(format_number, values), PATH_OPERATORS[kind]]))
    return b"\n".join(lines)


def draw_card_outlines(
    boxes: Iterable[Box], size: Size, paper: Paper, width: float
) -> bytes:
    """Return PDF operators that draw the outlines of cards, visible on any art."""
    paths = b"".join(draw_card_outline(box, size, paper) for box in boxes)
    edge_width = format_points(width + 2 * HALO_MM)
    return b"q 1 G %s w\n%s0 G %s w\n%sQ\n" % (
        edge_width,
        paths,
        format_points(width),
        paths,
    )


def draw_card_outline(
    box: Box, size: Size, paper: Paper, paint: bytes = b"S", scale: float = 1
) -> bytes:
    """Return PDF operators that draw the outline of a card.

    `paint` is the painting operator, `S` (stroke) by default.
    """
    if size.shape == "hexagon":
        segments = make_polygon(find_hexagon_corners(box))
    else:
        radius = size.radius * scale
        segments = make_rect(box.x, box.y, box.width, box.height, radius)
    unit = to_points(1)
    # From mm downwards to points upwards.
    outline = transform(segments, 0, to_points(paper.height), unit, -unit)
    return b"%s %s\n" % (trace_path(outline), paint)


def write_plain_pdf(
    paper: Paper, pages: Sequence[bytes], stamps: Mapping[str, TextStamp], title: str
) -> bytes:
    """Return a PDF with pages of one size. Each page is given by its PDF operators.

    `stamps` are the stamps that drew its texts, by the names of their fonts. The PDF asks to be
    printed at 100 %.
    """
    out = BytesIO()
    writer = PdfWriter(out)
    parent = writer.reserve()
    uses: dict[str, FontUse] = {}
    for name, stamp in stamps.items():
        # An unused weight is not embedded.
        if stamp.widths_by_glyph:
            uses[name] = stamp.get_font_use()
    with TemporaryDirectory() as folder:
        bodies = write_fonts(writer, uses, Path(folder), ())
    references: list[bytes] = []
    for name, body in bodies.items():
        number = writer.add(body)
        references.append(b"/%s %d 0 R" % (name.encode(), number))
    fonts = b" ".join(references)
    size = b"%s %s" % (format_points(paper.width), format_points(paper.height))
    numbers: list[int] = []
    for content in pages:
        stream = writer.add_stream(b"/Filter/FlateDecode", compress(content))
        page = (
            b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s]/Contents %d 0 R"
            b"/Resources<</Font<<%s>>>>>>"
        )
        numbers.append(writer.add(page % (parent, size, stream, fonts)))
    writer.finish(numbers, parent, title, b"/ViewerPreferences<</PrintScaling/None>>")
    return out.getvalue()


def write_calibration_pdf(
    profile: Profile, sides: Sequence[CalibrationSide], title: str
) -> bytes:
    """Return a PDF to measure how far a printer moves backs. Every second page is a back.

    Backs are moved as the profile declares.
    """
    assert profile.paper is not None
    paper = profile.paper
    regular = TextStamp()
    bold = TextStamp("bold", name="BOLD")
    pages: list[bytes] = []
    for index, side in enumerate(sides):
        matrix = make_back_matrix(profile, paper) if index % 2 else b""
        lines = _trace_lines(side.lines, paper)
        page = matrix
        for panel in side.panels:
            bottom = paper.height - panel.y - panel.height
            area = (panel.x, bottom, panel.width, panel.height)
            page += _format_fill(panel.colour)
            page += b"%s %s %s %s re f\n" % tuple(map(format_points, area))
        page += b"0 G %s w\n%sS\n" % (format_points(DEFAULT_LINE_MM), lines)
        for caption in side.captions:
            stamp = bold if caption.is_bold else regular
            base = paper.height - caption.y
            page += _format_fill(caption.colour)
            page += stamp.draw(caption.text, caption.size, caption.x, base)
        pages.append(page)
    return write_plain_pdf(paper, pages, {STAMP_FONT: regular, bold.name: bold}, title)


def _format_fill(colour: str) -> bytes:
    """Return the PDF operator that sets the fill color, given by 6 hexadecimal digits."""
    red, green, blue = map(format_number, split_colour(colour))
    return b"%s %s %s rg " % (red, green, blue)
