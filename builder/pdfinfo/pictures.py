"""Pictures: what an image file holds, and pages of a PDF as pixels, to tell whether and where two differ."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
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

FAINT = 6
"""Differences of brightness (of 255) up to this are what compression leaves of one colour."""


def read_raster(path: Path) -> Raster:
    """All facts of one image.

    Raises InputUnreadable for what is missing, cut short or no image, and ToolMissing without Pillow.
    """
    image = opened(path)
    form, dpi = image.format or "", image.info.get("dpi")
    alpha = image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info
    clear = (
        image.convert("RGBA").getchannel("A").point([255] * 255 + [0]).getbbox() if alpha else None
    )
    plain = image.convert("RGB")
    drawn, filled = _drawn(plain)
    return Raster(
        form,
        image.size,
        image.mode,
        alpha,
        clear,
        drawn,
        (float(dpi[0]), float(dpi[1])) if dpi else None,
        _profile(image.info.get("icc_profile")),
        picture_digest(plain),
        filled,
    )


def thumbnail(path: Path, width: int) -> bytes:
    """An image as a JPEG of at most this width, what is not opaque shown on grey. Raises as `read_raster` does."""
    from PIL import Image

    image = opened(path)
    if image.mode != "RGB":
        ground = Image.new("RGBA", image.size, (190, 190, 190, 255))
        image = Image.alpha_composite(
            ground, image.convert("RGB" if image.mode == "CMYK" else "RGBA").convert("RGBA")
        )
    image = image.convert("RGB")
    if image.width > width:
        image = image.resize(
            (width, max(1, round(image.height * width / image.width))), Image.Resampling.LANCZOS
        )
    out = BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def opened(path: Path) -> Picture:
    """An image, whole. Raises as `read_raster` does."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        remedy = _("Install it: pip install 'squadpress[press]'.")
        raise ToolMissing(_("images cannot be read without Pillow"), remedy) from error
    try:
        with reject_truncated_pictures():
            image = Image.open(require_ordinary_file(path))
            image.load()
    except IsADirectoryError:
        raise InputUnreadable(
            _("{file} is a folder, not an image", file=path), _("Name the file.")
        ) from None
    except UnidentifiedImageError:
        message = _("{file}: no image that can be read", file=path)
        raise InputUnreadable(message, _("Save it anew as PNG or JPEG.")) from None
    except MemoryError:
        raise
    except Exception as error:  # whatever the library meets in an image that is not whole
        reason = describe_os_error(error) if str(error) else type(error).__name__
        message = _("{file}: cannot be read as an image: {reason}", file=path, reason=reason)
        hint = (
            suggest_file(path)
            if isinstance(error, FileNotFoundError)
            else _("Check that it is whole.")
        )
        raise InputUnreadable(message, hint) from None
    return image


def _drawn(image: Picture) -> tuple[Edges | None, tuple[float, float, float, float]]:
    """What differs from the colour of the corner, and how much of each of its edges it fills."""
    from PIL import Image, ImageChops

    ground = Image.new("RGB", image.size, image.getpixel((0, 0)))
    grey = ImageChops.difference(image, ground).convert("L")
    mask = grey.point([0] * FAINT + [255] * (256 - FAINT))
    found = mask.getbbox()
    if found is None:
        return None, (1.0, 1.0, 1.0, 1.0)
    left, top, right, foot = found
    across, down = min(1, right - left - 1), min(1, foot - top - 1)

    def share(*strip: float) -> float:
        counts = mask.crop((strip[0], strip[1], strip[2], strip[3])).histogram()
        return float(counts[255] / sum(counts))

    return (left, top, right, foot), (
        share(left + across, top, left + across + 1, foot),
        share(left, top + down, right, top + down + 1),
        share(right - across - 1, top, right - across, foot),
        share(left, foot - down - 1, right, foot - down),
    )


def _profile(data: bytes | None) -> str:
    """The name of a colour profile; a damaged one has a name too."""
    if not data:
        return ""
    from PIL import ImageCms

    try:
        return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(BytesIO(data))).strip() or _(
            "without a name"
        )
    except MemoryError:
        raise
    except Exception:  # whatever the library meets in a damaged profile
        return "damaged"


DPI = 150
CELL = 1.5
"""Side in mm of the cells in which differences are gathered."""
MOVED = 56
"""Differences of brightness (of 255) up to this are the edges of letters that moved by a fraction of a pixel."""


@cache
def _pdfium() -> type[PdfDocument]:
    """What opens a file; ToolMissing where it is not installed."""
    try:
        from pypdfium2 import PdfDocument
    except ImportError as error:
        message = _("pages cannot be compared as pictures without pypdfium2")
        raise ToolMissing(message, _("Install it: pip install 'squadpress[press]'.")) from error
    opens: type[PdfDocument] = PdfDocument
    return opens


def rasteriser() -> str:
    """What turns pages into pixels here: digests are comparable only where this is the same."""
    from importlib.metadata import version

    _pdfium()
    return f"pdfium {version('pypdfium2')} {platform.machine()} {DPI} dpi"


def pictures(
    path: Path, dpi: float = DPI, numbers: Sequence[int] | None = None
) -> Iterator[Picture]:
    """Each page, or each of the pages numbered from 1, as an RGB image.

    ToolMissing where the rasteriser is not installed.
    """
    document = _pdfium()(path)
    try:
        for number in range(1, len(document) + 1) if numbers is None else numbers:
            yield document[number - 1].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def picture_digest(picture: Picture) -> str:
    """SHA-256 of a picture's size and pixels."""
    return hashlib.sha256(repr(picture.size).encode() + picture.tobytes()).hexdigest()


def differing(one: Picture, other: Picture, dpi: float = DPI) -> tuple[Box, ...]:
    """Where two pictures differ visibly, in mm from the top left; the whole page where their sizes differ."""
    from PIL import ImageChops

    mm = MM_PER_INCH / dpi
    if one.size != other.size:
        return (Box(0, 0, other.width * mm, other.height * mm),)
    # Halved first: a letter that moved by a fraction of a pixel then differs less than one that is another letter.
    grey = ImageChops.difference(one.reduce(2), other.reduce(2)).convert("L")
    grey = grey.point([0] * MOVED + [255] * (256 - MOVED))
    return tuple(
        Box(left * mm, top * mm, (right - left) * mm, (bottom - top) * mm)
        for left, top, right, bottom in marked_areas(grey, one.size, CELL / mm)
    )


def marked_areas(
    marks: Picture, size: tuple[int, int], cell: float
) -> Iterator[tuple[float, float, float, float]]:
    """Rectangles of cells in which anything is marked: left, top, right, bottom in pixels of a picture of this size.

    `cell` is about how many pixels wide a cell is; `marks`, grey and black where nothing is, may be of another size.
    """
    from PIL import Image

    columns, rows = (max(1, round(side / cell)) for side in size)
    cells = marks.resize((columns, rows), Image.Resampling.BOX)
    marked = {
        (index % columns, index // columns) for index, value in enumerate(cells.tobytes()) if value
    }
    wide, high = size[0] / columns, size[1] / rows
    for left, top, right, bottom in group_cells(marked):
        yield left * wide, top * high, right * wide, bottom * high
