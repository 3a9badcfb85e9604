"""Read what a face paints, in painting order."""

import re
import zlib
from binascii import unhexlify
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import dist
from struct import unpack
from typing import NamedTuple, TypeAlias

from builder.findings import Box
from builder.geometry.boxes import Point, grow_box, list_corners, unite_boxes
from builder.geometry.contrast import (
    BLACK,
    MAX_QUOTED_CHARACTERS,
    WHITE,
    Colour,
    PaintedText,
    blend_colours,
    measure_contrast,
)
from builder.render.engines.measured import INK
from builder.render.sheets.record import FontUse, Record
from builder.units import MM_PER_INCH

Edges: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

MM_PER_POINT = MM_PER_INCH / 72
TOLERANCE_MM = 0.05
"""A text may stick out of its background by this much."""
MAX_LINE_EM = 0.15
"""Lines and rectangles thinner than this are underlines and rules, not backgrounds."""
MAX_FORM_DEPTH = 8
MAX_COMPARISONS = 200_000
"""The maximum number of texts times layers. A face with more is a drawing and is not checked."""

_NUMBERS = rb"(?:[-+\d.]++\s++)*+"
_TOKEN = re.compile(
    rb"((?:" + _NUMBERS + rb"(?:re|[mlcvyh])\s++)++)(W\*?\s++)?([fFBbSsn]\*?)(?![^\s])"
    rb"|/([^\s/<>\[\]()]++)\s++(?:([-+\d.]++)\s++)?([A-Za-z]++)"
    rb"|(\[[^\]]*+\]|<[0-9a-fA-F]*+>)\s*+(?:TJ|Tj)"
    rb"|(" + _NUMBERS + rb")([A-Za-z'\"]++\*?)"
)
"""A path with what is done with it; a name with a size and its operator; a text; numbers with their
operator.
"""
_SEGMENT = re.compile(rb"(" + _NUMBERS + rb")(re|[mlcvyh])")
_STRING = re.compile(rb"<([0-9a-fA-F]*+)>([^<\]]*+)")
_RESOURCE = re.compile(rb"/(n\d+)\s*(?:\x01(\d+)\x01|(<<[^<]*?>>))")
_ALPHA = re.compile(rb"/ca\s+([\d.]+)")
_SPECIAL_STATE = re.compile(rb"/SMask\s*(?!\s*/None)|/BM\s*/(?!Normal\b|Compatible\b)")
_PLAIN_STATE = re.compile(rb"/SMask\s*/None|/BM\s*/Normal\b")
_ARRAY = rb"\s*\[([^\]]*)\]"
COLOUR_OPERATORS = frozenset({b"rg", b"g", b"k", b"sc", b"scn"})
"""They choose the colour of fills and of text."""
_BBOX = re.compile(rb"/BBox" + _ARRAY)
_MATRIX = re.compile(rb"/Matrix" + _ARRAY)
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Area(NamedTuple):
    """The area inside a path: its polygons, and the extent of each.

    `is_rectangle`: one with level sides.
    """

    edges: Edges
    polygons: tuple[tuple[Point, ...], ...]
    extents: tuple[Edges, ...]
    is_rectangle: bool
    is_even_odd: bool

    def is_covering(self, corners: Sequence[Point], edges: Edges) -> bool | None:
        """Return True if a box is wholly inside the area, False if outside, None if uncertain."""
        if not _is_overlapping(self.edges, edges):
            return False
        if self.is_rectangle:
            return True if _is_inside(self.edges, edges) else None
        count = 0
        for polygon, extent in zip(self.polygons, self.extents, strict=True):
            if not _is_overlapping(extent, edges):
                continue
            if not _is_inside_convex(polygon, corners):
                return None
            count += 1
        # By the other rule, the directions of the polygons decide what is a hole.
        if count > 1 and not self.is_even_odd:
            return None
        return count % 2 == 1


