"""Read facts of image files, and draw pages of a PDF as pixels to compare them."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable, ToolMissing
from builder.files import reject_truncated_pictures, require_ordinary_file, suggest_file
from builder.findings import Box
from builder.geometry.boxes import group_cells
from builder.messages import describe_os_error, gettext as _
from builder.model.pdf import Edges, Raster
from builder.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from pypdfium2 import PdfDocument

MAX_COMPRESSION_NOISE = 6
"""Differences of brightness (of 255) up to this are what compression leaves of one colour."""
DPI = 150
CELL_MM = 1.5
"""Side of the cells in which differences are grouped."""
MAX_EDGE_DIFFERENCE = 56
"""Differences of brightness (of 255) up to this are glyphs that moved by a part of a pixel."""
THUMBNAIL_GREY = (190, 190, 190, 255)


def read_raster(path: Path) -> Raster:
    """Read the facts of an image file: format, size, colors, and where its art ends.

    Raises InputUnreadable for a missing or damaged image, and ToolMissing without Pillow.
    """
    image = open_picture(path)
    dpi = image.info.get("dpi")
    has_alpha = (
        image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info
    )
    transparent_box = None
    if has_alpha:
        alpha = image.convert("RGBA").getchannel("A")
        # Marks all pixels but the opaque ones.
        transparent_box = alpha.point([255] * 255 + [0]).getbbox()
    rgb = image.convert("RGB")
    drawn_box, edge_shares = _find_drawn_box(rgb)
    return Raster(
        image.format or "",
        image.size,
        image.mode,
        has_alpha,
        transparent_box,
        drawn_box,
        (float(dpi[0]), float(dpi[1])) if dpi else None,
        _name_profile(image.info.get("icc_profile")),
        hash_picture(rgb),
        edge_shares,
    )


def make_thumbnail(path: Path, width: int) -> bytes:
    """Return an image as a JPEG of at most this width. Transparent areas become grey.

    Raises as `read_raster` does.
    """
    from PIL import Image

    image = open_picture(path)
    if image.mode != "RGB":
        background = Image.new("RGBA", image.size, THUMBNAIL_GREY)
        image = Image.alpha_composite(background, image.convert("RGBA"))
    image = image.convert("RGB")
    if image.width > width:
        height = max(1, round(image.height * width / image.width))
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    out = BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def open_picture(path: Path) -> Picture:
    """Open an image file. Raise the same errors as `read_raster`."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        message = _("images cannot be read because Pillow is not installed")
        raise ToolMissing(
            message, _("Install it: pip install 'squadpress[press]'.")
        ) from error
    try:
        with reject_truncated_pictures():
            image = Image.open(require_ordinary_file(path))
            image.load()
    except IsADirectoryError:
        message = _("{file} is a folder, not an image", file=path)
        raise InputUnreadable(message, _("Give the file.")) from None
    except UnidentifiedImageError:
        message = _("{file}: not a readable image", file=path)
        raise InputUnreadable(message, _("Save it again as PNG or JPEG.")) from None
    except MemoryError:
        raise
    except Exception as error:  # the library raises anything for a damaged image
        reason = describe_os_error(error) if str(error) else type(error).__name__
        message = _(
            "{file}: cannot be read as an image: {reason}", file=path, reason=reason
        )
        is_missing = isinstance(error, FileNotFoundError)
        hint = (
            suggest_file(path) if is_missing else _("Check that the file is complete.")
        )
        raise InputUnreadable(message, hint) from None
    return image


