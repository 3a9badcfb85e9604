"""`roster complete` as a player runs it, on every pack there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from builder.errors import UsageError
from builder.store.project import Project
from builder.store.roster_dump import dump
from builder.usecases.roster_check import judge_rosters
from tests.cli.every_pack import PACKS, ROOT

LANTERNS = ROOT / "tests" / "packs" / "lanterns"


def run(*args: str) -> Result:
    return CliRunner().invoke(squadpress, ["roster", *args], standalone_mode=False, catch_exceptions=False)


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_a_squad_of_every_pack_that_lacks_something_is_completed(project: Path, pack: Path, tmp_path: Path) -> None:
    samples = judge_rosters(Project(project), sorted((pack / "rosters").glob("*.yaml")))
    roster = next(judged.roster for judged in samples if judged.legal and judged.roster is not None)
    short = roster.model_copy(
        update={"deck": roster.deck[:-1], "entries": roster.entries[: None if roster.deck else -1]}
    )
    file = tmp_path / "short.yaml"
    file.write_text(dump(short), encoding="utf-8")
    result = run("complete", str(file), "--project", str(project), "--count", "2", "--output", str(tmp_path / "out"))
    assert result.return_value == 0, result.output
    written = sorted((tmp_path / "out").glob("*.yaml"))
    assert written
    assert all(judged.legal for judged in judge_rosters(Project(project), written))


def test_why_there_is_none_is_told() -> None:
    file = LANTERNS / "cards/lanterns/rosters/three-mothers.yaml"
    result = run("complete", str(file), "--project", str(LANTERNS), "--want", "old-wick")
    assert result.return_value == 1
    assert "these cannot all hold" in result.output
    assert "Reed Mother ×3 stays" in result.output
    assert "scarce (Scarcity; Lowmarsh, 3)" in result.output
    assert "no smaller set is in conflict" in result.output


def test_a_collection_limits_what_is_added(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf.yaml"
    shelf.write_text("pack: lanterns\nowned: {old-wick: 1, reed-mother: {count: 1, painted: 1}}\n", encoding="utf-8")
    empty = tmp_path / "empty.yaml"
    empty.write_text("pack: lanterns\n", encoding="utf-8")
    result = run("complete", str(empty), "--project", str(LANTERNS), "--own", str(shelf))
    assert result.return_value == 0
    assert "Dusk Moth" not in result.output


def test_avoiding_keeps_a_card_from_being_added_and_says_that_one_in_the_file_stays() -> None:
    file = LANTERNS / "cards/lanterns/rosters/marsh-walk.yaml"
    result = run("complete", str(file), "--project", str(LANTERNS), "--avoid", "dusk-moth", "--avoid", "willow-flute")
    assert result.return_value == 0
    assert "Dusk Moth stays" in result.output
    assert "roster remove" in result.output
    assert "Willow Flute" not in result.output
    assert "Dusk Moth" not in result.output.partition("roster remove")[2]


def test_what_is_avoided_is_part_of_the_reason_and_nothing_is_both_wanted_and_avoided(tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("pack: lanterns\n", encoding="utf-8")
    result = run("complete", str(empty), "--project", str(LANTERNS), "--avoid", "old-wick")
    assert result.return_value == 1
    assert "Old Wick is not to be added" in result.output
    with pytest.raises(UsageError, match="both wanted and avoided"):
        run("complete", str(empty), "--project", str(LANTERNS), "--avoid", "old-wick", "--want", "old-wick")
