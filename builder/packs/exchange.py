"""Read files and texts of strangers with limits: JSON files, and rosters as one short text.

A token is the version `SQP1.` or `SQP2.` and a base-64 text (URL alphabet, no padding). This text
is four bytes of SHA-256 as a checksum, and the deflated JSON.
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

MAX_JSON_BYTES = 4_000_000
"""Bytes of a JSON file that is read. Squads, seals and results of checks are smaller."""
TOKEN_PREFIX = "SQP"
TOKEN_VERSION = 2
"""The newest format of tokens. Version 2 is for rosters with `origin`; others are version 1."""
MAX_TOKEN_CHARACTERS = 20_000
"""Characters of a token that is read."""
MAX_UNPACKED_BYTES = 200_000
"""Bytes a token may unpack to."""
COPY_HINT = _("Copy the whole text again, from its first to its last character.")


def read_json(file: Path, remedy: str, max_bytes: int = MAX_JSON_BYTES) -> Json:
    """Return the value of a JSON file that may come from a stranger.

    Raise InputUnreadable with the remedy if the file is missing, larger than `max_bytes` bytes, not
    JSON, or contains half characters or a key twice. Of two equal keys, a reader would see one and
    a program the other.
    """
    try:
        return parse_json(read_limited(file, max_bytes))
    except OSError as error:
        message = _("{file}: {reason}", file=file, reason=describe_os_error(error))
        raise InputUnreadable(message, remedy) from error
    except ValueError as error:
        raise InputUnreadable(_("{file} is not JSON", file=file), remedy) from error


def parse_json(data: bytes) -> Json:
    """Parse JSON from an untrusted source.

    Raise ValueError if it is not JSON, is nested too deeply, or has a key twice. Half characters
    and numbers such as `NaN` or `1e999` are refused too.
    """
    try:
        value: Json = json.loads(
            # Editors on Windows may write a byte order mark.
            data.decode("utf-8-sig"),
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_parse_number,
            parse_float=_parse_number,
        )
        # Only an escape can be half a character. It cannot be encoded again.
        if b"\\u" in data:
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
    """Return a JSON object of these pairs. Raise ValueError if a key occurs twice."""
    items = dict(pairs)
    if len(items) < len(pairs):
        raise ValueError("a key stands twice")
    return items


def encode_token(value: Json, version: int = 1) -> str:
    """Compress a JSON value into a short text that players can share (a token)."""
    text = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode()
    # A negative size means no header and checksum, which keeps the token short.
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(text) + packer.flush()
    head = f"{TOKEN_PREFIX}{version}"
    data = _make_checksum(head, body) + body
    return f"{head}." + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _make_checksum(version_mark: str, packed_data: bytes) -> bytes:
    """Return the 4-byte checksum of a token. From version 2 on, it also covers the version."""
    covered_head = b"" if version_mark == f"{TOKEN_PREFIX}1" else version_mark.encode()
    return sha256(covered_head + packed_data).digest()[:4]


def decode_token(token: str) -> Json:
    """Return the JSON value in a token, ignoring white space.

    Raise UsageError if the text is no token, is damaged, or unpacks to too much.
    """
    # Mail programs break long lines, so a copied token may have white space in it.
    text = "".join(token.split())
    head, dot, body = text.partition(".")
    if not head.startswith(TOKEN_PREFIX) or not dot:
        raise UsageError(
            _("this is not a squad token"),
            _("A squad token starts with {mark}.", mark=TOKEN_PREFIX),
        )
    known_heads = [
        f"{TOKEN_PREFIX}{version}" for version in range(1, TOKEN_VERSION + 1)
    ]
    if head not in known_heads:
        form = _("the token has version {other!r}; this program reads {own}")
        raise UsageError(
            _(form, other=head[3:12], own=TOKEN_VERSION), _("Update squadpress.")
        )
    if len(text) > MAX_TOKEN_CHARACTERS:
        raise UsageError(
            _("the token is longer than {most} characters", most=MAX_TOKEN_CHARACTERS),
            _("No squad needs that many characters."),
        )
    try:
        data = base64.b64decode(
            body + "=" * (-len(body) % 4), altchars=b"-_", validate=True
        )
    except (binascii.Error, ValueError) as error:
        raise UsageError(
            _(
                "the token is damaged: it contains a character that tokens never contain"
            ),
            COPY_HINT,
        ) from error
    # Several texts mean the same bytes, and only one of them is what was written.
    if base64.urlsafe_b64encode(data).rstrip(b"=") != body.encode():
        raise UsageError(_("the token is damaged: a character was changed"), COPY_HINT)
    if _make_checksum(head, data[4:]) != data[:4]:
        raise UsageError(_("the token is damaged: its checksum is wrong"), COPY_HINT)
    # A small token may unpack to gigabytes, so the size is limited while unpacking.
    unpacker = zlib.decompressobj(-15)
    try:
        text_bytes = unpacker.decompress(data[4:], MAX_UNPACKED_BYTES)
        if unpacker.unconsumed_tail:
            form = _("the token is larger than {most} bytes when decompressed")
            message = _(form, most=MAX_UNPACKED_BYTES)
            raise UsageError(message, _("No squad needs that many characters."))
        value = parse_json(text_bytes)
    except (zlib.error, ValueError) as error:
        raise UsageError(
            _("the token is damaged: it cannot be decompressed"), COPY_HINT
        ) from error
    return value