def _find_drawn_box(
    image: Picture,
) -> tuple[Edges | None, tuple[float, float, float, float]]:
    """Return the box of pixels that differ from the corner, and their share of the edges."""
    from PIL import Image, ImageChops

    background = Image.new("RGB", image.size, image.getpixel((0, 0)))
    grey = ImageChops.difference(image, background).convert("L")
    noise = MAX_COMPRESSION_NOISE
    mask = grey.point([0] * noise + [255] * (256 - noise))
    box = mask.getbbox()
    if box is None:
        return None, (1.0, 1.0, 1.0, 1.0)
    x_min, y_min, x_max, y_max = box
    # The outermost pixels are blurred by scaling: the row inside them counts.
    inner_x_min = min(x_min + 1, x_max - 1)
    inner_y_min = min(y_min + 1, y_max - 1)
    inner_x_max = max(x_max - 1, x_min + 1)
    inner_y_max = max(y_max - 1, y_min + 1)
    return box, (
        _find_filled_share(mask, (inner_x_min, y_min, inner_x_min + 1, y_max)),
        _find_filled_share(mask, (x_min, inner_y_min, x_max, inner_y_min + 1)),
        _find_filled_share(mask, (inner_x_max - 1, y_min, inner_x_max, y_max)),
        _find_filled_share(mask, (x_min, inner_y_max - 1, x_max, inner_y_max)),
    )


def _find_filled_share(mask: Picture, strip: Edges) -> float:
    counts = mask.crop(strip).histogram()
    return float(counts[255] / sum(counts))


def _name_profile(data: bytes | None) -> str:
    """Return the name of a color profile, or "damaged" if it cannot be read."""
    if not data:
        return ""
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        return ImageCms.getProfileDescription(profile).strip() or _("without a name")
    except MemoryError:
        raise
    except Exception:  # the library raises anything for a damaged profile
        return "damaged"


@cache
def _load_pdfium() -> type[PdfDocument]:
    """Return the class PdfDocument of the library pypdfium2.

    Raise ToolMissing if it is not installed.
    """
    try:
        from pypdfium2 import PdfDocument
    except ImportError as error:
        message = _(
            "pages cannot be compared as pictures because pypdfium2 is not installed"
        )
        raise ToolMissing(
            message, _("Install it: pip install 'squadpress[press]'.")
        ) from error
    document_class: type[PdfDocument] = PdfDocument
    return document_class


def describe_rasterizer() -> str:
    """Return the name and version of the library that draws pages.

    Digests are comparable only if it is equal.
    """
    from importlib.metadata import version

    _load_pdfium()
    return f"pdfium {version('pypdfium2')} {platform.machine()} {DPI} dpi"


def render_pages(
    path: Path, dpi: float = DPI, numbers: Sequence[int] | None = None
) -> Iterator[Picture]:
    """Yield the pages of a PDF, or only those with these numbers (from 1), as RGB images.

    Raises ToolMissing if the rasterizer is not installed.
    """
    document = _load_pdfium()(path)
    if numbers is None:
        numbers = range(1, len(document) + 1)
    try:
        for number in numbers:
            page = document[number - 1]
            yield page.render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def hash_picture(picture: Picture) -> str:
    """Return the SHA-256 of a picture's size and pixels."""
    return hashlib.sha256(repr(picture.size).encode() + picture.tobytes()).hexdigest()


def find_differences(
    first: Picture, second: Picture, dpi: float = DPI
) -> tuple[Box, ...]:
    """Return the boxes in which two pictures differ visibly, in mm from the top left corner.

    The whole page if their sizes differ.
    """
    mm = MM_PER_INCH / dpi
    if first.size != second.size:
        return (Box(0, 0, second.width * mm, second.height * mm),)
    mask = _mask_differences(first, second)
    return tuple(
        Box(x_min * mm, y_min * mm, (x_max - x_min) * mm, (y_max - y_min) * mm)
        for x_min, y_min, x_max, y_max in find_marked_areas(
            mask, first.size, CELL_MM / mm
        )
    )


