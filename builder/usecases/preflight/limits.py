"""A process with limits of memory and time, in which files of strangers are read: what exceeds them ends it alone."""

import multiprocessing
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Self, TypeVar

from builder.errors import InputUnreadable
from builder.messages import gettext as _

T = TypeVar("T")

MEMORY = 1_000_000_000
"""Bytes that reading one file may take."""
SECONDS = 300
"""How long it may take: five hundred pages take twenty."""


class LimitedProcess:
    """One process for one file after another; begun anew where it was ended. Elsewhere than on Linux there is none."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, file: Path, work: Callable[..., T], *given: object) -> T:
        """What some work on a file gives. InputUnreadable where it takes too much, and whatever the work raises."""
        if sys.platform != "linux":
            return work(file, *given)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("fork"), initializer=_limit)
        try:
            return self._pool.submit(_timed, work, file, *given).result()
        except (BrokenProcessPool, MemoryError):
            self._pool.shutdown()
            self._pool = None
            message = _("{file}: to read it takes more memory or time than a file may", file=file)
            raise InputUnreadable(message, _("Save it anew from the program it came from, in parts.")) from None


def _limit() -> None:
    import resource

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY if most < 0 else min(MEMORY, most), most))


def _timed(work: Callable[..., T], *given: object) -> T:
    signal.alarm(SECONDS)
    try:
        return work(*given)
    finally:
        signal.alarm(0)
