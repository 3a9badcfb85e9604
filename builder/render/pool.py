"""Work spread over processes. Each process loads the engine once and keeps what it set in the cache itself."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import SquadpressError
from builder.messages import gettext as _
from builder.render.cache import FaceCache
from builder.render.jobs import Batch, FaceFacts, Places

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext

    from builder.render.engine.weasyprint.engine import Engine

SHIFT = 250
"""Batches until all processes are exchanged for fresh ones: what the engine leaks stays bounded."""

AHEAD = 8
"""Batches a process has at hand: none waits for its next while templates are filled in, and no more lie in memory."""

ALONE = 2
"""So few batches are set in this process: starting another costs more than it saves."""

_PREPARED = False
"""True once there is a process to fork others from."""

_ENGINE: Engine | None = None
_REFUSED: SquadpressError | None = None
"""Why this process could not be made ready. Raised in its start it would be lost with the process."""
_LACKING: SquadpressError | None = None
"""What `load` found missing."""
_MADE: tuple[int, Places, tuple[Path, ...], bool] | None = None
"""The process, places, fonts and way the engine was made for."""


def facts_of(
    batches: Iterable[Batch], places: Places, fonts: tuple[Path, ...], workers: int, slim: bool
) -> Iterator[list[FaceFacts]]:
    """The facts of each batch as it is finished, in no particular order. Other processes begin with the first batches
    while the next are still being made.
    """
    coming = iter(batches)
    first = list(islice(coming, ALONE + 1))
    coming = chain(first, coming)
    if workers <= 1 or len(first) <= ALONE:
        start(places, fonts, slim)
        yield from map(work, coming)
        return
    for batch in coming:
        with ProcessPoolExecutor(workers, context(), initializer=join, initargs=(places, fonts, slim)) as pool:
            yield from spread(pool, chain((batch,), islice(coming, SHIFT * workers - 1)), AHEAD * workers)


def spread(pool: Executor, batches: Iterable[Batch], most: int) -> Iterator[list[FaceFacts]]:
    """Hand batches to a pool's processes as they come, so many at a time at most."""
    running = set[Future[list[FaceFacts]]]()
    try:
        for batch in batches:
            running.add(pool.submit(work, batch))
            done, running = wait(running, None if len(running) >= most else 0, FIRST_COMPLETED)
            yield from [future.result() for future in done]
        for future in as_completed(running):
            yield future.result()
    except BrokenProcessPool as error:
        raise died() from error
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def context() -> ForkContext | ForkServerContext | SpawnContext:
    """How processes are begun: forked in a hundredth of a second, or anew where forking is not safe."""
    if _PREPARED:
        return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("fork") if sys.platform == "linux" else multiprocessing.get_context("spawn")


def prepare(cache: Path) -> None:
    """Begin to load what sets cards in a process from which others are then forked, while this one reads on.

    Each process would load it for itself otherwise. `cache` is the project's cache folder.
    """
    global _PREPARED
    if sys.platform != "linux":
        return
    from multiprocessing import forkserver

    from builder.render.fonts import configure

    with suppress(SquadpressError):  # told by the first `work`
        configure(cache, ())
    multiprocessing.get_context("forkserver").set_forkserver_preload(["builder.render.ready"])
    # Whoever stops the program stops it by its own process: that one ends with it, and says nothing before either.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    forkserver.ensure_running()
    signal.signal(signal.SIGINT, before)
    _PREPARED = True


def died() -> SquadpressError:
    """What there is to say about a process that is gone without a word."""
    return SquadpressError(_("a process that sets cards died"), _("Run again with --workers 1 to see why."))


def load(cache: Path | None) -> None:
    """Import what sets cards, and nothing more: a process that only did this may still be forked.

    `cache` is None where fonts are configured. What stands in the way is told by the first `work`.
    """
    global _LACKING
    from builder.render.fonts import check_libraries, configure

    os.environ.setdefault("PANGOCAIRO_BACKEND", "fc")
    try:
        if cache is not None:
            configure(cache, ())
        check_libraries()
    except SquadpressError as error:
        _LACKING = error  # the import cannot be tried again in this process
        return
    import pikepdf  # noqa: F401
    from weasyprint import pdf  # noqa: F401


def join(places: Places, fonts: tuple[Path, ...], slim: bool) -> None:
    """Begin as a process of a pool: ready to set, and gone as soon as the one that began it is, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # interrupted now, it ends without a word
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()
    start(places, fonts, slim)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(0)


def start(places: Places, fonts: tuple[Path, ...], slim: bool) -> None:
    """Make this process ready to set, at once where it was made ready for the same before.

    What stands in the way is told by the first `work`.
    """
    global _ENGINE, _MADE, _REFUSED
    if _LACKING is not None:
        _REFUSED = _LACKING
        return
    wanted = (os.getpid(), places, fonts, slim)
    if wanted == _MADE:
        return
    from builder.render.fonts import check_libraries, configure

    os.environ.setdefault("PANGOCAIRO_BACKEND", "fc")
    try:
        configure(places.cache, fonts)
        check_libraries()
    except SquadpressError as error:
        _REFUSED, _MADE = error, None
        return
    from builder.render.engine.weasyprint.engine import Engine

    _REFUSED, _ENGINE = None, Engine(places, slim)
    _ENGINE.start()
    _MADE = wanted


def engine(places: Places, fonts: tuple[Path, ...], slim: bool = True) -> Engine:
    """This process's engine, ready to set."""
    start(places, fonts, slim)
    if _REFUSED is not None:
        raise _REFUSED
    assert _ENGINE is not None
    return _ENGINE


def work(batch: Batch) -> list[FaceFacts]:
    """Set one batch and keep what came out whole."""
    from builder.render.engine.weasyprint.fit import set_batch

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
