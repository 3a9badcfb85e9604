"""A font for letters that the program's typefaces lack, added as docs/tables.md says."""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

RANGES = (
    (0x20, 0x7F),
    (0x5D0, 0x5EB),
    (0x3000, 0x3100),
    (0x4E00, 0x9FB0),
    (0xFF00, 0xFF61),
)
UNITS_PER_EM = 1000


def add_font(project: Path, pack: str) -> None:
    """Write a font of boxes to the pack, and name it in pack.css."""
    folder = project / "templates" / pack / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    codes = [code for first, end in RANGES for code in range(first, end)]
    names = {code: f"uni{code:04X}" for code in codes}
    order = [".notdef", *names.values()]
    pen = TTGlyphPen(None)
    pen.moveTo((80, 0))
    for point in ((80, 700), (520, 700), (520, 0)):
        pen.lineTo(point)
    pen.closePath()
    box = pen.glyph()
    empty = TTGlyphPen(None).glyph()
    builder = FontBuilder(UNITS_PER_EM, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: empty if name == "uni0020" else box for name in order})
    builder.setupHorizontalMetrics(dict.fromkeys(order, (600, 80)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2(
        sTypoAscender=880, sTypoDescender=-120, usWinAscent=880, usWinDescent=120
    )
    builder.setupPost()
    builder.save(folder / "Boxes-Regular.ttf")
    style = project / "templates" / pack / "pack.css"
    text = style.read_text(encoding="utf-8") if style.is_file() else ""
    style.write_text(
        f"{text}\n.face {{ --display: Boxes; --text: Boxes }}\n", encoding="utf-8"
    )
