"""What each patch of the engine alone gains: a cold build of the bench's cards with all patches but one, in turn.

Processor time of one process that sets. Machines drift, so each build has one with all patches beside it, now before
it, now after; what is told is the median of their ratios, and how far they lie apart.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from builder.render.engine.weasyprint.patches import CORRECT, SPEED
from builder.render.engine.weasyprint.patches.replacing import Patch, found
from builder.store.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.options import BuildOptions, Selection, WorkerPool
from tests.bench.cards import KIND, LANG, PACK, ROOT, project_of

CARDS, ROUNDS = 100, 6
ALL = "none"


def main() -> None:
    """Print the share of a cold build that each patch saves, and how many names are replaced in all."""
    with tempfile.TemporaryDirectory() as folder:
        project_of(Path(folder), CARDS)
        for left_out in (*(patch.name for patch in SPEED), "all"):
            gained = sorted(pair(folder, left_out, first=bool(turn % 2)) for turn in range(ROUNDS))
            told = f"{median(gained):5.1f} % gained, {gained[0]:.1f} to {gained[-1]:.1f}"
            print(f"{'without ' + left_out:<44} {told}", flush=True)
    print(f"{'names of the engine that are replaced':<44} {len(names((*CORRECT, *SPEED))):7}")


def pair(folder: str, left_out: str, *, first: bool) -> float:
    """The share of a cold build, in hundredths, that is gained by what is left out of one of two builds."""
    spent = {}
    for name in (left_out, ALL) if first else (ALL, left_out):
        command = [sys.executable, "-m", "tests.bench.bench_patches", folder, name]
        spent[name] = float(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    return 100 * (1 - spent[ALL] / spent[left_out])


def cold(folder: Path, left_out: str) -> float:
    """Seconds of processor of a cold build in this process."""
    from builder.render.engine.weasyprint import patches

    patches.SPEED = () if left_out == "all" else tuple(patch for patch in SPEED if patch.name != left_out)
    project = Project(folder)
    shutil.rmtree(project.cache_dir, ignore_errors=True)
    start = time.process_time()
    options = BuildOptions(Selection((LANG,), (f"kind={KIND}",)), workers=WorkerPool(0))
    build_pack(project, PACK, options)
    return time.process_time() - start


def names(patches: tuple[Patch, ...]) -> frozenset[str]:
    """What is replaced. A function that several modules imported is one name."""
    return frozenset(
        f"{original.__module__}.{original.__qualname__}" if callable(original) else f"{owner.__name__}.{name}"
        for patch in patches
        for owner, name, _, original in found(patch)
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(cold(Path(sys.argv[1]), sys.argv[2]))
    else:
        main()
