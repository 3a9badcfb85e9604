"""The assistant's figures.

Choices for a squad of ten, a folder of 500 lists, a squad of ten completed. CPU seconds.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from builder.model.roster import Roster
from builder.packs.loading import load_pack
from builder.packs.project import Project, find_project
from builder.packs.rosters import format_roster
from builder.rules.checker import RosterChecker
from builder.rules.choices import Chooser
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.usecases.roster.roster_files import check_roster_folders
from tests.bench.bench_rosters import PACK, legal_rosters

LISTS = 500


def spent(task: Callable[[], object], rounds: int = 5) -> float:
    """Return the best CPU time of several rounds, in seconds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def mixed(project: Project) -> float:
    """`roster check FOLDER` with samples of every pack, most illegal, as an organiser runs it."""
    samples = [
        file for pack in project.list_packs() for file in project.list_rosters(pack)
    ]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(LISTS):
            shutil.copy(samples[number % len(samples)], Path(folder) / f"{number}.yaml")
        command = [
            sys.executable,
            "-m",
            "builder",
            "roster",
            "check",
            folder,
            "--csv",
            f"{folder}/table.csv",
        ]
        best = float("inf")
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                command, cwd=project.root, stdout=subprocess.DEVNULL, check=False
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(
                best,
                after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            )
    return best


def main() -> None:
    project = find_project(Path.cwd())
    pack = load_pack(project, PACK).pack
    assert pack is not None
    checker = RosterChecker(pack)
    legal = legal_rosters(checker, LISTS)
    cards = sum(pack.find_role(card).value != "none" for card in pack.cards.values())
    took = spent(
        lambda: list(
            Chooser(checker.resolve_roster(legal[0]), checker.evaluator).list_options()
        )
    )
    print(f"choices, ten models, {cards} cards   {took * 1000:8.1f} ms (target 20)")
    with tempfile.TemporaryDirectory() as folder:
        for number, roster in enumerate(legal):
            (Path(folder) / f"{number}.yaml").write_text(
                format_roster(roster), encoding="utf-8"
            )
        took = spent(lambda: check_roster_folders(project, [Path(folder)]), 2)
    print(f"a folder of {LISTS} lists           {took:8.2f} s  (target 2)")
    print(
        f"{LISTS} lists of all packs, from start  {mixed(project):8.2f} s  (target 2)"
    )
    empty = Roster(pack=pack.id, params={"size": 30})
    spent(lambda: find_completions(checker, empty, SquadRequest()), 1)
    seconds = spent(lambda: find_completions(checker, empty, SquadRequest()), 3)
    print(f"a squad completed from nothing  {seconds:8.2f} s  (target 1)")


if __name__ == "__main__":
    main()
