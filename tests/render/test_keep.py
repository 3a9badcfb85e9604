"""What is kept is found again, and forgotten when nothing uses it: by age first, by size above that."""

from __future__ import annotations

import os
from pathlib import Path

from builder.render.keep import DAY, keep, prune, used
from builder.render.prepress.memo import Memo

NOW = 1_000_000_000.0


def put(path: Path, size: int, days: float) -> Path:
    keep(path, bytes(size))
    os.utime(path, (NOW - days * DAY, NOW - days * DAY))
    return path


def test_what_was_not_used_for_long_is_forgotten(tmp_path: Path) -> None:
    old, young = put(tmp_path / "a" / "old", 10, 61), put(tmp_path / "b" / "young", 20, 59)
    assert prune(tmp_path, days=60, now=NOW) == 10
    assert (old.exists(), young.exists()) == (False, True)


def test_above_the_size_the_longest_unused_goes_first(tmp_path: Path) -> None:
    files = [put(tmp_path / str(days), 40, days) for days in (1, 2, 3, 4)]
    assert prune(tmp_path, most=100, now=NOW) == 80
    assert [path.exists() for path in files] == [True, True, False, False]
    assert prune(tmp_path, most=100, now=NOW) == 0


def test_a_large_file_makes_no_smaller_one_go_that_was_used_later(tmp_path: Path) -> None:
    files = [put(tmp_path / "new", 10, 1), put(tmp_path / "large", 500, 2), put(tmp_path / "small", 10, 3)]
    prune(tmp_path, most=100, now=NOW)
    assert [path.exists() for path in files] == [True, False, True]


def test_a_folder_that_is_not_there_is_nothing_to_prune(tmp_path: Path) -> None:
    assert prune(tmp_path / "none") == 0
    used(tmp_path / "none")


def test_use_is_noted_once_a_day(tmp_path: Path) -> None:
    path = put(tmp_path / "a", 1, 0.5)
    used(path, NOW)
    assert path.stat().st_mtime == NOW - 0.5 * DAY
    used(path, NOW + DAY)
    assert path.stat().st_mtime == NOW + DAY


def test_a_result_that_is_asked_for_again_stays(tmp_path: Path) -> None:
    memo = Memo(tmp_path)
    memo.get("job", [b"one"], lambda: (b"first", ()))
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    os.utime(path, (NOW, NOW))
    assert memo.get("job", [b"one"], lambda: (b"anew", ())) == (b"first", [])
    prune(tmp_path)
    assert path.is_file()
    os.utime(path, (NOW, NOW))
    prune(tmp_path)
    assert memo.get("job", [b"one"], lambda: (b"anew", ()))[0] == b"anew"
