"""Every code about cards and their looks has a good and a bad case under tests/cases/cards/<group>/<name>/."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import ImageFile

from builder.checks.registry import checks
from builder.diskmap import LATELY, ROOM, DiskMap
from builder.model.codes import Code
from builder.store import codes
from builder.usecases.check import check_packs
from tests.checks.projects import ROOT, lay_over

CASES = ROOT / "tests" / "cases" / "cards"


def defined() -> list[str]:
    # What tables give is not found in a pack's own files: its cases are in tests/usecases/test_tables.py, all of them.
    read = [value for value in vars(codes).values() if isinstance(value, Code) and not value.code.startswith("table/")]
    judged = (code for subject in ("cards", "looks") for check in checks(subject) for code in check.codes)
    return sorted({code.code for code in (*read, *judged)})


@pytest.mark.parametrize("room", [0, ROOM])
@pytest.mark.parametrize("code", defined())
def test_the_bad_case_gives_exactly_what_it_expects(
    code: str, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DiskMap.__init__, "__defaults__", (room, LATELY))
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", room > 0)  # as an engine leaves it
    case = CASES / code / "bad"
    findings = check_packs(lay_over(case, tmp_path / "project"), None)
    places = [(finding.location, finding.code) for finding in findings]
    said = [f"{place.file}:{place.line}:{place.column} {found}" for place, found in places]
    assert said == (case / "expect.txt").read_text("utf-8").splitlines()
    assert code in {finding.code for finding in findings}
    assert all(finding.message and finding.hint for finding in findings)


@pytest.mark.parametrize("code", defined())
def test_the_good_case_is_clean(code: str, tmp_path: Path) -> None:
    case = CASES / code / "good"
    assert case.is_dir()
    assert check_packs(lay_over(case, tmp_path / "project"), None) == ()


def test_no_case_is_left_over() -> None:
    assert sorted(path.relative_to(CASES).as_posix() for path in CASES.glob("*/*")) == defined()
