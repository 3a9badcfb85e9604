"""Reads what a form holds: pasted text, a file, or the QR code in a picture."""

from collections.abc import Set
from contextlib import suppress
from io import BytesIO
from urllib.parse import urlsplit

import zxingcpp
from django.http import Http404, HttpRequest
from django.urls import resolve
from PIL import Image, ImageOps

from builder.errors import UsageError
from builder.files import reject_truncated_pictures
from builder.messages import gettext as _
from builder.usecases.roster.reading import MAX_TEXT_CHARACTERS

MAX_PICTURE_BYTES = 2_000_000
MAX_PICTURE_PIXELS = 50_000_000
MAX_SCAN_WIDTH_PIXELS = 2_400
"""The longer side of a picture while it is searched for a code."""
PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
SHARED_PAGES = frozenset(
    {"shared", "sealed", "hand-in", "handed", "own-come", "squad", "card"}
)
"""The names of pages whose addresses people share."""


def read_field_or_file(request: HttpRequest, field: str, file_field: str) -> str:
    """Return a form's text: typed, from an uploaded file, or from a QR code in a picture.

    Raise UsageError for a file that is too large or holds no text.
    """
    upload = request.FILES.get(file_field)
    if upload is None or not upload.size:
        return request.POST.get(field, "")
    is_image = (upload.content_type or "").startswith("image/")
    max_bytes = MAX_PICTURE_BYTES if is_image else 4 * MAX_TEXT_CHARACTERS
    if upload.size > max_bytes:
        message = _("the file is larger than {most} kB", most=max_bytes // 1000)
        raise UsageError(message, _("No squad needs that many characters."))
    data = upload.read()
    if is_picture(data):
        return read_qr_code(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            _("the file contains no text"), _("Save it as a regular UTF-8 file.")
        ) from None


def is_picture(data: bytes) -> bool:
    """Return True if a file begins like a supported picture format."""
    if data[:2] == b"BM":  # a list may begin with the same letters
        return data[6:10] == bytes(4)
    if data[:4] == b"RIFF":
        return data[8:12] == b"WEBP"
    return data.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"))


def read_qr_code(data: bytes) -> str:
    """Return the text of the QR code in a picture. Raise UsageError if there is none."""
    try:
        with (
            reject_truncated_pictures(),
            Image.open(BytesIO(data), formats=PICTURE_FORMATS) as picture,
        ):
            if picture.width * picture.height > MAX_PICTURE_PIXELS:
                raise UsageError(
                    _("the picture is too large"), _("Take a picture of only the code.")
                )
            # JPEG files are then decoded at a smaller size, which saves time and memory.
            picture.draft("L", (MAX_SCAN_WIDTH_PIXELS, MAX_SCAN_WIDTH_PIXELS))
            grey = ImageOps.exif_transpose(picture).convert("L")
    except (UsageError, MemoryError):
        raise
    except Exception:  # Pillow raises errors of many types for a damaged picture
        raise UsageError(
            _("the picture cannot be read"), _("Save it as JPEG or PNG and try again.")
        ) from None
    grey.thumbnail((MAX_SCAN_WIDTH_PIXELS, MAX_SCAN_WIDTH_PIXELS))
    codes = zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    )
    if not codes:
        raise UsageError(
            _("the picture contains no readable code"),
            _(
                "Take the picture again from a shorter distance, without reflections, with "
                "the whole code visible."
            ),
        )
    return str(codes[0].text)


def find_linked_page(
    request: HttpRequest, text: str, pages: Set[str] = SHARED_PAGES
) -> str:
    """Return the path if a text is the address of one of these pages. Empty otherwise.

    Return an empty string for a text that is no address. Raise UsageError for any other address.
    """
    address = text.strip()
    has_space = any(character.isspace() for character in address)
    if has_space or not address.startswith(("http://", "https://")):
        return ""
    with suppress(ValueError, Http404):
        parts = urlsplit(address)
        if parts.netloc == request.get_host() and resolve(parts.path).url_name in pages:
            return parts.path
    reason = _(
        "this link does not belong to a squad on this server: {address}",
        address=address[:200],
    )
    raise UsageError(
        reason,
        _(
            "Open the link in the browser. To import the squad here, paste its token or its list."
        ),
    )
