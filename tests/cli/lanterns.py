"""The lanterns pack as the tests of `roster` use it.

Its place, its samples, and one command run in its project.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from builder.cli.main import squadpress
from tests.cli.every_pack import ROOT

LANTERNS = ROOT / "tests" / "toys" / "lanterns"
ROSTERS = LANTERNS / "cards/lanterns/rosters"


def run(*args: str | Path, project: Path = LANTERNS) -> Result:
    """`squadpress roster ARGS --project PROJECT`; what it raises is raised here."""
    words = ["roster", *map(str, args), "--project", str(project)]
    return CliRunner().invoke(
        squadpress, words, standalone_mode=False, catch_exceptions=False
    )
