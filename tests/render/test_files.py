"""Files that are found once: a file that moves is found again in the next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.render.files import BASE_URL, FileLocator
from builder.render.jobs import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("templates", "base", "data"):
        (tmp_path / name / "art").mkdir(parents=True)
    (tmp_path / "data" / "art" / "boat.png").write_bytes(b"boat")
    names = ("templates", "base", "data", "cache")
    templates, base, data, cache = (tmp_path / name for name in names)
    return Places(templates, base, data, cache, tmp_path)


def test_a_file_is_located_once(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    locator = FileLocator(places)
    first = locator.locate(f"{BASE_URL}art/boat.png")
    monkeypatch.setattr("builder.render.files.locate_file", None)
    assert (
        locator.locate(f"{BASE_URL}art/boat.png")
        == first
        == places.data / "art" / "boat.png"
    )


def test_a_file_that_moved_is_found_after_forgetting(places: Places) -> None:
    locator = FileLocator(places)
    locator.locate(f"{BASE_URL}art/boat.png")
    moved = places.templates / "art" / "boat.png"
    (places.data / "art" / "boat.png").rename(moved)
    locator.forget()
    assert locator.locate(f"{BASE_URL}art/boat.png") == moved


def test_a_missing_file_is_looked_for_again(places: Places) -> None:
    locator = FileLocator(places)
    with pytest.raises(FileNotFoundError):
        locator.locate(f"{BASE_URL}art/pier.png")
    (places.data / "art" / "pier.png").write_bytes(b"pier")
    assert locator.locate(f"{BASE_URL}art/pier.png").read_bytes() == b"pier"
