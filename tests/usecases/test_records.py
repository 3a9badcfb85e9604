"""Finished files: written whole or not at all, and left untouched where they would come out the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from builder.packs.project import Project
from builder.usecases.build.records import OutputFacts, OutputRecord, remove_outdated

Fill = Callable[[IO[bytes]], tuple[str, OutputFacts]]


def filling(data: bytes) -> Fill:
    """Write this, two pages of it."""

    def fill(out: IO[bytes]) -> tuple[str, OutputFacts]:
        out.write(data)
        return hashlib.sha256(data).hexdigest(), OutputFacts(2)

    return fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "output" / "cards.pdf"


def record(tmp_path: Path, path: Path, wanted: str = "these cards") -> OutputRecord:
    return OutputRecord(Project(tmp_path), path, wanted)


def test_a_file_is_known_as_long_as_it_is_that_very_file(tmp_path: Path, path: Path) -> None:
    assert record(tmp_path, path).known() is None
    assert record(tmp_path, path).write(filling(b"one")) == (OutputFacts(2), True)
    known = record(tmp_path, path).known()
    assert known is not None
    assert known.pages == 2
    assert record(tmp_path, path, "other cards").known() is None
    path.write_bytes(b"two")
    assert record(tmp_path, path).known() is None


def test_the_same_bytes_leave_a_file_untouched(tmp_path: Path, path: Path) -> None:
    record(tmp_path, path).write(filling(b"one"))
    before = path.stat()
    assert record(tmp_path, path, "other cards").write(filling(b"one")) == (OutputFacts(2), False)
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert record(tmp_path, path, "other cards").known() is not None


def test_a_file_that_fails_half_way_leaves_the_last_one(tmp_path: Path, path: Path) -> None:
    record(tmp_path, path).write(filling(b"one"))

    def fail(out: IO[bytes]) -> tuple[str, OutputFacts]:
        out.write(b"half of")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        record(tmp_path, path, "other cards").write(fail)
    assert path.read_bytes() == b"one"
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert record(tmp_path, path).known() is not None


def test_what_was_written_in_a_language_that_is_gone_is_removed_and_nothing_else(
    tmp_path: Path,
) -> None:
    names = ("game-de.pdf", "game-en.pdf", "game-de-edited.pdf", "other-de.pdf")
    for name in names:
        pack, lang = name.removesuffix(".pdf").split("-")[:2]
        OutputRecord(Project(tmp_path), tmp_path / "output" / name, "cards", (pack, lang)).write(
            filling(b"cards")
        )
    (tmp_path / "output" / "game-de-edited.pdf").write_bytes(b"cards and notes of mine")
    (tmp_path / "output" / "game-de-notes.pdf").write_bytes(b"mine")
    order = OutputRecord(
        Project(tmp_path), tmp_path / "output" / "game-de-shop", "cards", ("game", "de")
    )
    order.path.mkdir()
    (order.path / "deck.pdf").write_bytes(b"cards")
    order.note(OutputFacts(2))
    gone = remove_outdated(Project(tmp_path), tmp_path / "output", "game", ("en", "ru"))
    assert [path.name for path in gone] == ["game-de-shop", "game-de.pdf"]
    left = {path.name for path in (tmp_path / "output").iterdir()}
    assert left == {"game-en.pdf", "game-de-edited.pdf", "game-de-notes.pdf", "other-de.pdf"}
