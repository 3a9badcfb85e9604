"""A collection limits choices and checks, and finds models that several squads claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from tests import program
from tests.cli.lanterns import ROSTERS, run
from tests.house.source import ROOT

WALK = ROSTERS / "marsh-walk.yaml"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    file = tmp_path / "shelf.yaml"
    file.write_text(
        "pack: lanterns\nowned: {old-wick: 1, reed-mother: {count: 2, painted: 1}, dusk-moth: 2}\n",
        "utf-8",
    )
    return file


def test_a_squad_from_the_shelf_passes_and_two_of_them_claim_too_much(
    shelf: Path, tmp_path: Path
) -> None:
    assert run("check", WALK, "--own", shelf).return_value == 0
    second = tmp_path / "second.yaml"
    second.write_text(WALK.read_text(encoding="utf-8"), encoding="utf-8")
    result = run("check", WALK, second, "--own", shelf)
    assert result.return_value == 1
    assert "roster/not-owned" in result.output
    assert "Old Wick: 2 used, 1 owned" in result.output
    assert (
        "Reed Mother"
        not in result.output.partition("not-owned")[2].partition("used")[0]
    )
    assert "Amber Brooch" not in result.output.partition("not-owned")[2]


def test_only_what_is_painted_counts_if_asked(shelf: Path) -> None:
    assert (
        "Dusk Moth: 2 used, 0 painted"
        in run("check", WALK, "--own", shelf, "--painted").output
    )


def test_choices_offer_what_is_left_on_the_shelf(shelf: Path, tmp_path: Path) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text(
        "pack: lanterns\nembers: 40\nentries: [reed-mother, {card: dusk-moth, count: 2}]\n",
        "utf-8",
    )
    output = run("choices", squad, "--own", shelf).output
    assert "Reed Mother  reed-mother  4  1 more" in output
    assert "owned: 2, already in the squad: 2" in output


def test_a_collection_that_is_none_or_names_no_card_is_refused(shelf: Path) -> None:
    shelf.write_text("pack: lanterns\nowned: {old-wik: 1}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="old-wik"):
        run("check", WALK, "--own", shelf)
    for text, said in (
        ("owned: 3\n", "owned is a whole number"),
        ("pack: lanterns\nowned: {a: 1, a: 2}\n", "is repeated"),
    ):
        shelf.write_text(text, encoding="utf-8")
        with pytest.raises(InputUnreadable, match=said):
            run("check", WALK, "--own", shelf)


@pytest.mark.parametrize("command", ["check", "choices", "complete"])
def test_a_collection_of_another_pack_is_refused(shelf: Path, command: str) -> None:
    shelf.write_text("pack: kites\nowned: {old-wick: 1}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="collection of kites"):
        run(command, WALK, "--own", shelf)


def test_completing_adds_only_what_is_painted_if_asked(
    shelf: Path, tmp_path: Path
) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text(
        "pack: lanterns\nembers: 40\nentries: [old-wick]\n", encoding="utf-8"
    )
    shelf.write_text(
        "pack: lanterns\nowned: {old-wick: {count: 1, painted: 1}, reed-mother: 2}\n",
        encoding="utf-8",
    )
    both = [
        run("complete", squad, "--own", shelf, *more) for more in ([], ["--painted"])
    ]
    assert [result.return_value for result in both] == [0, 0]
    assert "Reed Mother" in both[0].output
    assert "Reed Mother" not in both[1].output


def test_choices_offer_only_what_is_painted_if_asked(
    shelf: Path, tmp_path: Path
) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text("pack: lanterns\nembers: 40\nentries: [reed-mother]\n", "utf-8")
    output = run("choices", squad, "--own", shelf, "--painted").output
    assert "painted: 1, already in the squad: 1" in output
    assert "painted: 0, already in the squad: 0" in output


def test_what_the_file_holds_beyond_the_shelf_stays_and_is_reported(
    shelf: Path,
) -> None:
    output = run("complete", WALK, "--own", shelf, "--painted").output
    assert "Dusk Moth ×2 stays, although you have 0 painted" in output


def test_why_nothing_can_be_completed_names_the_shelf(
    shelf: Path, tmp_path: Path
) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text("pack: lanterns\nentries: [reed-mother]\n", encoding="utf-8")
    result = run("complete", squad, "--own", shelf, "--painted")
    assert result.return_value == 1
    assert "only cards you have painted are added" in result.output
    shelf.write_text(
        "pack: lanterns\nowned: {old-wick: {count: 1, painted: 1}, dusk-moth: 3}\n",
        encoding="utf-8",
    )
    result = run("complete", squad, "--own", shelf, "--painted", "--want", "dusk-moth")
    assert result.return_value == 1
    assert "Dusk Moth: at most the 0 you have painted" in result.output


@pytest.mark.parametrize("command", ["check", "choices", "complete"])
def test_what_is_painted_needs_a_collection(command: str) -> None:
    with pytest.raises(UsageError, match="--painted"):
        run(command, WALK, "--painted")


@pytest.mark.parametrize("command", ["check", "choices", "complete"])
def test_a_collection_with_more_painted_than_owned_is_refused(
    shelf: Path, command: str
) -> None:
    shelf.write_text(
        "pack: lanterns\nowned: {old-wick: {count: 1, painted: 2}}\n", encoding="utf-8"
    )
    with pytest.raises(InputUnreadable, match="2 painted, but only 1 owned"):
        run(command, WALK, "--own", shelf)


def test_a_repair_that_needs_what_is_not_on_the_shelf_says_so(
    shelf: Path, tmp_path: Path
) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text(
        "pack: lanterns\nembers: 40\nentries: [reed-mother]\n", encoding="utf-8"
    )
    assert "not enough" not in run("check", squad, "--explain", "--own", shelf).output
    output = run("check", squad, "--explain", "--own", shelf, "--painted").output
    assert "add Old Wick" in output
    assert "not enough copies in the collection: Old Wick" in output


def test_a_collection_that_is_not_there_is_looked_for_beside(shelf: Path) -> None:
    with pytest.raises(InputUnreadable) as refused:
        run("check", WALK, "--own", shelf.with_suffix(".yml"))
    assert refused.value.remedy == f"Did you mean {shelf}?"


def test_renamed_cards_of_a_collection_are_followed_and_reported(
    tmp_path: Path,
) -> None:
    file = tmp_path / "shelf.yaml"
    file.write_text(
        "pack: hydrophilia\nowned: {falcon: 2, dispatcher: 1, captain-davis: 1}\n",
        encoding="utf-8",
    )
    squad = tmp_path / "squad.yaml"
    entries = (
        "entries: [captain-davis, {card: dispatcher, id: "
        "desk}, {card: gyrfalcon, count: 2, "
        "controller: desk}]"
    )
    squad.write_text(
        f"pack: hydrophilia\nsize: 30\nmode: competitive\n{entries}\n", encoding="utf-8"
    )
    command = ["roster", "check", squad, "--own", file, "--lang", "en"]
    process = program.run(ROOT, *command)
    assert "falcon is now gyrfalcon" in process.stderr
    assert "not-owned" not in process.stdout + process.stderr
