"""`roster check --explain` on every pack, and what it tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.checks.roster.verdict import PROBLEM_TEXTS as WORDS, PROBLEMS, ROLES
from builder.cli.main import squadpress
from builder.errors import UsageError
from builder.messages import translate
from tests.cli.every_pack import FIRST, ROOT
from tests.cli.lanterns import LANTERNS, ROSTERS, run as command


def run(file: Path, project: Path = LANTERNS, *more: str) -> Result:
    words = [
        "roster",
        "check",
        "--explain",
        str(file),
        "--lang",
        "en",
        "--project",
        str(project),
        *more,
    ]
    return CliRunner().invoke(
        squadpress, words, standalone_mode=False, catch_exceptions=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
def test_a_sample_of_every_pack_is_explained(project: Path, file: Path) -> None:
    result = run(file, project)
    told = (
        "How close each rule is"
        if result.return_value == 0
        else "The cheapest fixes, proved"
    )
    assert told in result.output


def test_an_illegal_squad_is_shown_its_conflict_and_cheapest_repairs() -> None:
    output = run(ROSTERS / "three-mothers.yaml").output
    assert "- Reed Mother ×3 must stay" in output
    assert "1. remove Reed Mother (number of changes: 1, \N{MINUS SIGN}4)" in output
    assert "2." not in output.partition("The cheapest fixes")[2]


def test_a_squad_that_lacks_something_is_reported_with_it() -> None:
    output = run(ROSTERS / "no-flame.yaml").output
    assert "Nothing must be removed: everything can stay" in output
    assert "1. add Old Wick (number of changes: 1, +5)" in output


@pytest.mark.slow
def test_more_repairs_are_searched_for_only_with_all() -> None:
    file = ROOT / "cards/blades/rosters/company-strength-pair.yaml"
    few, every = run(file, ROOT).output, run(file, ROOT, "--all").output
    shown = [line for line in every.splitlines() if re.match(r" +\d+\. ", line)]
    assert len(shown) == len(set(shown)) > 3
    told = few.splitlines()[-4:]
    assert len([line for line in told if re.match(r" +\d+\. ", line)]) == 3
    assert told[-1].strip() == "There may be more fixes. Use --all to show up to 50."
    assert "--all" not in every


def test_a_search_that_was_broken_off_is_reported_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("builder.solver.deadline.REQUEST_TIMEOUT_SECONDS", 0)
    output = run(ROSTERS / "three-mothers.yaml").output
    assert "The smallest conflict was not found within" in output
    assert "Proved:" not in output


def test_all_belongs_to_explain() -> None:
    with pytest.raises(UsageError, match="--all needs --explain"):
        command("check", ROSTERS / "marsh-walk.yaml", "--all")


def test_a_legal_squad_is_shown_how_close_it_is() -> None:
    output = run(ROSTERS / "marsh-walk.yaml").output
    assert "embers (Embers): 0 left (12 of 12)" in output


def test_no_repairs_are_promised_for_a_squad_that_is_not_understood(
    tmp_path: Path,
) -> None:
    file = tmp_path / "stranger.yaml"
    file.write_text(
        "pack: lanterns\nembers: 6\nseason: thaw\n"
        "entries: [{card: old-wick, attachments: [willow-flute]}, {card: nobody}]\n"
    )
    output = run(file).output
    assert "the card nobody does not exist" in output
    assert "Correct the errors in the roster file first" in output
    assert "are listed below" not in output


def test_what_is_not_understood_is_reported_in_the_interface_language(
    tmp_path: Path,
) -> None:
    file = tmp_path / "stranger.yaml"
    file.write_text(
        "pack: lanterns\nembers: 6\nseason: "
        "thaw\nentries: [{card: "
        "old-wik}, {card: "
        "willow-flute}]\n"
    )
    words = ["roster", "check", str(file), "--project", str(LANTERNS)]
    output = (
        CliRunner()
        .invoke(squadpress, [*words, "--lang", "en"], standalone_mode=False)
        .output
    )
    assert "the card old-wik does not exist" in output
    assert "Did you mean old-wick?" in output
    assert "willow-flute is an attachment, but an entry is expected here" in output
    assert "Apply one of the listed fixes" not in output


def test_every_problem_has_its_words_in_both_languages() -> None:
    for code in PROBLEMS.keys() - {"wrong-role"}:
        assert translate(WORDS[code], "ru") != WORDS[code]
    for role in ("deck", "entry", "attachment"):
        assert translate(ROLES[role], "ru") != ROLES[role]
