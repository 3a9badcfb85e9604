"""Pages without transparency: what shines through becomes a picture in inks, type stays type above it.

Type that something is drawn over cannot lie above the picture: such a page becomes a picture as a whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from builder.render.cache import ResultCache
from builder.render.prepress.identity import content, stated
from builder.render.prepress.ink import Ink
from builder.render.prepress.raster import opened, picture
from builder.render.prepress.split import Splitter, transparent
from builder.render.prepress.walk import drawings, images_of, page_form
from builder.render.sheets.pdfwriter import number

DPI = 600
LOOK, FAINT = 100, 40
"""Dots an inch at which a page is looked at for type beneath its art, and how little of a difference is none."""


def is_transparent(page: Any) -> bool:
    """True if anything on a page lets what lies beneath shine through."""
    for item, resources in drawings([page]):
        del item
        states = resources.get("/ExtGState", {}) if resources is not None else {}
        if any(transparent(state) for _, state in states.items()):
            return True
        if any("/SMask" in image for _, image in images_of(resources)):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Flattened:
    """Which pages were flattened, counted from 0, and on which of them type had to become part of the picture."""

    pages: tuple[int, ...] = ()
    covered: tuple[int, ...] = ()


def flatten(pdf: Any, ink: Ink, memo: ResultCache | None = None) -> Flattened:
    """Flatten every page that needs it; pictures that `memo` knows are not drawn again."""
    memo, covered = memo or ResultCache(), []
    pages = {index: page for index, page in enumerate(pdf.pages) if is_transparent(page.obj)}
    splitter = Splitter(pdf, memo)
    for index, page in pages.items():
        whole = page_form(pdf, page)
        width, height = (float(edge) for edge in page.mediabox[2:])
        pixels = (round(width / 72 * DPI), round(height / 72 * DPI))
        said = [content(whole), stated(whole["/Resources"], *sorted(whole["/Resources"].keys())), repr(pixels).encode()]

        def drawn(page: Any = page, whole: Any = whole, pixels: tuple[int, int] = pixels) -> tuple[bytes, tuple[str]]:
            """The picture in inks; and a word where type had to be part of it."""
            art, letters = splitter.form(whole, "art"), splitter.form(whole, "type")
            with opened(_alone([page] * 3, ((art,), (whole,), (art, letters)))) as document:
                over = _covers(document, 1, 2)
                return ink.picture(picture(document, int(over), pixels)).tobytes(), ("over" * over,)

        data, (over, *_) = memo.get("flat", said, drawn)
        _replace(pdf, page, data, pixels, None if over else splitter.form(whole, "type"))
        covered += [index] if over else []
    return Flattened(tuple(pages), tuple(covered))


def _covers(document: Any, whole: int, parted: int) -> bool:
    """True if a page looks otherwise with its type above its art: then something is drawn over the type."""
    from PIL import ImageChops

    pages: list[Any] = []
    for index in (whole, parted):
        width, height = document[index].get_size()
        pages.append(picture(document, index, (round(width / 72 * LOOK), round(height / 72 * LOOK))))
    differs: Any = ImageChops.difference(*pages).reduce(2)
    return any(most > FAINT for _, most in differs.getextrema())


def _alone(pages: Sequence[Any], layers: Sequence[Sequence[Any]]) -> bytes:
    """Pages of these sizes in a file of their own, each with some forms upon one another, to be drawn."""
    import pikepdf

    with pikepdf.new() as other:
        for page, forms in zip(pages, layers, strict=True):
            width, height = (float(edge) for edge in page.mediabox[2:])
            made = other.add_blank_page(page_size=(width, height))
            copies = {f"/L{index}": other.copy_foreign(form) for index, form in enumerate(forms)}
            made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(copies))
            made.Contents = other.make_stream("".join(f"{name} Do\n" for name in copies).encode())
        out = BytesIO()
        other.save(out)
        return out.getvalue()


def _replace(pdf: Any, page: Any, inks: bytes, pixels: tuple[int, int], letters: Any | None) -> None:
    """The picture, then the type, if any is left."""
    import pikepdf

    image = pdf.make_stream(b"")
    image["/Type"], image["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    image["/Width"], image["/Height"] = pixels
    image["/ColorSpace"], image["/BitsPerComponent"] = pikepdf.Name.DeviceCMYK, 8
    image.write(zlib.compress(inks, 6), filter=pikepdf.Name.FlateDecode)
    width, height = (float(edge) for edge in page.mediabox[2:])
    objects = pikepdf.Dictionary(Art=image)
    content = b"q %s 0 0 %s 0 0 cm /Art Do Q\n" % (number(width), number(height))
    if letters is not None:
        objects["/Type"], content = letters, content + b"/Type Do\n"
    page.obj["/Resources"] = pikepdf.Dictionary(XObject=objects)
    page.obj["/Contents"] = pdf.make_stream(content)
