"""The register of checks.

Found by their folders, each with codes of its own that are told, explained and tried.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.checks.registry import SUBJECTS, Check, list_checks
from builder.model.codes import Code, define
from tests.checks.projects import ROOT

FOLDER = ROOT / "builder" / "checks"
SHARED = {"cards/rulings", "images/face", "preflight/job"}
"""What the checks of a subject examine and how they place their findings, and the check of rulings,
which needs the whole history of a pack.
"""

TRIED = {
    "cards": ["checks/test_card_cases.py"],
    "appearance": ["checks/test_card_cases.py"],
    "images": ["checks/images/test_cases.py", "checks/images/test_orders.py"],
    "preflight": [
        "checks/preflight/cases.py",
        "checks/preflight/test_cases.py",
        "checks/preflight/test_pairs.py",
    ],
    "release": [
        "checks/release/test_release_checks.py",
        "usecases/test_release_story.py",
    ],
    "roster": [
        "checks/roster/test_verdict.py",
        "roster/test_resolve.py",
        "rules/test_judge.py",
        "cli/test_roster_collection.py",
        "cli/test_roster_links.py",
    ],
}
"""Where each code of a subject has what gives it and what does not."""
FOLDERS = ("cards", "appearance")
"""Subjects whose codes have folders of cases."""


def every() -> list[Check]:
    return [check for subject in SUBJECTS for check in list_checks(subject)]


def codes(subject: str) -> set[Code]:
    return {code for check in list_checks(subject) for code in check.codes}


def test_a_folder_is_a_subject_and_a_file_in_it_a_check() -> None:
    assert {
        path.name for path in FOLDER.iterdir() if path.is_dir() and path.name[0] != "_"
    } == set(SUBJECTS)
    files = {
        path.relative_to(FOLDER).with_suffix("").as_posix()
        for path in FOLDER.glob("*/[!_]*.py")
    }
    assert {f"{check.subject}/{check.name}" for check in every()} == files - SHARED


def test_a_check_has_codes_that_say_what_why_and_what_next() -> None:
    for check in every():
        assert check.codes, check.name
        assert all(code.title and code.why and code.remedy for code in check.codes)


def test_a_code_is_defined_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        define("cards/file-name", "Again", "why", "remedy")
    with pytest.raises(ValueError, match="form"):
        define("nonsense", "No group", "why", "remedy")


@pytest.mark.parametrize(
    "subject", [subject for subject in SUBJECTS if subject not in FOLDERS]
)
def test_a_code_has_a_case(subject: str) -> None:
    sources = "".join(
        (ROOT / "tests" / name).read_text(encoding="utf-8") for name in TRIED[subject]
    )
    names = {code.code.partition("/")[2] for code in codes(subject)}
    assert {name for name in names if name not in sources} == set()


def test_where_cases_lie_is_said_for_each_subject() -> None:
    assert TRIED.keys() == set(SUBJECTS)
    assert all(
        Path(ROOT / "tests" / name).is_file()
        for names in TRIED.values()
        for name in names
    )
