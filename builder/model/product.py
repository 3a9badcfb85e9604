"""products.yaml as models: what a box holds, in decks, sheets and gauges."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import (
    CardId,
    Id,
    InnerPath,
    Lang,
    Localized,
    Mm,
    Model,
    NameOf,
    require_exactly_one,
)
from builder.model.gauge import Colour
from builder.model.rules import Where


class ProductLine(Model):
    """Copies of one card, or of every card that fits a condition."""

    card: CardId | None = Field(
        default=None, description="One card. This line overrides every condition that matches it."
    )
    where: Where | None = Field(
        default=None, description="Instead of `card`: every card that fits, as in rules.yaml."
    )
    copies: int = Field(default=1, ge=1, le=1000, description="How many of each.")

    _check_one = require_exactly_one("card", "where")


class BoxArt(Model):
    """What is printed on a wall of a box."""

    art: Annotated[InnerPath, NameOf("art")] | None = Field(
        default=None, description="A picture of the pack's art folder."
    )
    card: CardId | None = Field(
        default=None, description="Instead of `art`: the card whose front covers the wall."
    )

    _check_one = require_exactly_one("art", "card")


class TuckBox(Model):
    """A box to fold, sized from the deck."""

    card: Mm = Field(
        default=0.32, gt=0, le=5, description="Thickness of one card in mm, its sleeve included."
    )
    paper: Mm = Field(
        default=0.4, gt=0, le=3, description="Thickness of the box's own board in mm."
    )
    play: Mm = Field(
        default=1.0, ge=0, le=10, description="Clearance around the deck in each direction, in mm."
    )
    colour: Colour = Field(default="#23303a", description="The ground.")
    ink: Colour = Field(default="#ffffff", description="Its titles.")
    front: BoxArt | None = Field(
        default=None, description="Covers the front; the deck's name stands there otherwise."
    )
    back: BoxArt | None = Field(default=None, description="Covers the back.")


class ProductDeck(Model):
    """Cards that lie in the box as one deck."""

    name: Localized = Field(
        default_factory=dict, description="What the deck is called, per language."
    )
    cards: tuple[ProductLine, ...] = Field(
        min_length=1, description="What it holds, in this order."
    )
    box: TuckBox | None = Field(default=None, description="Its tuck box.")


class GameProduct(Model):
    """What one box holds."""

    name: Localized = Field(description="What the product is called, per language.")
    languages: tuple[Annotated[Lang, NameOf("language")], ...] = Field(
        default=(), description="The languages it is made in; all where none is named."
    )
    decks: Mapping[Id, ProductDeck] = Field(
        default_factory=dict, description="Its decks, in order."
    )
    sheets: tuple[ProductLine, ...] = Field(
        default=(), description="Its sheets for the table: cards of kinds with `table: true`."
    )
    gauges: bool | tuple[Annotated[Id, NameOf("gauge")], ...] = Field(
        default=True, description="False: no gauges and tokens; a list: only those with these ids."
    )

    @model_validator(mode="after")
    def _check_contents(self) -> Self:
        if not self.decks and not self.sheets:
            raise ValueError(_("a product needs decks or sheets"))
        return self


class ProductSet(Model):
    """products.yaml."""

    page = "products.md"

    products: Mapping[Id, GameProduct] = Field(min_length=1, description="Each product by its id.")
