"""The roster commands as a player runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from builder.cli.main import squadpress

TOY = Path(__file__).parents[1] / "toys" / "lanterns"
ROSTERS = TOY / "cards" / "lanterns" / "rosters"
LEGAL, ILLEGAL = str(ROSTERS / "marsh-walk.yaml"), str(ROSTERS / "too-bright.yaml")


def run(*args: str) -> Result:
    return CliRunner().invoke(
        squadpress, ["roster", *args, "--project", str(TOY)], standalone_mode=False
    )


def test_check_checks_several_files_and_ends_with_1_if_one_is_illegal() -> None:
    result = run("check", LEGAL, ILLEGAL)
    assert result.return_value == 1
    lines = result.output.splitlines()
    assert (
        lines[0]
        == "legal   cards/lanterns/rosters/marsh-walk.yaml  A walk in the marsh  12/12 embers"
    )
    assert lines[1].startswith("ILLEGAL cards/lanterns/rosters/too-bright.yaml")
    assert "embers" in lines[1]
    assert "7, at most 6 allowed (Embers: 6)" in result.output
    assert "Simplest fixes: remove Willow Flute" in result.output
    assert run("check", LEGAL).return_value == 0


def test_check_speaks_the_formats_of_machines() -> None:
    report = json.loads(run("check", ILLEGAL, "--format", "json").output)
    assert [finding["code"] for finding in report["findings"]] == ["roster/rule-broken"]


def test_check_reports_names_in_the_language_asked_for() -> None:
    assert "Weidenflöte" in run("check", ILLEGAL, "--lang", "de").output


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    result = run("check", LEGAL, "--lang", "xx")
    assert getattr(result.exception, "exit_code", None) == 2
    assert "de" in getattr(result.exception, "remedy", "")


def test_show_prints_costs_slots_ties_and_the_total() -> None:
    result = run("show", LEGAL)
    assert result.return_value == 0
    for told in (
        "Old Wick",
        "+ Amber Brooch",
        "brow",
        "Mask: Heron",
        "Host: Reed Mother",
        "Total",
        "12",
    ):
        assert told in result.output


def test_order_prints_one_line_for_each_copy() -> None:
    result = run("order", LEGAL)
    assert [
        line.split(".")[0].strip()
        for line in result.output.splitlines()
        if "." in line[:6]
    ] == list("1234")
    assert "Dusk Moth (2/2) — Reed Mother" in result.output


@pytest.mark.parametrize("command", ["check", "show", "order"])
@pytest.mark.parametrize(
    "text",
    ["", "- a\n- list\n", "pack: lanterns\nentries: 3\n", "pack: nowhere\n", "a: [\n"],
)
def test_a_bad_file_gives_a_finding_and_not_a_traceback(
    tmp_path: Path, command: str, text: str
) -> None:
    path = tmp_path / "squad.yaml"
    path.write_text(text, encoding="utf-8")
    result = run(command, str(path))
    assert result.exception is None
    assert result.return_value == 1
    assert "error" in result.output


def test_a_missing_file_is_unreadable_input(tmp_path: Path) -> None:
    result = run("check", str(tmp_path / "none.yaml"))
    assert getattr(result.exception, "exit_code", None) == 3


def test_rules_reports_every_rule_as_a_sentence_with_its_source() -> None:
    result = run("rules", "lanterns")
    assert result.return_value == 0
    assert "one-kindler  One kindler  (Lowmarsh, 2)" in result.output
    assert "exactly 1." in result.output
