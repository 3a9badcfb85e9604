"""A team's repository: workflows, a comparison with main, releases of the same version."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(
        ["git", "-C", str(folder), *names, *words], check=True, capture_output=True
    )


def merge(folder: Path, branch: str, *, succeeds: bool) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *names, "merge", "--no-edit", branch]
    assert (
        subprocess.run(command, check=False, capture_output=True).returncode == 0
    ) == succeeds


def release(project: Project, version: str, day: date) -> None:
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest(version, day, day)
    )
    assert release_result.frozen, release_result.findings


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository with 1 release on the branch main, and a branch of a colleague."""
    project = Project(toy_project(tmp_path))
    release(project, "1.0.0", FIRST)
    (project.root / ".gitignore").write_text(".cache\n")
    git(project.root, "init", "-b", "main")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Add the pack")
    git(project.root, "checkout", "-b", "colleague")
    return project


def change_cost(project: Project, card: str) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / f"{card}.yaml",
        "cost: 1",
        "cost: 2",
    )


def test_a_history_that_disagrees_with_the_changes_is_an_error(
    project: Project,
) -> None:
    same = run(project.root, "release", "diff", "--against", "main")
    assert (same.returncode, same.stdout) == (0, "lanterns: main and work are equal\n")
    change_cost(project, "dusk-moth")
    process = run(
        project.root, "release", "diff", "--against", "main", "--format", "markdown"
    )
    assert process.returncode == 1
    assert "dusk-moth (Dusk Moth): plays differently" in process.stdout
    assert "release/no-revision" in process.stderr
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    assert run(project.root, "release", "diff", "--against", "main").returncode == 0
    assert run(project.root, "release", "diff", "--against", "maine").returncode == 2
    assert run(project.root, "release", "diff").returncode == 2


def test_a_revision_without_a_change_is_a_warning(project: Project) -> None:
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    idle = run(project.root, "release", "diff", "--against", "main")
    assert idle.returncode == 0
    assert "release/idle-revision" in idle.stderr


def test_a_revision_of_a_change_on_main_is_not_reported(project: Project) -> None:
    git(project.root, "checkout", "main")
    change_cost(project, "dusk-moth")
    git(project.root, "commit", "-am", "Change a cost")
    git(project.root, "checkout", "-b", "bumps")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    bumped = run(project.root, "release", "diff", "--against", "main")
    assert "release/idle-revision" not in bumped.stderr


def test_a_later_change_on_main_is_not_a_change_of_this_branch(
    project: Project,
) -> None:
    git(project.root, "checkout", "main")
    change_cost(project, "dusk-moth")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    git(project.root, "commit", "-am", "Change a cost")
    git(project.root, "checkout", "colleague")
    process = run(project.root, "release", "diff", "--against", "main")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == "lanterns: main and work are equal\n"
    merge(project.root, "main", succeeds=True)
    process = run(project.root, "release", "diff", "--against", "main")
    assert process.stdout == "lanterns: main and work are equal\n"


def test_a_revision_of_a_release_is_not_to_be_removed(project: Project) -> None:
    card = project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml"
    for version, old, new in (("1.1.0", 1, 2), ("1.2.0", 2, 1)):
        edit(card, f"cost: {old}", f"cost: {new}")
        notes = {"en": f"Costs {new}.", "de": f"Kostet {new}."}
        bump(project, "dusk-moth", notes, SECOND)
        release(project, version, SECOND)
    process = run(project.root, "release", "diff", "--against", "main")
    assert "release/idle-revision" not in process.stderr
    bump(project, "old-wick", {"en": "Same.", "de": "Gleich."}, SECOND)
    process = run(project.root, "release", "diff", "--against", "main")
    assert "release/idle-revision" in process.stderr
    assert "dusk-moth" not in process.stderr


def test_two_releases_of_the_same_version_are_found_and_renumbered(
    project: Project,
) -> None:
    change_cost(project, "dusk-moth")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    release(project, "1.1.0", SECOND)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on a branch")
    release_folder = project.root / "cards/lanterns/releases/1.1.0"
    git(project.root, "checkout", "main")
    bump(project, "old-wick", {"en": "Calmer.", "de": "Ruhiger."}, SECOND)
    release(project, "1.1.0", SECOND)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on main")
    git(project.root, "checkout", "colleague")
    second_process = run(project.root, "release", "diff", "--against", "main")
    assert second_process.returncode == 1
    assert "release/same-version" in second_process.stderr
    checked = run(project.root, "check", "lanterns")
    assert checked.returncode == 1
    assert "1.1.0 was also released in main, with other files" in checked.stdout
    assert "squadpress release renumber 1.1.0 1.2.0 --pack lanterns" in checked.stdout
    before = (release_folder / "cards.json").read_bytes()
    same = run(project.root, "release", "renumber", "1.1.0", "1.1.0")
    assert (same.returncode, "the version it has already" in same.stderr) == (2, True)
    small = run(project.root, "release", "renumber", "1.1.0", "1.0.1")
    assert (small.returncode, "too small a step" in small.stderr) == (2, True)
    process = run(project.root, "release", "renumber", "1.1.0", "1.2.0")
    assert process.returncode == 0, process.stderr
    assert not release_folder.exists()
    assert (release_folder.with_name("1.2.0") / "cards.json").read_bytes() == before
    listed = run(project.root, "release", "list", "--on", "2026-07-01").stdout
    assert [line.split()[0] for line in listed.splitlines()[:2]] == ["1.0.0", "1.2.0"]
    assert "release/" not in run(project.root, "check", "lanterns").stdout
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Renumber the release")
    merge(project.root, "main", succeeds=True)
    assert "release/same-version" not in run(project.root, "check", "lanterns").stdout
    refused = run(project.root, "release", "renumber", "1.0.0", "1.3.0")
    assert refused.returncode == 2
    assert (project.root / "cards/lanterns/releases/1.0.0").is_dir()
    assert (
        "same-version"
        not in run(project.root, "release", "diff", "--against", "main").stderr
    )


