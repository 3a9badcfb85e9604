"""Edits by command keep comments, allow illegal states, and can all be undone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from builder.errors import UsageError

TOY = Path(__file__).parents[1] / "toys" / "lanterns"
TEXT = """\
# my squad
pack: lanterns
name: A walk   # on Sunday
embers: 12
entries:
  # the one who leads
  - card: old-wick   # always
    attachments: [amber-brooch]   # worn high
    mask: heron
  - {card: reed-mother, id: mother}
  # a swarm
  - card: dusk-moth
    count: 2
    host: mother
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for part in ("cards", "schemas", "templates"):
        if (TOY / part).is_dir():
            shutil.copytree(TOY / part, tmp_path / part)
    target = tmp_path / "mine.yaml"
    target.write_text(TEXT, encoding="utf-8")
    return target


@pytest.fixture
def run(file: Path) -> Callable[..., Result]:
    def run(command: str, *args: str) -> Result:
        words = ["roster", command, str(file), *args, "--project", str(file.parent)]
        return CliRunner().invoke(
            squadpress, words, standalone_mode=False, catch_exceptions=False
        )

    return run


EDITS = [
    (
        ["add", "old-wick"],
        "    host: mother\n",
        "    host: mother\n  - card: old-wick\n",
    ),
    (
        ["equip", "mother", "willow-flute"],
        "id: mother}",
        "id: mother, attachments: [willow-flute]}",
    ),
    (
        ["equip", "1", "heron-quill", "--slot", "palm"],
        "[amber-brooch]",
        "[amber-brooch, {card: heron-quill, slot: palm}]",
    ),
    (
        ["add", "willow-flute", "--to", "dusk-moth"],
        "    host: mother\n",
        "    host: mother\n    attachments: [willow-flute]\n",
    ),
    (["remove", "dusk-moth", "--count", "1"], "count: 2", "count: 1"),
    (
        ["remove", "dusk-moth"],
        "  - card: dusk-moth\n    count: 2\n    host: mother\n",
        "",
    ),
    (
        ["remove", "amber-brooch", "--from", "old-wick"],
        "    attachments: [amber-brooch]   # worn high\n",
        "    # worn high\n",
    ),
    (
        ["equip", "2", "willow-flute", "--lang", "de"],
        "id: mother}",
        "id: mother, attachments: [willow-flute]}",
    ),
    (
        ["add", "willow-flute", "--to", "2", "--count", "2"],
        "id: mother}",
        "id: mother, attachments: [willow-flute, willow-flute]}",
    ),
    (["rename", "A run"], "A walk   #", "A run   #"),
    (
        ["rename", "Grandfather", "--entry", "old-wick"],
        "    mask: heron\n",
        "    mask: heron\n    name: Grandfather\n",
    ),
    (
        ["duplicate", "mother"],
        "    host: mother\n",
        "    host: mother\n  - card: reed-mother\n",
    ),
]


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    EDITS,
    ids=lambda value: " ".join(value) if value else "",
)
def test_an_edit_changes_its_place_only_and_can_be_taken_back(
    run: Callable[..., Result], file: Path, edit: list[str], before: str, after: str
) -> None:
    assert run(*edit).return_value == 0
    assert file.read_text(encoding="utf-8") == TEXT.replace(before, after)
    run("undo")
    assert file.read_text(encoding="utf-8") == TEXT


def test_moving_takes_from_one_and_gives_to_the_other(
    run: Callable[..., Result], file: Path
) -> None:
    run("move", "amber-brooch", "--from", "old-wick", "--to", "mother")
    text = file.read_text(encoding="utf-8")
    assert "    # worn high\n    mask: heron\n" in text
    assert "[]" not in text
    assert "{card: reed-mother, id: mother, attachments: [amber-brooch]}" in text


def test_what_is_illegal_is_added_and_reported(
    run: Callable[..., Result], file: Path
) -> None:
    result = run("add", "old-wick", "--count", "3")
    assert result.return_value == 0
    assert "ILLEGAL" in result.output
    assert "one-kindler" in result.output
    run("remove", "4")
    assert "legal" in run("rename", "x").output.split("\n")[1]


def test_edits_are_taken_back_one_after_the_other_and_never_over_a_change_by_hand(
    run: Callable[..., Result], file: Path
) -> None:
    run("add", "old-wick")
    run("rename", "B")
    run("undo")
    run("undo")
    assert file.read_text(encoding="utf-8") == TEXT
    with pytest.raises(UsageError, match="no edit"):
        run("undo")
    run("rename", "B")
    file.write_text(TEXT, encoding="utf-8")
    with pytest.raises(UsageError, match="by hand"):
        run("undo")


def test_what_is_not_there_is_refused_with_what_is(run: Callable[..., Result]) -> None:
    for words in (
        ["add", "old-wik"],
        ["equip", "nobody", "willow-flute"],
        ["add", "willow-flute"],
        ["remove", "willow-flute", "--from", "1"],
        ["equip", "1", "old-wick"],
        ["rename", " "],
    ):
        with pytest.raises(UsageError) as caught:
            run(*words)
        assert caught.value.remedy


def test_a_language_that_the_pack_does_not_have_is_refused_before_anything_is_changed(
    run: Callable[..., Result], file: Path
) -> None:
    assert (
        "Weidenflöte" in run("equip", "mother", "willow-flute", "--lang", "de").output
    )
    with pytest.raises(UsageError, match="no translation into 'xx'"):
        run("add", "old-wick", "--lang", "xx")
    run("add", "old-wick")
    before = file.read_bytes()
    with pytest.raises(UsageError, match="no translation into 'xx'"):
        run("undo", "--lang", "xx")
    assert file.read_bytes() == before


def test_what_a_model_carries_is_taken_one_by_one(run: Callable[..., Result]) -> None:
    with pytest.raises(UsageError, match="one at a time"):
        run("remove", "amber-brooch", "--from", "old-wick", "--count", "2")
    assert "removed Dusk Moth ×2" in run("remove", "dusk-moth", "--count", "9").output


@pytest.mark.parametrize("start", ["", "entries: []   # none yet\n", "entries: [ ]\n"])
def test_the_first_model_begins_a_list_with_a_line_for_each(
    run: Callable[..., Result], file: Path, start: str
) -> None:
    file.write_text(f"pack: lanterns   # mine\n{start}# the end\n", encoding="utf-8")
    run("add", "old-wick")
    run("add", "reed-mother")
    text = file.read_text(encoding="utf-8")
    assert "\n  - {card: old-wick}\n  - {card: reed-mother}\n" in text
    assert text.count("entries:") == text.count("# the end") == 1
    assert text.count("# none yet") == start.count("# none yet")
    run("undo")
    run("undo")
    assert (
        file.read_text(encoding="utf-8")
        == f"pack: lanterns   # mine\n{start}# the end\n"
    )
