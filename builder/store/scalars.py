"""Plain YAML scalars by the core schema of YAML 1.2: `no` is a text, `012` is twelve, a date stays a text."""

from __future__ import annotations

import re

from builder.model.base import Json

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]{1,32}|[0-9]{1,32}(\.[0-9]{0,32})?)([eE][-+]?[0-9]{1,2})?\Z")
_BASED = re.compile(r"0o[0-7]{1,20}\Z|0x[0-9a-fA-F]{1,15}\Z")
_NUMERIC = frozenset("0123456789+-.")


def plain_scalar(text: str) -> Json:
    """The value of an unquoted scalar. What JSON cannot hold (infinities, endless digits) stays a text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INT.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    if _BASED.match(text):
        return int(text, 0)
    return text
