"""Numbers of stats.yaml: written out, taken from a card, thrown, or worked out from other numbers.

Every form is pure arithmetic over whole numbers and dice, so that chances stay exact. A new form
needs two packs that want it.
"""

from collections.abc import Mapping
from typing import Annotated, Self, TypeAlias

from pydantic import Discriminator, Field, StringConstraints, Tag, model_validator

from builder.messages import gettext as _
from builder.model.base import Id, Model, NameOf, require_exactly_one, walk_models
from builder.model.rules import Where

Dice = Annotated[
    str, StringConstraints(pattern=r"^([1-9]|1[0-9]|20)d([2-9]|[1-9][0-9]|100)$")
]
"""Dice added up, such as `2d6`: at most 20, of at most 100 sides."""
Throw = Annotated[
    str,
    StringConstraints(
        pattern=r"^([1-9]|1[0-9]|20)?d([2-9]|[1-9][0-9]|100)([+-][0-9]{1,3})?$"
    ),
]
"""A number that is thrown, such as `d3`, `2d6` or `d6+1`."""

AttackField = Annotated[str, NameOf("attack field")]
CardField = Annotated[str, NameOf("card field")]


class FieldOf(Model):
    """A number on a card or of a circumstance. Exactly one of the four keys says where.

    A card may hold `2d6+1`.
    """

    attack: AttackField | None = Field(
        default=None, description="Dotted field of the attack itself."
    )
    model: CardField | None = Field(
        default=None, description="Dotted field of the attacking card."
    )
    target: CardField | None = Field(
        default=None, description="Dotted field of the attacked card."
    )
    given: Id | None = Field(
        default=None, description="A circumstance that the form lists under `given`."
    )
    otherwise: int | None = Field(
        default=None, description="The value if the card has none."
    )

    _check_one = require_exactly_one("attack", "model", "target", "given")

    @property
    def axis(self) -> str | None:
        """The target field or circumstance that the number depends on, or None."""
        return self.target if self.given is None else f"given.{self.given}"


class Named(Model):
    """A number that `let` defines under a name."""

    named: Id = Field(description="Its name under `let` of the form or of the file.")


class Sum(Model):
    """The sum of some numbers minus others. It is missing if one of them is missing."""

    sum: "tuple[Value, ...]" = Field(
        min_length=1, description="Numbers that are added."
    )
    less: "tuple[Value, ...]" = Field(
        default=(), description="Numbers that are subtracted."
    )


class Product(Model):
    """The product of some numbers. It is missing if one of them is missing."""

    product: "tuple[Value, ...]" = Field(
        min_length=1, description="Numbers that are multiplied."
    )


class Least(Model):
    """The smallest of the numbers that are not missing."""

    least: "tuple[Value, ...]" = Field(
        min_length=1, description="The smallest of these numbers is used."
    )


class Most(Model):
    """The largest of the numbers that are not missing."""

    most: "tuple[Value, ...]" = Field(
        min_length=1, description="The largest of these numbers is used."
    )


class Compare(Model):
    """A comparison of a number with other numbers.

    All the stated parts must hold. A number that is not stated fails.
    """

    value: "Value" = Field(description="The value that is compared.")
    lt: "Value | None" = Field(default=None, description="True if less than this.")
    le: "Value | None" = Field(default=None, description="True if at most this.")
    gt: "Value | None" = Field(default=None, description="True if greater than this.")
    ge: "Value | None" = Field(default=None, description="True if at least this.")
    eq: "Value | None" = Field(default=None, description="True if equal to this.")

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        parts = (self.lt, self.le, self.gt, self.ge, self.eq)
        if all(part is None for part in parts):
            raise ValueError(_("give at least one of lt, le, gt, ge, eq"))
        return self


class Case(Model):
    """One line of a table: its number counts if all stated conditions are true."""

    where: Where = Field(default=Where(), description="Tests of the attack's fields.")
    bearer: Where = Field(
        default=Where(),
        description="Tests of the attacking card and of its `choice.NAME`.",
    )
    compare: Compare | None = Field(
        default=None, description="A comparison of numbers."
    )
    value: "Value" = Field(description="The number for this case.")


class Cases(Model):
    """A table of numbers, of which the first line with true conditions counts."""

    cases: tuple[Case, ...] = Field(
        min_length=1, description="Cases, tried in this order."
    )
    otherwise: "Value | None" = Field(
        default=None,
        description="The number if no case matches. Absent: there is no number.",
    )


def _find_form(value: object) -> str | None:
    """Return the form of a number in stats.yaml, by its type or its key."""
    # `true` is an int for Python, but no number.
    if isinstance(value, int) and not isinstance(value, bool):
        return _("a number")
    if isinstance(value, str):
        return "dice"
    # pydantic also passes models, for example when it serializes one.
    keys = (
        value if isinstance(value, Mapping) else getattr(value, "model_fields_set", ())
    )
    for key, form in _FORMS.items():
        if key in keys:
            return form
    return None


_FORMS = {
    "named": "a name",
    "sum": "a sum",
    "product": "a product",
    "least": "the least",
    "most": "the most",
    "cases": "a table",
    "attack": "a field",
    "model": "a field",
    "target": "a field",
    "given": "a field",
}

NUMBER_FORM = _(
    "a number is a number, dice such as d3, or a map with one of attack, model, target, "
    "given, named, sum, product, least, most, cases"
)

Value: TypeAlias = Annotated[
    Annotated[int, Tag("a number")]
    | Annotated[Throw, Tag("dice")]
    | Annotated[FieldOf, Tag("a field")]
    | Annotated[Named, Tag("a name")]
    | Annotated[Sum, Tag("a sum")]
    | Annotated[Product, Tag("a product")]
    | Annotated[Least, Tag("the least")]
    | Annotated[Most, Tag("the most")]
    | Annotated[Cases, Tag("a table")],
    Discriminator(
        _find_form, custom_error_type="number_form", custom_error_message=NUMBER_FORM
    ),
]
"""A number, dice, the field that holds it, or how it is worked out."""


def contains_throw(value: object) -> bool:
    """Return True if any part of a number is rolled. Fields of cards are not examined."""
    if isinstance(value, str):
        return True
    if isinstance(value, tuple):
        return any(contains_throw(item) for item in value)
    if isinstance(value, Sum | Product | Least | Most | Cases):
        return any(
            contains_throw(getattr(value, name)) for name in type(value).model_fields
        )
    if isinstance(value, Case):
        return contains_throw(value.value)
    return False


def collect_axes(*parts: object) -> tuple[str, ...]:
    """Return the target fields and circumstances that these numbers depend on, each once."""
    found_axes: dict[str, None] = {}
    for part in parts:
        for value in walk_models(part):
            if isinstance(value, FieldOf) and value.axis is not None:
                found_axes[value.axis] = None
    return tuple(found_axes)
