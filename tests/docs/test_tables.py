"""The commands of docs/tables.md run as written, chapter by chapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.commands import Chapter, read_chapters, run_blocks, shell_environment
from tests.house.source import ROOT

CHAPTERS = read_chapters((ROOT / "docs" / "tables.md").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.title)
def test_the_commands_of_a_chapter_run(chapter: Chapter, tmp_path: Path) -> None:
    run_blocks(chapter.blocks, tmp_path, shell_environment(tmp_path / "bin"))
