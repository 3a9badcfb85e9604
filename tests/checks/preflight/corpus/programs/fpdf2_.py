"""fpdf2: light and ink, its fonts composite; boxes it knows none of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.drawing import DeviceCMYK, DeviceRGB

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    font,
    gradient,
    under,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "fpdf2", "cmyk", ("no-trim-box", "?rgb-group")
DRAWS = (
    "too-much-ink enough-ink sound small-type type-enough thin-line coarse-image "
    "low-resolution text-cut "
    "text-safe descender no-descender accents "
    "descender-cut "
    "ends-at-cut alpha "
    "alpha-allowed "
    "light-in-inks "
    "rich-text coloured-black outlined outlined-well outlined-rich odd panel-ends panel-on-ground "
)


class Fpdf(Painter):
    space = "cmyk"

    def __init__(self, pdf: FPDF, height: float) -> None:
        self.pdf, self.height = pdf, height

    def colour(self, name: Any) -> Any:
        numbers = self.numbers(name)
        return DeviceCMYK(*numbers) if len(numbers) == 4 else DeviceRGB(*numbers)

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        self.pdf.set_fill_color(self.colour(name))
        self.pdf.rect(x, self.height - y - high, wide, high, "F")

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        self.pdf.set_draw_color(self.colour(name))
        self.pdf.set_line_width(width)
        self.pdf.line(x, self.height - y, to_x, self.height - to_y)

    def text(
        self,
        name: Any,
        size: float,
        x: float,
        y: float,
        words: str,
        mode: str = "fill",
        width: float = 1,
    ) -> None:
        self.pdf.set_font("Roboto", size=size)
        self.pdf.set_text_color(self.colour(name))
        if mode == "fill":
            self.pdf.text(x, self.height - y, words)
            return
        self.pdf.set_draw_color(self.colour(name))
        with self.pdf.local_context(text_mode="STROKE", line_width=width * PT):
            self.pdf.text(x, self.height - y, words)

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        self.pdf.image(
            gradient(across, down, "L"), x, self.height - y - high, wide, high
        )

    def alpha(self, share: float, ops: list[Any]) -> None:
        with self.pdf.local_context(fill_opacity=share):
            self.draw(ops)


def write(
    path: Path,
    scene: Mapping[str, Any],
    before: Callable[[FPDF], object] = lambda _: None,
    space: str = "cmyk",
) -> None:
    """One file."""
    pdf = FPDF(unit="mm", format=(69, 94))
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    pdf.set_auto_page_break(False)
    pdf.add_font("Roboto", fname=str(font()))
    before(pdf)
    for page in scene["pages"]:
        pdf.add_page(format=tuple(page["size"]))
        painter = Fpdf(pdf, page["size"][1])
        painter.space = space
        painter.draw(page["ops"])
    pdf.output(str(path))


def _helvetica(painter: Fpdf) -> None:
    painter.pdf.set_font("Helvetica", size=9)
    painter.pdf.text(15, 50, "of the viewer")


def _coloured(painter: Fpdf) -> None:
    """Letters that are drawings in a typeface of this program's own making."""
    painter.pdf.set_font("Emoji", size=20)
    painter.pdf.text(20, 50, "\u2764")


def _emoji() -> Path:
    """Return a typeface with one letter of two coloured layers."""
    from tempfile import gettempdir

    from fontTools.colorLib.builder import buildCOLR, buildCPAL
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    def square(side: int) -> Any:
        pen = TTGlyphPen(None)
        pen.moveTo((100, 0))
        for point in ((100, side), (100 + side, side), (100 + side, 0)):
            pen.lineTo(point)
        pen.closePath()
        return pen.glyph()

    names = [".notdef", "heart", "one", "two"]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x2764: "heart"})
    builder.setupGlyf(
        dict(
            zip(names, (square(1), square(700), square(700), square(300)), strict=True)
        )
    )
    builder.setupHorizontalMetrics(dict.fromkeys(names, (900, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable(
        {"familyName": "Emoji", "styleName": "Regular", "psName": "Emoji"}
    )
    builder.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.font["COLR"] = buildCOLR({"heart": [("one", 0), ("two", 1)]}, version=0)
    builder.font["CPAL"] = buildCPAL([[(1.0, 0.1, 0.1, 1.0), (1.0, 0.8, 0.1, 1.0)]])
    path = Path(gettempdir()) / "emoji.ttf"
    builder.save(path)
    return path


SOUND = SCENES["sound"]
SPECIALS: Specials = {
    "helvetica-shown": (
        ("font-not-embedded",),
        lambda path: write(path, under(SOUND, _helvetica)),
    ),
    "coloured-letters": (
        ("rgb",),
        lambda path: write(
            path,
            under(SOUND, _coloured),
            lambda pdf: pdf.add_font("Emoji", fname=str(_emoji())),
        ),
    ),
    "attachment": (
        ("attached-file",),
        lambda path: write(
            path,
            SOUND,
            lambda pdf: pdf.embed_file(bytes=b"prices", basename="prices.txt"),
        ),
    ),
    "link": (
        ("annotation",),
        lambda path: write(
            path,
            under(
                SOUND,
                lambda painter: painter.pdf.link(9, 9, 20, 9, "https://example.org"),
            ),
        ),
    ),
    "locked": (
        ("encrypted",),
        lambda path: write(
            path, SOUND, lambda pdf: pdf.set_encryption(owner_password="owner")
        ),
    ),
    "light": (("rgb:",), lambda path: write(path, SOUND, space="rgb")),
    "light-small": (
        ("rgb:", "small-type"),
        lambda path: write(path, SCENES["small-type"], space="rgb"),
    ),
    "inks-in-light": (
        ("rgb:", "cmyk"),
        lambda path: write(path, SCENES["inks-in-light"], space="rgb"),
    ),
}
