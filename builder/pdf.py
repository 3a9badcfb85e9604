"""Typed access to PDF objects. Only this module gives other code the types of pikepdf.

pikepdf returns numbers, booleans and null as plain Python values, although their declared type is
`Object`. `float`, `int`, `==` and `bool` work for both.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import pikepdf
from pikepdf import (
    Array,
    Dictionary,
    Matrix,
    Name,
    Object,
    Operator,
    Page,
    Pdf,
    PdfError,
    Stream,
    String,
)

# What is passed on of pikepdf.
__all__ = [
    "Array",
    "Dictionary",
    "Matrix",
    "Name",
    "Object",
    "Page",
    "Pdf",
    "PdfError",
    "Stream",
    "String",
]

ObjectId: TypeAlias = tuple[int, int]
"""The number and the generation of an indirect object; zeros for a direct one."""
Operand: TypeAlias = Object | Decimal | int | float
Instruction: TypeAlias = tuple[Sequence[Operand], str]
"""The operands and the operator of one drawing instruction."""


def read_instructions(drawing: Object | Page) -> list[Instruction]:
    """Parse the drawing instructions of a PDF page or form."""
    items = pikepdf.parse_content_stream(drawing)
    return [(tuple(item.operands), str(item.operator)) for item in items]


def serialize_instructions(content: Iterable[Instruction]) -> bytes:
    """Convert drawing instructions to the bytes of a PDF content stream."""
    # The type hints of pikepdf allow only objects, but it accepts numbers too.
    operations: list[Any] = [
        (list(operands), Operator(name)) for operands, name in content
    ]
    return pikepdf.unparse_content_stream(operations)


def list_entries(holder: Object | None, key: str) -> list[tuple[str, Object]]:
    """Return the names and values of a dictionary inside another, such as a page's fonts.

    Empty if either is missing.
    """
    dictionary = None if holder is None else holder.get(key)
    return [] if dictionary is None else list(dictionary.items())


def to_numbers(values: Iterable[Operand] | Object) -> tuple[float, ...]:
    """Convert a PDF array or operands to floats."""
    return tuple(float(value) for value in values)


def read_cid_widths(font: Object) -> dict[int, float]:
    """Return the glyph widths of a composite font by code, in thousandths of the type size."""
    widths: dict[int, float] = {}
    # One iterator gives both values of a pair, and the third value where there is one.
    items = iter(font.get("/W", Array([])))
    for first, second in zip(items, items, strict=False):
        code = int(first)
        # Either a list of widths follows, or a last code and one width for all.
        if isinstance(second, Array):
            for index, width in enumerate(second):
                widths[code + index] = float(width)
            continue
        common_width = next(items, None)
        if common_width is not None:
            codes = range(code, int(second) + 1)
            widths.update(dict.fromkeys(codes, float(common_width)))
    return widths
