"""What stands on sheets beside faces: short texts, outlines of cards, backs moved to where a printer puts them right.

Nothing here is laid out by the engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builder.findings import Box
from builder.geometry.calibration import CalibrationSide
from builder.model.profile import Paper, Profile
from builder.render.fonts import font_file, font_hash
from builder.render.sheets.fontmerge import write_fonts
from builder.render.sheets.pdfwriter import PdfWriter, number, pt
from builder.render.sheets.record import FontUse, pack
from builder.units import points, to_points

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

NAME = "SHEETS"
FILE = "Roboto-Regular.ttf"


class TextStamp:
    """Collects the glyphs it has drawn, so that the document can embed them."""

    def __init__(self) -> None:
        self.widths: dict[int, float] = {}
        self.letters: dict[int, str] = {}

    def width(self, text: str, size: float) -> float:
        """The length of a text in mm at a type size in pt."""
        return points(sum(_glyph(letter)[1] for letter in text) * size / 1000)

    def draw(self, text: str, size: float, x: float, y: float, *, standing: bool = False) -> bytes:
        """Drawing operators for a text; x, y in mm from the page's bottom left. `standing` reads upwards."""
        shown = b""
        for letter in text:
            glyph, width = _glyph(letter)
            self.widths[glyph], self.letters[glyph] = width, letter
            shown += b"%04x" % glyph
        matrix = b"0 1 -1 0" if standing else b"1 0 0 1"
        return b"BT /%s %s Tf %s %s %s Tm <%s> Tj ET\n" % (NAME.encode(), number(size), matrix, pt(x), pt(y), shown)

    def use(self) -> FontUse:
        """The font as it was used."""
        metrics = _font()["hhea"]
        scale = 1000 / _font()["head"].unitsPerEm
        ascent, descent = round(metrics.ascent * scale), round(metrics.descent * scale)
        return FontUse(font_hash(font_file(FILE).read_bytes()), self.widths, self.letters, "Roboto", ascent, descent)


@cache
def _font() -> TTFont:
    from fontTools.ttLib import TTFont

    return TTFont(font_file(FILE), lazy=True)


@cache
def _glyph(letter: str) -> tuple[int, float]:
    """Glyph id and width (thousandths of the size) of a letter; an empty box for an unknown one."""
    font = _font()
    name = font.getBestCmap().get(ord(letter), ".notdef")
    return font.getGlyphID(name), round(font["hmtx"][name][0] * 1000 / font["head"].unitsPerEm, 3)


CURVE = 0.5523
"""How far the handles of a quarter circle reach, as a part of its radius."""
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
    return b"0 1 -1 0 %s 0 cm\n" % pt(paper.height), Paper(width=paper.height, height=paper.width)


def moves(profile: Profile) -> bool:
    """True if backs are to be moved at all."""
    return any(profile.back_shift) or bool(profile.back_turn)


def outlines(boxes: Iterable[Box], corner: float, paper: Paper, weight: float) -> bytes:
    """Strokes of cards' outlines with rounded corners, black with a white edge: they are seen on any art."""
    drawn = b"".join(outline(box, corner, paper) for box in boxes)
    return b"q 1 G %s w\n%s0 G %s w\n%sQ\n" % (pt(weight + 2 * HALO), drawn, pt(weight), drawn)


def outline(box: Box, corner: float, paper: Paper, paint: bytes = b"s") -> bytes:
    """A card's outline with rounded corners, stroked or painted by another operator."""
    radius = min(corner, box.width / 2, box.height / 2)
    left, right = box.x, box.x + box.width
    top, foot = paper.height - box.y, paper.height - box.y - box.height
    arm = radius * (1 - CURVE)

    def line(*values: float) -> bytes:
        return b" ".join(pt(value) for value in values)

    parts = (
        (line(left + radius, foot), b" m "),
        (line(right - radius, foot), b" l\n"),
        (line(right - arm, foot, right, foot + arm, right, foot + radius), b" c "),
        (line(right, top - radius), b" l\n"),
        (line(right, top - arm, right - arm, top, right - radius, top), b" c "),
        (line(left + radius, top), b" l\n"),
        (line(left + arm, top, left, top - arm, left, top - radius), b" c "),
        (line(left, foot + radius), b" l\n"),
        (line(left, foot + arm, left + arm, foot, left + radius, foot), b" c s\n"),
    )
    return b"".join(values + name for values, name in parts)


def plain_sheet(profile: Profile, sides: Sequence[CalibrationSide], title: str) -> bytes:
    """A PDF of these sides; every second is a back and moved as the profile says."""
    assert profile.paper is not None
    out = BytesIO()
    paper, stamp, writer = profile.paper, TextStamp(), PdfWriter(out)
    parent, font = writer.reserve(), writer.reserve()
    pages = []
    for index, side in enumerate(sides):
        content = (moved(profile, paper) if index % 2 else b"") + _drawing(side, paper, stamp)
        body = writer.stream(b"/Filter/FlateDecode", pack(content))
        pages.append(
            writer.add(
                b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R/Resources<</Font<</%s %d 0 R>>>>>>"
                % (parent, pt(paper.width), pt(paper.height), body, NAME.encode(), font)
            )
        )
    with TemporaryDirectory() as folder:
        made = write_fonts(writer, {NAME: stamp.use()}, Path(folder), ())
    writer.put(font, made[NAME])
    writer.finish(pages, parent, title)
    return out.getvalue()


def _drawing(side: CalibrationSide, paper: Paper, stamp: TextStamp) -> bytes:
    """The operators of one side."""
    strokes = b"".join(
        b"%s %s m %s %s l\n" % (pt(line.x1), pt(paper.height - line.y1), pt(line.x2), pt(paper.height - line.y2))
        for line in side.lines
    )
    words = b"".join(stamp.draw(text.text, text.size, text.x, paper.height - text.y) for text in side.words)
    return b"0 G 0 g %s w\n%sS\n%s" % (pt(0.1), strokes, words)
