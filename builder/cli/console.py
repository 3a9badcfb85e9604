"""Standard output: messages, findings, tables, long lines that hang below their beginning, and the bar of progress."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.language import interface_language
from builder.findings import Finding, has_errors
from builder.messages import escape_controls, gettext as _, translate
from builder.report.findings import FORMATS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress, TaskID
    from rich.text import Text

    from builder.usecases.build.build_options import EngineChoice


PLAIN_WIDTH = 110
"""Columns of a table that goes into a file or a pipe."""


settled = False
"""True once what the command was asked for is done, and only telling of it remains."""


@contextmanager
def for_good() -> Iterator[None]:
    """Do what must not be done twice: Ctrl-C waits for its end, and is then told that it came too late."""
    global settled
    waiting: list[int] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, _frame: waiting.append(number))
    except ValueError:  # not the main thread, where nobody interrupts
        yield
        return
    try:
        yield
        settled = True
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


def echo(message: str, lang: str | None = None, err: bool = False) -> None:
    """Print one message in a language, by default that of the interface."""
    write(translate(message, lang or interface_language()), err=err)


def echo_engine(pack: str, choice: EngineChoice | None, lang: str | None = None) -> None:
    """Print the engine that was chosen for a pack, and the reason; nothing if none was chosen."""
    if choice is not None:
        form = _("{pack}: engine {engine} ({reason})")
        echo(_(form, pack=pack, engine=choice.engine, reason=choice.reason), lang)


def write(text: str, nl: bool = True, err: bool = False) -> None:
    """Print a text as it stands, but for signs that would steer a terminal."""
    click.echo(escape_controls(text), nl=nl, err=err)


def shown(path: Path) -> Path:
    """A file as it is told: from here, where it lies below."""
    whole, here = path.resolve(), Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else path


def echo_findings(
    findings: Sequence[Finding], lang: str | None = None, form: str = "text", err: bool = False
) -> int:
    """Print findings in a form and return the exit code: 1 if there is an error among them.

    With `err` they are told beside what a command was asked for: nothing is said where there are none.
    """
    if findings or not err:
        write(FORMATS[form](findings, lang or interface_language()), nl=False, err=err)
    return 1 if has_errors(findings) else 0


def console() -> Console:
    """A console for tables: the terminal's width, or a fixed one outside a terminal."""
    from rich.console import Console
    from rich.segment import Segment

    class HarmlessConsole(Console):
        """Lets no text steer the terminal; what colours it is no text."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for part in super().render(renderable, options):
                yield part if part.control else Segment(escape_controls(part.text), part.style)

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return HarmlessConsole(file=sys.stdout, highlight=False, emoji=False, width=width)


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
    """Told how many faces are done; shows nothing with `quiet` or without a terminal."""

    def __init__(self, quiet: bool = False) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._started: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._started is not None:
            self._started[0].stop()

    def step(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self._shown:
            return
        if self._started is None:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
            )

            heading = TextColumn(translate(_("rendering faces"), interface_language()))
            columns = (heading, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.start()
            self._started = bar, bar.add_task("faces", total=total)
        progress, task = self._started
        progress.update(task, completed=done, total=total)
