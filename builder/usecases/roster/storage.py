"""Storage of squads: YAML files for the command line, a database for the web program."""

from typing import Protocol

from builder.errata.impact import MigratedRoster
from builder.model.loaded import LoadedRoster
from builder.model.roster import Roster
from builder.roster.operations import Edit


class RosterStorage(Protocol):
    """A place where squads are stored by name: files or the web's database.

    The name is a path or a database key. Methods raise InputUnreadable for an unknown name. An edit
    keeps comments, quotes and the order of keys in the squad's text.
    """

    def list_names(self) -> tuple[str, ...]:
        """Return the names of all squads."""

    def load(self, name: str) -> LoadedRoster:
        """Read a squad."""

    def create(self, name: str, roster: Roster, like: str | None = None) -> None:
        """Store a new squad. With `like`, keep the comments of that squad."""

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        """Apply an edit to a squad and save it. `what` describes it for undo."""

    def undo(self, name: str) -> str:
        """Undo the last edit of a squad and return its description.

        Raise UsageError if there is none.
        """

    def migrate(self, name: str, migrated: MigratedRoster, version: str) -> bool:
        """Replace old card ids in a squad, and the release that it is pinned to.

        Return True if anything changed.
        """