def test_a_change_that_the_release_of_another_branch_takes_back_is_reported(
    project: Project,
) -> None:
    change_cost(project, "dusk-moth")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    release(project, "1.2.0", SECOND)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on a branch")
    git(project.root, "checkout", "main")
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml",
        "cost: 5",
        "cost: 6",
    )
    bump(project, "old-wick", {"en": "Costs 6.", "de": "Kostet 6."}, SECOND)
    release(project, "1.1.0", SECOND)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on main")
    git(project.root, "checkout", "colleague")
    assert "takes-back" not in run(project.root, "check", "lanterns").stdout
    merge(project.root, "main", succeeds=True)
    words = "1.2.0 takes back what 1.1.0 changed: old-wick (cost 5 -> 6)"
    checked = run(project.root, "check", "lanterns")
    assert f"releases/1.2.0/manifest.json: warning release/takes-back: {words}" in (
        checked.stdout
    )
    assert "Make the next release" in checked.stdout
    assert words in run(project.root, "release", "diff", "1.1.0", "1.2.0").stderr, (
        "also for the two releases"
    )
    assert "takes" not in run(project.root, "release", "diff", "1.0.0", "1.2.0").stderr
    release(project, "1.3.0", SECOND)
    assert "takes-back" not in run(project.root, "check", "lanterns").stdout


def test_check_finds_the_same_version_on_every_branch(project: Project) -> None:
    bump(project, "old-wick", {"en": "Calmer.", "de": "Ruhiger."}, SECOND)
    release(project, "1.1.0", SECOND)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on a branch")
    git(project.root, "checkout", "main")
    assert "same-version" not in run(project.root, "check", "lanterns").stdout
    bump(project, "dusk-moth", {"en": "Clearer.", "de": "Klarer."}, SECOND)
    release(project, "1.1.0", SECOND)
    on_main = run(project.root, "check", "lanterns")
    assert on_main.returncode == 0, on_main.stdout  # the main branch keeps its version
    assert "1.1.0 was also released in colleague, with other files" in on_main.stdout
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Release on main")
    git(project.root, "checkout", "colleague")
    merge(project.root, "main", succeeds=False)
    merging = run(project.root, "check", "lanterns")
    assert merging.returncode == 1
    assert (
        "1.1.0 was also released in the merged branch, with other files"
        in merging.stdout
    )
    assert "git merge --abort" in merging.stdout


def test_check_needs_no_git(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(project.root, "check", "lanterns", env={"PATH": ""}).returncode == 0


def test_ci_init_writes_files_and_keeps_those_that_exist(project: Project) -> None:
    (project.root / ".gitattributes").write_text("*.png binary\n")
    (project.root / ".gitlab-ci.yml").write_text("mine: {script: [make]}\n")
    (project.root / ".gitignore").write_text("*.bak\n/output/")
    process = run(project.root, "ci", "init")
    assert process.returncode == 0, process.stderr
    assert ".gitlab-ci.yml: kept, because it exists" in process.stdout
    assert (project.root / ".gitlab-ci.yml").read_text() == "mine: {script: [make]}\n"
    attributes = (project.root / ".gitattributes").read_text()
    assert attributes.startswith("*.png binary\n")
    assert "cards/*/releases/** -text\n" in attributes
    ignored = (project.root / ".gitignore").read_text()
    assert ignored.startswith("*.bak\n/output/\n")
    assert (ignored.count("/output/\n"), ignored.count(".cache/\n")) == (1, 1)
    for name in (".github/workflows/cards.yml", ".pre-commit-config.yaml"):
        assert YAML(typ="safe").load((project.root / name).read_text())
    assert (
        'release diff --against "origin/$BASE"'
        in (project.root / ".github/workflows/cards.yml").read_text()
    )
    run(project.root, "ci", "init")
    assert (project.root / ".gitattributes").read_text() == attributes
    assert (project.root / ".gitignore").read_text() == ignored
