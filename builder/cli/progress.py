"""A progress bar on standard error, only for a person who watches, only when there is something to wait for."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from builder.cli.language import interface_language
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    pass


class Bar:
    """Told how many faces are done; shows nothing with `quiet` or without a terminal. `seconds` is the time so far."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._start = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._start

    def step(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self._shown:
            return
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn(translate(_("setting faces"), interface_language())),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._task = self._progress.add_task("faces", total=total)
        self._progress.update(self._task, completed=done, total=total)
