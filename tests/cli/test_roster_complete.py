"""`roster complete` as a player runs it, on every pack there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from builder.errors import UsageError
from builder.packs.project import Project
from builder.packs.rosters import format_roster
from builder.solver.complete import CompletionResult
from builder.usecases.roster.roster_files import check_roster_files
from tests.cli.every_pack import PACKS
from tests.cli.lanterns import LANTERNS, ROSTERS


def run(*args: str) -> Result:
    return CliRunner().invoke(
        squadpress, ["roster", *args], standalone_mode=False, catch_exceptions=False
    )


def test_a_squad_too_large_for_a_search_is_refused_and_still_checked(
    tmp_path: Path,
) -> None:
    file = tmp_path / "horde.yaml"
    file.write_text("pack: lanterns\nentries: [" + "old-wick, " * 300 + "]\n", "utf-8")
    for command in ("complete", "choices"):
        with pytest.raises(UsageError, match="300 lines"):
            run(command, str(file), "--project", str(LANTERNS))
    output = run("check", "--explain", str(file), "--project", str(LANTERNS)).output
    assert "fixes is 200" in output
    assert "are listed below" not in output


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_a_squad_of_every_pack_that_lacks_something_is_completed(
    project: Path, pack: Path, tmp_path: Path
) -> None:
    samples = check_roster_files(
        Project(project), sorted((pack / "rosters").glob("*.yaml"))
    )
    roster = next(
        judged.roster
        for judged in samples
        if judged.legal and judged.roster is not None
    )
    short = roster.model_copy(
        update={
            "deck": roster.deck[:-1],
            "entries": roster.entries[: None if roster.deck else -1],
        }
    )
    file = tmp_path / "short.yaml"
    file.write_text(format_roster(short), encoding="utf-8")
    result = run(
        "complete",
        str(file),
        "--project",
        str(project),
        "--count",
        "2",
        "--output",
        str(tmp_path / "out"),
    )
    assert result.return_value == 0, result.output
    written = sorted((tmp_path / "out").glob("*.yaml"))
    assert written
    assert all(judged.legal for judged in check_roster_files(Project(project), written))
    written[0].write_text("# my own\n" + written[0].read_text("utf-8"), "utf-8")
    with pytest.raises(UsageError, match="already exists"):
        run(
            "complete",
            str(file),
            "--project",
            str(project),
            "--output",
            str(tmp_path / "out"),
        )
    assert written[0].read_text("utf-8").startswith("# my own")


def test_why_there_is_none_is_reported() -> None:
    file = ROSTERS / "three-mothers.yaml"
    result = run(
        "complete", str(file), "--project", str(LANTERNS), "--want", "old-wick"
    )
    assert result.return_value == 1
    assert "these requirements contradict each other" in result.output
    assert "Reed Mother ×3 must stay" in result.output
    assert "scarce (Scarcity; Lowmarsh, 3)" in result.output
    assert "Proved: no smaller set of requirements contradicts itself" in result.output


def test_a_collection_limits_what_is_added(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf.yaml"
    shelf.write_text(
        "pack: lanterns\nowned: {old-wick: 1, reed-mother: {count: 1, painted: 1}}\n",
        encoding="utf-8",
    )
    empty = tmp_path / "empty.yaml"
    empty.write_text("pack: lanterns\n", encoding="utf-8")
    result = run(
        "complete", str(empty), "--project", str(LANTERNS), "--own", str(shelf)
    )
    assert result.return_value == 0
    assert "Dusk Moth" not in result.output


def test_avoiding_keeps_a_card_from_being_added_and_says_that_one_in_the_file_stays() -> (
    None
):
    file = ROSTERS / "marsh-walk.yaml"
    result = run(
        "complete",
        str(file),
        "--project",
        str(LANTERNS),
        "--avoid",
        "dusk-moth",
        "--avoid",
        "willow-flute",
    )
    assert result.return_value == 0
    assert "Dusk Moth stays" in result.output
    assert "roster remove" in result.output
    assert "Willow Flute" not in result.output
    assert "Dusk Moth" not in result.output.partition("roster remove")[2]


def test_what_is_avoided_is_part_of_the_reason_and_nothing_is_both_wanted_and_avoided(
    tmp_path: Path,
) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("pack: lanterns\n", encoding="utf-8")
    result = run(
        "complete", str(empty), "--project", str(LANTERNS), "--avoid", "old-wick"
    )
    assert result.return_value == 1
    assert "Old Wick must not be added" in result.output
    with pytest.raises(UsageError, match="both included and excluded"):
        run(
            "complete",
            str(empty),
            "--project",
            str(LANTERNS),
            "--avoid",
            "old-wick",
            "--want",
            "old-wick",
        )


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_a_completed_squad_keeps_the_remarks_of_its_file(
    project: Path, pack: Path, tmp_path: Path
) -> None:
    home = Project(project)
    samples = check_roster_files(home, sorted((pack / "rosters").glob("*.yaml")))
    found = next(
        judged
        for judged in samples
        if judged.legal and judged.roster is not None and judged.roster.entries
    )
    lines = (project / found.file).read_text(encoding="utf-8").splitlines()
    text = (
        "# mine\n"
        + "\n".join(f"{line}  # line {number}" for number, line in enumerate(lines))
        + "\n"
    )
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    result = run(
        "complete",
        str(tmp_path / "mine.yaml"),
        "--project",
        str(project),
        "--output",
        str(tmp_path / "out"),
    )
    assert result.return_value == 0, result.output
    made = (tmp_path / "out" / "mine-1.yaml").read_text(encoding="utf-8")
    kept = [line for line in made.splitlines() if "# line" in line]
    assert made.startswith("# mine\n")
    assert len(kept) == len(lines)
    assert "expect:" not in made


def test_what_is_added_stands_in_its_place_and_the_rest_as_it_was(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        (
            "pack: lanterns  # x\nembers: 11\nentries:\n  # she\n  - old-wick\n  - {card: "
            "reed-mother}   # b\n"
        ),
        "utf-8",
    )
    result = run(
        "complete",
        str(file),
        "--project",
        str(LANTERNS),
        "--want",
        "amber-brooch",
        "--want",
        "dusk-moth",
        "--output",
        str(tmp_path / "out"),
    )
    assert result.return_value == 0, result.output
    made = (tmp_path / "out" / "mine-1.yaml").read_text(encoding="utf-8")
    assert "pack: lanterns  # x\nembers: 11\nentries:\n  # she\n  - " in made
    assert "}   # b\n" in made
    assert "card: dusk-moth" in made


def test_time_that_ran_out_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "builder.usecases.roster.complete_roster.find_completions",
        lambda *_: CompletionResult(is_proved=False),
    )
    file = ROSTERS / "marsh-walk.yaml"
    result = run("complete", str(file), "--project", str(LANTERNS))
    assert result.return_value == 1
    assert "Time ran out" in result.output
