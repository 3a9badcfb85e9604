"""The page of every code has four parts, and its example matches the case files.

A case file makes the toy pack report a code. The lines before the fix are in a file in which the
code is reported. With the lines after the fix, there are fewer reports of the code in that file.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from builder.packs.project import EXAMPLES_OF_CODES, Project
from builder.report.findings import format_explanation
from builder.usecases.check_pack import check_packs
from builder.usecases.explain_code import find_code, load_codes, read_example
from tests.checks.projects import CASES, lay_over

EXAMPLES = YAML(typ="safe").load(EXAMPLES_OF_CODES.read_text("utf-8"))
CODES_WITH_CASES = sorted(
    path.parent.relative_to(CASES).as_posix() for path in CASES.glob("*/*/bad-1.yaml")
)
NOT_IN_LINES = {
    "i18n/direction": "the engine of the toy pack has no right-to-left language with translations",
    "i18n/duplicate": "a second file",
    "i18n/partial": "many translation files",
    "i18n/stale": "the source text is on the card",
    "i18n/unknown-language": "a folder",
    "looks/damaged-picture": "a picture",
    "looks/picture-format": "a picture",
    "looks/picture-metadata": "a picture",
    "looks/picture-pixels": "a picture",
    "looks/picture-profile": "a picture",
    "pack/extension": "the name of a file",
    "pack/linked-folder": "a link",
    "pack/missing-file": "a missing file",
    "pack/missing-part": "a missing file",
    "pack/missing-rules": "a missing file",
    "roster/too-large": "20,000 lines",
    "yaml/empty": "an empty file",
    "yaml/encoding": "the bytes of a file",
    "yaml/nesting": "70 levels",
    "yaml/too-large": "the size of a file",
    "yaml/unreadable": "a folder instead of a file",
}
"""Codes whose case is no change of lines, with the reason."""


def test_every_code_has_an_example_and_no_example_is_left_over() -> None:
    assert list(EXAMPLES) == list(load_codes())


@pytest.mark.parametrize("code", load_codes())
def test_a_page_has_four_parts(code: str) -> None:
    definition, example = find_code(code), read_example(find_code(code))
    page = format_explanation(definition, example, "en", code)
    headings = [
        "Why it matters",
        "How to fix it",
        "Example: ",
        "  Before\n",
        "  After\n",
    ]
    positions = [page.index(heading) for heading in headings]
    assert positions == sorted(positions)
    assert definition.title
    assert example.before != example.after
    assert example.place


def test_most_examples_of_cases_are_tried() -> None:
    assert set(NOT_IN_LINES) <= set(CODES_WITH_CASES)


@pytest.mark.parametrize(
    "code", [code for code in CODES_WITH_CASES if code not in NOT_IN_LINES]
)
def test_an_example_is_reported_before_and_not_after(code: str, tmp_path: Path) -> None:
    project = lay_over(CASES / code / "bad-1.yaml", tmp_path / "project")
    before = EXAMPLES[code]["before"].splitlines()
    file, start = find_lines(project, reported_files(project, code), before)
    reported_before = reported_files(project, code).count(file)
    replace_lines(
        project.root / file, start, before, EXAMPLES[code]["after"].splitlines()
    )
    assert reported_files(project, code).count(file) < reported_before


def reported_files(project: Project, code: str) -> list[str]:
    """Return the file of each report of the code."""
    findings = check_packs(project, None)
    return [finding.location.file or "" for finding in findings if finding.code == code]


def find_lines(project: Project, files: list[str], lines: list[str]) -> tuple[str, int]:
    """Return the file with these lines at any indentation, and the index of the first."""
    expected = [line.strip() for line in lines]
    for file in files:
        text = [
            line.strip()
            for line in (project.root / file).read_text("utf-8").splitlines()
        ]
        for start in range(len(text)):
            if text[start : start + len(expected)] == expected:
                return file, start
    raise AssertionError(f"no reported file of the case has these lines: {lines}")


def replace_lines(path: Path, start: int, before: list[str], after: list[str]) -> None:
    """Replace lines and keep the indentation of the first one."""
    lines = path.read_text("utf-8").splitlines()
    indent = " " * (count_spaces(lines[start]) - count_spaces(before[0]))
    lines[start : start + len(before)] = [indent + line for line in after]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def count_spaces(line: str) -> int:
    return len(line) - len(line.lstrip())
