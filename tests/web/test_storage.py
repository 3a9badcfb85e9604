"""Squads in files and squads in a database: both storages keep the same promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest

from builder.errata.impact import migrate_roster
from builder.errors import InputUnreadable, UsageError
from builder.model.card import Migration
from builder.model.roster import Roster
from builder.packs.project import find_project
from builder.roster.operations import Rename
from builder.usecases.roster.roster_files import RosterFiles
from builder.usecases.roster.storage import RosterStorage
from builder.web.cards.library import get_library
from builder.web.squads.models import SavedSquad
from builder.web.squads.storage import SquadStorage
from tests.house.source import ROOT

TEXT = """\
# The night shift.
pack: hydrophilia
name: 'Watch'  # a name in quotes
entries:
  - card: captain-davis  # leads
"""


@dataclass
class Shelf:
    """A storage, how to name a new squad in it, and how to read and write a text past it."""

    storage: RosterStorage
    make_name: Callable[[], str]
    read: Callable[[str], str]
    write: Callable[[str, str], None]

    def add(self, text: str = TEXT) -> str:
        name = self.make_name()
        self.write(name, text)
        return name

    def roster(self, name: str) -> Roster:
        roster = self.storage.load(name).roster
        assert roster is not None
        return roster


def file_shelf(folder: Path) -> Shelf:
    def write(name: str, text: str) -> None:
        Path(name).write_text(text, encoding="utf-8")

    return Shelf(
        RosterFiles(find_project(ROOT)),
        lambda: str(folder / f"{uuid4()}.yaml"),
        lambda name: Path(name).read_text(encoding="utf-8"),
        write,
    )


def database_shelf() -> Shelf:
    def write(name: str, text: str) -> None:
        SavedSquad.objects.create(id=name, owner="me", pack="hydrophilia", text=text)

    return Shelf(
        SquadStorage(get_library(), "me"),
        lambda: str(uuid4()),
        lambda name: SavedSquad.objects.get(id=name).text,
        write,
    )


@pytest.fixture(params=["files", "database"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    return file_shelf(tmp_path) if request.param == "files" else database_shelf()


def test_an_edit_keeps_comments_and_can_be_undone(shelf: Shelf) -> None:
    name = shelf.add()
    edited = shelf.storage.edit(name, Rename("Night", -1), "named Night")
    assert edited.name == "Night"
    assert shelf.roster(name) == edited
    text = shelf.read(name)
    assert "# The night shift." in text
    assert "# leads" in text
    assert shelf.storage.undo(name) == "named Night"
    assert shelf.read(name) == TEXT


def test_nothing_is_undone_twice(shelf: Shelf) -> None:
    name = shelf.add()
    shelf.storage.edit(name, Rename("Night", -1), "named Night")
    shelf.storage.undo(name)
    with pytest.raises(UsageError):
        shelf.storage.undo(name)


def test_a_new_squad_has_the_comments_of_the_one_it_grew_from(shelf: Shelf) -> None:
    old, new = shelf.add(), shelf.make_name()
    roster = shelf.roster(old)
    grown = roster.model_copy(update={"entries": (*roster.entries, roster.entries[0])})
    shelf.storage.create(new, grown, like=old)
    assert shelf.roster(new) == grown
    assert "# leads" in shelf.read(new)
    assert shelf.read(old) == TEXT


def test_a_renamed_card_is_followed_once(shelf: Shelf) -> None:
    name = shelf.add(TEXT.replace("captain-davis", "captain-old"))
    values = {"old": "captain-old", "new": ["captain-davis"], "type": "rename"}
    step = Migration.model_validate({**values, "date": date(2026, 6, 1)})
    cards = get_library().get_pack("hydrophilia").cards
    migrated = migrate_roster(shelf.roster(name), (step,), cards)
    assert shelf.storage.migrate(name, migrated, "9.9.9")
    assert [entry.card for entry in shelf.roster(name).entries] == ["captain-davis"]
    assert "# leads" in shelf.read(name)
    again = migrate_roster(shelf.roster(name), (step,), cards)
    assert not shelf.storage.migrate(name, again, "9.9.9")


def test_an_unknown_squad_is_refused(shelf: Shelf) -> None:
    name = shelf.make_name()
    with pytest.raises(InputUnreadable):
        shelf.storage.load(name)
    with pytest.raises(InputUnreadable):
        shelf.storage.edit(name, Rename("Night", -1), "named Night")


def test_the_database_lists_the_squads_of_its_owner() -> None:
    shelf = database_shelf()
    name = shelf.add()
    assert shelf.storage.list_names() == (name,)
    assert SquadStorage(get_library(), "other").list_names() == ()
