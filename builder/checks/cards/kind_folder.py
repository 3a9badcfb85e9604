"""A card lies in the folder of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import LoadedPack

KIND_FOLDER = define(
    "cards/kind-folder",
    _("The card lies in the folder of another kind"),
    _("Folders say at a glance what there is; a card in the wrong one is overlooked."),
    _("Move the file into the folder named after its kind, or correct `kind`."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Folders against kinds."""
    kinds = loaded.pack.manifest.kinds if loaded.pack else {}
    for file in loaded.files:
        if file.kind in kinds and file.kind != file.folder:
            message = _("the kind is {kind}, but the folder is {folder}", kind=file.kind, folder=file.folder)
            yield KIND_FOLDER.finding(message, file.document.locate(("kind",)))
