"""The picture of the structure shows it as it is."""

from __future__ import annotations

import subprocess
import sys

from tests.house.source import ROOT


def test_the_picture_of_the_rooms_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "tools/architecture.py", "--check"], cwd=ROOT, check=False
    )
    assert done.returncode == 0, "draw it anew: make picture"
