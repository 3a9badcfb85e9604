"""Recognise files of other programs by their content, and unpack them. Pure."""

from __future__ import annotations

import base64
import binascii
import io
import json
import lzma
import re
import zipfile
import zlib
from urllib.parse import unquote_to_bytes

from builder.errors import InputUnreadable
from builder.messages import gettext as _

MAX_BYTES = 60_000_000
"""Bytes of a file, and of what a packed file unpacks to."""
MAX_COMPRESSION_RATIO = 200
"""How much larger an unpacked file may be. Real rosters compress to a tenth."""
ZIP_START = b"PK\3\4"
GZIP_START = b"\x1f\x8b"
GZIP_BASE64_START = b"H4sI"
"""The first characters of gzip data in base64."""
LINK_START = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,40}://")
BASE64_CHARACTERS = (
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=%-"
)
"""Characters of base64 and of its URL-safe form, and the `%` of percent-encoding."""
ROSTER_EXTENSIONS = (".ros", ".json")
START_BYTES = 400
"""Bytes at the start of a file from which its extension is guessed."""
_ROSTER_TAG = re.compile(r"<(?:\w+:)?roster[\s>/]")


def is_foreign_roster(data: bytes) -> bool:
    """Return True if a file looks like a roster of another program. It is not parsed."""
    if data.startswith(ZIP_START):
        return find_zip_member(data) is not None
    if data.startswith(GZIP_START) or find_link_data(data) is not None:
        return True
    text = decode_text(data).lstrip()
    if text.startswith("<"):
        return _ROSTER_TAG.search(text[:4096]) is not None
    if text.startswith(("{", "[")):
        has_forces = '"forces"' in text or '"force"' in text
        return has_forces and ('"selections"' in text or '"gameSystemId"' in text)
    return False


def guess_extension(data: bytes) -> str:
    """Guess the file extension for a foreign roster from its first bytes."""
    if data.startswith(ZIP_START):
        return ".rosz"
    text = decode_text(data[:START_BYTES]).lstrip()
    if text.startswith("<"):
        return ".ros"
    return ".json" if text.startswith(("{", "[")) else ".txt"


def decode_text(data: bytes) -> str:
    """Decode the text of a JSON or XML file. Its first 4 bytes show the encoding."""
    return data.decode(json.detect_encoding(data[:4]), "replace").lstrip("\ufeff")


def make_format_error(message: str) -> InputUnreadable:
    """Make an error whose hint names the formats that can be read."""
    hint = _(
        "Use a BattleScribe file (.ros, .rosz) or a New Recruit or ListForge JSON file."
    )
    return InputUnreadable(message, hint)


def unpack_roster(data: bytes) -> bytes:
    """Unpack a roster from zip, gzip or a link. Return other data unchanged."""
    if len(data) > MAX_BYTES:
        count = MAX_BYTES // 1_000_000
        raise make_format_error(_("the file is larger than {count} MB", count=count))
    if data.startswith(ZIP_START):
        return _unpack_zip(data)
    encoded = find_link_data(data)
    if encoded is not None:
        data = _decode_link(encoded)
    return _unpack_gzip(data) if data.startswith(GZIP_START) else data


def find_link_data(data: bytes) -> bytes | None:
    """Return the base64 part of a ListForge link, or of such a part alone. Otherwise None.

    Each step reads the bytes once, because a pattern for all of it would be quadratic.
    """
    link = data.strip() if len(data) <= MAX_BYTES else b""
    scheme = LINK_START.match(link)
    # The packed data may contain slashes, so it begins before the last slash of the link.
    begin = len(link.rstrip(BASE64_CHARACTERS))
    if scheme is not None:
        begin = link.find(GZIP_BASE64_START, max(begin, scheme.end()))
    elif begin > 0:
        return None
    encoded = link[begin:] if begin >= 0 else b""
    has_data = encoded.startswith(GZIP_BASE64_START) and len(encoded) > len(
        GZIP_BASE64_START
    )
    has_one_word = len(link.split(maxsplit=1)) == 1
    return encoded if has_data and has_one_word else None


def find_zip_member(data: bytes) -> zipfile.ZipInfo | None:
    """Return the file in a zip archive that can be a roster, or None if it is not clear."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return None
    if len(files) > 1:
        files = [
            info for info in files if info.filename.lower().endswith(ROSTER_EXTENSIONS)
        ]
    return files[0] if len(files) == 1 else None


def _unpack_zip(data: bytes) -> bytes:
    member = find_zip_member(data)
    if member is None:
        message = _(
            "the zip file is damaged, or it does not contain exactly one roster"
        )
        raise make_format_error(message)
    errors = (
        zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, OSError, EOFError, RuntimeError,
    )  # fmt: skip
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(member) as file:
            # The size in the directory may be wrong: read one byte more than is allowed.
            content = file.read(_get_max_bytes(data) + 1)
    except errors as error:
        reason = str(error)
        raise make_format_error(
            _("the zip file is damaged: {reason}", reason=reason)
        ) from error
    return _refuse_large_content(content, data)


def _unpack_gzip(data: bytes) -> bytes:
    # 31 is the largest window, and gzip data only.
    # The output has a limit, so that a small file cannot fill the memory.
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(data, _get_max_bytes(data) + 1)
    except zlib.error as error:
        reason = str(error)
        raise make_format_error(
            _("the packed data is damaged: {reason}", reason=reason)
        ) from error
    if not unpacker.eof and len(content) <= _get_max_bytes(data):
        raise make_format_error(_("the packed data is incomplete"))
    return _refuse_large_content(content, data)


def _get_max_bytes(data: bytes) -> int:
    return min(MAX_BYTES, len(data) * MAX_COMPRESSION_RATIO)


def _refuse_large_content(content: bytes, packed: bytes) -> bytes:
    if len(content) > _get_max_bytes(packed):
        raise make_format_error(
            _("the packed file unpacks to more than a roster can need")
        )
    return content


def _decode_link(encoded: bytes) -> bytes:
    text = (
        unquote_to_bytes(encoded).replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    )
    # A link may leave out the padding to a multiple of 4.
    text += b"=" * (-len(text) % 4)
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise make_format_error(_("the link is incomplete")) from error