class Layer(NamedTuple):
    """A painted object that may be below a text.

    `colour` is None where it is no plain one.

    It is where all `areas` are, or at each of `strokes`. `thickness` is that of a line, or the
    lesser side.
    """

    edges: Edges
    areas: tuple[Area, ...]
    strokes: tuple[Edges, ...]
    colour: Colour | None
    alpha: float
    thickness: float

    def is_covering(self, corners: Sequence[Point], edges: Edges) -> bool | None:
        """Return True if a text is wholly on the object, False if beside it, None if uncertain."""
        if not _is_overlapping(self.edges, edges):
            return False
        if self.strokes:
            is_crossed = any(_is_overlapping(stroke, edges) for stroke in self.strokes)
            return None if is_crossed else False
        is_certain = True
        for area in self.areas:
            covered = area.is_covering(corners, edges)
            if covered is False:
                return False
            is_certain = is_certain and covered is True
        return True if is_certain else None


class _Run(NamedTuple):
    """A text with its four corners, and how many layers are below it."""

    text: str
    colour: Colour
    alpha: float
    corners: tuple[Point, ...]
    edges: Edges
    size: float
    layer_count: int


@dataclass(slots=True)
class _PaintState:
    """The part of the PDF graphics state that affects visibility.

    `colour` is None for a pattern.
    """

    matrix: Matrix
    clip: Edges
    clip_areas: tuple[Area, ...] = ()
    colour: Colour | None = BLACK
    alpha: float = 1.0
    is_plain: bool = True
    """False under a mask or a blend mode."""
    line_width: float = 1.0
    font: str = ""
    font_size: float = 0.0
    text_mode: int = 0

    def copy(self) -> "_PaintState":
        """Return a copy.

        `dataclasses.replace` takes four times as long, and drawings save their state all the time.
        """
        return _PaintState(
            self.matrix,
            self.clip,
            self.clip_areas,
            self.colour,
            self.alpha,
            self.is_plain,
            self.line_width,
            self.font,
            self.font_size,
            self.text_mode,
        )


@dataclass(slots=True)
class Painting:
    """Everything painted on a face: layers from the lowest to the highest, and texts."""

    layers: list[Layer] = field(default_factory=list)
    runs: list[_Run] = field(default_factory=list)

    def find_background(
        self,
        corners: Sequence[Point],
        edges: Edges,
        size: float,
        count: int | None = None,
    ) -> "Background":
        """Return the background of a text: what the lowest `count` layers show below it."""
        veils: list[tuple[Colour, float]] = []
        x_min, y_min, x_max, y_max = edges
        min_thickness = MAX_LINE_EM * size
        for layer in reversed(self.layers[:count]):
            # Most layers lie elsewhere: that is found without a call.
            layer_left, layer_top, layer_right, layer_bottom = layer.edges
            if (
                layer_left >= x_max
                or layer_right <= x_min
                or layer_top >= y_max
                or layer_bottom <= y_min
            ):
                continue
            if layer.thickness < min_thickness:
                continue
            covered = layer.is_covering(corners, edges)
            if covered is False:
                continue
            if covered is None or layer.colour is None:
                return Background(is_known=False)
            if layer.alpha >= 1:
                return Background(_blend_layers(layer.colour, veils))
            veils.append((layer.colour, layer.alpha))
        # What shows through depends on the frame below the face.
        return Background(is_known=not veils)

    def count_letters(self, box: Box) -> int:
        """Return how many characters of the texts are inside a box, without spaces."""
        count = 0
        for run in self.runs:
            x_min, y_min, x_max, y_max = run.edges
            x = (x_min + x_max) / 2
            y = (y_min + y_max) / 2
            if box.x <= x <= box.right and box.y <= y <= box.bottom:
                count += count_characters(run.text)
        return count

    def find_doubtful_texts(self) -> tuple[PaintedText, ...]:
        """Return the texts with low contrast, and those whose background is on the frame below.

        Lines of one paragraph are one text.
        """
        if len(self.runs) * len(self.layers) > MAX_COMPARISONS:
            return ()
        texts: list[PaintedText] = []
        for run in self.runs:
            background = self.find_background(
                run.corners, run.edges, run.size, run.layer_count
            )
            if not background.is_known:
                continue
            x_min, y_min, x_max, y_max = run.edges
            box = Box(x_min, y_min, x_max - x_min, y_max - y_min)
            text = PaintedText(
                run.text, run.colour, run.alpha, background.colour, box, run.size
            )
            if texts and _is_continued(texts[-1], text):
                texts[-1] = _join_texts(texts[-1], text)
            elif (
                background.colour is None
                or measure_contrast(text, background.colour) is not None
            ):
                texts.append(text)
        return tuple(texts)


