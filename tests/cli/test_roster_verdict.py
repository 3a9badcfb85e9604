"""Verdicts that can be repeated, and folders of lists as a table and as CSV."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from tests.cli.every_pack import PACKS, ROOT
from tests.cli.lanterns import ROSTERS, run


@pytest.fixture
def verdict(tmp_path: Path) -> Path:
    shutil.copy(ROSTERS / "too-bright.yaml", tmp_path / "mine.yaml")
    assert run("check", tmp_path / "mine.yaml", "--verdict").return_value == 1
    return tmp_path / "mine.verdict.json"


def test_a_verdict_holds_what_it_takes_to_repeat_it(verdict: Path) -> None:
    value = json.loads(verdict.read_text(encoding="utf-8"))
    assert value["legal"] is False
    assert [item["rule"] for item in value["broken"]] == ["embers"]
    assert len(value["digest"]) == len(value["data"]) == 64
    result = run("verify", verdict)
    assert result.return_value == 0
    assert "confirmed" in result.output


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("legal", True, "legal is false"),
        ("data", "0" * 64, "the pack's data"),
        ("broken", [], "broken is"),
        (
            "roster",
            {"pack": "lanterns", "entries": [{"card": "old-wick"}]},
            "digest differs",
        ),
        ("roster", {"pack": "nowhere"}, "the pack nowhere does not exist"),
        ("roster", [], "cannot be read"),
    ],
)
def test_a_verdict_that_was_changed_is_refuted(
    verdict: Path, key: str, value: object, told: str
) -> None:
    changed = {**json.loads(verdict.read_text(encoding="utf-8")), key: value}
    verdict.write_text(json.dumps(changed), encoding="utf-8")
    result = run("verify", verdict)
    assert result.return_value == 1
    assert told in result.output


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 9}', "[" * 100_000])
def test_what_is_no_verdict_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.verdict.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputUnreadable):
        run("verify", file)


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_a_folder_of_every_pack_is_a_table_that_agrees_with_the_samples(
    project: Path, pack: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "lists.csv"
    run("check", pack / "rosters", "--csv", sheet, project=project)
    with sheet.open(encoding="utf-8") as stream:
        found = {Path(row["file"]).stem: row for row in csv.DictReader(stream)}
    assert len(found) == len(list((pack / "rosters").glob("*.yaml")))
    for file in (pack / "rosters").glob("*.yaml"):
        legal = "expect: {legal: true" in file.read_text(encoding="utf-8")
        assert (found[file.stem]["legal"] == "legal") == legal, file


def test_a_list_that_cannot_be_read_is_a_row_too(tmp_path: Path) -> None:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path)
    (tmp_path / "broken.yaml").write_text("pack: [", encoding="utf-8")
    (tmp_path / "formula.yaml").write_text(
        "pack: lanterns\nname: =1+1\nentries: [old-wick]\n", encoding="utf-8"
    )
    (tmp_path / "role.yaml").write_text(
        "pack: lanterns\nentries: [old-wick]\ndeck: [amber-brooch]\n", encoding="utf-8"
    )
    result = run("check", tmp_path, "--csv", tmp_path / "out.csv")
    assert result.return_value == 1
    assert "4 rosters, 2 legal, 2 illegal" in result.output
    assert re.search(r"role\.yaml .* roster/wrong-role", result.output), (
        "why it is illegal, where no rule is broken"
    )
    (line,) = (line for line in result.output.splitlines() if "broken.yaml" in line)
    assert re.search(r"broken\.yaml\s+yaml/", line), (
        "nothing is said to be spent by a list that cannot be read"
    )
    assert "'=1+1" in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_a_folder_with_other_files_names_them_and_checks_the_rosters(
    tmp_path: Path,
) -> None:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path)
    (tmp_path / "shelf.yaml").write_text(
        "pack: lanterns\nowned: {old-wick: 1}\n", encoding="utf-8"
    )
    (tmp_path / "notes.yaml").write_text("- buy paint\n", encoding="utf-8")
    (tmp_path / "camp.yaml").write_text("title: Camp\n", encoding="utf-8")
    result = run("check", tmp_path)
    assert result.return_value == 0
    assert "1 roster, 1 legal, 0 illegal" in result.output
    for told in (
        "shelf.yaml is not a roster (a collection)",
        "notes.yaml is not a roster (it contains no fields)",
        "camp.yaml is not a roster (it has neither",
    ):
        assert told in result.output


def test_a_file_that_is_named_or_was_meant_as_a_roster_is_never_skipped(
    tmp_path: Path,
) -> None:
    (tmp_path / "packless.yaml").write_text("entries: [old-wick]\n", encoding="utf-8")
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    result = run("check", tmp_path)
    assert result.return_value == 1
    assert "2 rosters, 0 legal, 2 illegal" in result.output


def test_a_folder_without_rosters_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="contains no roster"):
        run("check", tmp_path)
    (tmp_path / "shelf.yaml").write_text(
        "pack: lanterns\nowned: {}\n", encoding="utf-8"
    )
    with pytest.raises(InputUnreadable, match="none of 1 YAML files is a roster"):
        run("check", tmp_path)


def test_a_folder_is_held_against_a_collection_as_a_whole(tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path / f"{name}.yaml")
    shelf = tmp_path / "shelf.yaml"
    shelf.write_text(
        "pack: lanterns\nowned: {old-wick: 1, reed-mother: 9, dusk-moth: 9}\n",
        encoding="utf-8",
    )
    result = run("check", tmp_path, "--own", shelf)
    assert result.return_value == 1
    assert "2 rosters, 2 legal" in result.output
    assert "Old Wick: 2 used, 1 owned" in result.output


@pytest.mark.parametrize("option", [["--explain"], ["--verdict"], ["--format", "json"]])
def test_what_a_table_cannot_do_is_refused(tmp_path: Path, option: list[str]) -> None:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path)
    with pytest.raises(UsageError, match="cannot be used with a folder"):
        run("check", tmp_path, *option)


def test_verdicts_and_tables_are_reported_in_the_language_that_is_asked() -> None:
    samples = ROOT / "cards" / "hydrophilia" / "rosters"
    files = samples / "legal-varga-drones.yaml", samples / "points-one-too-many.yaml"
    assert run("check", *files, "--lang", "ru", project=ROOT).output.startswith(
        "законен"
    )
    assert "\nНЕЗАКОНЕН" in run("check", *files, "--lang", "ru", project=ROOT).output
    assert "\nILLEGAL" in run("check", *files, "--lang", "en", project=ROOT).output
    for lang, word in (("ru", "НЕЗАКОНЕН"), ("en", "ILLEGAL")):
        assert word in run("check", samples, "--lang", lang, project=ROOT).output


def test_a_verdict_on_a_file_with_a_misspelt_key_is_confirmed_and_cannot_be_turned(
    tmp_path: Path,
) -> None:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path / "mine.yaml")
    text = (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(
        text.replace("season:", "saeson:"), encoding="utf-8"
    )
    assert run("check", tmp_path / "mine.yaml", "--verdict").return_value == 1
    file = tmp_path / "mine.verdict.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    assert value["legal"] is False
    assert value["unread"] == ["roster/unknown-key"]
    assert "saeson is not a known key" in value["findings"][0]["message"]
    assert "confirmed" in run("verify", file).output
    file.write_text(json.dumps({**value, "legal": True}), encoding="utf-8")
    assert "legal is false, in the verdict true" in run("verify", file).output
    assert "здесь false, в вердикте true" in run("verify", file, "--lang", "ru").output


def test_a_verdict_by_an_earlier_release_names_it_and_is_repeated_by_it(
    tmp_path: Path,
) -> None:
    shutil.copy(
        ROOT / "cards/hydrophilia/rosters/legal-davis-cordon.yaml",
        tmp_path / "mine.yaml",
    )
    for asked in ("1.0.0", "2026-11-10"):
        run(
            "check", tmp_path / "mine.yaml", "--verdict", "--as-of", asked, project=ROOT
        )
        file = tmp_path / "mine.verdict.json"
        assert json.loads(file.read_text(encoding="utf-8"))["release"] == "1.0.0"
        result = run("verify", file, "--lang", "ru", project=ROOT)
        assert result.return_value == 0
        assert "подтверждён" in result.output
        assert "законен, hydrophilia 1.0.0" in result.output
    value = json.loads(file.read_text(encoding="utf-8"))
    for release in ("2.0.0", None):
        file.write_text(json.dumps({**value, "release": release}), encoding="utf-8")
        assert "the pack's data" in run("verify", file, project=ROOT).output
    file.write_text(json.dumps({**value, "release": "9.9.9"}), encoding="utf-8")
    with pytest.raises(InputUnreadable, match=r"has no release 9\.9\.9"):
        run("verify", file, project=ROOT)


def test_there_is_no_verdict_on_what_cannot_be_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("pack: [", encoding="utf-8")
    assert (
        "no verdict, because"
        in run("check", tmp_path / "mine.yaml", "--verdict").stderr
    )
    assert not (tmp_path / "mine.verdict.json").exists()


def test_a_folder_that_all_lists_share_is_named_once() -> None:
    table = run("check", ROSTERS, "--lang", "en").output.splitlines()
    assert table[0].split()[:2] == ["file", "(cards/lanterns/rosters/)"]
    assert any(line.startswith("legal    marsh-walk.yaml  ") for line in table)
