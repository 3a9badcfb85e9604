"""Draw pages as pictures, and arrange pictures on sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.units import to_pixels

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

Pixels: TypeAlias = tuple[int, int]
"""A width and a height in pixels."""
MAX_EMPTY_ALPHA = 40
"""Pixels up to this opacity (of 255) count as not drawn."""
MIN_OUTSIDE_SHARE = 0.01
"""A piece with less outside its outline is a rectangle."""
CHECK_LINE_MM = 100
OVERVIEW_GROUND = (236, 234, 229)
OVERVIEW_EDGE = (190, 186, 178)
OVERVIEW_INK = (27, 31, 36)
"""The colours of an overview: behind the cards, around them, and of its scale line."""


@contextmanager
def open_document(pages: bytes | Path) -> Iterator[PdfDocument]:
    """Open a PDF to draw its pages as pictures. Raise ToolMissing without the library."""
    try:
        import PIL  # noqa: F401
        import pypdfium2
    except ImportError as error:
        raise make_missing_error() from error
    document = pypdfium2.PdfDocument(pages)
    try:
        yield document
    finally:
        document.close()


def make_missing_error() -> ToolMissing:
    """Return the error that the library for pictures is not installed."""
    return ToolMissing(
        _("pictures need the packages pillow and pypdfium2, which are not installed"),
        _("Install them: pip install 'squadpress[press]'."),
    )


def render_page(document: PdfDocument, index: int, pixels: Pixels) -> Image:
    """Return a page as an RGB picture of exactly this size in pixels."""
    page = document[index]
    width, height = page.get_size()
    scale = max(pixels[0] / width, pixels[1] / height)
    image = page.render(scale=scale).to_pil().convert("RGB")
    page.close()
    return fit_exactly(image, pixels)


def render_cut_out(
    document: PdfDocument, index: int, pixels: Pixels
) -> tuple[Image, bool]:
    """Return a page as an RGBA picture that is transparent where nothing is drawn.

    Also return True if a part of it is transparent.
    """
    from PIL import Image as Pictures, ImageDraw, ImageOps

    page = document[index]
    scale = pixels[0] / page.get_width()
    transparent = (255, 255, 255, 0)
    image = page.render(scale=scale, fill_color=transparent).to_pil().convert("RGBA")
    page.close()
    is_drawn = image.getchannel("A").point(
        lambda value: 255 if value > MAX_EMPTY_ALPHA else 0
    )
    # An empty border joins all that is outside, also at opposite edges.
    mask = ImageOps.expand(is_drawn, 1, 0)
    # Fill from outside, up to the cut line.
    ImageDraw.floodfill(mask, (0, 0), 128)
    mask = mask.crop((1, 1, mask.width - 1, mask.height - 1))
    outside_mask = mask.point(lambda value: 255 if value == 128 else 0)
    white = Pictures.new("RGBA", image.size, "white")
    picture = Pictures.alpha_composite(white, image)
    picture.paste(transparent, mask=outside_mask)
    outside_count = outside_mask.histogram()[255]
    return picture, outside_count > MIN_OUTSIDE_SHARE * image.width * image.height


def fit_exactly(image: Image, pixels: Pixels) -> Image:
    """Return a picture cut or scaled to exactly this size in pixels."""
    if image.size == pixels:
        return image
    across = image.width - pixels[0]
    down = image.height - pixels[1]
    if min(across, down) >= 0 and max(across, down) <= 2:
        # Cropping keeps letters sharp: resizing would blur all of them for a pixel.
        return image.crop((0, 0, *pixels))
    return image.resize(pixels, 1)


def encode_picture(image: Image, form: str, dpi: int) -> bytes:
    """Return a picture as PNG, JPEG or WebP. Equal pictures give equal bytes."""
    out = BytesIO()
    if form == "png":
        image.save(out, "PNG", dpi=(dpi, dpi), compress_level=6)
    elif form == "jpeg":
        image.save(out, "JPEG", dpi=(dpi, dpi), quality=95, subsampling=0)
    else:
        image.save(out, "WEBP", lossless=True, quality=60, method=2)
    return out.getvalue()


def make_grid_sheet(
    pictures: Iterable[Image], cell: Pixels, grid: tuple[int, int]
) -> Image:
    """Return pictures in a grid of columns and rows without gaps. Empty cells are black."""
    from PIL import Image as Pictures

    width, height = cell
    columns, rows = grid
    sheet = Pictures.new("RGB", (width * columns, height * rows))
    for index, image in enumerate(pictures):
        row, column = divmod(index, columns)
        resized_image = image.resize(cell, Pictures.Resampling.LANCZOS)
        sheet.paste(resized_image, (column * width, row * height))
    return sheet


def make_overview_sheet(
    pictures: Iterable[Image], width: int, dpi: int, gap: int = 14
) -> Image:
    """Return pictures in rows of at most `width` pixels, above a scale line of 100 mm."""
    from PIL import Image as Pictures, ImageDraw, ImageFont

    rows: list[list[Image]] = [[]]
    for image in pictures:
        if rows[-1] and _measure_row([*rows[-1], image], gap) > width:
            rows.append([])
        rows[-1].append(image)
    line = to_pixels(CHECK_LINE_MM, dpi)
    heights: list[int] = []
    sheet_width = line + 6 * gap
    for row in rows:
        heights.append(max(image.height for image in row))
        sheet_width = max(sheet_width, _measure_row(row, gap))
    sheet_height = sum(heights) + gap * (len(rows) + 4)
    sheet = Pictures.new("RGB", (sheet_width + gap, sheet_height), OVERVIEW_GROUND)
    pen = ImageDraw.Draw(sheet)
    y = gap
    for row, height in zip(rows, heights, strict=True):
        x = gap
        for image in row:
            sheet.paste(image, (x, y))
            # A white card is visible by its edge.
            edge = (x - 1, y - 1, x + image.width, y + image.height)
            pen.rectangle(edge, outline=OVERVIEW_EDGE)
            x += image.width + gap
        y += height + gap
    y += gap
    end = gap + line
    # The scale line has a tick at each end.
    tick_y = y - 4
    points = [(gap, tick_y), (gap, y), (end, y), (end, tick_y)]
    pen.line(points, OVERVIEW_INK, 2)
    label = f"{CHECK_LINE_MM} mm"
    pen.text((end + gap, y), label, OVERVIEW_INK, ImageFont.load_default(2 * gap), "lm")
    return sheet


def _measure_row(row: Iterable[Image], gap: int) -> int:
    return sum(image.width + gap for image in row)
