"""PyMuPDF: inks, boxes, layers, notes, files inside; its objects can be written one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pymupdf

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    encoded,
    font,
    gradient,
    under,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET = "PyMuPDF", "cmyk"
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line coarse-image text-cut text-safe descender "
    "no-descender accents no-accents ends-at-cut panel-ends panel-goes-on no-bleed mixed blank "
    "marks alpha light-in-inks "
    "rich-text coloured-black turned-text "
)


class Mupdf(Painter):
    space = "cmyk"

    def __init__(self, page: Any, height: float) -> None:
        self.page, self.height, self.keys = page, height, {}
        page.insert_font("R", fontfile=str(font()))

    def place(self, x: float, y: float) -> Any:
        return pymupdf.Point(x * PT, (self.height - y) * PT)

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        area = pymupdf.Rect(self.place(x, y + high), self.place(x + wide, y))
        self.page.draw_rect(
            area, color=None, fill=self.numbers(name), width=0, **self.keys
        )

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        self.page.draw_line(
            self.place(x, y),
            self.place(to_x, to_y),
            color=self.numbers(name),
            width=width * PT,
        )

    def text(
        self, name: Any, size: float, x: float, y: float, words: str, turn: int = 0
    ) -> None:
        self.page.insert_text(
            self.place(x, y),
            words,
            fontname="R",
            fontsize=size,
            color=self.numbers(name),
            rotate=turn,
        )

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        area = pymupdf.Rect(self.place(x, y + high), self.place(x + wide, y))
        self.page.insert_image(
            area,
            stream=encoded(gradient(across, down, "L"), "PNG"),
            keep_proportion=False,
        )

    def turned(self, angle: float, x: float, y: float, ops: list[Any]) -> None:
        for _, name, size, _, _, words in ops:
            self.text(name, size, x, y, words, round(angle))

    def alpha(self, share: float, ops: list[Any]) -> None:
        self.keys = {"fill_opacity": share}
        self.draw(ops)
        self.keys = {}


def write(
    path: Path,
    scene: Mapping[str, Any],
    after: Callable[[Any], object] = lambda _: None,
    **keys: Any,
) -> None:
    """One file; `after` has the last word."""
    with pymupdf.open() as pdf:
        for page_plan in scene["pages"]:
            wide, high = page_plan["size"]
            page = pdf.new_page(width=wide * PT, height=high * PT)
            painter = Mupdf(page, high)
            painter.draw(page_plan["ops"])
            for key in ("trim", "bleed"):
                x_min, bottom, x_max, top = (side * PT for side in page_plan[key])
                pdf.xref_set_key(
                    page.xref,
                    f"{key.title()}Box",
                    f"[{x_min:.4f} {bottom:.4f} {x_max:.4f} {top:.4f}]",
                )
        after(pdf)
        pdf.subset_fonts(verbose=False)
        pdf.save(
            str(path),
            garbage=4,
            deflate=True,
            deflate_fonts=True,
            no_new_id=True,
            **keys,
        )


def root(key: str, value: str) -> Callable[[Any], None]:
    """Puts an entry into the catalogue."""
    return lambda pdf: pdf.xref_set_key(pdf.pdf_catalog(), key, value)


def first(key: str, value: str) -> Callable[[Any], None]:
    """Puts an entry into the first page."""
    return lambda pdf: pdf.xref_set_key(pdf[0].xref, key, value)


def _layer(painter: Mupdf) -> None:
    pdf = painter.page.parent
    painter.page.draw_rect(
        (60, 60, 90, 90),
        color=None,
        fill=(0.1, 0, 0, 0.3),
        width=0,
        oc=pdf.add_ocg("proof"),
    )


def _note(painter: Mupdf) -> None:
    painter.page.add_text_annot((60, 60), "mind the edge")


def _form(painter: Mupdf) -> None:
    field = pymupdf.Widget()
    field.field_name, field.field_type = "name", pymupdf.PDF_WIDGET_TYPE_TEXT
    field.rect, field.field_value = pymupdf.Rect(60, 60, 120, 80), "x"
    painter.page.add_widget(field)


def _viewers(painter: Mupdf) -> None:
    painter.page.insert_text(
        (60, 90), "of the viewer", fontname="helv", fontsize=9, color=(0, 0, 0, 1)
    )


def _hidden(painter: Mupdf) -> None:
    """A layer of letters for searching."""
    painter.page.insert_text(
        (60, 90), "read by machine", fontname="R", fontsize=3, render_mode=3
    )


def _soft(painter: Mupdf) -> None:
    from PIL import Image

    picture = gradient(260, 260)
    picture.putalpha(Image.new("L", (260, 260), 90))
    painter.page.insert_image(
        pymupdf.Rect(60, 60, 110, 110), stream=encoded(picture, "PNG")
    )


SCRIPT = "<</S/JavaScript/JS(app.beep\\(\\))>>"
SOUND = SCENES["sound"]
SPECIALS: Specials = {
    "layer": (("layers",), lambda path: write(path, under(SOUND, _layer))),
    "note": (("annotation",), lambda path: write(path, under(SOUND, _note))),
    "form-field": (
        ("annotation", "?font-not-embedded"),
        lambda path: write(path, under(SOUND, _form)),
    ),
    "helvetica-shown": (
        ("font-not-embedded",),
        lambda path: write(path, under(SOUND, _viewers)),
    ),
    "hidden-text": ((), lambda path: write(path, under(SOUND, _hidden))),
    "soft-mask": (
        ("opaque:", "transparency", "rgb"),
        lambda path: write(path, under(SOUND, _soft)),
    ),
    "opening-script": (
        ("document-script",),
        lambda path: write(path, SOUND, root("OpenAction", SCRIPT)),
    ),
    "closing-script": (
        ("document-script",),
        lambda path: write(path, SOUND, root("AA", f"<</WC {SCRIPT}>>")),
    ),
    "page-script": (
        ("document-script",),
        lambda path: write(path, SOUND, first("AA", f"<</O {SCRIPT}>>")),
    ),
    "opening-view": (
        (),
        lambda path: write(
            path,
            SOUND,
            lambda pdf: root("OpenAction", f"[{pdf[0].xref} 0 R /Fit]")(pdf),
        ),
    ),
    "attachment": (
        ("attached-file",),
        lambda path: write(
            path, SOUND, lambda pdf: pdf.embfile_add("prices", b"prices", "prices.txt")
        ),
    ),
    "crop-in-trim": (
        ("box-outside",),
        lambda path: write(path, SOUND, first("CropBox", "[15 15 180 250]")),
    ),
    "crop-at-trim": (
        (),
        lambda path: write(
            path, SOUND, first("CropBox", "[8.504 8.504 187.087 257.953]")
        ),
    ),
    "turned-page": (
        (),
        lambda path: write(
            path, SOUND, lambda pdf: [page.set_rotation(180) for page in pdf]
        ),
    ),
    "shifted-page": (
        ("box-origin",),
        lambda path: write(
            path,
            SOUND,
            lambda pdf: [
                pdf.xref_set_key(page.xref, "MediaBox", "[-10 -10 205.6 276.5]")
                for page in pdf
            ],
        ),
    ),
    "object-streams": ((), lambda path: write(path, SOUND, use_objstms=1)),
}
