"""Pages without transparency: what shines through becomes a picture in inks, type stays type above it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from builder.render.pdfwriter import number
from builder.render.prepress.ink import Ink
from builder.render.prepress.raster import opened, picture
from builder.render.prepress.split import Splitter, transparent
from builder.render.prepress.walk import drawings, images_of

DPI = 600


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


def flatten(pdf: Any, ink: Ink) -> int:
    """Flatten every page that needs it; how many did."""
    pages = [page for page in pdf.pages if is_transparent(page.obj)]
    if not pages:
        return 0
    splitter = Splitter(pdf)
    forms = [_whole(pdf, page) for page in pages]
    data = _alone(pdf, [(page, splitter.form(form, "art")) for page, form in zip(pages, forms, strict=True)])
    with opened(data) as document:
        for index, (page, form) in enumerate(zip(pages, forms, strict=True)):
            width, height = (float(edge) for edge in page.mediabox[2:])
            pixels = (round(width / 72 * DPI), round(height / 72 * DPI))
            _replace(pdf, page, ink.picture(picture(document, index, pixels)), splitter.form(form, "type"))
    return len(pages)


def _whole(pdf: Any, page: Any) -> Any:
    """A page's drawing as a form."""
    import pikepdf

    form = pdf.make_stream(page.Contents.read_bytes())
    form["/Type"], form["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Form
    form["/BBox"], form["/Resources"] = page.mediabox, page.Resources
    return form


def _alone(pdf: Any, arts: Sequence[tuple[Any, Any]]) -> bytes:
    """The art of some pages as a file of its own, to be drawn."""
    import pikepdf

    with pikepdf.new() as other:
        for page, art in arts:
            width, height = (float(edge) for edge in page.mediabox[2:])
            made = other.add_blank_page(page_size=(width, height))
            made.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Art=other.copy_foreign(art)))
            made.Contents = other.make_stream(b"/Art Do")
        out = BytesIO()
        other.save(out)
        return out.getvalue()


def _replace(pdf: Any, page: Any, inks: Any, letters: Any) -> None:
    """The picture, then the type."""
    import pikepdf

    image = pdf.make_stream(b"")
    image["/Type"], image["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    image["/Width"], image["/Height"] = inks.size
    image["/ColorSpace"], image["/BitsPerComponent"] = pikepdf.Name.DeviceCMYK, 8
    image.write(zlib.compress(inks.tobytes(), 9), filter=pikepdf.Name.FlateDecode)
    width, height = (float(edge) for edge in page.mediabox[2:])
    page.obj["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Art=image, Type=letters))
    page.obj["/Contents"] = pdf.make_stream(
        b"q %s 0 0 %s 0 0 cm /Art Do Q\n/Type Do\n" % (number(width), number(height))
    )
