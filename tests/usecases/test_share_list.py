"""Imported squads become files of the program that they came from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.errors import UsageError
from builder.files import write_files
from builder.interchange.reading import read_foreign_roster
from builder.interchange.tree import ForeignRoster
from builder.packs.project import Project
from builder.usecases.imports.import_design import ImportRequest
from builder.usecases.imports.import_lists import import_lists
from builder.usecases.imports.share_list import FOREIGN_FORMATS, share_list
from builder.usecases.roster.roster_files import check_roster_file
from tests.interchange.systems import SYSTEMS, WRITERS, make_skirmish, write_xml


class ImportedSquad:
    """A squad that was imported into a project of its own."""

    def __init__(self, folder: Path, data: bytes) -> None:
        file = folder / "list.json"
        file.write_bytes(data)
        result = import_lists(folder / "game", [file], ImportRequest(size="a6"))
        write_files(result.files)
        self.project = Project((folder / "game").resolve())
        (self.file,) = result.lists

    def edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the squad."""
        text = self.file.read_text("utf-8")
        changed_text = change(text)
        assert changed_text != text
        self.file.write_text(changed_text, "utf-8")

    def share(self, form: str = "ros") -> bytes:
        """Return the file of the other program."""
        result = check_roster_file(self.project, self.file, None)
        assert result.roster is not None, result.findings
        return share_list(self.project, result.roster, form).data

    def read(self) -> ForeignRoster:
        """Return the meaning of the shared file."""
        return read_foreign_roster(self.share())


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_shared_list_equals_the_imported_one(
    tmp_path: Path, system: str, writer: str
) -> None:
    data = WRITERS[writer](SYSTEMS[system]())
    squad = ImportedSquad(tmp_path, data)
    for form in FOREIGN_FORMATS:
        assert read_foreign_roster(squad.share(form)) == read_foreign_roster(data)
    if writer in ("new-recruit", "list-forge"):
        assert json.loads(squad.share("newrecruit")) == json.loads(data)


def test_edited_names_counts_and_notes_appear(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    squad.edit(lambda text: text.replace("name: Harbour patrol", "name: Night patrol"))
    squad.edit(lambda text: text.replace("name: Old Wick", "name: Wick"))
    squad.edit(lambda text: text.replace("note: Paint the lantern.", "note: Done."))
    squad.edit(
        lambda text: text.replace("street-guard, count: 2", "street-guard, count: 3")
    )
    squad.edit(
        lambda text: text.replace(
            "fog-hound, count: 1", "fog-hound, count: 1, name: Rex"
        )
    )
    roster = squad.read()
    assert roster.name == "Night patrol"
    captain, *guards, hound = roster.forces[0].selections[1:]
    assert (captain.custom_name, captain.notes) == ("Wick", "Done.")
    assert [guard.name for guard in guards] == ["Street guard"] * 3
    assert hound.custom_name == "Rex"
    assert roster.costs[0].value == 68 + 12


def test_a_removed_model_is_removed_from_the_list(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    squad.edit(
        lambda text: "".join(
            line for line in text.splitlines(True) if "fog-hound" not in line
        )
    )
    roster = squad.read()
    assert [selection.name for selection in roster.forces[0].selections] == [
        "Scenario size",
        "Lamp captain",
        "Street guard",
        "Street guard",
    ]
    assert roster.costs[0].value == 68 - 9


def test_models_of_one_card_can_have_names_of_their_own(tmp_path: Path) -> None:
    value = make_skirmish()
    for number, guard in enumerate(value["forces"][0]["selections"][2:4], 1):
        guard["id"] = f"guard-{number}"
    squad = ImportedSquad(tmp_path, write_xml(value))
    squad.edit(
        lambda text: text.replace(
            "entries:\n", "entries:\n  - {card: street-guard, name: Ann}\n"
        ).replace("{card: street-guard, count: 2,", "{card: street-guard, count: 1,")
    )
    guards = squad.read().forces[0].selections[2:4]
    assert [(guard.id, guard.custom_name) for guard in guards] == [
        ("guard-1", ""),
        ("guard-2", "Ann"),
    ]


def test_a_model_is_removed_from_its_own_group(tmp_path: Path) -> None:
    value = make_skirmish()
    (first_force,) = value["forces"]
    second_force = {**first_force, "id": "force-2", "name": "Reserve", "selections": []}
    for number in (1, 2):
        guard = {**first_force["selections"][2], "id": f"guard-{number}"}
        (first_force if number == 1 else second_force)["selections"].append(guard)
    del first_force["selections"][2:4]
    value["forces"].append(second_force)
    squad = ImportedSquad(tmp_path, write_xml(value))
    squad.edit(
        lambda text: "".join(
            line for line in text.splitlines(True) if "guard-1" not in line
        )
    )
    first, second = squad.read().forces
    assert "Street guard" not in [selection.name for selection in first.selections]
    assert [selection.id for selection in second.selections] == ["guard-2"]


def test_a_new_entry_of_a_card_is_a_copy(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    squad.edit(
        lambda text: text.replace("deck:", "  - {card: fog-hound, name: Rex}\ndeck:")
    )
    hounds = squad.read().forces[0].selections[-2:]
    assert [(hound.name, hound.custom_name) for hound in hounds] == [
        ("Fog hound", ""),
        ("Fog hound", "Rex"),
    ]
    assert hounds[0].id != hounds[1].id


def test_unknown_elements_are_kept(tmp_path: Path) -> None:
    data = write_xml(make_skirmish()).replace(
        b"<profiles>", b'<odd x="1"/><profiles>', 1
    )
    squad = ImportedSquad(tmp_path, data)
    assert squad.share("ros").count(b'<odd x="1"/>') == 1
    assert squad.share("newrecruit").count(b'"odd": {"x": "1"}') == 1


def test_a_squad_that_was_not_imported_is_refused(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    squad.edit(
        lambda text: "".join(
            line for line in text.splitlines(True) if "origin: {file" not in line
        )
    )
    with pytest.raises(UsageError, match="was not imported"):
        squad.share()


def test_a_missing_original_or_record_is_named(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    imports = squad.file.parent.parent / "imports"
    (imports / "harbour-patrol.json").unlink()
    with pytest.raises(UsageError, match=r"harbour-patrol\.json is missing"):
        squad.share()
    (imports / "record.json").unlink()
    with pytest.raises(UsageError, match="has no import of"):
        squad.share()


def test_edits_of_cards_are_counted(tmp_path: Path) -> None:
    squad = ImportedSquad(tmp_path, write_xml(make_skirmish()))
    roster = check_roster_file(squad.project, squad.file, None).roster
    assert roster is not None
    assert share_list(squad.project, roster, "ros").remarks == ()
    hound = squad.project.get_cards_dir("game") / "unit" / "fog-hound.yaml"
    text = hound.read_text("utf-8").replace("cost: 9", "cost: 10")
    hound.write_text(text.replace("name: Fog hound", "name: Mist dog", 1), "utf-8")
    (remark,) = share_list(squad.project, roster, "ros").remarks
    assert remark == "2 edits of cards are not in this file."
