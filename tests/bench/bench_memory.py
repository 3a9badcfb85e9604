"""Peak memory of the largest process of a cold build, which the card count must not raise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from builder.packs.project import Project
from tests.bench.bench_press import adopt, command
from tests.bench.cards import ROOT, grow, project_of

COUNTS = (500, 1_500, 4_500)
WORKERS = (2, 1)


def main() -> None:
    """Print what was measured."""
    adopt()
    with tempfile.TemporaryDirectory() as folder:
        project = project_of(Path(folder), COUNTS[0])
        for count in COUNTS:
            grow(project, count)
            for workers in WORKERS:
                shutil.rmtree(Project(project).cache_dir, ignore_errors=True)
                what = f"largest process, {count:,} cards, {workers} worker{'s' * (workers > 1)}"
                print(f"{what:<44} {_peak(project, workers):7.0f} MB", flush=True)


def _peak(project: Path, workers: int) -> float:
    """MB that the largest process of one build took at most."""
    process = subprocess.Popen(
        [*command(project), "--workers", str(workers)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    most = 0
    with suppress(ChildProcessError):
        while True:  # the build, and then its processes that ended after it
            ended, status, used = os.wait4(-1, 0)
            most = max(most, used.ru_maxrss)
            if ended == process.pid and status:
                sys.exit("a build failed")
    return most / (1024 if sys.platform == "linux" else 1024**2)


if __name__ == "__main__":
    main()
