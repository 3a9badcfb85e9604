"""The record of what was imported into a pack: `imports/record.json`."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from builder.model.base import Id, InnerPath, Json, Model, Sha256


class ListRecord(Model):
    """An imported list, with the values that its last import gave to the cards."""

    file: str = Field(description="The name of the imported file.")
    original: InnerPath = Field(
        description="The original file, from the folder of the pack."
    )
    list_id: str = Field(default="", description="The id of the list in its file.")
    squad: Mapping[str, Json] = Field(description="The squad as it was imported.")
    cards: Mapping[Id, Mapping[str, Json]] = Field(
        description="The cards as they were imported."
    )


class ImportDesign(Model):
    """The options for the look of all cards of a pack, which later imports use again."""

    size: str = Field(description="The size of the cards.")
    cards: Literal["unit", "model"] = Field(
        default="unit", description="A card for each unit, or for each model."
    )
    text_size: float = Field(gt=0, description="The size of texts in pt.")
    theme: str | None = Field(
        default=None,
        description="A theme of the program, or its file in the folder of the pack.",
    )


class ImportRecord(Model):
    """All imported lists of a pack. A later import uses it to recognise edits."""

    format_version: int = Field(
        default=1, ge=1, le=1, description="The format of this file."
    )
    system_id: str = Field(default="", description="The id of the game in the lists.")
    system_name: str | None = Field(
        default=None, description="The name of the game in the lists."
    )
    design: ImportDesign = Field(description="How the cards look.")
    files: Mapping[InnerPath, Sha256] = Field(
        default_factory=dict,
        description="The digests of templates and other files, as they were written.",
    )
    lists: Mapping[Id, ListRecord] = Field(
        default_factory=dict, description="The imported lists by the id of their squad."
    )
