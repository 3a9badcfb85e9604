"""A length on paper as an author writes it: a number of mm, or a text such as `2in`, `35mm`, `12.5mm + 2in`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from builder.messages import gettext as _
from builder.units import inches

UNITS = {"mm": 1.0, "cm": 10.0, "in": inches(1), '"': inches(1), "″": inches(1), "": 1.0}
TERM = re.compile(r"\s*([+-]?)\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|\"|″|)\s*")


def parse_length(value: object) -> object:
    """A written length in mm. Anything that is not a text is passed on; a text that is no length raises ValueError."""
    if not isinstance(value, str):
        return value
    place, total = 0, 0.0
    while place < len(value):
        found = TERM.match(value, place)
        if not found or (place > 0 and not found[1]):
            raise ValueError(_("{value!r} is not a length: write 25, 25mm, 2in or 12.5mm + 2in", value=value))
        total += float(found[2]) * UNITS[found[3]] * (-1 if found[1] == "-" else 1)
        place = found.end()
    if not value.strip():
        raise ValueError(_("a length is empty: write 25, 25mm, 2in or 12.5mm + 2in"))
    return total


_SCHEMA = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^[-+0-9. mcin\"″]+$"},
    ]
}

Length = Annotated[float, BeforeValidator(parse_length), Field(gt=0, le=2000), WithJsonSchema(_SCHEMA)]
"""A positive length in mm; written as mm or as a text with units, sums allowed."""

Position = Annotated[
    float,
    BeforeValidator(parse_length),
    Field(ge=-2000, le=2000),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[-+0-9. mcin\"″]+$"}]}),
]
"""A coordinate in mm, written the same way; may be zero or negative."""
