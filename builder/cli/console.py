"""Standard output: a console for tables, long lines that hang below their beginning, and the bar of progress."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from builder.cli.language import interface_language
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


PLAIN_WIDTH = 110
"""Columns of a table that goes into a file or a pipe."""


def console() -> Console:
    """A console for tables: the terminal's width, or a fixed one outside a terminal."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, emoji=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)


def put(screen: Console, line: Text | str, hang: int = 0) -> None:
    """Print a line; what does not fit on it follows indented by `hang` columns.

    A file or a pipe gets the line in one piece, as programs and searches want it.
    """
    from rich.text import Text

    text = Text(line) if isinstance(line, str) else line
    for part in text.split("\n", allow_blank=True):
        if not screen.is_terminal:
            screen.print(part, soft_wrap=True)
            continue
        first = part.wrap(screen, screen.width)[0]
        first.rstrip()
        screen.print(first, soft_wrap=True)
        rest = part[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        for more in rest.wrap(screen, max(20, screen.width - hang)) if rest.plain else ():
            more.rstrip()
            screen.print(Text(" " * hang).append_text(more), soft_wrap=True)


def show(told: str) -> None:
    """Print lines to standard output; the rest of a long one stands a little further in than the line itself."""
    screen = console()
    for line in told.splitlines():
        put(screen, line, len(line) - len(line.lstrip()) + 4)


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
