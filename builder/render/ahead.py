"""A process that loads the engine while the pack is still being read, and then sets whatever is to be set.

Loading the engine takes as long as reading a thousand cards. With two cores the one hides behind the other.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from builder.render import pool
from builder.render.jobs import Batch, FaceFacts, Places

Work: TypeAlias = tuple[Sequence[Batch], Places, tuple[Path, ...], bool]
"""Batches, places, fonts, slim."""

_AHEAD: Ahead | None = None
"""The process that is getting ready, while there is one."""


class Ahead:
    """The process. It ends with `close`, or when the one that began it is gone."""

    def __init__(self, cache: Path) -> None:
        context = pool.context()
        self._ours, theirs = context.Pipe()
        forked = self._ours if sys.platform == "linux" else None
        self._process = context.Process(target=_serve, args=(theirs, forked, cache), name="squadpress-ahead")
        self._process.start()
        theirs.close()
        self.closed = False
        self.owing = 0
        """How often it was sent something that is not answered in full yet."""
        self._letters: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._post, daemon=True).start()

    def send(self, work: Work) -> Iterator[list[FaceFacts]]:
        """Have this set; the facts of each batch as it is finished. Raises what setting raises."""
        self._letters.put(bytes(ForkingPickler.dumps(work)))
        self.owing += 1
        return self._answers()

    def _post(self) -> None:
        """Send what is to be sent, from a thread: both processes at once might wait for the other to listen."""
        with suppress(OSError):  # a process that died is found out by waiting for its answer
            while (letter := self._letters.get()) is not None:
                self._ours.send_bytes(letter)

    def _answers(self) -> Iterator[list[FaceFacts]]:
        while True:
            try:
                answer = self._ours.recv()
            except (EOFError, OSError):
                raise pool.died() from None
            if answer is None:
                self.owing -= 1
                return
            if isinstance(answer, BaseException):
                raise answer
            yield answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self.closed = True
        self._letters.put(None)
        self._ours.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection, other: Connection | None, cache: Path) -> None:
    """Load the engine, then set what comes until nothing comes any more."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other is not None:
        other.close()  # or this process would never see that the other end is gone
    try:
        pool.load(cache)
        while True:
            batches, places, fonts, slim = pipe.recv()
            try:
                for facts in pool.facts_of(batches, places, fonts, 1, slim):
                    pipe.send(facts)
                pipe.send(None)
            except (EOFError, BrokenPipeError):
                raise
            except Exception as error:
                pipe.send(error)
    except (EOFError, OSError, KeyboardInterrupt):
        pass  # told by the process that began this one
    os._exit(0)


@contextmanager
def ahead(cache: Path) -> Iterator[None]:
    """Get ready to set meanwhile, in a process of its own. `cache` is the project's cache folder."""
    global _AHEAD
    before, _AHEAD = _AHEAD, Ahead(cache)
    try:
        yield
    finally:
        _AHEAD.close()
        _AHEAD = before


def at_work() -> bool:
    """True if another process sets what is to be set, so that this one may do something else meanwhile."""
    return _AHEAD is not None and not _AHEAD.closed


def set_all(
    batches: Iterable[Batch], places: Places, fonts: tuple[Path, ...], workers: int, slim: bool = True
) -> Iterator[FaceFacts]:
    """Set all batches; faces come in no particular order. A few are begun at once, in the process that is ready for
    them; of many this one has others take care, when asked, and has them begin before all are there.
    """
    coming = iter(batches)
    first = list(islice(coming, pool.ALONE + 1))
    if not first:
        return iter(())
    if _AHEAD is None or _AHEAD.closed or len(first) > pool.ALONE:
        found = _set_by_others(chain(first, coming), places, fonts, workers, slim)
    else:
        found = _AHEAD.send((first, places, fonts, slim))
    return chain.from_iterable(found)


def _set_by_others(
    batches: Iterable[Batch], places: Places, fonts: tuple[Path, ...], workers: int, slim: bool
) -> Iterator[list[FaceFacts]]:
    """Set by this process or a pool, from when the first is asked for: what was begun before is answered by then."""
    if _AHEAD is not None and not _AHEAD.owing:  # it would stand in the way of those that set now
        _AHEAD.close()
    yield from pool.facts_of(batches, places, fonts, workers, slim)
