"""What strangers hand over, read with limits: a JSON file, and a roster as one short text. Needs no server.

A token is versioned and compressed, and has a checksum: `SQP1.` and the base 64 (URL alphabet, no padding) of four
bytes of SHA-256 and the deflated JSON.
"""

import base64
import binascii
import json
import zlib
from hashlib import sha256
from math import isfinite
from pathlib import Path

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Json

LARGEST_FILE = 4_000_000
"""Bytes of a file that is read; no squad, seal or verdict is that large."""
MARK = "SQP"
VERSION = 1
LONGEST = 20_000
"""Characters of a token that is read."""
LARGEST = 200_000
"""Bytes a token may unpack to."""
REMEDY = _("Copy the whole text once more, from its first to its last character.")


def read_json(file: Path, remedy: str, largest: int = LARGEST_FILE) -> Json:
    """Return the value of a JSON file.

    InputUnreadable with the remedy where there is no such file, where it is larger than so many bytes, is not JSON,
    holds letters that no file can hold, or a key twice: of two equal ones a reader would see one, a program the other.
    """
    try:
        return parse_json(read_limited(file, largest))
    except OSError as error:
        raise InputUnreadable(
            _("{file}: {reason}", file=file, reason=describe_os_error(error)), remedy
        ) from error
    except ValueError as error:
        raise InputUnreadable(_("{file} is not JSON", file=file), remedy) from error


def parse_json(data: bytes) -> Json:
    """The value of a JSON text that a stranger wrote.

    ValueError for what is none, is nested too deeply, holds letters that no file can hold, a key twice, or a number
    that is none or has no end (`NaN`, `1e999`).
    """
    try:
        value: Json = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_parse_number,
            parse_float=_parse_number,
        )
        if b"\\u" in data or b"\xed" in data:  # halves of letters
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError(str(error)) from None
    return value


def _parse_number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number without end")
    return value


def _reject_duplicate_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object whose keys differ."""
    items = dict(pairs)
    if len(items) < len(pairs):
        raise ValueError("a key stands twice")
    return items


def pack(value: Json) -> str:
    """The token of a JSON value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(text) + packer.flush()
    data = sha256(body).digest()[:4] + body
    return f"{MARK}{VERSION}." + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpack(token: str) -> Json:
    """The value in a token; white space in it does not matter. UsageError where it is foreign, damaged or too large."""
    text = "".join(token.split())
    head, dot, body = text.partition(".")
    if not head.startswith(MARK) or not dot:
        raise UsageError(
            _("this is not a squad's token"),
            _("A token starts with {mark}.", mark=f"{MARK}{VERSION}"),
        )
    if head != f"{MARK}{VERSION}":
        form = _("the token is of version {other!r}, this program reads {own}")
        raise UsageError(_(form, other=head[3:12], own=VERSION), _("Update squadpress."))
    if len(text) > LONGEST:
        raise UsageError(
            _("the token is longer than {most} characters", most=LONGEST),
            _("No squad is that large."),
        )
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError(
            _("the token is damaged: it holds a character that no token has"), REMEDY
        ) from error
    if base64.urlsafe_b64encode(data).rstrip(b"=") != body.encode():
        raise UsageError(_("the token is damaged: a character of it was exchanged"), REMEDY)
    if sha256(data[4:]).digest()[:4] != data[:4]:
        raise UsageError(_("the token is damaged: its checksum is wrong"), REMEDY)
    unpacker = zlib.decompressobj(-15)
    try:
        text_bytes = unpacker.decompress(data[4:], LARGEST)
        if unpacker.unconsumed_tail:
            message = _("the token unpacks to more than {most} bytes", most=LARGEST)
            raise UsageError(message, _("No squad is that large."))
        value = parse_json(text_bytes)
    except (zlib.error, ValueError) as error:
        raise UsageError(_("the token is damaged: it cannot be unpacked"), REMEDY) from error
    return value
