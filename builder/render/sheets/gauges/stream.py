"""Art as the operators of a PDF content stream, in mm with y downwards."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

from builder.geometry.gauges.art import Art, ArtText, Icon, Path, Segment
from builder.geometry.gauges.colours import parts
from builder.geometry.gauges.sheet import PlacedPiece
from builder.render.sheets.gauges.icons import Outline
from builder.render.sheets.gauges.typeface import Typefaces

NAMES = {"regular": "/F0", "bold": "/F1", "black": "/F2"}
OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def number(value: float) -> str:
    """A coordinate, to a tenth of a micrometre."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) > 5e-5 else "0"


def colour(value: str, operator: str) -> str:
    """A colour operator."""
    return " ".join(number(part) for part in parts(value)) + f" {operator}"


class Stream:
    """Collects one page's operators."""

    def __init__(self, typefaces: Typefaces, icons: Mapping[str, Outline]) -> None:
        self.typefaces = typefaces
        self.icons = icons
        self.lines: list[str] = []

    def piece(self, placed: PlacedPiece, *, back: bool) -> None:
        """One piece in its place; a turned piece's back turns the other way, as the paper's reverse shows it."""
        piece = placed.piece
        if not placed.turned:
            matrix: tuple[float, ...] = (1, 0, 0, 1, placed.x, placed.y)
        elif back:
            matrix = (0, -1, 1, 0, placed.x, placed.y + piece.width)
        else:
            matrix = (0, 1, -1, 0, placed.x + piece.height, placed.y)
        self.lines.append(f"/Gauge <</Id ({piece.gauge})>> BDC q {' '.join(number(v) for v in matrix)} cm")
        self.art(piece.back or () if back else piece.front)
        self.lines.append("Q EMC")

    def art(self, art: tuple[Art, ...]) -> None:
        """Art in its order."""
        for item in art:
            if isinstance(item, Path):
                self._path(item)
            elif isinstance(item, ArtText):
                self._text(item)
            else:
                self._icon(item)

    def _segments(self, segments: tuple[Segment, ...]) -> str:
        return " ".join(
            f"{' '.join(number(value) for value in values)} {OPERATORS[kind]}".strip() for kind, values in segments
        )

    def _path(self, path: Path) -> None:
        words = ["q"]
        if path.fill:
            words.append(colour(path.fill, "rg"))
        if path.stroke:
            dash = " ".join(number(part) for part in path.dash)
            words.append(f"{colour(path.stroke, 'RG')} {number(path.width)} w [{dash}] 0 d")
        star = "*" if path.even else ""
        paint = f"B{star}" if path.fill and path.stroke else f"f{star}" if path.fill else "S"
        words.append(f"{self._segments(path.segments)} {paint} Q")
        body = " ".join(words)
        self.lines.append(f"/{path.tag} BMC {body} EMC" if path.tag else body)

    def _text(self, text: ArtText) -> None:
        face = self.typefaces.faces[text.weight]
        width = face.width(text.text, text.size)
        back = {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
        c, s = cos(radians(text.angle)), sin(radians(text.angle))
        glyphs = "".join(f"{face.glyph(letter):04x}" for letter in text.text)
        place = (c, s, s, -c, text.x - back * c, text.y - back * s)
        matrix = " ".join(number(value) for value in place)
        self.lines.append(
            f"BT {colour(text.colour, 'rg')} {NAMES[text.weight]} {number(text.size)} Tf {matrix} Tm <{glyphs}> Tj ET"
        )

    def _icon(self, icon: Icon) -> None:
        outline = self.icons.get(icon.name)
        if outline is None:
            return
        c, s = cos(radians(icon.angle)) * icon.size, sin(radians(icon.angle)) * icon.size
        matrix = " ".join(f"{value:.5f}" for value in (c, s, -s, c, icon.x, icon.y))
        star = "*" if outline.even else ""
        shape = " ".join(
            f"{' '.join(f'{value:.5f}' for value in values)} {OPERATORS[kind]}".strip()
            for kind, values in outline.segments
        )
        self.lines.append(f"q {colour(icon.colour, 'rg')} {matrix} cm {shape} f{star} Q")
