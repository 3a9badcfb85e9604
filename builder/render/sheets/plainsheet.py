"""Sheets of lines and short texts, written without the engine."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.geometry.calibration import CalibrationSide
from builder.model.profile import Paper, Profile
from builder.render.sheets.backs import moved
from builder.render.sheets.fontmerge import write_fonts
from builder.render.sheets.pdfwriter import PdfWriter, pt
from builder.render.sheets.record import pack
from builder.render.sheets.stamp import NAME, Stamp


def plain_sheet(profile: Profile, sides: Sequence[CalibrationSide], title: str) -> bytes:
    """A PDF of these sides; every second is a back and moved as the profile says."""
    assert profile.paper is not None
    out = BytesIO()
    paper, stamp, writer = profile.paper, Stamp(), PdfWriter(out)
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


def _drawing(side: CalibrationSide, paper: Paper, stamp: Stamp) -> bytes:
    """The operators of one side."""
    strokes = b"".join(
        b"%s %s m %s %s l\n" % (pt(line.x1), pt(paper.height - line.y1), pt(line.x2), pt(paper.height - line.y2))
        for line in side.lines
    )
    words = b"".join(stamp.draw(text.text, text.size, text.x, paper.height - text.y) for text in side.words)
    return b"0 G 0 g %s w\n%sS\n%s" % (pt(0.1), strokes, words)