def count_characters(text: str) -> int:
    """Return the number of characters in a text, without spaces."""
    return sum(not character.isspace() for character in text)


class Background(NamedTuple):
    """The background of a text: a plain color, nothing (None), or something unknown."""

    colour: Colour | None = None
    is_known: bool = True


def _blend_layers(colour: Colour, veils: Sequence[tuple[Colour, float]]) -> Colour:
    """Return the color that results from transparent layers on top of a color."""
    for veil, alpha in reversed(veils):
        colour = blend_colours(veil, alpha, colour)
    return colour


def _is_continued(first: PaintedText, second: PaintedText) -> bool:
    """Return True if a text continues another one on the same or the next line."""
    # Colour, opacity and background.
    is_equal_paint = first[1:4] == second[1:4]
    if not is_equal_paint or abs(first.size - second.size) > TOLERANCE_MM:
        return False
    near_area = grow_box(first.box, first.size)
    box = second.box
    is_near_across = box.x < near_area.right and near_area.x < box.right
    return is_near_across and box.y < near_area.bottom and near_area.y < box.bottom


def _join_texts(first: PaintedText, second: PaintedText) -> PaintedText:
    text = first.text
    # A finding quotes no more than this.
    if len(text) < MAX_QUOTED_CHARACTERS:
        has_gap = second.box.x - first.box.right > 0.15 * first.size
        is_on_next_line = second.box.y > first.box.bottom
        if (has_gap or is_on_next_line) and not text.endswith(" "):
            text += " "
        text += second.text
    return first._replace(text=text, box=unite_boxes(first.box, second.box))


def read_painting(record: Record) -> Painting:
    """Read the painted layers and texts from the drawing of a face."""
    x_min, y_min, x_max, y_max = record.box
    scale = MM_PER_POINT
    # From points upwards to mm downwards.
    matrix = (scale, 0.0, 0.0, -scale, -x_min * scale, y_max * scale)
    face = (0.0, 0.0, (x_max - x_min) * scale, (y_max - y_min) * scale)
    painting = Painting()
    reader = _Reader(painting, record, _PaintState(matrix, face))
    reader.read_content(zlib.decompress(record.content), record.resources)
    return painting


def find_box_background(painting: Painting, box: Box, size: float) -> Colour | None:
    """Return the color that a frame paints below a text.

    White where it paints nothing, None if it is no plain one.
    """
    edges = (box.x, box.y, box.right, box.bottom)
    background = painting.find_background(list_corners(*edges), edges, size)
    if not background.is_known:
        return None
    return background.colour or WHITE


