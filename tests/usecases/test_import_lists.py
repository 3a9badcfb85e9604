"""Lists of other programs become packs that can be edited and imported again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.errors import InputUnreadable, OutputNotWritten, UsageError
from builder.files import write_files
from builder.findings import has_errors
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from builder.usecases.imports.import_design import ImportRequest
from builder.usecases.imports.import_lists import ListImport, import_lists
from builder.usecases.imports.print_list import PrintOptions, print_squad
from builder.usecases.imports.share_list import share_list
from builder.usecases.roster.roster_files import check_roster_file
from tests.interchange.systems import (
    SYSTEMS,
    WRITERS,
    cost,
    make_regiments,
    make_skirmish,
    profile,
    rule,
    selection,
    write_xml,
)

OPTIONS = ImportRequest(size="120x70")
SQUAD = "game/cards/game/rosters/harbour-patrol.yaml"
TITLE = "game/cards/game/page/harbour-patrol.yaml"
HOUND = "game/cards/game/unit/fog-hound.yaml"


def import_roster(
    folder: Path, roster: dict[str, Any], name: str = "list.ros"
) -> ListImport:
    """Import a roster into the project `game`, and write the files."""
    file = folder / name
    file.write_bytes(write_xml(roster))
    result = import_lists(folder / "game", [file], OPTIONS)
    write_files(result.files)
    return result


def edit(folder: Path, file: str, change: Callable[[str], str]) -> None:
    """Change the text of a file."""
    text = (folder / file).read_text("utf-8")
    changed_text = change(text)
    assert changed_text != text
    (folder / file).write_text(changed_text, "utf-8")


def make_newer_skirmish() -> dict[str, Any]:
    """Return the list with a dearer hound, one guard less, and a new model."""
    roster = make_skirmish()
    selections = roster["forces"][0]["selections"]
    selections[-1]["costs"] = [cost(11)]
    del selections[3]
    stat = {"Move": '5"', "Nerve": "5+", "Guard": "2", "Wounds": "4"}
    selections.append(
        selection(
            "Bell ringer",
            "model",
            costs=[cost(7)],
            profiles=[profile("Bell", "Model", stat)],
        )
    )
    roster["costs"] = [cost(65)]
    return roster


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_imported_pack_is_complete_and_legal(tmp_path: Path, system: str) -> None:
    file = tmp_path / "list.rosz"
    file.write_bytes(WRITERS["zip"](SYSTEMS[system]()))
    result = import_lists(tmp_path / "game", [file], ImportRequest())
    write_files(result.files)
    project = Project((tmp_path / "game").resolve())
    assert not has_errors(check_packs(project, "game"))
    pack = PackFiles(project).load_pack("game").pack
    assert pack is not None
    assert pack.manifest.imported
    (squad,) = result.lists
    assert check_roster_file(project, squad, None).legal
    original = squad.parent.parent / "imports" / f"{squad.stem}.rosz"
    assert original.read_bytes() == file.read_bytes()


def test_cards_and_entries_keep_the_ids_of_the_list(tmp_path: Path) -> None:
    result = import_roster(tmp_path, make_skirmish())
    roster = check_roster_file(result.project, tmp_path / SQUAD, None).roster
    assert roster is not None
    captain = roster.entries[0]
    assert captain.origin is not None
    assert captain.origin.selections == ("selection-Lamp captain",)
    assert (captain.name, captain.note) == ("Old Wick", "Paint the lantern.")
    assert roster.origin is not None
    assert roster.origin.file == "imports/harbour-patrol.ros"
    assert "entry: link-Fog hound::entry-Fog hound" in (tmp_path / HOUND).read_text(
        "utf-8"
    ).replace('"', "")


def test_the_same_file_changes_nothing(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    result = import_roster(tmp_path, make_skirmish())
    assert result.files == {}
    assert result.changes == []


def test_a_newer_file_shows_changes_and_keeps_edits(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    edit(
        tmp_path,
        HOUND,
        lambda text: text.replace("name: Fog hound", "name: Mist dog  # mine", 1),
    )
    edit(tmp_path, SQUAD, lambda text: text.replace("name: Old Wick", "name: Wick"))
    result = import_roster(tmp_path, make_newer_skirmish(), "newer.ros")
    changes = {change.file.rpartition("/")[2]: change for change in result.changes}
    assert changes["bell-ringer.yaml"].what == "new"
    hound = changes["fog-hound.yaml"]
    assert [(leaf.path, leaf.old, leaf.new) for leaf in hound.leaves] == [
        (("cost",), 9, 11)
    ]
    hound_text = (tmp_path / HOUND).read_text("utf-8")
    assert "name: Mist dog  # mine" in hound_text
    assert "cost: 11" in hound_text
    roster = check_roster_file(result.project, tmp_path / SQUAD, None).roster
    assert roster is not None
    counts = {entry.card: (entry.count, entry.name) for entry in roster.entries}
    assert counts == {
        "old-wick": (1, "Wick"),
        "street-guard": (1, None),
        "fog-hound": (1, None),
        "bell-ringer": (1, None),
    }
    assert not [
        finding for finding in result.findings if finding.code == "import/conflict"
    ]


def test_a_value_that_both_changed_keeps_the_edit_and_is_reported(
    tmp_path: Path,
) -> None:
    import_roster(tmp_path, make_skirmish())
    edit(tmp_path, HOUND, lambda text: text.replace("cost: 9", "cost: 10"))
    result = import_roster(tmp_path, make_newer_skirmish())
    assert "cost: 10" in (tmp_path / HOUND).read_text("utf-8")
    (finding,) = [
        finding for finding in result.findings if finding.code == "import/conflict"
    ]
    assert finding.message == "cost: the list now has 11. Your edit 10 is kept."
    assert finding.location.file == HOUND.removeprefix("game/")
    hint = (
        "To use the list's value, write `cost: 11` in this file. Otherwise do nothing."
    )
    assert finding.hint == hint
    # The next import has nothing new to say.
    assert not import_roster(tmp_path, make_newer_skirmish()).findings


def test_values_in_long_rows_of_an_edited_card_are_updated(tmp_path: Path) -> None:
    import_roster(tmp_path, make_regiments())
    card = "game/cards/game/unit/ash-riflemen.yaml"
    edit(
        tmp_path,
        card,
        lambda text: text.replace("name: Ash riflemen", "name: Ash Gunners", 1),
    )
    edit(tmp_path, card, lambda text: text.replace('["5", "4"', '["9", "4"'))
    newer = make_regiments()
    # The changed value is beyond column 118 of its line.
    axe = json.loads(json.dumps(newer).replace('"5"', '"6"'))
    result = import_roster(tmp_path, axe)
    text = (tmp_path / card).read_text("utf-8")
    assert "name: Ash Gunners" in text
    assert '["9", "4"' in text
    assert '[Melee, "3", "3+", "6", "0", "1", "–"]' in text
    (finding,) = result.findings
    assert finding.code == "import/conflict"
    assert not has_errors(check_packs(result.project, "game"))


def test_a_removed_unit_loses_its_card_unless_it_is_edited(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    roster = make_skirmish()
    del roster["forces"][0]["selections"][-1]
    edit(tmp_path, HOUND, lambda text: text.replace("each: 5", "each: 6"))
    result = import_roster(tmp_path, roster)
    assert (tmp_path / HOUND).exists()
    assert any("is kept" in finding.message for finding in result.findings)


def test_a_removed_unit_without_edits_is_deleted(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    roster = make_skirmish()
    del roster["forces"][0]["selections"][-1]
    result = import_roster(tmp_path, roster)
    assert not (tmp_path / HOUND).exists()
    assert ("gone", HOUND.removeprefix("game/")) in [
        (change.what, change.file) for change in result.changes
    ]
    assert not check_packs(result.project, "game")


def test_a_card_that_another_squad_uses_is_kept(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    own_squad = tmp_path / "game/cards/game/rosters/own.yaml"
    own_squad.write_text("pack: game\nentries: [fog-hound]\n", "utf-8")
    roster = make_skirmish()
    del roster["forces"][0]["selections"][-1]
    import_roster(tmp_path, roster)
    assert (tmp_path / HOUND).exists()


def test_a_unit_may_be_called_like_the_list(tmp_path: Path) -> None:
    roster = make_skirmish() | {"name": "Fog hound"}
    import_roster(tmp_path, roster)
    roster["forces"][0]["selections"][-1]["costs"] = [cost(10)]
    result = import_roster(tmp_path, roster)
    assert ("cost",) in [
        leaf.path for change in result.changes for leaf in change.leaves
    ]
    del roster["forces"][0]["selections"][-1]
    result = import_roster(tmp_path, roster)
    assert not has_errors(check_packs(result.project, "game"))
    assert (tmp_path / "game/cards/game/rosters/fog-hound.yaml").exists()


def test_ids_stay_when_names_and_order_change(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    roster = make_skirmish()
    selections = roster["forces"][0]["selections"]
    selections[-1]["name"] = "Grey hound"
    selections.reverse()
    result = import_roster(tmp_path, roster)
    assert "name: Grey hound" in (tmp_path / HOUND).read_text("utf-8")
    assert {change.what for change in result.changes} == {"changed"}


def test_several_lists_become_one_pack(tmp_path: Path) -> None:
    second = make_newer_skirmish() | {"id": "second", "name": "Night shift"}
    files = [tmp_path / "first.ros", tmp_path / "second.ros"]
    for file, roster in zip(files, (make_skirmish(), second), strict=True):
        file.write_bytes(write_xml(roster))
    result = import_lists(tmp_path / "game", files, OPTIONS)
    write_files(result.files)
    assert [squad.name for squad in result.lists] == [
        "harbour-patrol.yaml",
        "night-shift.yaml",
    ]
    assert not check_packs(result.project, "game")
    for squad in result.lists:
        assert check_roster_file(result.project, squad, None).legal


def test_each_game_has_a_pack_of_its_own(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    result = import_roster(tmp_path, make_regiments())
    assert result.pack == "ash-wars"
    assert result.project.list_packs() == ("ash-wars", "game")
    files = [tmp_path / "a.ros", tmp_path / "b.ros"]
    files[0].write_bytes(write_xml(make_skirmish()))
    files[1].write_bytes(write_xml(make_regiments()))
    with pytest.raises(UsageError, match="another game"):
        import_lists(tmp_path / "both", files, OPTIONS)
    assert not (tmp_path / "both").exists()


def test_two_files_of_one_list_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / "a.ros", tmp_path / "b.ros"]
    files[0].write_bytes(write_xml(make_skirmish()))
    files[1].write_bytes(write_xml(make_skirmish() | {"name": "Copy"}))
    with pytest.raises(UsageError, match=r"a\.ros and .*b\.ros are the same list"):
        import_lists(tmp_path / "game", files, OPTIONS)
    import_roster(tmp_path, make_skirmish())
    with pytest.raises(UsageError, match="are the same list"):
        import_lists(tmp_path / "game", files, OPTIONS)


def test_games_without_an_id_have_their_name(tmp_path: Path) -> None:
    first = make_skirmish() | {"gameSystemId": ""}
    import_roster(tmp_path, first)
    result = import_roster(tmp_path, make_regiments() | {"gameSystemId": ""})
    assert result.pack == "ash-wars"
    assert import_roster(tmp_path, first).pack == "game"


def test_a_deleted_card_stays_deleted_and_is_reported(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    (tmp_path / HOUND).unlink()
    result = import_roster(tmp_path, make_newer_skirmish())
    assert not (tmp_path / HOUND).exists()
    assert HOUND.removeprefix("game/") in [
        finding.location.file
        for finding in result.findings
        if finding.code == "import/conflict"
    ]


def test_edited_templates_are_kept(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    style = "game/templates/game/pack.css"
    edit(tmp_path, style, lambda text: text + "/* mine */\n")
    import_roster(tmp_path, make_newer_skirmish())
    assert (tmp_path / style).read_text("utf-8").endswith("/* mine */\n")


def test_texts_that_move_to_the_back_keep_their_edits(tmp_path: Path) -> None:
    roster = make_skirmish()
    hound = roster["forces"][0]["selections"][-1]
    hound["rules"] = [rule("Howl", "All models are afraid. " * 12)]
    import_roster(tmp_path, roster)
    edit(tmp_path, HOUND, lambda text: text.replace("All models", "Most models", 1))
    hound["rules"].insert(0, rule("Bite", "It bites and does not let go. " * 30))
    result = import_roster(tmp_path, roster)
    texts = [
        path.read_text("utf-8")
        for path in (tmp_path / "game/cards/game").glob("unit*/fog-hound.yaml")
    ]
    assert len(texts) == 1
    assert texts[0].count("title: Howl") == 1
    assert "Most models" in texts[0]
    assert not check_packs(result.project, "game")


ODD_TEXTS = [
    "../../../x",
    "C:\\\\con",
    "a: {b} [c] # d",
    "'\"%@`|>",
    "- x\n? y",
    "\u0007\u007f\ufdd0\uffff",
    "\u202e\u2028\u200b",
    "{{ card.name }}{% x %}",
    "__pack__",
    "null",
    "2026-01-01",
    "x" * 300,
]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_any_text_can_be_an_id_or_note(tmp_path: Path, text: str) -> None:
    roster = make_skirmish()
    captain = roster["forces"][0]["selections"][1]
    roster |= {"id": text, "gameSystemId": text}
    captain |= {
        "id": text,
        "entryId": text,
        "customNotes": text,
        "customName": text[:60],
    }
    file = tmp_path / "list.json"
    file.write_bytes(WRITERS["new-recruit"](roster))
    result = import_lists(tmp_path / "game", [file], OPTIONS)
    assert all(
        path.is_relative_to((tmp_path / "game").resolve()) for path in result.files
    )
    write_files(result.files)
    assert not has_errors(check_packs(result.project, "game"))
    (squad,) = result.lists
    checked = check_roster_file(result.project, squad, None)
    assert checked.legal, checked.findings
    assert checked.roster is not None
    shared_list = share_list(result.project, checked.roster, "newrecruit")
    assert json.loads(shared_list.data) == json.loads(file.read_bytes())
    assert import_lists(tmp_path / "game", [file], OPTIONS).files == {}


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("imports/record.json", "{", "is damaged"),
        ("unit/fog-hound.yaml", "a: [", "fog-hound.yaml:"),
    ],
)
def test_damaged_files_of_the_pack_stop_the_import(
    tmp_path: Path, file: str, text: str, message: str
) -> None:
    import_roster(tmp_path, make_skirmish())
    (tmp_path / "game/cards/game" / file).write_text(text, "utf-8")
    with pytest.raises(InputUnreadable, match=message):
        import_roster(tmp_path, make_newer_skirmish())


def test_a_card_that_is_not_utf8_stops_the_import(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    card = tmp_path / HOUND
    card.write_bytes(card.read_bytes() + b"# caf\xe9\n")
    with pytest.raises(
        InputUnreadable, match=r"fog-hound.yaml:\d+: byte 0xe9 is not UTF-8"
    ):
        import_roster(tmp_path, make_newer_skirmish())


def test_a_record_with_paths_outside_of_the_pack_is_refused(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    file = tmp_path / "game/cards/game/imports/record.json"
    record = json.loads(file.read_text("utf-8"))
    record["lists"]["harbour-patrol"]["original"] = "../../../../secret"
    file.write_text(json.dumps(record), "utf-8")
    with pytest.raises(InputUnreadable, match="is damaged"):
        import_roster(tmp_path, make_newer_skirmish())


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    import_roster(tmp_path, make_skirmish())
    imports = tmp_path / "game/cards/game/imports"
    imports.rename(tmp_path / "elsewhere")
    imports.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputNotWritten, match="leads outside"):
        import_roster(tmp_path, make_newer_skirmish())


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game/notes.txt").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="neither a project nor an empty folder"):
        import_roster(tmp_path, make_skirmish())


def test_later_imports_use_the_design_of_the_first(tmp_path: Path) -> None:
    file, theme = tmp_path / "list.ros", tmp_path / "own.yaml"
    file.write_bytes(write_xml(make_regiments()))
    theme.write_text("name: Own\n", "utf-8")
    request = ImportRequest(cards="model", text_size=8, theme=str(theme))
    result = import_lists(tmp_path / "game", [file], request)
    write_files(result.files)
    cards = tmp_path / "game/cards/game"
    assert (cards / "imports/theme.yaml").read_bytes() == theme.read_bytes()
    assert (cards / "unit/ash-sergeant.yaml").exists()
    theme.rename(tmp_path / "moved.yaml")
    assert import_lists(tmp_path / "game", [file], ImportRequest()).files == {}
    same_request = ImportRequest(theme=str(tmp_path / "moved.yaml"))
    assert import_lists(tmp_path / "game", [file], same_request).files == {}
    for request, option in (
        (ImportRequest(size="a6"), "--size"),
        (ImportRequest(cards="unit"), "--cards"),
        (ImportRequest(text_size=9), "--text-size"),
        (ImportRequest(theme="plain"), "--theme"),
    ):
        with pytest.raises(UsageError, match=f"was imported with {option} "):
            import_lists(tmp_path / "game", [file], request)


def test_an_edit_follows_its_text_to_a_second_card(tmp_path: Path) -> None:
    def make_hound(rules: list[dict[str, Any]]) -> dict[str, Any]:
        roster = make_skirmish()
        roster["forces"][0]["selections"][-1]["rules"] = rules
        return roster

    howl = rule("Howl", "The pack answers. " * 30)
    others = [
        rule(f"Trick {number}", f"Trick {number} is old. " * 40)
        for number in range(1, 5)
    ]
    import_roster(tmp_path, make_hound([howl]))
    edit(
        tmp_path, HOUND, lambda text: text.replace("The pack answers. ", "MY EDIT. ", 1)
    )
    result = import_roster(tmp_path, make_hound([*others, howl]))
    assert not has_errors(result.findings)
    texts = {
        path: path.read_text("utf-8")
        for path in (tmp_path / "game/cards").rglob("*.yaml")
    }
    edited_cards = [path.stem for path, text in texts.items() if "MY EDIT. " in text]
    assert len(edited_cards) == 1
    assert edited_cards[0].startswith("fog-hound")
    assert edited_cards[0] != "fog-hound"
    # The edit is still known as one when the text comes back.
    import_roster(tmp_path, make_hound([howl]))
    assert "MY EDIT. " in (tmp_path / HOUND).read_text("utf-8")


def test_dice_of_imported_texts_are_not_reported(tmp_path: Path) -> None:
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["rules"] = [
        rule("Bite", "Roll a d6 or 2D6+1.")
    ]
    import_roster(tmp_path, roster)
    findings = check_packs(Project(tmp_path / "game"), "game")
    assert not [finding for finding in findings if finding.code == "text/typography"]


def find_title_warnings(folder: Path) -> list[str]:
    """Return the warnings of `check` about the title card."""
    findings = check_packs(Project((folder / "game").resolve()), "game")
    second_findings = [
        finding for finding in findings if finding.code == "import/title-card"
    ]
    assert {finding.location.file for finding in second_findings} <= {
        TITLE.removeprefix("game/")
    }
    return [f"{finding.message}. {finding.hint}" for finding in second_findings]


def test_a_title_card_that_differs_from_edited_cards_is_reported(
    tmp_path: Path,
) -> None:
    import_roster(tmp_path, make_skirmish())
    assert find_title_warnings(tmp_path) == []
    edit(
        tmp_path,
        HOUND,
        lambda text: text.replace("name: Fog hound", "name: Mist dog", 1),
    )
    edit(tmp_path, HOUND, lambda text: text.replace("cost: 9", "cost: 10"))
    assert find_title_warnings(tmp_path) == [
        'the title card shows 68 pts, the cards cost 69 pts. Write `total: "69"` in this card.',
        "the title card does not list Mist dog 10. Write these names and costs in `rows` of its table `tables`.",
        "the QR code of the title card has the names and costs before your edits. "
        "Correct its text: `code` in this card.",
    ]
    edit(
        tmp_path, TITLE, lambda text: text.replace('"68"', '"69"').replace("68 ", "69 ")
    )
    edit(tmp_path, TITLE, lambda text: text.replace("Fog hound 9", "Mist dog 10"))
    edit(
        tmp_path,
        TITLE,
        lambda text: text.replace(
            'Fog hound, values: ["9"]', 'Mist dog, values: ["10"]'
        ),
    )
    assert find_title_warnings(tmp_path) == []
    edit(
        tmp_path,
        SQUAD,
        lambda text: text.replace("street-guard, count: 2", "street-guard, count: 1"),
    )
    assert len(find_title_warnings(tmp_path)) == 2


def test_print_reports_a_title_card_that_differs_from_edited_cards(
    tmp_path: Path,
) -> None:
    import_roster(tmp_path, make_skirmish())
    edit(tmp_path, HOUND, lambda text: text.replace("cost: 9", "cost: 10"))
    result = print_squad(tmp_path / SQUAD, PrintOptions(output=tmp_path / "out.pdf"))
    messages = [finding.message for finding in result.findings]
    assert "the title card shows 68 pts, the cards cost 69 pts" in messages
    assert (tmp_path / "out.pdf").exists()
