"""Pages as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.units import to_pixels

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument


@contextmanager
def opened(pages: bytes | Path) -> Iterator[PdfDocument]:
    """A PDF ready to be drawn. Raises ToolMissing without the drawing library."""
    try:
        import PIL  # noqa: F401
        import pypdfium2
    except ImportError as error:
        raise missing() from error
    document = pypdfium2.PdfDocument(pages)
    try:
        yield document
    finally:
        document.close()


def missing() -> ToolMissing:
    """What to say where pictures cannot be made."""
    return ToolMissing(
        _("pictures need the packages pillow and pypdfium2, which are not installed"),
        _("Install them: pip install 'squadpress[press]'."),
    )


def picture(document: PdfDocument, index: int, pixels: tuple[int, int]) -> Image:
    """One page as an RGB picture of exactly this many pixels."""
    page = document[index]
    width, height = page.get_size()
    scale = max(pixels[0] / width, pixels[1] / height)
    image = page.render(scale=scale).to_pil().convert("RGB")
    page.close()
    return exact(image, pixels)


def cut_out(document: PdfDocument, index: int, pixels: tuple[int, int]) -> tuple[Image, bool]:
    """One page as an RGBA picture of about these pixels, transparent outside what is drawn; True if any of it is."""
    from PIL import Image as Pictures, ImageDraw, ImageOps

    page = document[index]
    drawn = (
        page.render(scale=pixels[0] / page.get_width(), fill_color=(255, 255, 255, 0))
        .to_pil()
        .convert("RGBA")
    )
    page.close()
    mask = ImageOps.expand(
        drawn.getchannel("A").point(lambda value: 255 if value > 40 else 0), 1, 0
    )
    ImageDraw.floodfill(mask, (0, 0), 128)  # from outside, up to the cut line
    outside = mask.crop((1, 1, mask.width - 1, mask.height - 1)).point(
        lambda value: 255 if value == 128 else 0
    )
    shown = Pictures.alpha_composite(Pictures.new("RGBA", drawn.size, "white"), drawn)
    shown.paste((255, 255, 255, 0), mask=outside)
    return shown, outside.histogram()[255] > 0.01 * drawn.width * drawn.height


def exact(image: Image, pixels: tuple[int, int]) -> Image:
    """The picture at exactly this size: a pixel too many is cut off at the far edges."""
    if image.size == pixels:
        return image
    across, down = image.width - pixels[0], image.height - pixels[1]
    if min(across, down) >= 0 and max(across, down) <= 2:
        return image.crop((0, 0, *pixels))
    return image.resize(pixels, 1)


def encoded(image: Image, form: str, dpi: int) -> bytes:
    """A picture as PNG, JPEG or WebP bytes, always alike."""
    out = BytesIO()
    if form == "png":
        image.save(out, "PNG", dpi=(dpi, dpi), compress_level=6)
    elif form == "jpeg":
        image.save(out, "JPEG", dpi=(dpi, dpi), quality=95, subsampling=0)
    else:
        image.save(out, "WEBP", lossless=True, quality=60, method=2)
    return out.getvalue()


def grid_sheet(pictures: Iterable[Image], cell: tuple[int, int], grid: tuple[int, int]) -> Image:
    """Pictures on a sheet of columns x rows without gaps; the rest black."""
    from PIL import Image as Pictures

    sheet = Pictures.new("RGB", (cell[0] * grid[0], cell[1] * grid[1]))
    for index, image in enumerate(pictures):
        place = (index % grid[0] * cell[0], index // grid[0] * cell[1])
        sheet.paste(image.resize(cell, Pictures.Resampling.LANCZOS), place)
    return sheet


def overview_sheet(pictures: Iterable[Image], wide: int, dpi: int, gap: int = 10) -> Image:
    """Pictures of one scale in rows of at most so many pixels, above a line of 100 mm that shows the scale."""
    from PIL import Image as Pictures, ImageDraw, ImageFont

    rows: list[list[Image]] = [[]]
    for image in pictures:
        if rows[-1] and sum(one.width + gap for one in (*rows[-1], image)) > wide:
            rows.append([])
        rows[-1].append(image)
    heights, line = [max(image.height for image in row) for row in rows], to_pixels(100, dpi)
    across = max(line + 6 * gap, *(sum(image.width + gap for image in row) for row in rows)) + gap
    sheet = Pictures.new("RGB", (across, sum(heights) + gap * (len(rows) + 4)), (128, 128, 128))
    top = gap
    for row, height in zip(rows, heights, strict=True):
        left = gap
        for image in row:
            sheet.paste(image, (left, top))
            left += image.width + gap
        top += height + gap
    pen, middle = ImageDraw.Draw(sheet), top + gap
    pen.line(
        [(gap, middle - 4), (gap, middle), (gap + line, middle), (gap + line, middle - 4)],
        "white",
        2,
    )
    pen.text((2 * gap + line, middle), "100 mm", "white", ImageFont.load_default(2 * gap), "lm")
    return sheet
