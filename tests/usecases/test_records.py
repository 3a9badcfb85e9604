"""Finished files are written whole or not at all, and stay untouched if equal."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import IO

import pytest

from builder.packs.project import Project
from builder.usecases.build.records import record_owner, remove_outdated, write_output

OWNER = ("game", "de")


def write(
    tmp_path: Path, path: Path, data: bytes, owner: tuple[str, str] = OWNER
) -> bool:
    """Write a file with this data."""

    def fill(out: IO[bytes]) -> str:
        out.write(data)
        return hashlib.sha256(data).hexdigest()

    return write_output(Project(tmp_path), path, owner, fill)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "output" / "cards.pdf"


def test_the_same_bytes_leave_a_file_untouched(tmp_path: Path, path: Path) -> None:
    assert write(tmp_path, path, b"one")
    before = path.stat()
    assert not write(tmp_path, path, b"one")
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert write(tmp_path, path, b"two")
    assert path.read_bytes() == b"two"


def test_a_file_that_fails_half_way_leaves_the_last_one(
    tmp_path: Path, path: Path
) -> None:
    write(tmp_path, path, b"one")

    def fail(out: IO[bytes]) -> str:
        out.write(b"half of")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_output(Project(tmp_path), path, OWNER, fail)
    assert path.read_bytes() == b"one"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_what_was_written_in_a_language_that_is_gone_is_removed_and_nothing_else(
    tmp_path: Path,
) -> None:
    names = ("game-de.pdf", "game-en.pdf", "game-de-edited.pdf", "other-de.pdf")
    for name in names:
        pack, lang = name.removesuffix(".pdf").split("-")[:2]
        write(tmp_path, tmp_path / "output" / name, b"cards", (pack, lang))
    (tmp_path / "output" / "game-de-edited.pdf").write_bytes(b"cards and notes of mine")
    (tmp_path / "output" / "game-de-notes.pdf").write_bytes(b"mine")
    order = tmp_path / "output" / "game-de-shop"
    order.mkdir()
    (order / "deck.pdf").write_bytes(b"cards")
    record_owner(Project(tmp_path), order, OWNER)
    removed_paths = remove_outdated(
        Project(tmp_path), tmp_path / "output", "game", ("en", "ru")
    )
    assert [path.name for path in removed_paths] == ["game-de-shop", "game-de.pdf"]
    remaining_names = {path.name for path in (tmp_path / "output").iterdir()}
    assert remaining_names == {
        "game-en.pdf",
        "game-de-edited.pdf",
        "game-de-notes.pdf",
        "other-de.pdf",
    }
