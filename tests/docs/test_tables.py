"""docs/tables.md is run as it stands, chapter by chapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.house.test_readme import Chapter, chapters, run_chapter, shell


@pytest.mark.slow
@pytest.mark.parametrize(
    "chapter",
    chapters((ROOT / "docs" / "tables.md").read_text(encoding="utf-8")),
    ids=lambda chapter: chapter.title,
)
def test_a_chapter_runs(chapter: Chapter, tmp_path: Path) -> None:
    run_chapter(chapter, tmp_path, shell(tmp_path / "bin"))
