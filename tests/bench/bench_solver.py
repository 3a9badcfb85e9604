"""Processor time of `complete` and `roster check --explain` for all sample rosters.

Packs and rosters are loaded before. Illegal rosters are explained. Of legal ones the first two
lines are completed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from builder.model.roster import Roster
from builder.packs.loading import load_pack
from builder.packs.project import find_project
from builder.packs.rosters import load_roster
from builder.rules.checker import RosterChecker
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster

KEPT_LINES = 2
TARGET_SECONDS = 1
MAX_ROSTERS = 40
"""Rosters of one pack, spread over its samples."""


def measure(task: Callable[[], object]) -> float:
    """Return the processor time of this thread in seconds."""
    start = time.thread_time()
    task()
    return time.thread_time() - start


def measure_roster(checker: RosterChecker, roster: Roster) -> tuple[str, float] | None:
    """Return the operation on a roster and its time, None if the roster is not understood."""
    verdict = checker.check(roster, repaired=False)
    if verdict.problems:
        return None
    if not verdict.legal:
        return "explain", measure(lambda: explain_illegal_roster(checker, roster))
    part = roster.model_copy(
        update={"entries": roster.entries[:KEPT_LINES], "deck": ()}
    )
    return "complete", measure(lambda: find_completions(checker, part, SquadRequest()))


def main() -> None:
    project = find_project(Path.cwd())
    print(f"seconds of processor time (target {TARGET_SECONDS})")
    for name in project.list_packs():
        pack = load_pack(project, name).pack
        assert pack is not None
        checker = RosterChecker(pack)
        seconds: dict[str, list[float]] = {"explain": [], "complete": []}
        samples = project.list_rosters(name)
        for path in samples[:: 1 + len(samples) // MAX_ROSTERS]:
            roster = load_roster(path, project).roster
            measured = None if roster is None else measure_roster(checker, roster)
            if measured is not None:
                seconds[measured[0]].append(measured[1])
        for task, values in seconds.items():
            median = statistics.median(values)
            print(
                f"{name:12} {task:8} median {median:.2f}, longest {max(values):.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
