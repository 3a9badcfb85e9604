"""A JSON file that anyone may have written, read with a limit."""

from __future__ import annotations

import json
from pathlib import Path

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.messages import os_error
from builder.model.base import Json

LARGEST = 4_000_000
"""Bytes of a file that is read; no squad, seal or verdict is that large."""


def read_json(file: Path, remedy: str, largest: int = LARGEST) -> Json:
    """What a JSON file holds.

    InputUnreadable with the remedy where there is no such file, where it is larger than so many bytes, is not JSON,
    holds letters that no file can hold, or a key twice: of two equal ones a reader would see one, a program the other.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputUnreadable(_("{file}: {reason}", file=file, reason=os_error(error)), remedy) from error
    if len(data) > largest:
        raise InputUnreadable(_("{file} is larger than {most} bytes", file=file, most=largest), remedy)
    try:
        value: Json = json.loads(data, object_pairs_hook=_once)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InputUnreadable(_("{file} is not JSON", file=file), remedy) from error
    return value


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object whose keys differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found
