"""Imported packs are private. Their texts belong to the publishers of the games."""

from builder.errors import UsageError
from builder.files import read_limited
from builder.messages import gettext as _
from builder.packs.project import Project
from builder.packs.yaml.reading import parse_document

IMPORTED_KEY = "imported"
"""The key of pack.yaml that makes a pack private."""


def is_imported(project: Project, pack: str) -> bool:
    """Return True if a pack was imported from a list, and is therefore private.

    A broken pack.yaml with the key counts as private.
    """
    try:
        data = read_limited(project.get_cards_dir(pack) / "pack.yaml")
    except OSError:
        return False
    # A quick test, because to parse each pack.yaml takes much longer.
    if IMPORTED_KEY.encode() not in data:
        return False
    document, _findings = parse_document(data.decode(errors="replace"), "pack.yaml")
    if document is None or not isinstance(document.value, dict):
        return True
    return document.value.get(IMPORTED_KEY, False) is not False


def refuse_imported(project: Project, pack: str) -> None:
    """Raise UsageError for an imported pack, whose cards must not be shown to others."""
    if is_imported(project, pack):
        raise UsageError(
            _(
                "{pack} is imported and therefore private: others may not see its cards",
                pack=pack,
            ),
            _("Print the cards for yourself."),
        )


class PublicProject(Project):
    """A project without its imported packs, which are private."""

    def list_packs(self) -> tuple[str, ...]:
        """Return the ids of the packs that everybody may see."""
        return tuple(
            pack for pack in super().list_packs() if not is_imported(self, pack)
        )