@dataclass(slots=True)
class _Reader:
    """Reads the PDF operators of a drawing, and of the forms drawn on it."""

    painting: Painting
    record: Record
    state: _PaintState
    depth: int = 0
    is_veiled: bool = False
    """True in a group with opacity or under a mask."""
    saved: list[_PaintState] = field(default_factory=list)
    resources: Mapping[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    text_matrix: Matrix = _IDENTITY
    line_matrix: Matrix = _IDENTITY

    def read_content(self, content: bytes, resources: bytes) -> None:
        """Apply the operators of a drawing."""
        self.resources = {
            name: (number, text) for name, number, text in _RESOURCE.findall(resources)
        }
        for match in _TOKEN.finditer(content):
            path, clips, painted, name, size, name_operator, text, numbers, operator = (
                match.groups()
            )
            if path is not None:
                self.paint_path(path, clips, painted)
            elif text is not None:
                self.show_text(text)
            elif name is not None:
                self.use_name(name, size, name_operator)
            else:
                self.apply_operator(operator, numbers)

    def apply_operator(self, operator: bytes, numbers: bytes) -> None:
        """Apply a PDF operator whose operands are numbers."""
        if operator == b"q":
            self.saved.append(self.state.copy())
        elif operator == b"Q":
            if self.saved:
                self.state = self.saved.pop()
        elif operator == b"cm":
            self.state.matrix = _combine_matrices(
                _parse_matrix(numbers), self.state.matrix
            )
        elif operator == b"w":
            self.state.line_width = float(numbers)
        elif operator in COLOUR_OPERATORS:
            self.state.colour = _parse_colour(operator, numbers)
        else:
            self.place_text(operator, numbers)

    def place_text(self, operator: bytes, numbers: bytes) -> None:
        """Apply a PDF operator that sets the position or the style of text."""
        if operator == b"BT":
            self.text_matrix = self.line_matrix = _IDENTITY
        elif operator == b"Tm":
            self.text_matrix = self.line_matrix = _parse_matrix(numbers)
        elif operator in (b"Td", b"TD"):
            across, down = map(float, numbers.split())
            move = (1.0, 0.0, 0.0, 1.0, across, down)
            self.text_matrix = self.line_matrix = _combine_matrices(
                move, self.line_matrix
            )
        elif operator == b"Tr":
            self.state.text_mode = int(float(numbers))

    def use_name(self, name: bytes, size: bytes | None, operator: bytes) -> None:
        """Apply a PDF operator whose operand is the name of a resource."""
        match operator:
            case b"Tf":
                self.state.font = name.decode("latin-1")
                self.state.font_size = float(size or 0)
            case b"gs":
                self.use_state(self.get_resource(name))
            case b"cs" | b"scn":
                self.state.colour = None
            case b"sh":
                self.add_unknown(self.state.clip)
            case b"Do":
                self.draw_object(name)

    def get_resource(self, name: bytes) -> bytes:
        """Return the PDF object of a resource as text."""
        number, text = self.resources.get(name, (b"", b""))
        return self.record.objects[int(number)].head if number else text

    def use_state(self, text: bytes) -> None:
        """Apply one entry of an extended graphics state."""
        alpha, is_plain = _parse_state(text)
        if alpha is not None:
            self.state.alpha = alpha
        if is_plain is not None:
            self.state.is_plain = is_plain

    def draw_object(self, name: bytes) -> None:
        """Draw a form by its operators, or add a picture as a layer of unknown color."""
        number, _text = self.resources.get(name, (b"", b""))
        if not number:
            self.add_unknown(self.state.clip)
            return
        drawn_object = self.record.objects[int(number)]
        if b"/Subtype /Form" not in drawn_object.head or drawn_object.data is None:
            # A picture fills the unit square of its space.
            corners = list_corners(0.0, 0.0, 1.0, 1.0)
            self.add_unknown(_find_edges(_move_points(corners, self.state.matrix)))
            return
        # A form may draw itself.
        if self.depth >= MAX_FORM_DEPTH:
            self.add_unknown(self.state.clip)
            return
        self._read_form(drawn_object.head, zlib.decompress(drawn_object.data))

    def _read_form(self, head: bytes, content: bytes) -> None:
        """Apply the operators of a form, clipped to its box."""
        state = self.state
        inner_state = state.copy()
        inner_state.alpha = 1.0
        inner_state.is_plain = True
        matrix_entry = _MATRIX.search(head)
        if matrix_entry:
            inner_state.matrix = _combine_matrices(
                _parse_matrix(matrix_entry[1]), state.matrix
            )
        box_entry = _BBOX.search(head)
        if box_entry:
            x_min, y_min, x_max, y_max = map(float, box_entry[1].split())
            corners = list_corners(x_min, y_min, x_max, y_max)
            box_edges = _find_edges(_move_points(corners, inner_state.matrix))
            inner_state.clip = _share_edges(state.clip, box_edges)
        # The opacity of a group holds for all of it at once: what it paints is no plain colour.
        is_veiled = self.is_veiled or not state.is_plain or state.alpha < 1
        inner = _Reader(
            self.painting, self.record, inner_state, self.depth + 1, is_veiled
        )
        inner.read_content(content, head.partition(b"/Resources")[2])

    def paint_path(self, path: bytes, clips: bytes | None, painted: bytes) -> None:
        """Fill, stroke or clip with the current path."""
        state = self.state
        if painted == b"n" and not clips:
            return
        # A star chooses the even-odd rule; small letters close the path before they stroke it.
        is_even_odd = (clips or painted).strip().endswith(b"*")
        area = _make_area(path, state.matrix, is_even_odd)
        if painted[:1] in b"fFBb":
            self.add_fill(area)
        if painted[:1] in b"BbSs":
            self.add_strokes(area, is_closed=painted[:1] in b"bs")
        if clips:
            areas = state.clip_areas if area.is_rectangle else (*state.clip_areas, area)
            state.clip = _share_edges(state.clip, area.edges)
            state.clip_areas = areas

    def add_fill(self, area: Area) -> None:
        """Add a filled area as a layer."""
        state = self.state
        edges = _share_edges(area.edges, state.clip)
        # Edges that do not overlap themselves enclose nothing.
        if not _is_overlapping(edges, edges) or state.alpha <= 0:
            return
        areas = (*state.clip_areas, _make_rectangle(edges))
        if not area.is_rectangle:
            areas = (*areas, area)
        colour = state.colour if state.is_plain and not self.is_veiled else None
        thickness = min(edges[2] - edges[0], edges[3] - edges[1])
        self.painting.layers.append(
            Layer(edges, areas, (), colour, state.alpha, thickness)
        )

    def add_strokes(self, area: Area, *, is_closed: bool) -> None:
        """Add the stroke of a path as a layer. It is too thin to be the background of a text."""
        state = self.state
        a, b, c, d, _x, _y = state.matrix
        # The mean scale of the matrix: it may stretch one axis more.
        width = state.line_width * abs(a * d - b * c) ** 0.5
        strokes: list[Edges] = []
        for polygon in area.polygons:
            ends = (*polygon, polygon[0]) if is_closed or area.is_rectangle else polygon
            strokes += [
                _grow_edges(_find_edges(line), width / 2) for line in pairwise(ends)
            ]
        if strokes:
            edges = _share_edges(_grow_edges(area.edges, width / 2), state.clip)
            self.painting.layers.append(
                Layer(edges, (), tuple(strokes), None, 1.0, width)
            )

    def add_unknown(self, edges: Edges) -> None:
        """Add a layer that has no plain color."""
        edges = _share_edges(edges, self.state.clip)
        areas = (*self.state.clip_areas, _make_rectangle(edges))
        thickness = min(edges[2] - edges[0], edges[3] - edges[1])
        self.painting.layers.append(Layer(edges, areas, (), None, 1.0, thickness))

    def show_text(self, string: bytes) -> None:
        """Add a text, and move the text position by its width."""
        state = self.state
        size = self.state.font_size
        font = self.record.fonts.get(state.font)
        if font is None:
            return
        text, width = _read_text(string, font, size)
        start = self.text_matrix
        self.text_matrix = _combine_matrices((1, 0, 0, 1, width, 0), start)
        if (
            state.colour is None
            or not state.is_plain
            or self.is_veiled
            or state.text_mode
        ):
            return
        # Icons are letters for private use: drawings, not texts. Bullets and dashes are ornaments.
        if not any(map(str.isalnum, text)):
            return
        ascent, descent = INK
        corners = list_corners(0.0, -descent * size, width, ascent * size)
        placed = _move_points(corners, _combine_matrices(start, state.matrix))
        edges = _find_edges(placed)
        if not _is_inside(state.clip, edges):
            return
        # Measured on the face, because text and page may be scaled.
        type_size = dist(placed[1], placed[2]) / (ascent + descent)
        count = len(self.painting.layers)
        run = _Run(text, state.colour, state.alpha, placed, edges, type_size, count)
        self.painting.runs.append(run)


def _read_text(string: bytes, font: FontUse, size: float) -> tuple[str, float]:
    """Return the characters of a PDF string that are shown, and their width."""
    # Each piece is followed by numbers that move the next one back.
    pieces = _STRING.findall(string)
    data = unhexlify(b"".join([piece for piece, _moves in pieces]))
    glyph_count = len(data) // 2
    numbers = unpack(f">{glyph_count}H", data[: glyph_count * 2])
    widths = font.widths
    letters = font.letters
    # Lists in these sums, because they are faster than generators.
    width = sum([widths.get(number, 0.0) for number in numbers])
    all_moves = b" ".join([moves for _piece, moves in pieces])
    moved_back = sum(map(float, all_moves.split()))
    text = "".join([letters.get(number, "") for number in numbers])
    return text, (width - moved_back) * size / 1000


@lru_cache(maxsize=500)
def _parse_state(text: bytes) -> tuple[float | None, bool | None]:
    """Return the value of an entry in an extended graphics state.

    The alpha of fills, if there is no mask or blending.
    """
    alpha = _ALPHA.search(text)
    is_plain = None
    if _SPECIAL_STATE.search(text):
        is_plain = False
    elif _PLAIN_STATE.search(text):
        is_plain = True
    return float(alpha[1]) if alpha else None, is_plain


@lru_cache(maxsize=1000)
def _parse_colour(operator: bytes, numbers: bytes) -> Colour | None:
    """Return the color that a PDF operator sets, or None for inks and patterns."""
    if operator == b"rg":
        red, green, blue = map(float, numbers.split())
        return red, green, blue
    if operator == b"g":
        grey = float(numbers)
        return grey, grey, grey
    return None


@lru_cache(maxsize=1000)
def _parse_matrix(numbers: bytes) -> Matrix:
    a, b, c, d, x, y = map(float, numbers.split())
    return a, b, c, d, x, y


def _combine_matrices(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies the first and then the second one."""
    a, b, c, d, x, y = first
    e, f, g, h, u, v = second
    return (
        a * e + b * g,
        a * f + b * h,
        c * e + d * g,
        c * f + d * h,
        x * e + y * g + u,
        x * f + y * h + v,
    )


def _move_points(points: Iterable[Point], matrix: Matrix) -> tuple[Point, ...]:
    a, b, c, d, u, v = matrix
    return tuple([(x * a + y * c + u, x * b + y * d + v) for x, y in points])


def _grow_edges(edges: Edges, margin: float) -> Edges:
    x_min, y_min, x_max, y_max = edges
    return x_min - margin, y_min - margin, x_max + margin, y_max + margin


def _find_edges(points: Iterable[Point]) -> Edges:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def _share_edges(first: Edges, second: Edges) -> Edges:
    return (
        max(first[0], second[0]),
        max(first[1], second[1]),
        min(first[2], second[2]),
        min(first[3], second[3]),
    )


def _is_overlapping(first: Edges, second: Edges) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


def _is_inside(outer: Edges, inner: Edges) -> bool:
    return (
        outer[0] - TOLERANCE_MM <= inner[0]
        and outer[1] - TOLERANCE_MM <= inner[1]
        and outer[2] + TOLERANCE_MM >= inner[2]
        and outer[3] + TOLERANCE_MM >= inner[3]
    )


def _make_rectangle(edges: Edges) -> Area:
    return Area(edges, (), (), is_rectangle=True, is_even_odd=False)


@lru_cache(maxsize=4000)
def _make_area(path: bytes, matrix: Matrix, is_even_odd: bool) -> Area:
    """Return the area inside a path. It is cached, because many faces have equal paths."""
    polygons = [_move_points(polygon, matrix) for polygon in _parse_polygons(path)]
    polygons = [polygon for polygon in polygons if len(polygon) > 1]
    if not polygons:
        return _make_rectangle((0.0, 0.0, 0.0, 0.0))
    extents = tuple([_find_edges(polygon) for polygon in polygons])
    x_mins, y_mins, x_maxs, y_maxs = zip(*extents, strict=True)
    edges = min(x_mins), min(y_mins), max(x_maxs), max(y_maxs)
    is_rectangle = len(polygons) == 1 and _is_level_rectangle(polygons[0], edges)
    return Area(edges, tuple(polygons), extents, is_rectangle, is_even_odd)


def _parse_polygons(path: bytes) -> list[list[Point]]:
    """Convert a path to polygons. A curve becomes its middle and its end point."""
    polygons: list[list[Point]] = []
    for numbers, operator in _SEGMENT.findall(path):
        values = [float(number) for number in numbers.split()]
        if operator == b"re":
            x, y, width, height = values
            polygons.append([*list_corners(x, y, x + width, y + height)])
        elif operator == b"m":
            polygons.append([(values[0], values[1])])
        elif operator == b"l" and polygons:
            polygons[-1].append((values[0], values[1]))
        elif operator in b"cvy" and polygons:
            x0, y0 = polygons[-1][-1]
            # Of v the first control point is the start, of y the second one is the end.
            if operator == b"v":
                values = [x0, y0, *values]
            elif operator == b"y":
                values = [*values, *values[2:]]
            x1, y1, x2, y2, x3, y3 = values
            middle_x = (x0 + 3 * x1 + 3 * x2 + x3) / 8
            middle_y = (y0 + 3 * y1 + 3 * y2 + y3) / 8
            polygons[-1] += [(middle_x, middle_y), (x3, y3)]
    return polygons


def _is_level_rectangle(polygon: Sequence[Point], edges: Edges) -> bool:
    """Return True if a polygon is an upright rectangle that fills its extent.

    Each point is a corner of it, and two in a row share a side.
    """
    x_min, y_min, x_max, y_max = edges
    # A fifth point may close the polygon.
    if len(polygon) == 5 and polygon[0] == polygon[-1]:
        polygon = polygon[:4]
    if len(polygon) != 4:
        return False
    corners = [(round(x, 3), round(y, 3)) for x, y in polygon]
    across = (round(x_min, 3), round(x_max, 3))
    down = (round(y_min, 3), round(y_max, 3))
    is_on_corners = all(x in across and y in down for x, y in corners)
    if not is_on_corners or len(set(corners)) < 4:
        return False
    return all(x1 == x2 or y1 == y2 for (x1, y1), (x2, y2) in pairwise(corners))


def _is_inside_convex(polygon: Sequence[Point], points: Sequence[Point]) -> bool:
    """Return True if a polygon is convex and all points lie inside it."""
    sign = 0
    for start, end in pairwise((polygon[-1], *polygon)):
        if start == end:
            continue
        x0, y0 = start
        length = dist(start, end)
        # The direction of the side.
        dx = (end[0] - x0) / length
        dy = (end[1] - y0) / length
        for x, y in (*polygon, *points):
            # The distance from the side's line; its sign tells the side.
            distance = dx * (y - y0) - dy * (x - x0)
            if abs(distance) <= TOLERANCE_MM:
                continue
            if sign and (distance > 0) != (sign > 0):
                return False
            sign = 1 if distance > 0 else -1
    return True
