from pathlib import Path

import pytest

from builder.errors import InputUnreadable
from builder.model.loaded import LoadedRoster
from builder.model.roster import get_file_path_of_value
from builder.packs.exchange import decode_token, encode_token
from builder.packs.project import Project
from builder.packs.rosters import format_roster, load_roster
from builder.roster.operations import Remove
from builder.usecases.roster.edit import edit_text
from builder.usecases.roster.verdict import simplify_roster
from tests.checks.projects import ROOT

PROJECT = Project(ROOT / "tests" / "toys" / "lanterns")


def read(tmp_path: Path, text: str) -> LoadedRoster:
    path = tmp_path / "squad.yaml"
    path.write_text(text, "utf-8")
    return load_roster(path, PROJECT)


def test_short_and_long_forms_say_the_same(tmp_path: Path) -> None:
    short = read(
        tmp_path,
        "pack: lanterns\nembers: 9\nentries:\n  - card: old-wick\n    mask: otter\n    "
        "attachments: [amber-brooch]\n"
        "  - dusk-moth\ndeck: [willow-flute]\n",
    )
    long = read(
        tmp_path,
        "pack: lanterns\nparams: {embers: 9}\nentries:\n  - card: "
        "old-wick\n    "
        "choices: {mask: otter}\n"
        "    attachments: [{card: amber-brooch}]\n  - {card: dusk-moth}\ndeck: [{card: willow-flute, count: 1}]\n",
    )
    assert short.findings == long.findings == ()
    assert short.roster == long.roster
    assert short.roster is not None
    assert short.roster.params == {"embers": 9, "season": "thaw"}


def test_a_number_is_text_where_text_is_wanted(tmp_path: Path) -> None:
    loaded = read(
        tmp_path,
        "pack: lanterns\nname: 7\nentries:\n  - {card: old-wick, id: 3, mask: 2, name: 1.5}\n"
        "  - {card: dusk-moth, host: 3}\n",
    )
    assert loaded.findings == ()
    assert loaded.roster is not None
    wick, moth = loaded.roster.entries
    assert (loaded.roster.name, wick.id, wick.name, wick.choices, moth.links) == (
        "7",
        "3",
        "1.5",
        {"mask": "2"},
        {"host": "3"},
    )


def test_one_mistake_hides_no_other(tmp_path: Path) -> None:
    text = (
        "pack: lanterns\nember: 9\nseason: frst\nentries:\n  - card: old-wick\n    cuont: 2\n    mask: [3]\n"
        "  - card: dusk-moth\n    count: 0\n    host: [a]\n"
    )
    loaded = read(tmp_path, text)
    assert [(finding.location.line, finding.code) for finding in loaded.findings] == [
        (2, "roster/unknown-key"),
        (3, "roster/parameter"),
        (6, "roster/unknown-key"),
        (7, "roster/choice"),
        (9, "schema/range"),
        (10, "schema/type"),
    ]
    assert [finding.hint for finding in loaded.findings[:3]] == [
        "Did you mean embers?",
        "Did you mean frost?",
        "Did you mean count?",
    ]


@pytest.mark.parametrize("name", ["none.yaml", "folder.yaml", "binary.yaml"])
def test_a_file_that_is_no_text_is_unreadable(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputUnreadable) as caught:
        load_roster(tmp_path / name, PROJECT)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text", ["[]", "just words", "entries: 3\npack: lanterns", "pack: [1]"]
)
def test_nonsense_gives_findings(tmp_path: Path, text: str) -> None:
    loaded = read(tmp_path, text)
    assert loaded.roster is None
    assert loaded.findings


def test_an_attachment_may_be_carried_several_times(tmp_path: Path) -> None:
    text = (
        "pack: lanterns\nentries:\n  - card: old-wick\n    attachments:\n"
        "      - {card: amber-brooch, count: 2}  # two\n      - gone\n"
    )
    loaded = read(tmp_path, text)
    assert loaded.roster is not None
    assert loaded.document is not None
    assert [item.card for item in loaded.roster.entries[0].attachments] == [
        "amber-brooch",
        "amber-brooch",
        "gone",
    ]
    assert get_file_path_of_value(
        loaded.document.value, ("entries", 0, "attachments", 2)
    ) == (
        "entries",
        0,
        "attachments",
        1,
    )
    less, _made = edit_text(
        text,
        loaded,
        Remove(("entries", 0, "attachments", 1), "amber-brooch"),
        lambda changed: read(tmp_path, changed),
    )
    assert less == text.replace("count: 2", "count: 1")
    none, _made = edit_text(
        text,
        loaded,
        Remove(("entries", 0, "attachments", 2), "gone"),
        lambda changed: read(tmp_path, changed),
    )
    assert none == text.replace("      - gone\n", "")
    many = "{card: amber-brooch, count: 99}, " * 250
    assert (
        read(
            tmp_path,
            f"pack: lanterns\nentries: [{{card: old-wick, attachments: [{many}]}}]\n",
        ).roster
        is None
    )


def test_the_origin_of_an_imported_squad_is_kept(tmp_path: Path) -> None:
    text = (
        "format_version: 2\npack: lanterns\norigin: {file: imports/patrol.ros, id: r1}\nentries:\n"
        '  - {card: old-wick, origin: {selections: ["a::b", c]}}\n'
    )
    loaded = read(tmp_path, text)
    assert loaded.findings == ()
    assert loaded.roster is not None
    assert loaded.roster.origin is not None
    assert loaded.roster.origin.file == "imports/patrol.ros"
    origin = loaded.roster.entries[0].origin
    assert origin is not None
    assert origin.selections == ("a::b", "c")
    assert read(tmp_path, format_roster(loaded.roster)).roster == loaded.roster
    value = simplify_roster(loaded.roster)
    token = encode_token({"r": value}, loaded.roster.format_version)
    assert token.startswith("SQP2.")
    assert decode_token(token) == {"r": value}


def test_a_newer_format_of_rosters_is_named(tmp_path: Path) -> None:
    loaded = read(tmp_path, "format_version: 3\npack: lanterns\n")
    assert loaded.roster is None
    assert "has format version 3; this program reads up to 2" in str(
        loaded.findings[0].message
    )


@pytest.mark.parametrize("file", ["/etc/passwd", "../x.ros", "imports\\\\x.ros"])
def test_an_original_outside_of_the_pack_is_refused(tmp_path: Path, file: str) -> None:
    loaded = read(tmp_path, f'pack: lanterns\norigin: {{file: "{file}"}}\n')
    assert loaded.roster is None
    assert len(loaded.findings) == 1
