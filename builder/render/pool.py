"""Work spread over processes. Each process loads the engine once and keeps what it set in the cache itself."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import SquadpressError
from builder.render.cache import FaceCache
from builder.render.jobs import Batch, FaceFacts, Places

if TYPE_CHECKING:
    from builder.render.engine import Engine

SHIFT = 250
"""Batches until all processes are exchanged for fresh ones: what the engine leaks stays bounded."""

ALONE = 2
"""So few batches are set in this process: starting another costs more than it saves."""

_ENGINE: Engine | None = None
_REFUSED: SquadpressError | None = None
"""Why this process could not be made ready. Raised in its start it would be lost with the process."""
_MADE: tuple[int, Places, Path | None, bool] | None = None
"""The process, places, icons and way the engine was made for."""


def set_all(
    batches: Sequence[Batch],
    places: Places,
    icons: Path | None,
    *,
    workers: int,
    slim: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[FaceFacts]:
    """Set all batches; faces come in no particular order. `progress` is told faces done and faces in all."""
    total, done = sum(len(batch.faces) for batch in batches), 0
    for facts in _facts(batches, places, icons, workers, slim):
        done += len(facts)
        if progress is not None:
            progress(done, total)
        yield from facts


def _facts(
    batches: Sequence[Batch], places: Places, icons: Path | None, workers: int, slim: bool
) -> Iterator[list[FaceFacts]]:
    """The facts of each batch as it is finished."""
    if workers <= 1 or len(batches) <= ALONE:
        start(places, icons, slim)
        for batch in batches:
            yield work(batch)
        return
    # A forked process starts in a hundredth of a second; where forking is not safe, a new one is started.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    for first in range(0, len(batches), SHIFT * workers):
        shift = batches[first : first + SHIFT * workers]
        with ProcessPoolExecutor(workers, context, initializer=start, initargs=(places, icons, slim)) as pool:
            futures = [pool.submit(work, batch) for batch in shift]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BrokenProcessPool as error:
                raise SquadpressError(
                    "a process that sets cards died", "Run again with --workers 1 to see why."
                ) from error
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def start(places: Places, icons: Path | None, slim: bool) -> None:
    """Make this process ready to set, at once where it was made ready for the same before.

    What stands in the way is told by the first `work`.
    """
    global _ENGINE, _MADE, _REFUSED
    wanted = (os.getpid(), places, icons, slim)
    if wanted == _MADE:
        return
    from builder.render.fonts import check_libraries, configure

    os.environ.setdefault("PANGOCAIRO_BACKEND", "fc")
    try:
        configure(places.cache, icons)
        check_libraries()
    except SquadpressError as error:
        _REFUSED, _MADE = error, None
        return
    from builder.render.engine import Engine

    _REFUSED, _ENGINE = None, Engine(places, slim)
    _ENGINE.start()
    _MADE = wanted


def engine(places: Places, icons: Path | None, slim: bool = True) -> Engine:
    """This process's engine, ready to set."""
    start(places, icons, slim)
    if _REFUSED is not None:
        raise _REFUSED
    assert _ENGINE is not None
    return _ENGINE


def work(batch: Batch) -> list[FaceFacts]:
    """Set one batch and keep what came out whole."""
    from builder.render.fit import set_batch

    if _REFUSED is not None:
        raise _REFUSED
    assert _ENGINE is not None
    cache = FaceCache(_ENGINE.places.cache)
    facts = []
    for each in set_batch(_ENGINE, batch):
        if each.record is not None:
            cache.put(each.facts, each.record)
        facts.append(each.facts)
    return facts
