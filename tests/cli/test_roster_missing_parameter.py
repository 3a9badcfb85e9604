"""A squad that lacks a parameter is told which lines would state it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.packs.rosters import load_roster
from builder.roster.operations import SetParam, apply_operations
from builder.rules.checker import RosterChecker
from tests.cli.every_pack import ROOT

SQUAD = ROOT / "cards" / "killteam" / "rosters" / "legal-third-pass.yaml"
TOY = ROOT / "tests" / "toys" / "lanterns"


def check(*args: str | Path) -> Result:
    args = ("--interface-lang", "en", "roster", "check", "--lang", "en", *args)
    return CliRunner().invoke(
        squadpress,
        [str(arg) for arg in args],
        standalone_mode=False,
        catch_exceptions=False,
    )


@pytest.fixture
def nameless(tmp_path: Path) -> Path:
    """Return a legal kill team without the line that names the team."""
    lines = SQUAD.read_text("utf-8").splitlines(keepends=True)
    file = tmp_path / "squad.yaml"
    file.write_text(
        "".join(line for line in lines if not line.startswith(("team:", "expect:"))),
        "utf-8",
    )
    return file


def test_the_nearest_repair_states_the_team(nameless: Path) -> None:
    told = check(nameless, "--project", ROOT)
    assert told.return_value == 1
    assert (
        "Simplest fixes: set Kill team to “Old Guard” (`team: old-guard`);"
        in told.output
    )


def test_the_explanation_lists_only_the_team_that_makes_it_legal(
    nameless: Path,
) -> None:
    output = check(nameless, "--explain", "--project", ROOT).output
    assert "  - set Kill team to “Old Guard” (`team: old-guard`)\n" in output
    assert "team: green-mob" not in output


def test_the_repair_is_an_edit_that_makes_the_squad_legal(nameless: Path) -> None:
    project = Project(ROOT)
    pack, roster = (
        load_pack(project, "killteam").pack,
        load_roster(nameless, project).roster,
    )
    assert pack is not None
    assert roster is not None
    checker = RosterChecker(pack)
    best = checker.check(roster).violations[0].repairs[0]
    assert best.operations == (SetParam("team", "old-guard"),)
    assert best.is_complete
    assert checker.check(apply_operations(roster, *best.operations)).legal


def test_a_parameter_with_a_real_default_is_no_repair(tmp_path: Path) -> None:
    """At the default stage of a mission too many fight.

    That the list would do as a roster mends nothing.
    """
    text = (
        SQUAD.read_text("utf-8")
        .replace("count: 7", "count: 9")
        .replace("expect: legal\n", "")
    )
    file = tmp_path / "squad.yaml"
    file.write_text(text, "utf-8")
    output = check(file, "--project", ROOT).output
    assert "ILLEGAL" in output
    assert "stage" not in output


@pytest.mark.parametrize(
    ("declared", "hint"),
    [
        (
            "type: choice\n      choices: [thaw, frost]\n",
            "Add one of these lines to the roster: `wind: thaw`, `wind: frost`.",
        ),
        (
            "type: integer\n      min: 1\n      max: 9\n",
            "Add this line to the roster, with a number: `wind: 1..9`.",
        ),
    ],
    ids=["choice", "integer"],
)
def test_a_parameter_without_default_is_asked_for_with_the_lines_that_state_it(
    tmp_path: Path, declared: str, hint: str
) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    manifest = tmp_path / "toy" / "cards" / "lanterns" / "pack.yaml"
    added = (
        f"  params:\n    wind:\n      name: {{en: Wind, de: Wind}}\n      {declared}"
    )
    manifest.write_text(
        manifest.read_text("utf-8").replace("  params:\n", added, 1), "utf-8"
    )
    squad = tmp_path / "toy" / "cards" / "lanterns" / "rosters" / "dim-quill.yaml"
    told = check(squad, "--project", tmp_path / "toy")
    assert told.return_value == 1
    assert "wind is missing" in told.output
    assert hint in told.output
