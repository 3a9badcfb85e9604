"""img2pdf: pictures as pages, with the boxes that it can be told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import img2pdf

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Specials,
    encoded,
    gradient,
)

PROGRAM, PRESET, DRAWS = "img2pdf", "cmyk", ""
write = None
WIDE, HIGH = 69 / 25.4, 94 / 25.4


def pictured(dpi: int, mode: str = "CMYK", form: str = "TIFF", **keys: Any) -> bytes:
    """A picture of a whole page."""
    from PIL import Image

    inks = (
        (30, 60, 90, 15)
        if mode == "CMYK"
        else (200, 180, 160)
        if mode == "RGB"
        else 0
        if mode == "1"
        else 180
    )
    return encoded(
        Image.new(mode, (round(WIDE * dpi), round(HIGH * dpi)), inks), form, **keys
    )


def bound(path: Path, *pictures: bytes, boxes: bool = True, **keys: Any) -> None:
    """Pictures as pages of 69 x 94 mm with 3 mm of bleed."""
    layout = img2pdf.get_layout_fun((69 * PT, 94 * PT))
    borders = (
        {"trimborder": (3 * PT, 3 * PT), "bleedborder": (0.001, 0.001)} if boxes else {}
    )
    data = img2pdf.convert(
        list(pictures), layout_fun=layout, nodate=True, **borders, **keys
    )
    path.write_bytes(data)


def pages(
    dpi: int, mode: str = "CMYK", form: str = "TIFF", **keys: Any
) -> Callable[[Path], object]:
    """A front and a back."""
    return lambda path: bound(path, *[pictured(dpi, mode, form)] * 2, **keys)


def indexed(path: Path) -> None:
    from PIL import Image

    picture = gradient(round(WIDE * 310), round(HIGH * 310)).convert(
        "P", palette=Image.Palette.ADAPTIVE, colors=16
    )
    bound(path, *[encoded(picture, "PNG")] * 2)


SPECIALS: Specials = {
    "inks": ((), pages(310)),
    "inks-soft": (("low-resolution",), pages(200)),
    "inks-coarse": (("coarse-image",), pages(100)),
    "inks-jpeg": (("coarse-image",), pages(72, form="JPEG")),
    "grey": ((), pages(310, "L", "PNG")),
    "bits": ((), pages(310, "1", "PNG")),
    "light": (("rgb",), pages(310, "RGB", "PNG")),
    "light-jpeg2000": (("rgb", "low-resolution"), pages(160, "RGB", "JPEG2000")),
    "grey-jpeg2000": (("coarse-image",), pages(100, "L", "JPEG2000")),
    "light-for-light": (("rgb:",), pages(310, "RGB", "PNG")),
    "inks-for-light": (("rgb:", "cmyk"), pages(310)),
    "indexed-light": (("rgb",), indexed),
    "no-boxes": (("no-trim-box",), pages(310, boxes=False)),
    "one": (("odd-pages",), lambda path: bound(path, pictured(310))),
}
