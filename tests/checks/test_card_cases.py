"""Every code about cards and their looks has good and bad cases.

Tests/cases/<code>/good-*.yaml, bad-*.yaml.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import ImageFile

from builder.checks.registry import list_checks
from builder.diskmap import MAX_RECENT_VALUES, MAX_VALUES_IN_MEMORY, DiskMap
from builder.model.codes import Code
from builder.packs import file_codes
from builder.usecases.check_pack import check_packs
from tests.checks.projects import CASES, lay_over, read_case


def list_defined_codes() -> list[str]:
    # What tables give is not found in a pack's own files: its cases are in
    # tests/usecases/test_tables.py, all of them.
    loading_findings = [
        value
        for value in vars(file_codes).values()
        if isinstance(value, Code) and not value.code.startswith("table/")
    ]
    checker_findings = (
        code
        for subject in ("cards", "appearance")
        for check in list_checks(subject)
        for code in check.codes
    )
    return sorted({code.code for code in (*loading_findings, *checker_findings)})


def case_files(side: str) -> list[Path]:
    return sorted(CASES.glob(f"*/*/{side}-*.yaml"))


def case_name(path: Path) -> str:
    return path.relative_to(CASES).with_suffix("").as_posix()


@pytest.mark.parametrize("max_items", [0, MAX_VALUES_IN_MEMORY])
@pytest.mark.parametrize("path", case_files("bad"), ids=case_name)
def test_a_bad_case_gives_exactly_what_it_expects(
    path: Path, max_items: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        DiskMap.__init__, "__defaults__", (max_items, MAX_RECENT_VALUES)
    )
    monkeypatch.setattr(
        ImageFile, "LOAD_TRUNCATED_IMAGES", max_items > 0
    )  # as an engine leaves it
    findings = check_packs(lay_over(path, tmp_path / "project"), None)
    places = [(finding.location, finding.code) for finding in findings]
    reported = [
        f"{place.file}:{place.line}:{place.column} {code}" for place, code in places
    ]
    assert reported == read_case(path)["expect"]
    assert code_of(path) in {finding.code for finding in findings}
    assert all(finding.message and finding.hint for finding in findings)


@pytest.mark.parametrize("path", case_files("good"), ids=case_name)
def test_a_good_case_is_clean(path: Path, tmp_path: Path) -> None:
    assert check_packs(lay_over(path, tmp_path / "project"), None) == ()


def code_of(path: Path) -> str:
    return path.parent.relative_to(CASES).as_posix()


@pytest.mark.parametrize("side", ["good", "bad"])
def test_every_code_has_good_and_bad_cases(side: str) -> None:
    assert sorted({code_of(path) for path in case_files(side)}) == list_defined_codes()


def test_every_file_is_a_case() -> None:
    assert set(CASES.glob("*/*/*.yaml")) == {*case_files("good"), *case_files("bad")}
