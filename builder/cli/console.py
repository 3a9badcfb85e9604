"""Standard output: messages, findings, tables, wrapped lines, and the progress bar."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.language import get_interface_language
from builder.findings import Finding, has_errors
from builder.messages import escape_controls, gettext as _, translate
from builder.report.findings import FORMATS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress, TaskID
    from rich.text import Text

    from builder.usecases.build.build_options import EngineChoice


MAX_PLAIN_COLUMNS = 110
"""Width of a table in a file or a pipe."""
MIN_WRAPPED_COLUMNS = 20
CONTINUATION_INDENT = 4
"""Additional spaces before the continuation of a long line."""


is_finished = False
"""True once the command has done its task and only prints the result."""


@contextmanager
def run_uninterrupted() -> Iterator[None]:
    """Delay Ctrl+C until the end of the block, so that its work is done completely and once."""
    global is_finished
    interrupts: list[int] = []
    try:
        previous = signal.signal(
            signal.SIGINT, lambda number, _frame: interrupts.append(number)
        )
    except ValueError:
        # Only the main thread can be interrupted, and only it may set signals.
        yield
        return
    try:
        yield
        is_finished = True
    finally:
        signal.signal(signal.SIGINT, previous)
    if interrupts:
        raise KeyboardInterrupt


def echo(message: str, lang: str | None = None, err: bool = False) -> None:
    """Print a message, translated to a language. The default is the interface language."""
    write(translate(message, lang or get_interface_language()), err=err)


def echo_engine(
    pack: str, choice: EngineChoice | None, lang: str | None = None
) -> None:
    """Print the rendering engine that was chosen for a pack, and why. Nothing if there is none."""
    if choice is not None:
        form = _("{pack}: engine {engine} ({reason})")
        echo(_(form, pack=pack, engine=choice.engine, reason=choice.reason), lang)


def echo_old_files(drafts: Iterable[Path]) -> None:
    """Print the complete files of an earlier build that are still beside new drafts."""
    from builder.usecases.build.records import find_old_file

    for draft in drafts:
        old_file = find_old_file(draft)
        if old_file is not None:
            form = _("{file}: not written again, it is from an earlier build")
            echo(_(form, file=shorten_path(old_file)))


def write(text: str, nl: bool = True, err: bool = False) -> None:
    """Print a text to the terminal, with control characters escaped."""
    click.echo(escape_controls(text), nl=nl, err=err)


def shorten_path(path: Path) -> Path:
    """Return a path relative to the current folder if it is inside.

    Otherwise return it unchanged.
    """
    resolved = path.resolve()
    folder = Path.cwd()
    return resolved.relative_to(folder) if resolved.is_relative_to(folder) else path


def echo_findings(
    findings: Sequence[Finding],
    lang: str | None = None,
    form: str = "text",
    err: bool = False,
) -> int:
    """Print findings in a format. Return the exit code: 1 if there is an error, else 0.

    With `err` they go to standard error, and nothing is printed if there are none.
    """
    if findings or not err:
        write(
            FORMATS[form](findings, lang or get_interface_language()), nl=False, err=err
        )
    return 1 if has_errors(findings) else 0


def make_console() -> Console:
    """Make a console for tables: as wide as the terminal, or of fixed width in a file."""
    from rich.console import Console
    from rich.segment import Segment

    class EscapingConsole(Console):
        """A console that escapes control characters in texts but keeps its own colour codes."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for part in super().render(renderable, options):
                # Control segments move the cursor, and only rich itself makes them.
                if not part.control:
                    part = Segment(escape_controls(part.text), part.style)
                yield part

    width = None if sys.stdout.isatty() else MAX_PLAIN_COLUMNS
    return EscapingConsole(file=sys.stdout, highlight=False, emoji=False, width=width)


def print_wrapped(screen: Console, line: Text | str, hang: int = 0) -> None:
    """Print a text wrapped to the terminal. Continuation lines are indented by `hang` columns.

    In a file or a pipe the lines are not wrapped, so that programs can search them.
    """
    from rich.text import Text

    text = Text(line) if isinstance(line, str) else line
    for part in text.split("\n", allow_blank=True):
        if not screen.is_terminal:
            screen.print(part, soft_wrap=True)
            continue
        # The first line has no indent, so the rest is wrapped again at its own width.
        first = part.wrap(screen, screen.width)[0]
        first.rstrip()
        screen.print(first, soft_wrap=True)
        rest = part[len(first) :]
        space_count = len(rest.plain) - len(rest.plain.lstrip())
        rest = rest[space_count:]
        if not rest.plain:
            continue
        rest_width = max(MIN_WRAPPED_COLUMNS, screen.width - hang)
        for continuation in rest.wrap(screen, rest_width):
            continuation.rstrip()
            screen.print(Text(" " * hang).append_text(continuation), soft_wrap=True)


def print_lines(text: str) -> None:
    """Print lines of text, wrapped to the terminal. Each keeps its indentation."""
    screen = make_console()
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        print_wrapped(screen, line, indent + CONTINUATION_INDENT)


LINE_INTERVAL_SECONDS = 30
"""How often progress is printed as a line where no bar can be shown, as in logs of workflows."""


class ProgressBar:
    """A progress bar of rendered faces. In a file or log it is a line every 30 seconds."""

    def __init__(self, is_quiet: bool = False) -> None:
        self._is_quiet = is_quiet
        self._has_terminal = sys.stderr.isatty()
        self._started: tuple[Progress, TaskID] | None = None
        self._last_line_time = time.monotonic()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._started is not None:
            self._started[0].stop()

    def _print_line(self, rendered_count: int, total: int) -> None:
        if time.monotonic() - self._last_line_time >= LINE_INTERVAL_SECONDS:
            self._last_line_time = time.monotonic()
            form = _("rendering faces: {count} of {total}")
            echo(_(form, count=rendered_count, total=total), err=True)

    def step(self, rendered_count: int, total: int) -> None:
        """Show how many faces of the total are rendered."""
        if self._is_quiet:
            return
        if not self._has_terminal:
            self._print_line(rendered_count, total)
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

            heading = TextColumn(
                translate(_("rendering faces"), get_interface_language())
            )
            columns = (
                heading,
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.start()
            self._started = bar, bar.add_task("faces", total=total)
        progress, task = self._started
        progress.update(task, completed=rendered_count, total=total)
