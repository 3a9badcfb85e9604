"""Writes sheets of gauges as a PDF: equal sheets give equal bytes. Lengths are mm, y downwards."""

from collections.abc import Iterable, Mapping, Sequence
from math import cos, radians, sin
from pathlib import Path

from builder.geometry.gauges.art import Art, ArtText, Icon, Path as ArtPath
from builder.geometry.gauges.colours import split_colour
from builder.geometry.gauges.packing import PlacedPiece
from builder.geometry.gauges.sheet import Sheet
from builder.model.profile import Paper
from builder.render.sheets.gauges.shapes import IconOutline, Typefaces, read_icon
from builder.render.sheets.marks import trace_path, write_plain_pdf
from builder.render.sheets.pdfwriter import format_number, format_points
from builder.units import to_points

FONT_NAMES = {"regular": "GAUGEA", "bold": "GAUGEB", "black": "GAUGEC"}
"""The resource name of the font of each weight."""
ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The share of a text that lies before its anchor."""


def write_gauge_sheets(
    sheets: Sequence[Sheet],
    paper: Paper,
    typefaces: Typefaces,
    icon_files: Mapping[str, Path],
    title: str,
) -> bytes:
    """Return the sheets of measuring tools as a PDF. Icons without a file are left blank."""
    names = sorted(_list_icon_names(sheets) & icon_files.keys())
    icons = {name: read_icon(icon_files[name]) for name in names}
    # From here on lengths are mm, and y grows downwards.
    scale = f"{to_points(1.0):.8f}".encode()
    height = format_points(paper.height)
    start = b"q %s 0 0 -%s 0 %s cm 0 J 0 j" % (scale, scale, height)
    pages = []
    for sheet in sheets:
        writer = PageWriter(typefaces, icons)
        writer.write_art(sheet.art)
        for placed in sheet.pieces:
            writer.write_piece(placed, is_back=sheet.is_back)
        pages.append(b"\n".join([start, *writer.lines, b"Q\n"]))
    fonts = {FONT_NAMES[weight]: face for weight, face in typefaces.faces.items()}
    return write_plain_pdf(paper, pages, fonts, title)


def _list_icon_names(sheets: Sequence[Sheet]) -> set[str]:
    names: set[str] = set()
    for sheet in sheets:
        for placed in sheet.pieces:
            art = (*placed.piece.front_art, *(placed.piece.back_art or ()))
            names |= {item.name for item in art if isinstance(item, Icon)}
    return names


class PageWriter:
    """Collects the PDF operators of one page."""

    def __init__(self, typefaces: Typefaces, icons: Mapping[str, IconOutline]) -> None:
        self.typefaces = typefaces
        self.icons = icons
        self.lines: list[bytes] = []

    def write_piece(self, placed: PlacedPiece, *, is_back: bool) -> None:
        """Draw one piece, such as a ruler.

        A turned back turns the other way, as the reverse of the paper shows it.
        """
        piece = placed.piece
        if not placed.is_turned:
            matrix: tuple[float, ...] = (1, 0, 0, 1, placed.x, placed.y)
        elif is_back:
            matrix = (0, -1, 1, 0, placed.x, placed.y + piece.width)
        else:
            matrix = (0, 1, -1, 0, placed.x + piece.height, placed.y)
        gauge = piece.gauge.encode("latin-1")
        # BDC and EMC mark content in a PDF: so tests find the lines of each gauge.
        self.lines.append(
            b"/Gauge <</Id (%s)>> BDC q %s cm" % (gauge, _format_numbers(matrix))
        )
        self.write_art(piece.back_art or () if is_back else piece.front_art)
        self.lines.append(b"Q EMC")

    def write_art(self, art: Iterable[Art]) -> None:
        """Draw the lines, areas and texts of a piece in their order."""
        for item in art:
            if isinstance(item, ArtPath):
                self._write_path(item)
            elif isinstance(item, ArtText):
                self._write_text(item)
            elif item.name in self.icons:
                self._write_icon(item)

    def _write_path(self, path: ArtPath) -> None:
        operators = [b"q"]
        # S strokes, f fills, B does both; a star stands for the even-odd rule.
        paint = b"S"
        if path.fill:
            operators.append(_format_colour(path.fill, b"rg"))
            paint = b"B" if path.stroke else b"f"
            if path.even_odd:
                paint += b"*"
        if path.stroke:
            colour = _format_colour(path.stroke, b"RG")
            dash = _format_numbers(path.dash)
            operators.append(
                b"%s %s w [%s] 0 d" % (colour, format_number(path.width), dash)
            )
        operators += [trace_path(path.segments), paint, b"Q"]
        line = b" ".join(operators)
        if path.tag:
            line = b"/%s BMC %s EMC" % (path.tag.encode(), line)
        self.lines.append(line)

    def _write_text(self, text: ArtText) -> None:
        style = text.style
        face = self.typefaces.faces[style.weight]
        before = face.measure(text.text, style.size) * ANCHOR_SHARES[style.anchor]
        c = cos(radians(style.angle))
        s = sin(radians(style.angle))
        x = text.x - before * c
        y = text.y - before * s
        # Letters are mirrored back: on this page y grows downwards.
        matrix = _format_numbers((c, s, s, -c, x, y))
        font = b"/%s %s Tf" % (
            FONT_NAMES[style.weight].encode(),
            format_number(style.size),
        )
        colour = _format_colour(style.colour, b"rg")
        glyphs = face.encode(text.text)
        self.lines.append(b"BT %s %s %s Tm %s Tj ET" % (colour, font, matrix, glyphs))

    def _write_icon(self, icon: Icon) -> None:
        outline = self.icons[icon.name]
        c = cos(radians(icon.angle)) * icon.size
        s = sin(radians(icon.angle)) * icon.size
        matrix = (c, s, -s, c, icon.x, icon.y)
        operators = [_format_precisely(matrix, "cm")]
        for values, operator in outline.path:
            operators.append(_format_precisely(values, operator))
        operators.append("f*" if outline.even_odd else "f")
        drawing = " ".join(operators).encode()
        self.lines.append(b"q %s %s Q" % (_format_colour(icon.colour, b"rg"), drawing))


def _format_numbers(values: Iterable[float]) -> bytes:
    return b" ".join(map(format_number, values))


def _format_precisely(values: Iterable[float], operator: str) -> str:
    """Return numbers with 5 decimals, which is needed where the unit is a whole icon."""
    return " ".join([*(f"{value:.5f}" for value in values), operator])


def _format_colour(colour: str, operator: bytes) -> bytes:
    return _format_numbers(split_colour(colour)) + b" " + operator
