"""`roster choices` as a player runs it, on every pack there is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from tests.cli.every_pack import FIRST, ROOT


def run(*args: str) -> Result:
    return CliRunner().invoke(
        squadpress, ["roster", *args], standalone_mode=False, catch_exceptions=False
    )


@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
def test_every_pack_has_choices_with_reasons(project: Path, file: Path) -> None:
    result = run("choices", str(file), "--project", str(project), "--lang", "en")
    assert result.return_value == 0
    assert "Can be added" in result.output
    refused = result.output.partition("Cannot be added")[2].splitlines()
    for name, reason in pairwise(refused):
        if name.startswith("  ") and not name.startswith("      "):
            assert reason.startswith("      "), name


def test_a_refusal_says_what_would_have_to_go() -> None:
    lanterns = ROOT / "tests" / "toys" / "lanterns"
    output = run(
        "choices",
        str(lanterns / "cards/lanterns/rosters/too-bright.yaml"),
        "--project",
        str(lanterns),
    ).output
    assert "12, at most 6 allowed" in output
    assert "one of these must be removed: Old Wick; Willow Flute" in output


def test_an_unreadable_squad_has_no_empty_lists_of_choices(tmp_path: Path) -> None:
    lanterns = ROOT / "tests" / "toys" / "lanterns"
    (tmp_path / "odd.yaml").write_text("pack: lanterns\nentries: 5\n", encoding="utf-8")
    result = run(
        "choices",
        str(tmp_path / "odd.yaml"),
        "--project",
        str(lanterns),
        "--lang",
        "en",
    )
    assert result.return_value == 1
    assert "May" not in result.output


def test_a_line_of_as_many_as_a_line_may_hold_is_answered(tmp_path: Path) -> None:
    (tmp_path / "many.yaml").write_text(
        "pack: blades\nsize: 60\nentries: [{card: peasant, count: 999}]\n"
    )
    assert (
        run(
            "choices",
            str(tmp_path / "many.yaml"),
            "--project",
            str(ROOT),
            "--lang",
            "en",
        ).return_value
        == 0
    )
