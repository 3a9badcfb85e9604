"""Check that a picture is complete, has the format of its name, and is small enough to print."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING

from builder.files import reject_truncated_pictures
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import PictureFile

if TYPE_CHECKING:
    from PIL.Image import Image

DAMAGED = define(
    "looks/damaged-picture",
    _("A picture is damaged or incomplete"),
    _("The missing part is printed black, or the whole picture is missing."),
    _("Save or download the picture again, and compare its size with the original."),
)
FORMAT = define(
    "looks/picture-format",
    _("The format of a picture does not match its file name"),
    _(
        "Some programs and shops go by the file name, others by the content. One of them "
        "will fail to read the picture."
    ),
    _(
        "Save it in the format that its name says, or rename it with the extension of its "
        "real format."
    ),
)
PIXELS = define(
    "looks/picture-pixels",
    _("A picture has more pixels than any card needs"),
    _(
        "Every pixel needs memory during rendering, so such a picture can stop the whole build."
    ),
    _("Scale it down: 1200 dpi are enough for the largest card."),
)
COLOURS = define(
    "looks/picture-profile",
    _("A picture is not in sRGB"),
    _(
        "Proofs and prints treat all colours as sRGB, so colours with another profile change."
    ),
    _(
        "Convert it to sRGB in the program that made it. An order converts sRGB to the shop's inks."
    ),
    Severity.WARNING,
)
METADATA = define(
    "looks/picture-metadata",
    _("The metadata of a picture cannot be read"),
    _(
        "It may contain the orientation, resolution or colours. "
        "Programs then show the picture differently."
    ),
    _("Save it again in a picture editor, without metadata (Exif)."),
    Severity.WARNING,
)

FORMATS = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".gif": "GIF",
    ".webp": "WEBP",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
}
"""The formats of the picture library, by file extension."""
MAX_PIXELS = 50_000_000
"""Pixels: an A4 sheet at 600 dpi has 35 million."""
MAX_SIDE_PIXELS = 30_000
"""Pixels on one side."""


def check(picture: PictureFile) -> Iterator[Finding]:
    """Check that a picture is complete, small enough, and in the format of its name."""
    with reject_truncated_pictures() as warning_messages:
        findings = [*_check_picture(picture)]
    yield from findings
    if any(finding.severity is Severity.ERROR for finding in findings):
        return
    for warning in warning_messages:
        if not issubclass(warning.category, DeprecationWarning):
            reason = " ".join(str(warning.message).split())
            message = _("its metadata: {reason}", reason=reason)
            yield METADATA.finding(message, picture.locate_offset())
            # The first warning is enough: the others follow from it.
            return


def _check_picture(picture: PictureFile) -> Iterator[Finding]:
    """Check the format and the number of pixels, then decode the picture completely."""
    from PIL import Image, UnidentifiedImageError

    place = picture.locate_offset()
    expected_format = FORMATS.get(PurePath(picture.file).suffix.lower(), "")
    try:
        with Image.open(
            BytesIO(picture.data), formats=sorted({*FORMATS.values()})
        ) as image:
            # cameras write several JPEG images into one file, which Pillow calls MPO
            actual_format = "JPEG" if image.format == "MPO" else image.format
            wide, high = image.size
            if wide * high > MAX_PIXELS or max(wide, high) > MAX_SIDE_PIXELS:
                yield PIXELS.finding(
                    _("{wide} × {high} pixels", wide=wide, high=high), place
                )
                return
            image.verify()
        # after `verify` a picture must be opened again
        with Image.open(BytesIO(picture.data), formats=[actual_format or ""]) as image:
            image.load()
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        if isinstance(error, UnidentifiedImageError):
            yield FORMAT.finding(_("the file contains no picture"), place)
        else:
            yield PIXELS.finding(_("it has too many pixels to count"), place)
    except MemoryError:
        raise
    except (
        Exception
    ) as error:  # whatever the library meets in a picture that is not whole
        reason = str(error) or type(error).__name__
        message = _("the picture cannot be read to the end: {reason}", reason=reason)
        yield DAMAGED.finding(message, place)
    else:
        space = _find_other_color_space(image)
        if space is not None:
            yield COLOURS.finding(_("its colour space is {space}", space=space), place)
        if actual_format != expected_format:
            form = _("the file name says {wanted}, but the content is {found}")
            message = _(form, wanted=expected_format, found=actual_format)
            yield FORMAT.finding(message, place)


def _find_other_color_space(image: "Image") -> str | None:
    """Return the name of the picture's color space, or None if it is sRGB."""
    from PIL import ImageCms

    if image.mode in ("CMYK", "LAB"):
        return image.mode
    # a profile of grey or of a mask names no colours of a card
    data = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA", "P") else None
    if not data:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        name = ImageCms.getProfileDescription(profile).strip()
    except MemoryError:
        raise
    except Exception:  # a damaged profile names no other colours
        return None
    return name if name and "srgb" not in name.lower() else None
