"""Squads in pictures: the QR code of a token or a link, photographed, on a screen or on paper."""

from collections.abc import Set
from contextlib import suppress
from io import BytesIO
from urllib.parse import urlsplit

import zxingcpp
from django.http import Http404, HttpRequest
from django.urls import resolve
from PIL import Image, ImageOps

from builder.errors import UsageError
from builder.files import whole_pictures
from builder.messages import gettext as _
from builder.usecases.roster.reading import LONGEST_TEXT

LARGEST, MOST_PIXELS, WIDE = 2_000_000, 50_000_000, 2_400
"""Bytes and pixels of a picture that is read; pixels of its longer side while a code is looked for."""
KINDS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
LEADS = frozenset({"shared", "sealed", "hand-in", "handed", "own-come", "squad", "card"})
"""Pages that a link leads to which was handed on."""


def is_picture(data: bytes) -> bool:
    """True for what begins as one of the kinds of picture that are read."""
    bitmap = data[:2] == b"BM" and data[6:10] == bytes(4)  # a list may begin with the same letters
    heads = (b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    return bitmap or data.startswith(heads) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def code_in(data: bytes) -> str:
    """The text of the QR code in a picture. UsageError where there is none."""
    try:
        with whole_pictures(), Image.open(BytesIO(data), formats=KINDS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise UsageError(_("the picture is too large"), _("Take one of the code alone."))
            picture.draft("L", (WIDE, WIDE))
            grey = ImageOps.exif_transpose(picture).convert("L")
    except (UsageError, MemoryError):
        raise
    except Exception:  # whatever the library meets in a picture that is not whole
        raise UsageError(
            _("the picture cannot be read"), _("Take it once more, as JPEG or PNG.")
        ) from None
    grey.thumbnail((WIDE, WIDE))
    found = zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    )
    if not found:
        raise UsageError(
            _("no code was found in the picture"),
            _("Take it once more, nearer and without glare, the whole code in it."),
        )
    return str(found[0].text)


def leads_to(request: HttpRequest, text: str, pages: Set[str] = LEADS) -> str:
    """The path of the one of these pages of this server that a text is the address of; empty for no address. UsageError
    for any other address."""
    address = text.strip()
    if not address.startswith(("http://", "https://")) or any(sign.isspace() for sign in address):
        return ""
    with suppress(ValueError, Http404):
        stated = urlsplit(address)
        if stated.netloc == request.get_host() and resolve(stated.path).url_name in pages:
            return stated.path
    reason = _("this link leads to no squad of this server: {address}", address=address[:200])
    raise UsageError(
        reason, _("Open it in the browser; a token or a list can be taken in anywhere.")
    )


def given(request: HttpRequest, text: str, file: str) -> str:
    """The text of a form's field, or of the file beside it, in a picture that of its code. UsageError for one that is
    too large or holds no text."""
    upload = request.FILES.get(file)
    if upload is None or not upload.size:
        return request.POST.get(text, "")
    most = LARGEST if (upload.content_type or "").startswith("image/") else 4 * LONGEST_TEXT
    if upload.size > most:
        message = _("the file is larger than {most} kB", most=most // 1000)
        raise UsageError(message, _("No squad is that large."))
    data = upload.read()
    if is_picture(data):
        return code_in(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            _("the file holds no text"), _("Save it as an ordinary UTF-8 file.")
        ) from None
