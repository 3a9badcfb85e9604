"""Sheets of gauges -> operators of content streams, in mm with y downwards -> the bytes of a PDF, always alike."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import cos, radians, sin
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name

from builder.geometry.gauges.art import Art, ArtText, Icon, Path as ArtPath
from builder.geometry.gauges.context import parts
from builder.geometry.gauges.sheet import PlacedPiece, Sheet
from builder.model.profile import Paper
from builder.render.sheets.gauges.shapes import IconOutline, MeasuredFont, Typefaces, outline
from builder.units import to_points

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

    def __init__(self, typefaces: Typefaces, icons: Mapping[str, IconOutline]) -> None:
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
            if isinstance(item, ArtPath):
                self._path(item)
            elif isinstance(item, ArtText):
                self._text(item)
            else:
                self._icon(item)

    def _path(self, path: ArtPath) -> None:
        words = ["q"]
        if path.fill:
            words.append(colour(path.fill, "rg"))
        if path.stroke:
            dash = " ".join(number(part) for part in path.dash)
            words.append(f"{colour(path.stroke, 'RG')} {number(path.width)} w [{dash}] 0 d")
        star = "*" if path.even else ""
        paint = f"B{star}" if path.fill and path.stroke else f"f{star}" if path.fill else "S"
        words += [" ".join([*map(number, values), OPERATORS[kind]]) for kind, values in path.segments]
        words.append(f"{paint} Q")
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
        shape = " ".join(" ".join([*(f"{value:.5f}" for value in values), name]) for values, name in outline.path)
        self.lines.append(f"q {colour(icon.colour, 'rg')} {matrix} cm {shape} f{star} Q")


TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Letters def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange
{body}
endcmap end end"""


def write(sheets: Sequence[Sheet], paper: Paper, typefaces: Typefaces, icons: Mapping[str, Path], title: str) -> bytes:
    """A PDF of these sheets. `icons` are SVG files by name; names without a file are left blank."""
    wanted = {
        item.name
        for sheet in sheets
        for placed in sheet.pieces
        for item in (*placed.piece.front, *(placed.piece.back or ()))
        if isinstance(item, Icon)
    }
    outlines = {name: outline(icons[name]) for name in sorted(wanted) if name in icons}
    streams = []
    for sheet in sheets:
        stream = Stream(typefaces, outlines)
        stream.art(sheet.art)
        for placed in sheet.pieces:
            stream.piece(placed, back=sheet.back)
        streams.append("\n".join(stream.lines))
    return _pdf(streams, paper, typefaces, title)


def _pdf(streams: Sequence[str], paper: Paper, typefaces: Typefaces, title: str) -> bytes:
    pdf = pikepdf.new()
    fonts = Dictionary()
    for weight, face in typefaces.faces.items():
        if face.shown:
            fonts[NAMES[weight]] = pdf.make_indirect(_font(pdf, face))
    resources = pdf.make_indirect(Dictionary(Font=fonts))
    wide, tall = to_points(paper.width), to_points(paper.height)
    scale = to_points(1.0)
    for body in streams:
        content = f"q {scale:.8f} 0 0 {-scale:.8f} 0 {tall:.6f} cm 0 J 0 j\n{body}\nQ\n"
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, round(wide, 5), round(tall, 5)]),
            Resources=resources,
            Contents=pdf.make_stream(content.encode("latin-1")),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    pdf.docinfo["/Title"] = title
    pdf.Root["/ViewerPreferences"] = Dictionary(PrintScaling=Name("/None"))
    out = BytesIO()
    pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, min_version="1.7")
    return out.getvalue()


def _font(pdf: pikepdf.Pdf, face: MeasuredFont) -> Dictionary:
    head, os2, post = face.font["head"], face.font["hhea"], face.font["post"]
    advances, shown = face.advances(), dict(sorted(face.shown.items()))
    scale = 1000 / face.unit
    box = [round(getattr(head, side) * scale) for side in ("xMin", "yMin", "xMax", "yMax")]
    ascent, descent, italic = round(os2.ascent * scale), round(os2.descent * scale), round(post.italicAngle)
    name = Name(f"/SQUADP+Roboto-{face.weight.title()}")
    file = pdf.make_stream(face.subset())
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=4,
        FontBBox=Array(box),
        ItalicAngle=italic,
        Ascent=ascent,
        Descent=descent,
        CapHeight=711,
        StemV=80,
        FontFile2=file,
    )
    inner = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=name,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        CIDToGIDMap=Name.Identity,
        W=Array([item for index, width in advances for item in (index, Array([round(width, 3)]))]),
    )
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=name,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(inner)]),
        ToUnicode=pdf.make_stream(_unicode(shown).encode("ascii")),
    )


def _unicode(shown: Mapping[int, str]) -> str:
    lines = [f"<{index:04x}> <{letter.encode('utf-16-be').hex()}>" for index, letter in shown.items()]
    blocks = [lines[i : i + 100] for i in range(0, len(lines), 100)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return TO_UNICODE.format(body=body)
