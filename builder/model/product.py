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
        default=None,
        description="One card. This line overrides every condition that matches it.",
    )
    where: Where | None = Field(
        default=None,
        description="Instead of `card`: all cards that match, written as in rules.yaml.",
    )
    copies: int = Field(
        default=1,
        ge=0,
        le=1000,
        description="Number of copies of each. 0 leaves a card out.",
    )

    _check_one = require_exactly_one("card", "where")


class BoxArt(Model):
    """The picture on one side of a box."""

    art: Annotated[InnerPath, NameOf("art")] | None = Field(
        default=None, description="A picture in the pack's art folder."
    )
    card: CardId | None = Field(
        default=None,
        description="Instead of `art`: a card whose front covers this side of the box.",
    )

    _check_one = require_exactly_one("art", "card")


class TuckBox(Model):
    """A box for cards that is printed and folded. Its size follows from the deck."""

    card: Mm = Field(
        default=0.32,
        gt=0,
        le=5,
        description="Thickness of one card in mm, with its sleeve.",
    )
    paper: Mm = Field(
        default=0.4, gt=0, le=3, description="Thickness of the box's cardboard in mm."
    )
    play: Mm = Field(
        default=1.0,
        ge=0,
        le=10,
        description="Clearance around the deck in each direction, in mm.",
    )
    colour: Colour = Field(default="#23303a", description="Background colour.")
    ink: Colour = Field(default="#ffffff", description="Colour of the titles.")
    front: BoxArt | None = Field(
        default=None, description="Picture on the front; the deck's name if absent."
    )
    back: BoxArt | None = Field(default=None, description="Picture on the back.")


class ProductDeck(Model):
    """Cards that are sold in a product as one deck."""

    name: Localized = Field(
        default_factory=dict, description="The name of the deck, per language."
    )
    cards: tuple[ProductLine, ...] = Field(
        min_length=1, description="Its cards, in this order."
    )
    box: TuckBox | None = Field(default=None, description="Its tuck box.")


class GameProduct(Model):
    """A product of the game: the decks and sheets in its box."""

    name: Localized = Field(description="The name of the product, per language.")
    languages: tuple[Annotated[Lang, NameOf("language")], ...] = Field(
        default=(), description="The languages of the product; all if absent."
    )
    decks: Mapping[Id, ProductDeck] = Field(
        default_factory=dict, description="Its decks, in order."
    )
    sheets: tuple[ProductLine, ...] = Field(
        default=(),
        description="Its sheets for the table: cards of kinds with `table: true`.",
    )
    gauges: bool | tuple[Annotated[Id, NameOf("gauge")], ...] = Field(
        default=True,
        description="False: no gauges and tokens. A list: only those with these ids.",
    )

    @model_validator(mode="after")
    def _check_contents(self) -> Self:
        if not self.decks and not self.sheets:
            raise ValueError(_("a product needs decks or sheets"))
        return self


class ProductSet(Model):
    """products.yaml: the products of a game."""

    page = "products.md"

    products: Mapping[Id, GameProduct] = Field(
        min_length=1, description="Each product by its id."
    )
