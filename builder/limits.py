"""Limits of memory and processor time for processes that read files of strangers.

A process that exceeds a limit ends, and the program goes on.
"""

import faulthandler
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, MutableSequence
from concurrent.futures import (
    Future,
    ProcessPoolExecutor,
    TimeoutError as FutureTimeoutError,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Self, TypeVar

from builder.messages import Message, gettext as _

T = TypeVar("T")

CAN_LIMIT_PROCESSOR_TIME = hasattr(signal, "setitimer")
"""False on Windows, where the elapsed time is limited instead."""
CLOCK_FACTOR = 10
"""Seconds of elapsed time for each second of processor time, if only the former can be limited."""
MEMORY_CHECK_SECONDS = 0.05
"""Seconds between two checks of the used memory, if the system has no limit of its own."""
MEMORY_EXIT_CODE = 77
"""Exit code of a process that used too much memory."""
CLOCK_EXIT_CODE = 1
"""Exit code of a process that took too much elapsed time."""

_is_limited = False
"""True in a process that may be ended at any moment."""
_position: MutableSequence[int] = [0, 0]
"""Count of files begun, and number of the page that is being read (0 between pages). The waiting
process reads it.
"""


@dataclass(frozen=True, slots=True)
class EndCause:
    """The reason why a process ended: time, memory or crash."""

    kind: str
    signal_name: str = ""

    def describe_limit(self, memory_bytes: int, seconds: int) -> Message:
        """Return the exceeded limit, as a part of "it takes more than {limit}"."""
        if self.kind == "time" and not CAN_LIMIT_PROCESSOR_TIME:
            return _("{seconds} seconds", seconds=seconds * CLOCK_FACTOR)
        if self.kind == "time":
            return _("{seconds} seconds of processor time", seconds=seconds)
        megabytes = memory_bytes // 1_000_000
        if self.kind == "memory":
            return _("{megabytes} MB of memory", megabytes=megabytes)
        form = _("{megabytes} MB of memory, or is nested too deeply ({signal})")
        return _(form, megabytes=megabytes, signal=self.signal_name or "?")


TIME, MEMORY, CRASH = EndCause("time"), EndCause("memory"), EndCause("crash")


class LimitsExceeded(Exception):
    """Raised if a process takes too much memory or time.

    `file` and `page` count from 1; they are 0 if it did not reach them.
    """

    def __init__(self, file: int, page: int, cause: EndCause = CRASH) -> None:
        super().__init__(file, page, cause)
        self.file = file
        self.page = page
        self.cause = cause


class LimitedPool(ProcessPoolExecutor):
    """Worker processes with a limit of memory, in bytes above those of the program itself."""

    def __init__(
        self,
        count: int,
        memory_bytes: int,
        context: BaseContext | None = None,
        position: MutableSequence[int] | None = None,
    ) -> None:
        super().__init__(
            count,
            context or get_process_context(),
            limit_this_process,
            (memory_bytes, position),
        )
        self._started: dict[int, BaseProcess] = {}

    def submit(
        self, work: Callable[..., T], /, *values: object, **keywords: object
    ) -> Future[T]:
        """Run a function in one of the processes. Return its future."""
        future = super().submit(work, *values, **keywords)
        self._started.update(self._processes or {})
        return future

    def find_cause(self) -> EndCause:
        """Wait until a broken pool has ended. Return why its first process ended."""
        self.shutdown()
        return find_end_cause(process.exitcode for process in self._started.values())

    def terminate(self) -> None:
        """End all processes at once."""
        for process in self._started.values():
            process.terminate()
        self.shutdown(cancel_futures=True)


def find_end_cause(exit_codes: Iterator[int | None]) -> EndCause:
    """Return why processes ended, by the exit codes of all of them.

    Those that only ended with another say nothing.
    """
    ended = {code for code in exit_codes if code is not None}
    if CAN_LIMIT_PROCESSOR_TIME and -signal.SIGPROF in ended:
        return TIME
    if not CAN_LIMIT_PROCESSOR_TIME and CLOCK_EXIT_CODE in ended:
        return TIME
    if MEMORY_EXIT_CODE in ended:
        return MEMORY
    for code in sorted(ended):
        if code < 0 and code != -signal.SIGTERM:
            return EndCause("crash", signal.Signals(-code).name)
    return CRASH


class LimitedProcess:
    """A process that runs one function after another. It is started again after it was ended.

    `memory_bytes` are those above the program itself. `seconds` of processor time are those of one
    function call.
    """

    def __init__(
        self, memory_bytes: int, seconds: int, context: BaseContext | None = None
    ) -> None:
        self.memory_bytes, self.seconds = memory_bytes, seconds
        self._context = context
        self._pool: LimitedPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, work: Callable[..., T], *values: object) -> T:
        """Return the result of a function. Raise LimitsExceeded, or what the function raises."""
        if self._pool is None:
            from multiprocessing.sharedctypes import (
                RawArray,
            )  # imports ctypes, which few runs need

            self._position = RawArray("i", 2)
            self._pool = LimitedPool(
                1, self.memory_bytes, self._context, self._position
            )
        self._position[:] = [0, 0]
        # The process ends itself. Only where it cannot, this one waits by the clock, and a little
        # longer.
        timeout_seconds = (
            None if CAN_LIMIT_PROCESSOR_TIME else (self.seconds + 30) * CLOCK_FACTOR
        )
        try:
            future: Future[T] = self._pool.submit(
                _run_with_limit, self.seconds, work, *values
            )
            return future.result(timeout_seconds)
        except BrokenProcessPool:
            cause = self._pool.find_cause()
        except MemoryError:
            self._pool.shutdown()
            cause = MEMORY
        except FutureTimeoutError:
            self._pool.terminate()
            cause = TIME
        self._pool = None
        raise LimitsExceeded(self._position[0], self._position[1], cause)


