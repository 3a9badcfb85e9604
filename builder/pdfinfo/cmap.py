"""The part of a ToUnicode map that readers need: which code stands for which characters."""

from __future__ import annotations

import re

from pikepdf import Object, Stream

SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
PAIR = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>")
RANGE = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(<[0-9A-Fa-f\s]*>|\[[^\]]*\])")
HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>")


def unicode_map(stream: Object | None) -> dict[int, str]:
    """Code -> text; empty where there is no map."""
    if not isinstance(stream, Stream):
        return {}
    found: dict[int, str] = {}
    for kind, body in SECTION.findall(stream.read_bytes()):
        if kind == b"bfchar":
            found |= {_code(code): _text(value) for code, value in PAIR.findall(body)}
        else:
            for first, last, target in RANGE.findall(body):
                found |= _range(_code(first), _code(last), target)
    return found


def _range(first: int, last: int, target: bytes) -> dict[int, str]:
    values = HEX.findall(target)
    last = min(last, first + 0xFFFF)
    if target.startswith(b"["):
        return {first + i: _text(value) for i, value in enumerate(values) if first + i <= last}
    start = _text(values[0]) if values else ""
    if not start:
        return {}
    return {code: start[:-1] + chr(min(ord(start[-1]) + code - first, 0x10FFFF)) for code in range(first, last + 1)}


def _text(digits: bytes) -> str:
    raw = bytes.fromhex(digits.decode("ascii"))
    return raw.decode("utf-16-be", "replace") if len(raw) > 1 else raw.decode("latin-1")


def _code(digits: bytes) -> int:
    return int(b"".join(digits.split()) or b"0", 16)
