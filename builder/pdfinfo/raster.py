"""Opens an image file and tells what is in it: what a shop that takes images gets instead of a PDF."""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable, ToolMissing
from builder.messages import gettext as _
from builder.messages import os_error
from builder.model.raster import Edges, Raster

FAINT = 6
"""Differences of brightness (of 255) up to this are what compression leaves of one colour."""


def read_raster(path: Path) -> Raster:
    """All facts of one image.

    Raises InputUnreadable for what is missing, cut short or no image, and ToolMissing without Pillow.
    """
    image = _opened(path)
    form, dpi = image.format or "", image.info.get("dpi")
    alpha = image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info
    plain = image.convert("RGB")
    drawn, filled = _drawn(plain)
    return Raster(
        form,
        image.size,
        image.mode,
        alpha,
        _clear(image) if alpha else None,
        drawn,
        (float(dpi[0]), float(dpi[1])) if dpi else None,
        _profile(image.info.get("icc_profile")),
        hashlib.sha256(repr(plain.size).encode() + plain.tobytes()).hexdigest(),
        filled,
    )


def thumbnail(path: Path, width: int) -> bytes:
    """An image as a JPEG of at most this width, what is not opaque shown on grey. Raises as `read_raster` does."""
    from PIL import Image

    image = _opened(path)
    if image.mode != "RGB":
        ground = Image.new("RGBA", image.size, (190, 190, 190, 255))
        image = Image.alpha_composite(ground, image.convert("RGB" if image.mode == "CMYK" else "RGBA").convert("RGBA"))
    image = image.convert("RGB")
    if image.width > width:
        image = image.resize((width, max(1, round(image.height * width / image.width))), Image.Resampling.LANCZOS)
    out = BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def _opened(path: Path) -> Any:
    try:
        from PIL import Image, ImageFile, UnidentifiedImageError
    except ImportError as error:
        raise ToolMissing(
            _("images cannot be read without Pillow"), _("Install it: pip install 'squadpress[press]'.")
        ) from error
    # The engine that sets cards tells Pillow to take images that are cut short, for the whole process.
    lenient, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        image = Image.open(path)
        image.load()
    except IsADirectoryError:
        raise InputUnreadable(_("{file} is a folder, not an image", file=path), _("Name the file.")) from None
    except UnidentifiedImageError:
        raise InputUnreadable(
            _("{file}: no image that can be read", file=path), _("Save it anew as PNG or JPEG.")
        ) from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        message = _("{file}: cannot be read as an image: {reason}", file=path, reason=os_error(error))
        raise InputUnreadable(message, _("Check that it is whole.")) from None
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient
    return image


def _clear(image: Any) -> Edges | None:
    """Where an image with transparency is not opaque."""
    alpha = image.convert("RGBA").getchannel("A")
    found = alpha.point([255] * 255 + [0]).getbbox()
    return None if found is None else (found[0], found[1], found[2], found[3])


def _drawn(image: Any) -> tuple[Edges | None, tuple[float, float, float, float]]:
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
        return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(BytesIO(data))).strip() or _("without a name")
    except (OSError, ImageCms.PyCMSError):
        return "damaged"
