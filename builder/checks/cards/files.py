"""Where a card's file lies: named after its id, which no other card has, in the folder of its kind."""

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
KIND_FOLDER = define(
    "cards/kind-folder",
    _("The card lies in the folder of another kind"),
    _("Folders say at a glance what there is; a card in the wrong one is overlooked."),
    _("Move the file into the folder named after its kind, or correct `kind`."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Names of files against ids, folders against kinds."""
    yield from _check_file_name(loaded)
    yield from _check_kind_folder(loaded)


def _check_file_name(loaded: LoadedPack) -> Iterator[Finding]:
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


def _check_kind_folder(loaded: LoadedPack) -> Iterator[Finding]:
    """Folders against kinds."""
    kinds = loaded.pack.manifest.kinds if loaded.pack else {}
    for file in loaded.files:
        if file.kind in kinds and file.kind != file.folder:
            message = _("the kind is {kind}, but the folder is {folder}", kind=file.kind, folder=file.folder)
            yield KIND_FOLDER.finding(message, file.document.locate(("kind",)))
