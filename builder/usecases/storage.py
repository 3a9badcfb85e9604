"""Where squads, collections and packs are kept, as the use cases see it: files and a database serve them alike."""

from __future__ import annotations

from typing import Protocol

from builder.errata.impact import Migrated
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot
from builder.findings import Finding
from builder.model.card import Migration
from builder.model.loaded import LoadedPack, LoadedRoster
from builder.model.roster import Collection, Roster
from builder.roster.operations import Edit


class RosterStorage(Protocol):
    """Squads by name, each with the edits that can be taken back. What a name is, a path or a key, the storage knows.

    `load` and whatever changes a squad raise InputUnreadable where there is none of that name.
    """

    def names(self) -> tuple[str, ...]:
        """All that are kept, in order."""

    def load(self, name: str) -> LoadedRoster:
        """One of them."""

    def create(self, name: str, roster: Roster, like: str | None = None) -> None:
        """Keep a squad under a name, in the stead of any that had it; `like` names the one it grew from."""

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        """Change a squad, and remember what the change was called; the squad after it."""

    def undo(self, name: str) -> str:
        """Take the last edit back; what it was called. UsageError where there is none."""

    def migrate(self, name: str, migrated: Migrated, version: str) -> bool:
        """Bring a squad's ids, and the release it is pinned to, to a version; True if that changed anything."""


class CollectionStorage(Protocol):
    """Collections by name."""

    def load(self, name: str) -> Collection:
        """One of them. InputUnreadable where there is none of that name."""


class ReleaseStorage(Protocol):
    """The releases of one pack, and what shapes its cards besides their data."""

    def all(self) -> tuple[Release, ...]:
        """Every release that can be read, by version."""

    def has(self, version: str) -> bool:
        """True if there is such a version."""

    def load(self, version: str) -> tuple[Snapshot, tuple[Finding, ...]]:
        """A frozen state and what is wrong with it. UsageError if there is no such version."""

    def write(self, state: Snapshot, version: str, dates: Release, previous: str | None) -> object:
        """Freeze a state as a version. OutputNotWritten where that version is there already."""

    def migrations(self) -> tuple[tuple[Migration, ...], tuple[Finding, ...]]:
        """The steps from old ids to new ones, and what is wrong with them."""

    def digests(self) -> dict[str, str]:
        """SHA-256 of all that shapes a card besides its data, by name."""


class PackStorage(Protocol):
    """The packs of one project with their releases."""

    def packs(self) -> tuple[str, ...]:
        """The ids of all packs."""

    def load(self, pack: str) -> LoadedPack:
        """A pack as it is edited."""

    def releases(self, pack: str) -> ReleaseStorage:
        """Its releases."""

    def parse(self, text: str, name: str) -> LoadedRoster:
        """A squad from a text (YAML or JSON), which findings call by the name."""

    def elsewhere(self, name: str) -> PackStorage | None:
        """The packs of another project; None where the name is not that of a project."""
