"""`check` judges the samples of a pack.

That they break rules is what they are for, all else is found.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from tests.checks.projects import TOY, lay_over

SAMPLE = "cards/lanterns/rosters/marsh-walk.yaml"


def list_findings(root: Path) -> list[tuple[str, int | None, str]]:
    return [
        (finding.location.file or "", finding.location.line, finding.code)
        for finding in check_packs(Project(root), "lanterns")
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_over(TOY / "nothing", tmp_path / "project").root


def test_samples_that_keep_their_word_are_clean(project: Path) -> None:
    assert list_findings(project) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ("card: old-wick", "card: old-wik", 7, "roster/unknown-card"),
        ("[amber-brooch]", "[reed-mother]", 8, "roster/wrong-role"),
        ("legal: true", "legal: false", 15, "roster/expectation"),
        ("mask: heron", "mask: hron", 9, "roster/wrong-value"),
        ("host: mother", "host: mothre", 14, "roster/unknown-target"),
    ],
)
def test_a_sample_with_a_mistake_is_found(
    project: Path, old: str, new: str, line: int, code: str
) -> None:
    file = project / SAMPLE
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    assert (SAMPLE, line, code) in list_findings(project)


def test_a_sample_that_breaks_another_rule_is_found_where_a_rule_changed(
    project: Path,
) -> None:
    rules = project / "cards/lanterns/rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("exactly: 1", "max: 1"), "utf-8")
    sample = "cards/lanterns/rosters/no-flame.yaml"
    assert list_findings(project) == [(sample, 6, "roster/expectation")] * 2


def test_a_pack_that_was_not_read_as_a_whole_blames_no_sample(project: Path) -> None:
    card = project / "cards/lanterns/spirit/old-wick.yaml"
    card.write_text(card.read_text("utf-8").replace("lumen: 4", "lumen: four"), "utf-8")
    assert {
        code for file, _line, code in list_findings(project) if "rosters" in file
    } == set()


def test_a_stroked_icon_is_found_before_it_is_set(project: Path) -> None:
    icon = project / "templates/lanterns/icons/reed.svg"
    icon.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" '
        'viewBox="0 0 9 '
        '9"><path '
        'd="M1 1L9 9" '
        'stroke="red"/></svg>'
    )
    assert list_findings(project) == [
        ("templates/lanterns/icons/reed.svg", 1, "render/icon")
    ]


def test_files_that_did_not_change_are_not_checked_again_and_reported_all_the_same(
    project: Path,
) -> None:
    sheet = project / "templates/lanterns/more.css"
    sheet.write_text(".a { color: red")
    first = list_findings(project)
    assert (
        first
        == list_findings(project)
        == [("templates/lanterns/more.css", 1, "looks/unclosed")]
    )
    sheet.write_text(".a { color: red }")
    assert list_findings(project) == []
