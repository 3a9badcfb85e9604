from __future__ import annotations

from datetime import date

import pytest

from builder.errata.release import Release, find_newest, find_release


def release(version: str, effective: str) -> Release:
    day = date.fromisoformat(effective)
    return Release(version, day, day)


ALL = (
    release("1.0.0", "2026-03-01"),
    release("1.10.0", "2026-05-01"),
    release("1.2.0", "2026-04-01"),
)


@pytest.mark.parametrize(
    ("asked", "version"),
    [
        ("1.2.0", "1.2.0"),
        ("2026-02-28", None),
        ("2026-03-01", "1.0.0"),
        ("2026-04-30", "1.2.0"),
        ("2027-01-01", "1.10.0"),
        ("2.0.0", None),
        ("yesterday", None),
    ],
)
def test_a_release_is_named_by_version_or_day(asked: str, version: str | None) -> None:
    found = find_release(ALL, asked)
    assert (found.version if found else None) == version


def test_versions_are_compared_as_numbers() -> None:
    found = find_newest(ALL)
    assert found is not None
    assert found.version == "1.10.0"
