"""The time limit of one request: every search of the request gets the same deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

REQUEST_TIMEOUT_SECONDS = 20.0
"""Processor time that one request may take: completing a squad, or explaining one, with all its
searches.
"""
MAX_WALL_TIME_FACTOR = 3
"""How much longer a request may take by the clock on the wall, because other processes use the
processor meanwhile.
"""


class SearchTimeout(Exception):
    """Raised while a model is built after the deadline. It is handled inside the solver package."""


def read_clocks() -> tuple[float, float]:
    """Return the processor time of this thread and the time on the wall, in seconds.

    The solver works in the thread that calls it. The time of the process would count the other
    requests of a server.
    """
    return time.thread_time(), time.monotonic()


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of a search, in seconds of both clocks."""

    processor_end: float
    wall_end: float
    read_clocks: Callable[[], tuple[float, float]] = read_clocks

    @classmethod
    def start(cls, seconds: float | None = None) -> Deadline:
        """Return the deadline of a request that starts now."""
        allowed = REQUEST_TIMEOUT_SECONDS if seconds is None else seconds
        processor, wall = read_clocks()
        return cls(processor + allowed, wall + MAX_WALL_TIME_FACTOR * allowed)

    def remaining(self) -> tuple[float, float]:
        """Return the remaining seconds of processor time and of elapsed time, at least 0."""
        processor, wall = self.read_clocks()
        return max(0.0, self.processor_end - processor), max(0.0, self.wall_end - wall)

    @property
    def is_over(self) -> bool:
        """True if no time is left."""
        return min(self.remaining()) <= 0

    def check(self) -> None:
        """Raise SearchTimeout if no time is left."""
        if self.is_over:
            raise SearchTimeout

    def share(self, part: float) -> Deadline:
        """Return an earlier deadline, after this part (0 to 1) of the remaining time.

        The rest stays for later searches.
        """
        processor, wall = self.remaining()
        return Deadline(
            self.processor_end - processor * (1 - part),
            self.wall_end - wall * (1 - part),
            self.read_clocks,
        )
