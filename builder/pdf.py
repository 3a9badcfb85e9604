"""PDF objects by their types: the one door to pikepdf for all that read or write them. Knows nothing of cards.

What an entry holds is an `Object`, though pikepdf hands numbers, truths and null over as plain Python: `float`, `int`,
`==` and `bool` do for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Page, Pdf, PdfError, Stream, String

__all__ = [
    "Array",
    "Dictionary",
    "Instruction",
    "Name",
    "Object",
    "Operand",
    "Page",
    "Pdf",
    "PdfError",
    "Stream",
    "String",
    "entries",
    "instructions",
    "numbers",
    "unparsed",
]

Operand: TypeAlias = Object | Decimal | int | float
Instruction: TypeAlias = tuple[Sequence[Operand], str]
"""Operands and operator."""


def instructions(drawing: Object | Page) -> list[Instruction]:
    """The instructions of a page or form."""
    return [(tuple(item.operands), str(item.operator)) for item in pikepdf.parse_content_stream(drawing)]


def unparsed(content: Iterable[Instruction]) -> bytes:
    """Instructions as bytes."""
    # Its types allow objects only, itself it takes numbers too.
    told: list[Any] = [(list(operands), Operator(name)) for operands, name in content]
    return pikepdf.unparse_content_stream(told)


def entries(holder: Object | None, group: str) -> list[tuple[str, Object]]:
    """The entries of a dictionary within another, resources say; none where either is absent."""
    found = None if holder is None else holder.get(group)
    return [] if found is None else list(found.items())


def numbers(values: Iterable[Operand] | Object) -> tuple[float, ...]:
    """An array or operands as numbers."""
    return tuple(float(value) for value in values)
