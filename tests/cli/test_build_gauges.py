from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.program import run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name"),
    [
        ((), "hydrophilia-en-gauges-a4.pdf"),
        (("--profile", "home-letter"), "hydrophilia-en-gauges-letter.pdf"),
    ],
)
def test_gauges_alone_are_built_on_the_paper_of_the_profile(
    tmp_path: Path, options: tuple[str, ...], name: str
) -> None:
    process = run(
        ROOT,
        "build",
        "hydrophilia",
        "--gauges",
        "--lang",
        "en",
        *options,
        "--output",
        tmp_path,
    )
    assert process.returncode == 0, process.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert "gauges and tokens on" in process.stdout
