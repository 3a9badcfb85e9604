from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name"),
    [((), "hydrophilia-en-gauges-a4.pdf"), (("--profile", "home-letter"), "hydrophilia-en-gauges-letter.pdf")],
)
def test_gauges_alone_are_built_on_the_paper_of_the_profile(
    tmp_path: Path, options: tuple[str, ...], name: str
) -> None:
    command = [sys.executable, "-m", "builder", "build", "hydrophilia", "--gauges", "--lang", "en", *options]
    done = subprocess.run([*command, "--output", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert "gauges and tokens on" in done.stdout
