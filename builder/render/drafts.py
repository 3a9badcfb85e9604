"""Mark the faults of a face on its drawing.

A red frame around each, and its name at the bottom edge.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from builder.findings import Box, Finding, Severity
from builder.geometry.boxes import FaceBoxes, grow_box
from builder.geometry.spacing import PaintedBlock
from builder.messages import Message, translate
from builder.render import render_codes
from builder.render.fonts import find_font_file
from builder.render.glyphpen import CubicPen, Outline, Point
from builder.render.html.problems import drop_face_label
from builder.render.html.templates import NO_FILE
from builder.render.jobs import FaceFacts, FaceHtml
from builder.render.sheets.pdfwriter import format_number
from builder.render.sheets.record import Record, compress
from builder.units import to_points

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

RED = b"0.85 0 0.1"
WHITE = b"1 1 1"
FRAME_WIDTH_PT = 1.0
FRAME_GAP_MM = 0.5
"""The distance between a fault and its frame."""
FRAME_INSET_MM = 0.3
"""The distance between the cut and a frame: what is outside of the cut is not printed."""
LABEL_SIZE_PT = 4.6
NUMBER_SIZE_PT = 5.5
LABEL_HEIGHT_MM = 2.2
LABEL_PADDING_MM = 0.6
MAX_LABELS = 5
"""Labels at the edge of a face. The last of them counts the other faults."""
LABEL_FONT = "Roboto-Bold.ttf"
PICTURE = re.compile(r"""<img(?P<before>\s[^>]*?)src=(["'])(?P<name>[^"']+)\2""")
MISSING_BLOCK = "missing picture "
"""The beginning of the block names of missing pictures."""
STAND_IN = "base/blocks/stand-in.svg"


class Fault(NamedTuple):
    """An error to mark on a draft: its text, and its box in mm from the corner of the bleed."""

    box: Box
    text: str


def can_be_drawn(findings: Sequence[Finding]) -> bool:
    """Return True if all these errors can be marked on a draft of the face."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return all(finding.code in render_codes.DRAWN_CODES for finding in errors)


def list_faults(
    findings: Sequence[Finding], boxes: FaceBoxes, lang: str
) -> tuple[Fault, ...]:
    """Return the errors to be marked on a face. One without a location frames the whole face."""
    # A dictionary, because equal faults are shown once, in their order.
    faults: dict[Fault, None] = {}
    for finding in findings:
        if finding.code in render_codes.DRAWN_CODES:
            text = translate(drop_face_label(finding.message), lang)
            faults[Fault(finding.location.box or boxes.trim, text)] = None
    return tuple(faults)


def mark_faults(record: Record, faults: Sequence[Fault], boxes: FaceBoxes) -> Record:
    """Return the drawing of a face with its errors framed and labelled."""
    x, _y_min, _x_max, y = record.box
    page = _Page(x, y)
    marks = list(_draw_frames(page, faults, boxes))
    marks += _draw_labels(page, faults, boxes.trim)
    drawing = zlib.decompress(record.content)
    # q and Q keep the face's colours and clipping paths from the marks.
    content = b"q\n%s\nQ\nq\n%sQ\n" % (drawing, b"".join(marks))
    return replace(record, content=compress(content))


def show_missing_pictures(face: FaceHtml) -> FaceHtml:
    """Return a face with a placeholder for each picture that does not exist.

    Each has a block name, so that the engine measures where it is.
    """

    def replace_picture(match: re.Match[str]) -> str:
        name = match["name"]
        if not face.deps.get(f"file:{name}", "").startswith(NO_FILE):
            return match[0]
        tag = f'<img data-block="{MISSING_BLOCK}{name}"{match["before"]}'
        return f'{tag}src="{STAND_IN}"'

    return replace(face, html=PICTURE.sub(replace_picture, face.html))


def locate_missing_pictures(facts: FaceFacts, findings: Sequence[Finding]) -> FaceFacts:
    """Add the findings about missing pictures, with their locations, to the facts of a draft."""
    boxes: dict[str, Box] = {}
    painted: list[PaintedBlock] = []
    for block in facts.painted:
        if block.name.startswith(MISSING_BLOCK):
            boxes[block.name.removeprefix(MISSING_BLOCK)] = block.box
        else:
            painted.append(block)
    own_findings = [
        item for item in facts.findings if item.code != render_codes.MISSING.code
    ]
    for finding in findings:
        if finding.code == render_codes.MISSING.code:
            box = boxes.get(_name_missing_file(finding))
            place = replace(finding.location, box=box or finding.location.box)
            own_findings.append(replace(finding, location=place))
    return replace(facts, painted=tuple(painted), findings=tuple(own_findings))


def _name_missing_file(finding: Finding) -> str:
    """Return the file name in a finding about a missing picture, or ""."""
    reason = drop_face_label(finding.message)
    return str(reason.values.get("name", "")) if isinstance(reason, Message) else ""


class _Page(NamedTuple):
    """The position of a face in its drawing, to convert mm into PDF points."""

    x: float
    y: float

    def trace_box(self, box: Box) -> bytes:
        """Return PDF operators for the path of a box."""
        # In a PDF y grows upwards, and a rectangle begins at its lower left corner.
        x = self.x + to_points(box.x)
        y = self.y - to_points(box.bottom)
        edges = (x, y, to_points(box.width), to_points(box.height))
        return b" ".join(map(format_number, edges)) + b" re"

    def fill_box(self, box: Box, colour: bytes) -> bytes:
        """Return PDF operators that fill a box."""
        return b"%s rg %s f\n" % (colour, self.trace_box(box))

    def draw_text(
        self, text: str, size: float, x: float, y: float, colour: bytes
    ) -> bytes:
        """Return PDF operators that draw a text as outlines.

        Its baseline starts at (x, y) in mm.
        """
        # As outlines, so that the record needs no font besides those of the face.
        origin = (self.x + to_points(x), self.y - to_points(y))
        outlines = b" ".join(_trace_text(text, size, origin))
        return b"%s rg %s f\n" % (colour, outlines)


def _draw_frames(
    page: _Page, faults: Sequence[Fault], boxes: FaceBoxes
) -> Iterator[bytes]:
    """Yield PDF operators for a frame around each error, numbered if there are several."""
    yield b"%s RG %s w\n" % (RED, format_number(FRAME_WIDTH_PT))
    visible_area = grow_box(boxes.trim, -FRAME_INSET_MM)
    for number, fault in enumerate(faults, 1):
        box = _clip_box(grow_box(fault.box, FRAME_GAP_MM), visible_area)
        yield b"%s S\n" % page.trace_box(box)
        if len(faults) > 1:
            text = str(number)
            badge = Box(box.x, box.y, 1.2 + 1.1 * len(text), LABEL_HEIGHT_MM)
            yield page.fill_box(badge, RED)
            yield page.draw_text(
                text, NUMBER_SIZE_PT, box.x + 0.5, badge.bottom - 0.5, WHITE
            )


def _draw_labels(page: _Page, faults: Sequence[Fault], trim: Box) -> Iterator[bytes]:
    """Yield PDF operators for the texts of the errors, at the bottom edge of the card."""
    texts = [fault.text for fault in faults]
    if len(faults) > 1:
        texts = [f"{number} {text}" for number, text in enumerate(texts, 1)]
    if len(texts) > MAX_LABELS:
        visible_texts = texts[: MAX_LABELS - 1]
        hidden_count = len(texts) - len(visible_texts)
        texts = [*visible_texts, f"+ {hidden_count}"]
    max_width_mm = trim.width - 2 * LABEL_PADDING_MM
    lines: list[str] = []
    for text in texts:
        lines += _wrap_label(text, to_points(max_width_mm))
    y = trim.bottom - LABEL_HEIGHT_MM * len(lines)
    for line in lines:
        yield page.fill_box(Box(trim.x, y, trim.width, LABEL_HEIGHT_MM), RED)
        baseline = y + LABEL_HEIGHT_MM - LABEL_PADDING_MM
        yield page.draw_text(
            line, LABEL_SIZE_PT, trim.x + LABEL_PADDING_MM, baseline, WHITE
        )
        y += LABEL_HEIGHT_MM


def _wrap_label(text: str, width: float) -> list[str]:
    """Split a label into lines of at most `width` points."""
    lines: list[str] = []
    for word in text.split():
        if lines and _measure_label(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _clip_box(box: Box, outer: Box) -> Box:
    """Return the part of a box inside another box, or the other box if they do not overlap."""
    x_min = max(box.x, outer.x)
    y_min = max(box.y, outer.y)
    x_max = min(box.right, outer.right)
    y_max = min(box.bottom, outer.bottom)
    if x_max <= x_min or y_max <= y_min:
        return outer
    return Box(x_min, y_min, x_max - x_min, y_max - y_min)


@cache
def _load_font() -> TTFont:
    from fontTools.ttLib import TTFont

    return TTFont(find_font_file(LABEL_FONT), lazy=True)


@cache
def _load_glyph(character: str) -> tuple[Outline, float]:
    """Return a character's outline and width, in thousandths of the type size."""
    font: Any = _load_font()
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap().get(ord(character), ".notdef")]
    pen = CubicPen(glyphs)
    glyph.draw(pen)
    scale = 1000 / font["head"].unitsPerEm
    outline: Outline = []
    for points, operator in pen.path:
        scaled_points = [(x * scale, y * scale) for x, y in points]
        outline.append((scaled_points, operator))
    return outline, glyph.width * scale


def _measure_label(text: str) -> float:
    """Return the width of a label in points."""
    return sum(_load_glyph(character)[1] for character in text) * LABEL_SIZE_PT / 1000


def _trace_text(text: str, size: float, origin: Point) -> Iterator[bytes]:
    """Yield PDF operators for the outlines of a text that starts at a point."""
    x, y = origin
    scale = size / 1000
    for character in text:
        outline, width = _load_glyph(character)
        for points, operator in outline:
            for point_x, point_y in points:
                yield format_number(x + point_x * scale)
                yield format_number(y + point_y * scale)
            yield operator.encode()
        x += width * scale
