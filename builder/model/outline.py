"""Outlines that a template can be cut to: a closed set of general shapes, in mm."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from builder.model.base import Model
from builder.model.length import Length, Position

Point = tuple[Position, Position]


class Circle(Model):
    """A circle around the origin."""

    shape: Literal["circle"] = Field(description="A circle around the origin.")
    diameter: Length = Field(description="Its diameter.")


class Rectangle(Model):
    """A rectangle centred on the origin."""

    shape: Literal["rectangle"] = Field(description="A rectangle centred on the origin.")
    width: Length = Field(description="Its width.")
    height: Length = Field(description="Its height.")
    corner: Position = Field(default=0.0, ge=0, description="The radius of its corners.")


class Polygon(Model):
    """Any polygon by its corners."""

    shape: Literal["polygon"] = Field(description="Any polygon by its corners.")
    points: tuple[Point, ...] = Field(min_length=3, description="Corners as [x, y], x to the right, y downwards.")


class Regular(Model):
    """A regular polygon centred on the origin, standing on a side."""

    shape: Literal["regular"] = Field(description="A regular polygon centred on the origin, standing on a side.")
    sides: int = Field(ge=3, le=12, description="How many sides.")
    side: Length = Field(description="How long one side is.")


class Drop(Model):
    """A teardrop: two circles and their common tangents, the narrow end at the origin, pointing down the page."""

    shape: Literal["drop"] = Field(description="A teardrop, its narrow end at the origin.")
    length: Length = Field(description="From end to end.")
    narrow: Length = Field(description="Diameter of the narrow end.")
    wide: Length = Field(description="Diameter of the wide end.")


class Sector(Model):
    """A piece of a ring around the origin, symmetric about the vertical, opening upwards."""

    shape: Literal["sector"] = Field(description="A piece of a ring around the origin, opening upwards.")
    radius: Length = Field(description="Outer radius.")
    inner: Position = Field(default=0.0, ge=0, description="Inner radius; 0 makes a slice of cake.")
    angle: float = Field(gt=0, lt=360, description="How wide it opens, in degrees.")


Outline = Annotated[Circle | Rectangle | Polygon | Regular | Drop | Sector, Field(discriminator="shape")]
"""One of the shapes above, told apart by `shape`."""
