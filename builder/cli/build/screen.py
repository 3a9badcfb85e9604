"""Standard output: a console for tables, and long lines that break between words and hang below their beginning."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

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
