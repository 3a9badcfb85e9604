"""A release is drawn with the templates that it was made with."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from builder.findings import Location, Severity
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.render_codes import OVERFLOW
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.release_templates import (
    explain_errors,
    find_release_project,
)
from tests.usecases.toy import bump, edit, toy_project

FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)
STYLE = "templates/lanterns/spirit/card.css"


def commit(project: Project) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "All"]):
        subprocess.run(["git", "-C", project.root, *names, *command], check=True)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A pack with a release. After it, a template changed."""
    project = Project(toy_project(tmp_path))
    (project.root / ".gitignore").write_text(".cache\n")
    request = ReleaseRequest("1.0.0", FIRST, FIRST)
    assert make_release(PackFiles(project), "lanterns", request).frozen
    return project


def change_template(project: Project) -> None:
    style = project.root / STYLE
    style.write_text(style.read_text("utf-8") + "/* later */\n", "utf-8")


def read_style(project: Project) -> str:
    return (project.root / STYLE).read_text("utf-8")


def test_a_release_gets_the_templates_of_its_commit(project: Project) -> None:
    commit(project)
    assert find_release_project(project, "lanterns", "1.0.0") is project
    change_template(project)
    found = find_release_project(project, "lanterns", "1.0.0")
    assert "later" in read_style(project)
    assert "later" not in read_style(found)
    assert find_release_project(project, "lanterns", None) is project
    assert find_release_project(project, "lanterns", "work") is project
    # The same folder is used again, so that its pictures are rendered once.
    assert find_release_project(project, "lanterns", "1.0.0").root == found.root


def test_a_release_of_single_cards_has_the_templates_before_it(
    project: Project,
) -> None:
    commit(project)
    change_template(project)
    wick = project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    edit(wick, "cost: 5", "cost: 6")
    bump(project, "old-wick", {"en": "Fixed.", "de": "Berichtigt."}, SECOND)
    request = ReleaseRequest("1.1.0", SECOND, SECOND, only=["old-wick"])
    assert make_release(PackFiles(project), "lanterns", request).frozen
    commit(project)
    found = find_release_project(project, "lanterns", "1.1.0")
    assert "later" not in read_style(found)


def test_without_git_errors_of_a_release_are_warnings_with_a_reason(
    project: Project,
) -> None:
    error = OVERFLOW.finding("too large", Location(file="x"))
    assert explain_errors(project, "lanterns", "1.0.0", [error]) == (error,)
    change_template(project)
    assert find_release_project(project, "lanterns", "1.0.0") is project
    first, second = explain_errors(project, "lanterns", "1.0.0", [error])
    assert first.code == "release/other-templates"
    assert "1.0.0 is drawn with other templates" in first.message
    assert "--as-of" in first.hint
    assert {first.severity, second.severity} == {Severity.WARNING}
    assert second.message == error.message
    (warning,) = explain_errors(project, "lanterns", "1.0.0", [])
    assert warning.code == "release/other-templates"
    assert warning.message.endswith("than it was made with")
    # The edited files can be corrected, so their errors stay errors.
    assert explain_errors(project, "lanterns", None, [error]) == (error,)
    assert explain_errors(project, "lanterns", "work", [error]) == (error,)
