"""Spoils bytes: as text, as values of YAML and JSON, as any file. The same seed spoils the same way."""

from __future__ import annotations

import json
from random import Random
from typing import Any

WORDS = [
    "", "~", "true", "-1", "0", "1e99", "1e999", "9" * 400, "NaN", ".inf", "-0", "0x10", "1_000", "2026-02-30",
    "../../etc/passwd", "/dev/zero", "\x00", "\x1b[2J", "\u202e", "\ud7ff\uffff", "\u200b", "a" * 5000, "{}", "[]",
    "{x", "{key:none}", "{{7*7}}", "{% for a in b %}", "*a", "&a [*a]", "<<: *a", "!!python/object:os.system x", "? a",
    "- - - - -", "#", "'", '"', "|", ">", "%", "@", "`", "\t", "\r\n", "---\n...", "$ref", "(a+)+$", "[[:alpha:]]",
    "__class__", "constructor", "card:dusk-moth", "<script>", "url(x)", "@import 'x';", "calc(1px*1e9)", "var(--a)",
    "<svg/>", "<use href='#a'/>", "<<", ">>", "endobj", "stream", "/Type", "/Kids", "0 R", "xref", "%%EOF", "SQP1.",
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, 1e99, "", " ", "x" * 3000, "../x", "\x1b[31m", "\u0661", [], {}, [[]], [None],
    {"": ""}, {"a": {"b": {"c": []}}}, ["x"] * 50, "2026-13-40", "dusk-moth", "whole", "#1.1", [1, "a", None, {}],
]  # fmt: skip


def spoiled(data: bytes, random: Random, others: list[bytes]) -> bytes:
    """The same bytes but for one to four mistakes."""
    for _unused in range(random.choice((1, 1, 1, 2, 4))):
        ways = [_flip, _cut, _word, _repeat, _swap, _line]
        if data[:1] in (b"{", b"["):
            ways += [_value] * 8
        data = (
            random.choice(ways)(data, random)
            if random.random() > 0.03
            else _cross(data, random, others)
        )
    return data[:300_000]


def _spot(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _flip(data: bytes, random: Random) -> bytes:
    found = bytearray(data)
    for _unused in range(random.choice((1, 1, 3, 20))):
        if found:
            found[random.randrange(len(found))] = random.randrange(256)
    return bytes(found)


def _cut(data: bytes, random: Random) -> bytes:
    start, end = sorted((_spot(data, random), _spot(data, random)))
    return random.choice((data[:start], data[end:], data[:start] + data[end:]))


def _word(data: bytes, random: Random) -> bytes:
    at, word = (
        _spot(data, random),
        random.choice(WORDS).encode("utf-8", "surrogatepass"),
    )
    return data[:at] + word + data[at + random.choice((0, 0, len(word))) :]


def _repeat(data: bytes, random: Random) -> bytes:
    start = _spot(data, random)
    part = data[start : start + random.choice((1, 10, 200))]
    return data[:start] + part * random.choice((2, 3, 50)) + data[start:]


def _swap(data: bytes, random: Random) -> bytes:
    first, second = sorted((_spot(data, random), _spot(data, random)))
    size = random.choice((1, 8, 60))
    return data[:first] + data[second : second + size] + data[first + size : second] + data[first : first + size] + \
        data[second + size :]  # fmt: skip


def _line(data: bytes, random: Random) -> bytes:
    """A line exchanged, indented otherwise, taken away, or its value replaced."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    word = random.choice(WORDS).encode("utf-8", "surrogatepass")
    head, colon, _rest = lines[at].partition(b":")
    lines[at] = random.choice(
        (b"  " + lines[at], lines[at].strip(), head + colon + b" " + word, lines[random.randrange(len(lines))],
         head + b": [" + word + b"]", head + b": {" + word + b": 1}", b"", head + colon + b" " + head)
    )  # fmt: skip
    return b"\n".join(lines)


def _value(data: bytes, random: Random) -> bytes:
    """A value of a JSON text replaced, taken away or put elsewhere."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _flip(data, random)
    spots = list(_spots(value))
    if not spots:
        return data
    holder, key = random.choice(spots)
    way = random.randrange(4)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, dict):
        holder[random.choice(("x", "", "__proto__", "../x", "id", "kind", "a\nb"))] = (
            holder.pop(key)
        )
    else:
        holder[key] = (
            random.choice(ODD)
            if way == 2
            else json.loads(json.dumps(random.choice(spots)[0]))
        )
    return json.dumps(value, ensure_ascii=random.random() > 0.5).encode(
        "utf-8", "surrogatepass"
    )


def _spots(value: Any) -> Any:
    for key, item in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        yield value, key
        yield from _spots(item)


def _cross(data: bytes, random: Random, others: list[bytes]) -> bytes:
    other = random.choice(others)
    return data[: _spot(data, random)] + other[_spot(other, random) :]
