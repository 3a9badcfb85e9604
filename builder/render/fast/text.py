"""Lines of text that were broken before: the same words, in the same style, in the same room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from builder.render.fast.kept import stock


def first_line(original: Callable[..., Any]) -> Callable[..., Any]:
    """Labels and numbers come again on every card, and all of a face each time a block of it is set smaller.

    What is kept of a line is what the engine keeps of it: numbers and its text, no object of the text library. Each
    caller gets a copy, since justifying and drawing write to it.
    """
    from weasyprint.text.line_break import Layout

    def split(
        text: str,
        style: Any,
        context: Any,
        max_width: float | None,
        justification_spacing: float,
        is_line_start: bool = True,
        minimum: bool = False,
    ) -> tuple[Any, ...]:
        rest = (max_width, justification_spacing, is_line_start, minimum)
        known = getattr(style, "known", None)
        if known is None:
            return original(text, style, context, *rest)  # type: ignore[no-any-return]
        key = (text, *rest)
        line = known.get(key)
        if line is None:
            layout, *numbers = original(text, style, context, *rest)
            known[key] = layout.__dict__.copy(), numbers
            stock.lines += 1
            return layout, *numbers
        layout = Layout.__new__(Layout)
        layout.__dict__.update(line[0])
        return layout, *line[1]

    return split


def once_a_style(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What follows from a style alone and is never written to: an empty line's height, the font to ask for."""

    def answer(style: Any) -> Any:
        known = getattr(style, "known", None)
        if known is None:
            return original(style)
        if original not in known:
            known[original] = original(style)
        return known[original]

    return answer
