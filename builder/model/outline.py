"""Models of lengths (mm, or texts with units) and of a closed set of outlines."""

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from builder.messages import gettext as _
from builder.model.base import Model
from builder.units import from_inches

UNITS = {
    "mm": 1.0,
    "cm": 10.0,
    "in": from_inches(1),
    '"': from_inches(1),
    "″": from_inches(1),
    "": 1.0,
}
MAX_LENGTH_MM = 2000
"""The greatest length, in mm."""
LENGTH_TERM = re.compile(r"\s*([+-]?)\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|\"|″|)\s*")


def parse_length(value: object) -> object:
    """Convert a length such as "3in" to mm. Raise ValueError if it is no length.

    Anything but a text is returned as it is.
    """
    if not isinstance(value, str):
        return value
    position = 0
    total = 0.0
    while position < len(value):
        match = LENGTH_TERM.match(value, position)
        # Only the first term may lack its sign: `2 3mm` is an error, not a sum.
        if not match or (position > 0 and not match[1]):
            raise ValueError(
                _(
                    "{value!r} is not a length: write 25, 25mm, 2in or 12.5mm + 2in",
                    value=value,
                )
            )
        length = float(match[2]) * UNITS[match[3]]
        total += -length if match[1] == "-" else length
        position = match.end()
    if not value.strip():
        raise ValueError(_("a length is empty: write 25, 25mm, 2in or 12.5mm + 2in"))
    if abs(total) > MAX_LENGTH_MM:
        raise ValueError(_("at most {bound}", bound=MAX_LENGTH_MM))
    return total


_TEXT_SCHEMA = {"type": "string", "pattern": r"^[-+0-9. mcin\"″]+$"}
_LENGTH = WithJsonSchema(
    {
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_LENGTH_MM},
            _TEXT_SCHEMA,
        ]
    }
)
_POSITION = WithJsonSchema({"anyOf": [{"type": "number"}, _TEXT_SCHEMA]})

Length = Annotated[
    float, BeforeValidator(parse_length), Field(gt=0, le=MAX_LENGTH_MM), _LENGTH
]
"""A positive length in mm; written as mm or as a text with units, sums allowed."""
Position = Annotated[
    float, BeforeValidator(parse_length), Field(ge=-2000, le=2000), _POSITION
]
"""A coordinate in mm, written the same way; may be zero or negative."""

Point = tuple[Position, Position]


class Circle(Model):
    """A circle around (0, 0)."""

    shape: Literal["circle"] = Field(description="A circle around the origin.")
    diameter: Length = Field(description="Its diameter.")


class Rectangle(Model):
    """A rectangle around (0, 0)."""

    shape: Literal["rectangle"] = Field(
        description="A rectangle centred on the origin."
    )
    width: Length = Field(description="Its width.")
    height: Length = Field(description="Its height.")
    corner: Position = Field(
        default=0.0, ge=0, description="The radius of its corners."
    )


class Polygon(Model):
    """A polygon, given by its corners."""

    shape: Literal["polygon"] = Field(description="Any polygon by its corners.")
    points: tuple[Point, ...] = Field(
        min_length=3, description="Corners as [x, y], x to the right, y downwards."
    )


class Regular(Model):
    """A regular polygon around (0, 0) that stands on one side."""

    shape: Literal["regular"] = Field(
        description="A regular polygon centred on the origin. One side is at the bottom."
    )
    sides: int = Field(ge=3, le=12, description="Number of sides.")
    side: Length = Field(description="Length of a side.")


class Drop(Model):
    """A teardrop: two circles and their tangents, with the narrow end at (0, 0), pointing down."""

    shape: Literal["drop"] = Field(
        description="A teardrop, its narrow end at the origin."
    )
    length: Length = Field(description="Length from end to end.")
    narrow: Length = Field(description="Diameter of the narrow end.")
    wide: Length = Field(description="Diameter of the wide end.")


class Sector(Model):
    """A sector of a ring around (0, 0), which opens upwards."""

    shape: Literal["sector"] = Field(
        description="A piece of a ring around the origin, opening upwards."
    )
    radius: Length = Field(description="Outer radius.")
    inner: Position = Field(
        default=0.0, ge=0, description="Inner radius; 0 makes a slice of cake."
    )
    angle: float = Field(gt=0, lt=360, description="Its angle, in degrees.")


Outline = Annotated[
    Circle | Rectangle | Polygon | Regular | Drop | Sector, Field(discriminator="shape")
]
"""One of the shapes above, told apart by `shape`."""
