"""ReportLab: inks, separations, overprint.

Its own Helvetica is selected on every page and shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reportlab.lib.colors import CMYKColor, CMYKColorSep, Color
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    font,
    gradient,
    under,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET = "ReportLab", "cmyk"
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line thin-scaled broad-scaled coarse-image "
    "text-cut text-safe "
    "descender no-descender accents ends-at-cut panel-ends "
    "panel-on-ground no-bleed odd mixed "
    "blank marks alpha "
    "alpha-allowed light-in-inks light-text rich-text coloured-black coloured-text outlined outlined-well "
    "outlined-rich white-overprint white-text-overprint white-knockout black-overprint registration spot "
    "process-ink "
)
MODES = {"fill": 0, "stroke": 1, "both": 2}
LIKE = {"All": (1, 1, 1, 1), "Black": (0, 0, 0, 1), "Gold": (0.1, 0.3, 0.8, 0)}


class Reportlab(Painter):
    space = "cmyk"

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.separation, self.share = canvas, None, 1.0

    def colour(self, name: Any) -> Any:
        if self.separation is not None:
            return self.separation
        numbers = self.numbers(name)
        return (
            CMYKColor(*numbers, alpha=self.share)
            if len(numbers) == 4
            else Color(*numbers)
        )

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        self.canvas.setFillColor(self.colour(name))
        self.canvas.rect(x * PT, y * PT, wide * PT, high * PT, stroke=0, fill=1)

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        self.canvas.setStrokeColor(self.colour(name))
        self.canvas.setLineWidth(width * PT)
        self.canvas.line(x * PT, y * PT, to_x * PT, to_y * PT)

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
        self.canvas.setFillColor(self.colour(name))
        self.canvas.setStrokeColor(self.colour(name))
        self.canvas.setLineWidth(width * PT)
        self.canvas.setFont("Roboto", size)
        self.canvas.drawString(x * PT, y * PT, words, mode=MODES[mode])

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        self.canvas.drawImage(
            ImageReader(gradient(across, down, "CMYK")),
            x * PT,
            y * PT,
            wide * PT,
            high * PT,
        )

    def _group(self, ops: list[Any], before: Callable[[], object]) -> None:
        self.canvas.saveState()
        before()
        self.draw(ops)
        self.canvas.restoreState()

    def scaled(self, across: float, up: float, ops: list[Any]) -> None:
        self._group(ops, lambda: self.canvas.scale(across, up))

    def alpha(self, share: float, ops: list[Any]) -> None:
        self.share = share
        self._group(ops, lambda: None)
        self.share = 1.0

    def over(self, ops: list[Any]) -> None:
        def on() -> None:
            self.canvas.setFillOverprint(True)
            self.canvas.setStrokeOverprint(True)
            self.canvas.setOverprintMask(True)

        self._group(ops, on)

    def ink(self, name: str, tint: float, ops: list[Any]) -> None:
        self.separation = CMYKColorSep(*LIKE[name], spotName=name, density=tint)
        self.draw(ops)
        self.separation = None


def write(
    path: Path,
    scene: Mapping[str, Any],
    before: Callable[[Canvas], object] = lambda _: None,
    **keys: Any,
) -> None:
    """One file; `before` is told of the document first."""
    pdfmetrics.registerFont(TTFont("Roboto", str(font())))
    canvas = Canvas(str(path), invariant=1, **keys)
    before(canvas)
    for page in scene["pages"]:
        canvas.setPageSize(tuple(side * PT for side in page["size"]))
        canvas.setTrimBox([side * PT for side in page["trim"]])
        canvas.setBleedBox([side * PT for side in page["bleed"]])
        Reportlab(canvas).draw(page["ops"])
        canvas.showPage()
    canvas.save()


SOUND = SCENES["sound"]


def _helvetica(painter: Reportlab) -> None:
    painter.canvas.setFont("Helvetica", 9)
    painter.canvas.drawString(15 * PT, 50 * PT, "of the viewer")


def _script(canvas: Canvas) -> None:
    action = {"S": pdfdoc.PDFName("JavaScript"), "JS": pdfdoc.PDFString("app.beep()")}
    canvas._doc.Catalog.OpenAction = pdfdoc.PDFDictionary(action)


def _form(painter: Reportlab) -> None:
    painter.canvas.acroForm.checkbox(name="ok", x=60, y=60, size=12)


def _glow(painter: Reportlab) -> None:
    painter.canvas.linearGradient(60, 60, 120, 60, (Color(1, 0, 0), Color(0, 0, 1)))


def _rule(painter: Reportlab) -> None:
    painter.canvas.setLineWidth(0)
    painter.canvas.line(60, 60, 120, 60)


SPECIALS: Specials = {
    "helvetica-shown": (
        ("font-not-embedded",),
        lambda path: write(path, under(SOUND, _helvetica)),
    ),
    "opening-script": (("document-script",), lambda path: write(path, SOUND, _script)),
    "link": (
        ("annotation",),
        lambda path: write(
            path,
            under(
                SOUND,
                lambda painter: painter.canvas.linkURL(
                    "https://example.org", (40, 40, 80, 60)
                ),
            ),
        ),
    ),
    "form-field": (
        ("annotation", "?font-not-embedded"),
        lambda path: write(path, under(SOUND, _form)),
    ),
    "gradient-of-light": (("rgb",), lambda path: write(path, under(SOUND, _glow))),
    "hairline": (("thin-line",), lambda path: write(path, under(SOUND, _rule))),
    "locked": (
        ("encrypted",),
        lambda path: write(
            path, SOUND, encrypt=StandardEncryption("", "owner", canPrint=0)
        ),
    ),
    "plain-text": ((), lambda path: write(path, SOUND, pageCompression=0)),
}
