"""Models of a print shop (a preset, one YAML file each) and of an order for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, model_validator

from builder.messages import Message, gettext as _
from builder.model.base import Id, Localized, Mm, Model
from builder.model.pack import Shape

Percent = Annotated[float, Field(ge=0, le=100)]
Inks = tuple[Percent, Percent, Percent, Percent]

PageOrder = Literal["front-back", "back-front", "apart", "common-back-last"]


class ShopSize(Model):
    """A size of card that a print shop offers."""

    width: Mm = Field(gt=0, description="Trimmed width in mm.")
    height: Mm = Field(gt=0, description="Trimmed height in mm.")
    pixels: tuple[int, int] | None = Field(
        default=None, description="An image's exact size with bleed, in pixels."
    )
    shape: Shape = Field(default="rectangle", description="The shape of the cut.")


class Colour(Model):
    """The color requirements of a print shop."""

    space: Literal["cmyk", "rgb"] = Field(
        description="The colours that the files may contain."
    )
    standard: Literal["pdf/x-1a", "pdf/x-4"] | None = Field(
        default=None, description="The required PDF standard."
    )
    condition: str | None = Field(
        default=None, description="The required printing condition, such as FOGRA39."
    )
    profiles: tuple[str, ...] = Field(
        default=(), description="File names of its ICC profiles, best first."
    )
    ink_limit: float | None = Field(
        default=None,
        ge=100,
        le=400,
        description="Maximum total ink at any point, in percent.",
    )
    rich_black: Inks | None = Field(
        default=None,
        description="Cyan, magenta, yellow and black of large black areas.",
    )
    transparency: bool = Field(
        default=True, description="False: the shop does not accept transparency."
    )

    @model_validator(mode="after")
    def _check_consistency(self) -> "Colour":
        """Raise ValueError if the color settings contradict each other."""
        if self.standard and self.space != "cmyk":
            raise ValueError(_("a PDF/X standard needs space: cmyk"))
        if self.standard == "pdf/x-1a" and self.transparency:
            raise ValueError(
                _("PDF/X-1a does not allow transparency: set transparency: false")
            )
        if (
            self.ink_limit is not None
            and self.rich_black is not None
            and sum(self.rich_black) > self.ink_limit
        ):
            form = _(
                "the ink of rich_black is {ink:g} %, more than ink_limit {limit:g} %"
            )
            raise ValueError(_(form, ink=sum(self.rich_black), limit=self.ink_limit))
        return self


class Preset(Model):
    """The requirements of a print shop, and the layout of its orders."""

    page = "press.md"

    id: Id = Field(description="The preset's id: its file name.")
    name: Localized = Field(description="The shop's name.")
    output: Literal["pdf", "png", "jpeg"] = Field(
        default="pdf", description="PDF files, or one image per face."
    )
    dpi: int = Field(
        default=300,
        ge=72,
        le=1200,
        description="Resolution of images, and minimum resolution of art, in dpi.",
    )
    bleed: Mm = Field(
        ge=0, description="Bleed: how far art must extend outside the trim, in mm."
    )
    safe: Mm | None = Field(
        default=None, ge=0, description="Minimum distance between text and trim, in mm."
    )
    smallest_type: float | None = Field(
        default=None, gt=0, description="Minimum type size, in pt."
    )
    thinnest_line: float | None = Field(
        default=None,
        gt=0,
        description="Minimum line width, in pt; 0.25 if absent.",
    )
    sizes: Mapping[Id, ShopSize] = Field(
        default_factory=dict, description="The shop's sizes, by name."
    )
    other_sizes: bool = Field(
        default=True, description="False: other sizes cannot be ordered."
    )
    tolerance: Mm = Field(
        default=1.0,
        ge=0,
        le=3,
        description="Allowed difference from the shop's size on each side, in mm.",
    )
    colour: Colour = Field(description="The shop's requirements for colours.")
    order: PageOrder = Field(
        default="front-back", description="The order of fronts and backs in the files."
    )
    copies: Literal["repeated", "listed"] = Field(
        default="repeated",
        description="One page per copy, or one page and a number in the manifest.",
    )
    most_cards: int | None = Field(
        default=None,
        ge=1,
        description="Maximum cards in one order; more are split into parts.",
    )
    autofill: str | None = Field(
        default=None,
        description=(
            "The card stock, named as in the desktop tool of mpc-autofill. Images "
            "get an order file for this tool."
        ),
    )
    outlined_text: bool = Field(
        default=False, description="True: text must be outlines instead of fonts."
    )
    file_name: str = Field(
        default="{pack}-{lang}-{size}{part}{side}",
        pattern=r"^([A-Za-z0-9 _.-]|\{(pack|lang|size|part|side)\})+$",
        max_length=120,
        description="Names of PDF files without extension: {pack} {lang} {size} {part} {side}.",
    )
    plates: Mapping[Literal["foil", "white"], str] = Field(
        default_factory=dict,
        description="Spot colours of plates, if the shop does not accept black for them.",
    )
    notes: tuple[Localized, ...] = Field(
        default=(), description="Additional notes on the order sheet."
    )

    @model_validator(mode="after")
    def _check_image_colors(self) -> "Preset":
        """Raise ValueError for CMYK images, which no shop accepts."""
        if self.output != "pdf" and self.colour.space != "rgb":
            raise ValueError(_("images as output need colour space: rgb"))
        return self


_SIZE_NAME = re.compile(r"([\d.]+)x([\d.]+)")


def format_size_name(name: str) -> str:
    """Return the name of a size for people: "63 × 88" for "63x88"."""
    match = _SIZE_NAME.fullmatch(name)
    return f"{match[1]} × {match[2]}" if match else name


def format_size(size: tuple[float, float]) -> Message:
    """Return a size in mm with the decimal sign of the language."""
    return Message(
        "{wide:g} × {high:g}", wide=round(size[0], 2), high=round(size[1], 2)
    )


@dataclass(frozen=True, slots=True)
class FacePlace:
    """Where a face is printed in an order: a file and the index of its page."""

    file: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class OrderCard:
    """One card of a print order.

    `fronts` and `backs` are all its places. Cards may share a back. `deck` is that of a product.
    """

    id: str
    kind: str
    name: str
    lang: str
    size: str
    copies: int
    fronts: tuple[FacePlace, ...]
    backs: tuple[FacePlace, ...]
    common_back: bool = False
    deck: str = ""


@dataclass(frozen=True, slots=True)
class OrderFile:
    """One file of a print order. Lengths are in mm. `pixels` is the size of an image."""

    name: str
    size: str
    pages: int
    page: tuple[float, float]
    trim: tuple[float, float]
    sha256: str
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ShopOrder:
    """A print order for a shop.

    `colour` describes how colours were made. `remarks` are notes for the shop and the author.
    `release` is the printed release, empty for the current cards. `engine` is the engine and its
    version.
    """

    preset: str
    shop: str
    pack: str
    title: str
    state: str
    colour: str
    cards: tuple[OrderCard, ...]
    files: tuple[OrderFile, ...]
    remarks: tuple[str, ...] = field(default=())
    release: str = ""
    engine: str = ""

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of files, cards and copies in the order."""
        common_cards = [card for card in self.cards if card.common_back]
        unique_cards = [
            card for card in self.cards if card.backs and not card.common_back
        ]
        # All cards of a kind share their common back, but its texts differ between languages.
        common_backs = {(card.kind, card.lang) for card in common_cards}
        return {
            "different_cards": len(self.cards),
            "cards": sum(card.copies for card in self.cards),
            "different_fronts": len(self.cards),
            "different_backs": len(unique_cards) + len(common_backs),
            "cards_with_own_back": sum(card.copies for card in unique_cards),
            "cards_with_common_back": sum(card.copies for card in common_cards),
            "cards_without_back": sum(
                card.copies for card in self.cards if not card.backs
            ),
            "files": len(self.files),
            "pages": sum(file.pages for file in self.files),
        }
