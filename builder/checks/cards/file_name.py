"""A card's file is named after its id, and no two cards share one."""

from __future__ import annotations

from collections.abc import Iterator

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack

FILE_NAME = define(
    "cards/file-name",
    _("The file's name is not the card's id"),
    _("The id is permanent and found by its file; two names for one card lead to two cards."),
    _("Rename the file to <id>.yaml, or correct the id."),
)
DUPLICATE_ID = define(
    "cards/duplicate-id",
    _("Two cards share an id"),
    _("References, rosters and releases know a card by its id alone."),
    _("Give one of the cards another id."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Names of files against ids."""
    first: dict[str, Document] = {}
    for file in loaded.files:
        if file.id is None:
            continue
        if file.id in first:
            message = _("{id} is already the id of {file}", id=file.id, file=first[file.id].file)
            yield DUPLICATE_ID.finding(message, file.document.locate(("id",)))
        else:
            first[file.id] = file.document
        if file.id != file.stem:
            hint = _("Rename the file to {id}.yaml, or write id: {stem}.", id=file.id, stem=file.stem)
            message = _("the id is {id}, but the file is {stem}.yaml", id=file.id, stem=file.stem)
            yield FILE_NAME.finding(message, file.document.locate(("id",)), hint)
