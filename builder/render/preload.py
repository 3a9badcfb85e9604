"""Imported by the process from which workers are forked: what is slow to load, once for all of them.

A worker whose program has ended, by Ctrl-C for one, ends without a word: what then fails in it is nobody's fault.
"""

import os
import sys
from multiprocessing import parent_process
from multiprocessing.connection import wait
from types import TracebackType
from typing import TextIO

from builder.render import workers
from builder.render.engines import DEFAULT

MAX_WAIT_SECONDS = 0.05
"""The system closes the files of an ended program one after the other: how long that may take."""


class WorkerStderr:
    """Standard error of a worker: it drops what is written once the program has ended."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        return len(text) if has_program_ended() else self._stream.write(text)

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()

    def fileno(self) -> int:
        """Return the number of the stream's file."""
        return self._stream.fileno()


def has_program_ended() -> bool:
    """True in a worker whose program has ended."""
    program = parent_process()
    return program is not None and bool(wait([program.sentinel], MAX_WAIT_SECONDS))


def ignore_failed_start(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print nothing about a worker that could not start: the program that still runs sees that its worker ended."""
    if os.environ.get("SQUADPRESS_DEBUG"):
        sys.__excepthook__(kind, error, trace)


def silence_workers() -> None:
    """Let workers that are forked from this process end silently with their program."""
    sys.excepthook = ignore_failed_start
    sys.stderr = WorkerStderr(sys.stderr)


silence_workers()
workers.load(os.environ.get(workers.PRELOADED, DEFAULT))
