"""Limits of memory and time that a process sets itself before it works on files of strangers: what exceeds them ends
that process and nothing else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, MutableSequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Self, TypeVar

T = TypeVar("T")

POSSIBLE = hasattr(signal, "SIGALRM")
"""False on Windows: a process cannot limit itself there."""
LOOK = 0.05
"""Seconds between two looks at the memory taken, where the system sets no limit."""
_limited = False
"""True in a process that may be ended at any moment."""
_at: MutableSequence[int] = [0, 0]
"""How many files were begun, and the page that is being read, 0 between pages: known to who waits for the process."""


class LimitsExceeded(Exception):
    """A process took more memory or time than it may, at this page of this file, counted from 1 where it said so."""

    def __init__(self, file: int, page: int) -> None:
        super().__init__(file, page)
        self.file, self.page = file, page


class LimitedProcess:
    """One process for one piece of work after another, begun anew where it was ended. On Windows there is none.

    `memory` are bytes besides what the program takes, `seconds` those of one piece of work.
    """

    def __init__(self, memory: int, seconds: int, begun: BaseContext | None = None) -> None:
        self._memory, self._seconds = memory, seconds
        self._context = begun or context()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, work: Callable[..., T], *given: object) -> T:
        """What some work gives. LimitsExceeded where it takes too much, and whatever the work raises."""
        if not POSSIBLE:
            return work(*given)
        if self._pool is None:
            from multiprocessing.sharedctypes import RawArray  # brings ctypes, and few read PDFs

            self._at = RawArray("i", 2)
            self._pool = ProcessPoolExecutor(1, self._context, limit, (self._memory, self._at))
        self._at[:] = [0, 0]
        try:
            return self._pool.submit(_timed, self._seconds, work, *given).result()
        except (BrokenProcessPool, MemoryError):
            self._pool.shutdown()
            self._pool = None
            raise LimitsExceeded(*self._at) from None


def reached(page: int) -> None:
    """Tell who waits which page is read next, 0 when none is."""
    _at[1] = page


def begun() -> None:
    """Tell who waits that another file is read next."""
    _at[0] += 1
    _at[1] = 0


def context() -> BaseContext:
    """How such a process is begun: forked in a hundredth of a second, or anew where forking is not safe."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def limit(memory: int, at: MutableSequence[int] | None = None) -> None:
    """Let this process end, without a word, where it takes so many bytes more than now, is interrupted or left."""
    global _at, _limited
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _at = at if at is not None else _at
    parent = multiprocessing.parent_process()
    if parent is not None:  # before there is a limit: a thread without memory to begin with is waited for without end
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()
    if not POSSIBLE:
        return
    _limited = True
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # whatever the process is at, it is over
    if sys.platform == "linux":
        import resource

        taken = 1024 * int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0])
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (taken + memory if most < 0 else min(taken + memory, most), most))
    else:
        threading.Thread(target=_watch, args=(_greatest() + memory,), daemon=True).start()


@contextmanager
def timed(seconds: int) -> Iterator[None]:
    """End the process where the block takes longer, if it is one with limits."""
    if _limited:
        signal.alarm(seconds)
    try:
        yield
    finally:
        if _limited:
            signal.alarm(0)


def _timed(seconds: int, work: Callable[..., T], *given: object) -> T:
    with timed(seconds):
        return work(*given)


def _leave_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(0)


def _watch(most: int) -> None:
    while _greatest() < most:
        time.sleep(LOOK)
    os._exit(1)


def _greatest() -> int:
    """The bytes that this process took at most."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
