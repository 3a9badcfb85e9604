"""How the columns and rows of a table are read as cards of a pack."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from builder.model.base import Id, InnerPath, Json, KindId, Lang, Model

ColumnType: TypeAlias = Literal[
    "", "number", "stat", "yes-no", "choice", "list", "text", "rich-text"
]
ShortText = Annotated[str, StringConstraints(max_length=200)]
RowId: TypeAlias = Id


class ColumnRule(Model):
    """How one column of a table is imported: its field, and how cells become values."""

    field: str = Field(
        description="The field its cells are put into, with dots: `stats.move`, or `name@de`."
    )
    type: ColumnType = Field(
        default="",
        description=(
            "What the cells are. The schema of the kind decides; this is for readers of the file."
        ),
    )
    split: ShortText = Field(
        default="", description="The sign between the items of a list."
    )
    values: Mapping[str, Json] = Field(
        default_factory=dict, description="What a cell stands for."
    )
    replace: Mapping[str, str] = Field(
        default_factory=dict, description="What is put in the place of parts of a text."
    )


class TableMapping(Model):
    """A mapping file: which column of a table is which field of a card."""

    page = "tables.md"

    file: InnerPath | None = Field(
        default=None, description="The name of the table's file, without a folder."
    )
    sheet: str = Field(default="", description="The sheet of a workbook.")
    kind: KindId | None = Field(default=None, description="The kind of the cards.")
    lang: Lang | None = Field(
        default=None, description="The language of columns that name no language."
    )
    columns: Mapping[str, str | ColumnRule] = Field(
        default_factory=dict,
        description="Fields by the columns' names; any other column is named as its field.",
    )
    constants: Mapping[str, Json] = Field(
        default_factory=dict, description="Values that every card of the table gets."
    )
    skip: tuple[str, ...] = Field(default=(), description="Columns that are not read.")
    skip_rows: tuple[str, ...] = Field(
        default=(),
        description="Rows that are no cards, by the text of their first filled cell.",
    )
    rows: Mapping[str, RowId] = Field(
        default_factory=dict,
        description=(
            "The id of each row's card, by its id or name, or by `#` and a hash of the row."
        ),
    )
