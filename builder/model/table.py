"""How the columns of a table that was not made for a pack are read as fields of its cards."""

from collections.abc import Mapping

from pydantic import Field

from builder.model.base import Json, Model


class ColumnRule(Model):
    """How one column is read."""

    field: str = Field(
        description="The field its cells are put into, with dots: `stats.move`, or `name@de`."
    )
    split: str = Field(default="", description="The sign between the items of a list.")
    values: Mapping[str, Json] = Field(default_factory=dict, description="What a cell stands for.")
    replace: Mapping[str, str] = Field(
        default_factory=dict, description="What is put in the place of parts of a text."
    )


class TableMapping(Model):
    """A mapping file."""

    page = "tables.md"

    columns: Mapping[str, str | ColumnRule] = Field(
        default_factory=dict,
        description="Fields by the columns' names; any other column is named as its field.",
    )
    constants: Mapping[str, Json] = Field(
        default_factory=dict, description="Values that every card of the table gets."
    )
    skip: tuple[str, ...] = Field(default=(), description="Columns that are not read.")
