"""The budgets of the house: small files, short functions."""

from __future__ import annotations

from statistics import median

import pytest

from tests.house.source import BUILDER, ROOT, functions, line_count, modules, place

LINES, FILES = 51_840, 355
"""What builder/ may hold, the web besides: what it held when this was set. 48,000 and 400 were planned; whatever takes
lines out of it lowers this.
"""


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    long = {place(path): line_count(path) for path in (*modules(), *modules(ROOT / "tests")) if line_count(path) > 400}
    assert long == {}


def test_the_median_file_has_a_hundred_to_a_hundred_and_fifty_lines() -> None:
    assert 100 <= median(line_count(path) for path in modules() if path.name != "__init__.py") <= 150


def test_the_program_keeps_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    counted = [path for path in modules() if path.relative_to(BUILDER).parts[0] != "web"]
    lines, files = sum(map(line_count, counted)), len(counted)
    with capsys.disabled():
        print(f"\nbuilder/: {lines} lines of {LINES}, {files} files of {FILES}")
    assert lines <= LINES
    assert files <= FILES


def test_no_function_is_longer_than_sixty_lines() -> None:
    assert [name for path in modules() for name, lines in functions(path) if lines > 60] == []


def test_the_median_function_has_at_most_twelve_lines() -> None:
    assert median(lines for path in modules() for _, lines in functions(path)) <= 12


def test_the_root_package_holds_nothing() -> None:
    assert (BUILDER / "__init__.py").read_text(encoding="utf-8") == ""
