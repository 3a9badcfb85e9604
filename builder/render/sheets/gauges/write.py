"""Sheets of gauges -> operators of content streams, in mm with y downwards -> the bytes of a PDF, always alike."""

from collections.abc import Iterable, Mapping, Sequence
from math import cos, radians, sin
from pathlib import Path

from builder.geometry.gauges.art import Art, ArtText, Icon, Path as ArtPath
from builder.geometry.gauges.context import parts
from builder.geometry.gauges.sheet import PlacedPiece, Sheet
from builder.model.profile import Paper
from builder.render.sheets.gauges.shapes import IconOutline, Typefaces, outline
from builder.render.sheets.marks import drawn, plain_pdf
from builder.render.sheets.pdfwriter import number, pt
from builder.units import to_points

NAMES = {"regular": "GAUGEA", "bold": "GAUGEB", "black": "GAUGEC"}
"""What drawings call the font of each weight."""


def _numbers(values: Iterable[float]) -> bytes:
    return b" ".join(map(number, values))


def _colour(value: str, operator: bytes) -> bytes:
    return _numbers(parts(value)) + b" " + operator


class Stream:
    """Collects one page's operators."""

    def __init__(self, typefaces: Typefaces, icons: Mapping[str, IconOutline]) -> None:
        self.typefaces = typefaces
        self.icons = icons
        self.lines: list[bytes] = []

    def piece(self, placed: PlacedPiece, *, back: bool) -> None:
        """One piece in its place; a turned piece's back turns the other way, as the paper's reverse shows it."""
        piece = placed.piece
        if not placed.turned:
            matrix: tuple[float, ...] = (1, 0, 0, 1, placed.x, placed.y)
        elif back:
            matrix = (0, -1, 1, 0, placed.x, placed.y + piece.width)
        else:
            matrix = (0, 1, -1, 0, placed.x + piece.height, placed.y)
        gauge = piece.gauge.encode("latin-1")
        self.lines.append(b"/Gauge <</Id (%s)>> BDC q %s cm" % (gauge, _numbers(matrix)))
        self.art(piece.back or () if back else piece.front)
        self.lines.append(b"Q EMC")

    def art(self, art: tuple[Art, ...]) -> None:
        """Art in its order."""
        for item in art:
            if isinstance(item, ArtPath):
                self._path(item)
            elif isinstance(item, ArtText):
                self._text(item)
            elif item.name in self.icons:
                self._icon(item, self.icons[item.name])

    def _path(self, path: ArtPath) -> None:
        words = [b"q"]
        if path.fill:
            words.append(_colour(path.fill, b"rg"))
        if path.stroke:
            words.append(
                b"%s %s w [%s] 0 d"
                % (_colour(path.stroke, b"RG"), number(path.width), _numbers(path.dash))
            )
        star = b"*" if path.even else b""
        paint = b"B" + star if path.fill and path.stroke else b"f" + star if path.fill else b"S"
        body = b" ".join([*words, drawn(path.segments), paint, b"Q"])
        self.lines.append(b"/%s BMC %s EMC" % (path.tag.encode(), body) if path.tag else body)

    def _text(self, text: ArtText) -> None:
        face = self.typefaces.faces[text.weight]
        width = face.width(text.text, text.size)
        back = {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
        c, s = cos(radians(text.angle)), sin(radians(text.angle))
        matrix = _numbers((c, s, s, -c, text.x - back * c, text.y - back * s))
        font = b"/%s %s Tf" % (NAMES[text.weight].encode(), number(text.size))
        shown = (_colour(text.colour, b"rg"), font, matrix, face.glyphs(text.text))
        self.lines.append(b"BT %s %s %s Tm %s Tj ET" % shown)

    def _icon(self, icon: Icon, outline: IconOutline) -> None:
        c, s = cos(radians(icon.angle)) * icon.size, sin(radians(icon.angle)) * icon.size
        matrix = " ".join(f"{value:.5f}" for value in (c, s, -s, c, icon.x, icon.y))
        shape = " ".join(
            " ".join([*(f"{value:.5f}" for value in values), name]) for values, name in outline.path
        )
        star = "*" if outline.even else ""
        self.lines.append(
            b"q %s %s Q" % (_colour(icon.colour, b"rg"), f"{matrix} cm {shape} f{star}".encode())
        )


def write(
    sheets: Sequence[Sheet],
    paper: Paper,
    typefaces: Typefaces,
    icons: Mapping[str, Path],
    title: str,
) -> bytes:
    """A PDF of these sheets. `icons` are SVG files by name; names without a file are left blank."""
    wanted = {
        item.name
        for sheet in sheets
        for placed in sheet.pieces
        for item in (*placed.piece.front, *(placed.piece.back or ()))
        if isinstance(item, Icon)
    }
    outlines = {name: outline(icons[name]) for name in sorted(wanted) if name in icons}
    scale = to_points(1.0)
    start = f"q {scale:.8f} 0 0 {-scale:.8f} 0".encode() + b" %s cm 0 J 0 j" % pt(paper.height)
    pages = []
    for sheet in sheets:
        stream = Stream(typefaces, outlines)
        stream.art(sheet.art)
        for placed in sheet.pieces:
            stream.piece(placed, back=sheet.back)
        pages.append(b"\n".join([start, *stream.lines, b"Q\n"]))
    return plain_pdf(
        paper, pages, {NAMES[weight]: face for weight, face in typefaces.faces.items()}, title
    )
