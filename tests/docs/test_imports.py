"""The commands of docs/imports.md run as written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.commands import read_blocks, run_blocks, shell_environment
from tests.house.source import ROOT


@pytest.mark.slow
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    blocks = read_blocks((ROOT / "docs" / "imports.md").read_text(encoding="utf-8"))
    run_blocks(blocks, tmp_path, shell_environment(tmp_path / "bin"))
