"""Finished files: written whole or not at all, and left untouched where they would come out the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from builder.store.project import Project
from builder.usecases.build.stamp import Stamp

Fill = Callable[[IO[bytes]], tuple[str, dict[str, int]]]


def filling(data: bytes) -> Fill:
    """Write this, two pages of it."""

    def fill(out: IO[bytes]) -> tuple[str, dict[str, int]]:
        out.write(data)
        return hashlib.sha256(data).hexdigest(), {"pages": 2}

    return fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "output" / "cards.pdf"


def stamp(tmp_path: Path, path: Path, wanted: str = "these cards") -> Stamp:
    return Stamp(Project(tmp_path), path, wanted)


def test_a_file_is_known_as_long_as_it_is_that_very_file(tmp_path: Path, path: Path) -> None:
    assert stamp(tmp_path, path).known() is None
    assert stamp(tmp_path, path).write(filling(b"one")) == ({"pages": 2}, True)
    known = stamp(tmp_path, path).known()
    assert known is not None
    assert known["pages"] == 2
    assert stamp(tmp_path, path, "other cards").known() is None
    path.write_bytes(b"two")
    assert stamp(tmp_path, path).known() is None


def test_the_same_bytes_leave_a_file_untouched(tmp_path: Path, path: Path) -> None:
    stamp(tmp_path, path).write(filling(b"one"))
    before = path.stat()
    assert stamp(tmp_path, path, "other cards").write(filling(b"one")) == ({"pages": 2}, False)
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert stamp(tmp_path, path, "other cards").known() is not None


def test_a_file_that_fails_half_way_leaves_the_last_one(tmp_path: Path, path: Path) -> None:
    stamp(tmp_path, path).write(filling(b"one"))

    def fail(out: IO[bytes]) -> tuple[str, dict[str, int]]:
        out.write(b"half of")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        stamp(tmp_path, path, "other cards").write(fail)
    assert path.read_bytes() == b"one"
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert stamp(tmp_path, path).known() is not None
