"""Sheets -> the bytes of a PDF; equal sheets give equal bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name

from builder.geometry.gauges.art import Icon
from builder.geometry.gauges.sheet import GaugePaper, Sheet
from builder.render.sheets.gauges.icons import outline
from builder.render.sheets.gauges.stream import NAMES, Stream
from builder.render.sheets.gauges.typeface import Typeface, Typefaces
from builder.units import to_points

TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Letters def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange
{body}
endcmap end end"""


def write(
    sheets: Sequence[Sheet], paper: GaugePaper, typefaces: Typefaces, icons: Mapping[str, Path], title: str
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
    streams = []
    for sheet in sheets:
        stream = Stream(typefaces, outlines)
        stream.art(sheet.furniture)
        for placed in sheet.pieces:
            stream.piece(placed, back=sheet.back)
        streams.append("\n".join(stream.lines))
    return _pdf(streams, paper, typefaces, title)


def _pdf(streams: Sequence[str], paper: GaugePaper, typefaces: Typefaces, title: str) -> bytes:
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


def _font(pdf: pikepdf.Pdf, face: Typeface) -> Dictionary:
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
