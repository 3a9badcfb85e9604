"""Rules that never apply, where choices or broken cards decide.

The plain cases lie under tests/cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from tests.checks.projects import lay_over
from tests.usecases.toy import edit

RULE = """  - id: extra
    type: limit
    title: {en: Extra, de: Mehr}
    source: "Lowmarsh, 9"
    select: {where: {keywords: {has: otter}}}
    measure: count
    max: 2
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return the toy pack with a rule about a keyword that no card has."""
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    folder = project.get_cards_dir("lanterns")
    edit(folder / "rules.yaml", "order:\n", f"{RULE}order:\n")
    edit(
        folder / "vocabulary.yaml",
        "keywords:\n",
        "keywords:\n  otter: {name: {en: otter, de: Otter}}\n",
    )
    return project


def codes(project: Project) -> list[str]:
    return [
        finding.code
        for finding in check_packs(project, None)
        if finding.severity == "error"
    ]


def test_a_keyword_that_no_card_has_selects_nothing(project: Project) -> None:
    assert codes(project) == ["pack/nothing-fits"]


def test_a_keyword_that_a_model_may_choose_selects_something(project: Project) -> None:
    manifest = project.get_cards_dir("lanterns") / "pack.yaml"
    edit(
        manifest,
        "      name: {en: Mask, de: Maske}\n",
        "      name: {en: Mask, de: Maske}\n      keyword: wispborn\n",
    )
    assert codes(project) == []


def test_rules_are_not_blamed_while_a_card_cannot_be_read(project: Project) -> None:
    (project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml").write_text(
        "id: [", encoding="utf-8"
    )
    assert "pack/nothing-fits" not in codes(project)
