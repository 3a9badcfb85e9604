"""Leave private packs out of commands whose results others can see."""

from collections.abc import Iterable

from builder.cli.console import echo
from builder.messages import gettext as _
from builder.packs.privacy import is_imported
from builder.packs.project import Project


def omit_imported_packs(project: Project, packs: Iterable[str]) -> list[str]:
    """Return the packs that may be published. Print the names of private ones."""
    public_packs = []
    for pack in packs:
        if is_imported(project, pack):
            echo(
                _("{pack} is imported and therefore private: left out", pack=pack),
                err=True,
            )
        else:
            public_packs.append(pack)
    return public_packs
