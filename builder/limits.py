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
    """The reason why a child process ended: time limit, memory limit or crash."""

    kind: str
    signal_name: str = ""

    def describe_limit(self, memory_bytes: int, seconds: int) -> Message:
        """Describe the exceeded limit for the message "it takes more than {limit}"."""
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
    """Raised if a child process takes too much memory or time.

    `file` and `page` say where it was. They count from 1 and are 0 if it had not begun one.
    """

    def __init__(self, file: int, page: int, cause: EndCause = CRASH) -> None:
        super().__init__(file, page, cause)
        self.file = file
        self.page = page
        self.cause = cause


class LimitedPool(ProcessPoolExecutor):
    """A process pool whose workers end if they need more than `memory_bytes` of memory.

    The memory of the program itself does not count.
    """

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
        """Run a function in a worker process. Return its future."""
        future = super().submit(work, *values, **keywords)
        self._started.update(self._processes or {})
        return future

    def find_pool_end_cause(self) -> EndCause:
        """Wait until all workers of a broken pool have ended. Return why the first one ended."""
        self.shutdown()
        return find_end_cause(process.exitcode for process in self._started.values())

    def terminate(self) -> None:
        """End all worker processes at once."""
        for process in self._started.values():
            process.terminate()
        self.shutdown(cancel_futures=True)


def find_end_cause(exit_codes: Iterator[int | None]) -> EndCause:
    """Find out from the exit codes of all workers why the first one ended.

    When one worker ends, the pool ends the others with SIGTERM, which says nothing.
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
    """Runs functions one by one in a child process with limits. Restarts it after it ended.

    `memory_bytes` do not include the memory of the program itself. `seconds` limits the processor
    time of each call.
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
        """Run a function in the process. Raise its exception, or LimitsExceeded."""
        if self._pool is None:
            # Imported here, because few runs need ctypes.
            from multiprocessing.sharedctypes import RawArray

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
            cause = self._pool.find_pool_end_cause()
        except MemoryError:
            self._pool.shutdown()
            cause = MEMORY
        except FutureTimeoutError:
            self._pool.terminate()
            cause = TIME
        self._pool = None
        raise LimitsExceeded(self._position[0], self._position[1], cause)


def enter_page(page: int) -> None:
    """Record in a limited process which page is read next, or 0 for none, for error messages."""
    _position[1] = page


def begin_file() -> None:
    """Record in a limited process that it begins the next file, for error messages."""
    _position[0] += 1
    _position[1] = 0


def get_process_context() -> BaseContext:
    """Return the start method for child processes: fork on Linux, spawn elsewhere."""
    # Forking takes only 10 ms, but is not safe on other systems.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def limit_this_process(
    memory_bytes: int, position: MutableSequence[int] | None = None
) -> None:
    """Make this process end silently at a memory limit, on Ctrl+C, or with its parent."""
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
    """Limit the memory of this process to a number of bytes above its present use."""
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
    """End a limited process if the block takes more than this many seconds of processor time.

    Windows cannot limit processor time. There, elapsed time counts, CLOCK_FACTOR times as long.
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
    """Limit the processor time of a program that was started. Return False if unsupported.

    Only Linux supports it.
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
    """Return the peak memory of this process in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, other systems count kilobytes.
    return peak if sys.platform == "darwin" else 1024 * peak
