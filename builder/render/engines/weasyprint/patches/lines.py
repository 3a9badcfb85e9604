"""Correct the engine's line breaking: fill lines that it ends too early."""

from collections.abc import Iterator
from functools import wraps
from math import inf
from typing import Any

from builder.render.engines.weasyprint.patches.replacing import (
    Replacement,
    find_everywhere,
)

NO_BREAK, JOINER = "\u00a0", "\u2060"
WRAPPING = ("normal", "pre-line")


def find_replacements() -> Iterator[Replacement]:
    """Return the function of the engine that breaks lines, with its replacement."""
    from weasyprint.text import line_break

    yield from find_everywhere(
        line_break.split_first_line, _fill_lines(line_break.split_first_line)
    )


def _fill_lines(original: Any) -> Any:
    """Return a function that breaks lines and tries again if a line may have ended too early."""

    @wraps(original)
    def split_first_line(
        text: str,
        style: Any,
        context: Any,
        max_width: float | None,
        *rest: Any,
        **more: Any,
    ) -> Any:
        line = original(text, style, context, max_width, *rest, **more)
        if max_width is None or style["white_space"] not in WRAPPING:
            return line
        if not _may_end_too_early(text, line, max_width):
            return line
        # The third part of a result is where the next line begins, the fourth its width.
        if text[-1] == NO_BREAK:
            joined_line = original(
                text + JOINER, style, context, max_width, *rest, **more
            )
            return line if joined_line[2] is None else joined_line
        full_line = original(text, style, context, inf, *rest, **more)
        line_without_space = original(
            text.rstrip(" "), style, context, inf, *rest, **more
        )
        if full_line[2] is not None or line_without_space[3] > max_width:
            return line
        full_line[0].max_width = max_width
        return full_line

    return split_first_line


def _may_end_too_early(text: str, line: tuple[Any, ...], max_width: float) -> bool:
    """Return True if the line may have ended too early, or is wider than its space."""
    layout, _, resume, width, *_ = line
    if resume is None:
        return text.endswith(NO_BREAK) and width > max_width
    return text.endswith((" ", NO_BREAK)) and " " not in layout.text.strip(" ")