def enter_page(page: int) -> None:
    """Record the number of the page that is read next, or 0 for none."""
    _position[1] = page


def begin_file() -> None:
    """Record that another file is read next."""
    _position[0] += 1
    _position[1] = 0


def get_process_context() -> BaseContext:
    """Return the context that starts processes. Forking takes 10 ms, but is safe on Linux only."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def limit_this_process(
    memory_bytes: int, position: MutableSequence[int] | None = None
) -> None:
    """End this process silently at the memory limit, on interruption, or when its parent ends."""
    global _position, _is_limited
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _position = position if position is not None else _position
    # Before there is a limit: starting a thread without memory would wait for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        _start_thread(_end_with, parent.sentinel)
    _is_limited = True
    if not CAN_LIMIT_PROCESSOR_TIME:
        return
    # The default action ends the process even inside a library's own code.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    if sys.platform == "linux":
        _limit_data_segment(memory_bytes)
    else:
        _start_thread(_watch_memory, _measure_peak_memory() + memory_bytes)


def _start_thread(work: Callable[[int], None], value: int) -> None:
    threading.Thread(target=work, args=(value,), daemon=True).start()


def _limit_data_segment(memory_bytes: int) -> None:
    """Limit the memory of this process to this many bytes above its present use."""
    import resource

    status = Path("/proc/self/status").read_text()
    used_kilobytes = status.partition("VmData:")[2].split()[0]
    limit = 1024 * int(used_kilobytes) + memory_bytes
    hard_limit = resource.getrlimit(resource.RLIMIT_DATA)[1]
    # A negative hard limit means none.
    if hard_limit >= 0:
        limit = min(limit, hard_limit)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard_limit))


@contextmanager
def limit_processor_time(seconds: int) -> Iterator[None]:
    """End this process if the block takes more processor seconds and the process is limited.

    Without limits of processor time (Windows) the clock counts, CLOCK_FACTOR times as long.
    """
    if not _is_limited:
        yield
        return
    if CAN_LIMIT_PROCESSOR_TIME:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(
            seconds * CLOCK_FACTOR, file=nowhere, exit=True
        )
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def limit_child(pid: int, seconds: int) -> bool:
    """Limit the processor time of a program that was started.

    False where the system cannot (all but Linux).
    """
    if sys.platform != "linux":
        return False
    import resource

    with suppress(ProcessLookupError):
        hard_limit = resource.prlimit(pid, resource.RLIMIT_CPU)[1]
        limit = seconds if hard_limit < 0 else min(seconds, hard_limit)
        resource.prlimit(pid, resource.RLIMIT_CPU, (limit, hard_limit))
    return True


def _run_with_limit(seconds: int, work: Callable[..., T], *values: object) -> T:
    with limit_processor_time(seconds):
        return work(*values)


def _end_with(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(0)


def _watch_memory(limit_bytes: int) -> None:
    while _measure_peak_memory() < limit_bytes:
        time.sleep(MEMORY_CHECK_SECONDS)
    os._exit(MEMORY_EXIT_CODE)


def _measure_peak_memory() -> int:
    """Return the most bytes of memory that this process had at any moment."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, other systems count kilobytes.
    return peak if sys.platform == "darwin" else 1024 * peak
