"""A preset: one print shop's numbers. One YAML file per shop; a new shop needs no line of Python.

What a shop does not say is left out here, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from builder.model.base import Id, Localized, Model

Mm = float
Percent = Annotated[float, Field(ge=0, le=100)]
Inks = tuple[Percent, Percent, Percent, Percent]

Order = Literal["front-back", "back-front", "apart", "common-back-last"]


class ShopSize(Model):
    """One size of card a shop makes."""

    width: Mm = Field(gt=0, description="Trimmed width in mm.")
    height: Mm = Field(gt=0, description="Trimmed height in mm.")
    pixels: tuple[int, int] | None = Field(
        default=None, description="Exact width and height of an image with bleed, in pixels."
    )


class Colour(Model):
    """How a shop wants colour."""

    space: Literal["cmyk", "rgb"] = Field(description="What colours the files may hold.")
    standard: Literal["pdf/x-1a", "pdf/x-4"] | None = Field(default=None, description="The PDF standard asked for.")
    condition: str | None = Field(
        default=None, description="The printing condition asked for, by its registered name such as FOGRA39."
    )
    profiles: tuple[str, ...] = Field(
        default=(), description="File names of ICC profiles for that condition, the best first."
    )
    ink_limit: float | None = Field(default=None, ge=100, le=400, description="Most ink on one spot, in percent.")
    rich_black: Inks | None = Field(default=None, description="Cyan, magenta, yellow, black of large black areas.")
    transparency: bool = Field(default=True, description="False: the shop takes no transparency.")

    @model_validator(mode="after")
    def _agrees(self) -> Colour:
        """A standard is for CMYK; X-1a knows no transparency; rich black keeps the ink limit."""
        if self.standard and self.space != "cmyk":
            raise ValueError("a PDF/X standard needs space: cmyk")
        if self.standard == "pdf/x-1a" and self.transparency:
            raise ValueError("PDF/X-1a allows no transparency: say transparency: false")
        if self.ink_limit is not None and self.rich_black is not None and sum(self.rich_black) > self.ink_limit:
            raise ValueError(f"rich_black holds {sum(self.rich_black):g} %, more than ink_limit {self.ink_limit:g} %")
        return self


class Preset(Model):
    """What one print shop takes, and how a finished order looks."""

    id: Id = Field(description="The preset's id: its file name.")
    name: Localized = Field(description="The shop's name.")
    output: Literal["pdf", "png", "jpeg"] = Field(default="pdf", description="PDF files, or one image per face.")
    dpi: int = Field(default=300, ge=72, le=1200, description="Resolution of images, and the least art should have.")
    bleed: Mm = Field(ge=0, description="How far art must reach past the trim, in mm.")
    safe: Mm | None = Field(default=None, ge=0, description="How far text must keep from the trim, in mm.")
    smallest_type: float | None = Field(default=None, gt=0, description="The smallest type the shop prints, in pt.")
    thinnest_line: float | None = Field(
        default=None, gt=0, description="The thinnest line the shop prints, in pt; 0.25 where it does not say."
    )
    sizes: Mapping[Id, ShopSize] = Field(default_factory=dict, description="The sizes the shop makes, by name.")
    other_sizes: bool = Field(
        default=True, description="True: a size not listed is made as it is; false: it cannot be ordered."
    )
    tolerance: Mm = Field(
        default=1.0, ge=0, le=3, description="How much a card may differ from the shop's size on each side, in mm."
    )
    colour: Colour = Field(description="How the shop wants colour.")
    order: Order = Field(default="front-back", description="In which order fronts and backs lie in the files.")
    copies: Literal["repeated", "listed"] = Field(
        default="repeated", description="Each copy a page of its own, or one page and a number in the manifest."
    )
    most_cards: int | None = Field(default=None, ge=1, description="Most cards in one order; more become parts.")
    outlined_text: bool = Field(default=False, description="True: text must be outlines instead of fonts.")
    file_name: str = Field(
        default="{pack}-{lang}-{size}{part}{side}",
        pattern=r"^[A-Za-z0-9 _{}.-]+$",
        description="Names of PDF files without ending: {pack} {lang} {size} {part} {side}.",
    )
    notes: tuple[Localized, ...] = Field(
        default=(), description="What the order should be told besides; printed on its order sheet."
    )

    @model_validator(mode="after")
    def _images(self) -> Preset:
        """Images are RGB: no shop's page takes CMYK images."""
        if self.output != "pdf" and self.colour.space != "rgb":
            raise ValueError("output as images needs colour space: rgb")
        return self