def _mask_differences(first: Picture, second: Picture) -> Picture:
    """Return a picture of half the size that is white where two pictures differ visibly."""
    from PIL import ImageChops

    # At half the size a glyph that moved by a part of a pixel differs less than another glyph.
    grey = ImageChops.difference(first.reduce(2), second.reduce(2)).convert("L")
    return grey.point([0] * MAX_EDGE_DIFFERENCE + [255] * (256 - MAX_EDGE_DIFFERENCE))


MAX_LETTER_OVERHANG_MM = 1.0
"""How far an accent or a slanted letter may reach out of the box that was measured for it."""


def find_changed_boxes(
    first: Picture, second: Picture, boxes: Sequence[Box], dpi: float = DPI
) -> tuple[dict[int, Box], bool]:
    """Return the boxes in which two pictures of one size differ visibly, by index.

    A difference belongs to the smallest box around it. A box grows if letters reach out of it.
    The second value is True if there are no differences elsewhere.
    """
    pixel = 2 * MM_PER_INCH / dpi
    mask = _mask_differences(first, second)
    changed_boxes: dict[int, Box] = {}
    indices = sorted(
        range(len(boxes)), key=lambda index: boxes[index].width * boxes[index].height
    )
    for reach in (0.0, MAX_LETTER_OVERHANG_MM):
        # What sticks out of a changed box must not count as a change of its neighbour.
        indices.sort(key=lambda index: index not in changed_boxes)
        for index in indices:
            box = boxes[index]
            x_min = max(0, ceil((box.x - reach) / pixel))
            y_min = max(0, ceil((box.y - reach) / pixel))
            x_max = min(mask.width, floor((box.right + reach) / pixel))
            y_max = min(mask.height, floor((box.bottom + reach) / pixel))
            if x_min >= x_max or y_min >= y_max:
                continue
            area = (x_min, y_min, x_max, y_max)
            extent = mask.crop(area).getbbox()
            if extent is not None:
                # A difference counts once: it is cleared before the next box.
                mask.paste(0, area)
                changed_box = changed_boxes.get(index, box)
                changed_boxes[index] = _grow_to_pixels(changed_box, area, extent, pixel)
    return changed_boxes, mask.getbbox() is None


def _grow_to_pixels(box: Box, area: Edges, extent: Edges, pixel: float) -> Box:
    """Return the box enlarged to contain changed pixels that lie more than one pixel outside.

    `extent` is measured from the corner of `area`. A pixel has a side of `pixel` mm.
    """
    # The outermost changed pixels count only if they are completely outside of the box.
    x_min = (area[0] + extent[0] + 1) * pixel
    y_min = (area[1] + extent[1] + 1) * pixel
    x_max = (area[0] + extent[2] - 1) * pixel
    y_max = (area[1] + extent[3] - 1) * pixel
    x_min = box.x if x_min >= box.x else x_min - pixel
    y_min = box.y if y_min >= box.y else y_min - pixel
    x_max = box.right if x_max <= box.right else x_max + pixel
    y_max = box.bottom if y_max <= box.bottom else y_max + pixel
    return Box(x_min, y_min, x_max - x_min, y_max - y_min)


def find_marked_areas(
    mask: Picture, size: tuple[int, int], cell: float
) -> Iterator[tuple[float, float, float, float]]:
    """Yield rectangles of cells in which a mask is not empty, in pixels of the full picture.

    `cell` is the approximate width of a cell in pixels. The mask, grey and black where nothing is
    marked, may have another size.
    """
    from PIL import Image

    columns = max(1, round(size[0] / cell))
    rows = max(1, round(size[1] / cell))
    # Each pixel of the small picture is the mean of a cell.
    values = mask.resize((columns, rows), Image.Resampling.BOX).tobytes()
    marked_cells: set[tuple[int, int]] = set()
    for index, value in enumerate(values):
        if value:
            marked_cells.add((index % columns, index // columns))
    width = size[0] / columns
    height = size[1] / rows
    for x_min, y_min, x_max, y_max in group_cells(marked_cells):
        yield x_min * width, y_min * height, x_max * width, y_max * height
