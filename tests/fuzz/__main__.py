"""`make fuzz`: spoils every kind of file for as long as it is told, in this process, and counts by kind.

It goes on where it left off (`--state`); what fails is kept beside the state, named by kind and number, and tried again by
`--again KIND NUMBER`. A failure is an exception that no command expects, more than ten seconds, more than one gigabyte, or
a file of the project that changed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.kinds import FuzzKind, kinds
from tests.fuzz.mutate import spoiled

PATIENCE, HANGS, ROOM = 10, 60, 1_000_000_000
"""Seconds of work, seconds on the wall (other programs may have the processors) and bytes that one file may take."""
Counts = dict[str, dict[str, Any]]


class TooSlow(BaseException):
    """One file took longer than it may; nothing that catches exceptions catches this."""


@contextmanager
def limited(seconds: int = HANGS) -> Iterator[None]:
    """Raise TooSlow where the block takes longer."""

    def late(_number: int, _frame: object) -> None:
        raise TooSlow(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attempt(kind: FuzzKind, number: int) -> tuple[str, bytes, float]:
    """What went wrong with the file of this number (nothing where all is well), the file, and how long it took."""
    random = Random(f"{kind.name} {number}")
    path = random.choice(kind.files)
    kept = path.read_bytes()
    others = list(kind.seeds) or [one.read_bytes() for one in kind.files]
    data = spoiled(random.choice(others) if kind.seeds else kept, random, others)
    every = {one: one.read_bytes() for one in kind.files}
    start, worked, wrong = time.monotonic(), _worked(), ""
    path.write_bytes(data)
    try:
        with limited():
            kind.use(path)
    except (Exception, TooSlow) as error:
        told = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in told if "/builder/" in frame.filename]
        place = (
            f" at {Path((own or told)[-1].filename).name}:{(own or told)[-1].lineno}"
        )
        wrong = f"{type(error).__name__}: {str(error)[:100]}{place}"
    else:
        if _worked() - worked > PATIENCE:
            wrong = f"{_worked() - worked:.0f} s of work"
    finally:
        for one, before in every.items():
            if (
                one.is_file()
                and one.read_bytes() != before
                and one != path
                and one.name != "manifest.json"
            ):
                wrong = wrong or f"the file {one.name} was changed"
            one.write_bytes(before)
    return wrong, data, time.monotonic() - start


def table(counts: Counts) -> str:
    """The counts by kind."""
    rows = [f"{'kind':20} {'tried':>7} {'failed':>7} {'slowest':>9}"]
    for name, found in sorted(counts.items()):
        rows.append(
            f"{name:20} {found['tried']:7} {len(found['failed']):7} {found['slowest']:7.1f} s"
        )
    tried, failed = (
        sum(one["tried"] for one in counts.values()),
        sum(len(one["failed"]) for one in counts.values()),
    )
    rows.append(
        f"{'all':20} {tried:7} {failed:7}   most memory {_memory() / 1e6:.0f} MB"
    )
    return "\n".join(rows)


def _worked() -> float:
    """Seconds that this process and those it waited for have worked."""
    return sum(os.times()[:4])


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fuzz(
    every: tuple[FuzzKind, ...],
    counts: Counts,
    until: float,
    most: int,
    keep: Path | None = None,
    memory: bool = True,
) -> None:
    """Try files of all kinds in turn, each by its share, until then or until so many are tried."""
    turns = [kind for kind in every for _unused in range(kind.share)]
    Random(1).shuffle(turns)
    for turn in range(most):
        kind = turns[turn % len(turns)]
        if time.monotonic() > until:
            return
        found = counts.setdefault(kind.name, {"tried": 0, "failed": {}, "slowest": 0.0})
        wrong, data, took = attempt(kind, found["tried"])
        if memory and _memory() > ROOM:
            wrong = wrong or f"{_memory() / 1e6:.0f} MB"
        if wrong:
            found["failed"][str(found["tried"])] = wrong
            print(f"{kind.name} {found['tried']}: {wrong}", flush=True)
            if keep is not None:
                (keep / f"{kind.name.replace(' ', '-')}-{found['tried']}").write_bytes(
                    data
                )
        found["tried"] += 1
        found["slowest"] = max(found["slowest"], took)
        if turn % 200 == 199:  # a run that is killed goes on from here
            gc.collect()
            if keep is not None:
                (keep / "state.json").write_text(
                    json.dumps(counts, indent=1), encoding="utf-8"
                )


def main() -> int:
    """Fuzz as the command line says; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--state", type=Path, default=Path(".cache/fuzz"))
    parser.add_argument("--again", nargs=2, metavar=("KIND", "NUMBER"))
    asked = parser.parse_args()
    asked.state.mkdir(parents=True, exist_ok=True)
    state = asked.state / "state.json"
    counts: Counts = (
        json.loads(state.read_text(encoding="utf-8")) if state.is_file() else {}
    )
    with TemporaryDirectory(prefix="squadpress-fuzz-") as folder:
        every = kinds(Path(folder))
        if asked.again:
            kind = next(one for one in every if one.name == asked.again[0])
            print(attempt(kind, int(asked.again[1])))
            return 0
        chosen = tuple(one for one in every if not asked.kind or one.name in asked.kind)
        try:
            fuzz(
                chosen,
                counts,
                time.monotonic() + asked.seconds,
                asked.count,
                asked.state,
            )
        except KeyboardInterrupt:
            pass
        finally:
            state.write_text(json.dumps(counts, indent=1), encoding="utf-8")
    print(table(counts))
    return 1 if any(one["failed"] for one in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
