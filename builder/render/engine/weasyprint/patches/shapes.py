"""Lines are drawn as they were shaped when they were broken, instead of being shaped once more.

The engine lets go of a line's shape as soon as it is measured. Copies of a line share what is held, so that whatever
would change it (words spread apart, an ellipsis) is shaped anew.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

SHAPES = 4_000
"""Shapes that a process holds, a few kB each; with more it lets go of all."""
_PARAGRAPHS = re.compile("[\n\r\u2028\u2029]")
"""What ends a paragraph: the engine draws such a text as one, and breaks it as several."""

_HELD: list[list[Any]] = []
"""What is held: the text library's layout, and the look of its text (see `texts`)."""


def clear() -> None:
    """Let go of all shapes."""
    for shape in _HELD:
        shape.clear()
    _HELD.clear()


def replacements() -> Iterator[Replacement]:
    """The text of a line, the beginning and the end of all that asks for its shape, and its drawing."""
    from weasyprint.draw import text
    from weasyprint.text.line_break import Layout

    yield Layout, "set_text", _as_drawn(Layout.set_text)
    yield Layout, "deactivate", _held(Layout.deactivate)
    yield Layout, "reactivate", _taken_up(Layout.reactivate)
    yield from everywhere(text.draw_text, _shortened(text.draw_text))


def _as_drawn(original: Callable[..., None]) -> Callable[..., None]:
    """Ask at once for the shape that will be drawn."""
    from weasyprint.text.ffi import pango

    def set_text(line: Any, text: str, justify: bool = False) -> None:
        pango.pango_layout_set_single_paragraph_mode(line.layout, not _PARAGRAPHS.search(text))
        original(line, text, justify)

    return set_text


def _held(original: Callable[[Any], None]) -> Callable[[Any], None]:
    def deactivate(line: Any) -> None:
        own = line.__dict__
        look = getattr(own["style"], "known", {}).get("lines")
        if look is not None and not own.setdefault("shape", []) and not _PARAGRAPHS.search(own["text"]):
            if len(_HELD) >= SHAPES:
                clear()
            own["shape"] += own["layout"], look
            _HELD.append(own["shape"])
        original(line)

    return deactivate


def _taken_up(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    def reactivate(line: Any, style: Any) -> None:
        shape = line.__dict__.get("shape")
        if shape and not line.justification_spacing and getattr(style, "known", {}).get("lines") is shape[1]:
            line.layout, line.style, line.language = shape[0], style, None
            if line.get_first_line()[1] is None:
                return
        original(line, style)

    return reactivate


def _shortened(original: Callable[..., None]) -> Callable[..., None]:
    def draw(stream: Any, box: Any, offset_x: float, text_overflow: str, block_ellipsis: Any) -> None:
        if text_overflow == "ellipsis" or block_ellipsis != "none":
            box.pango_layout.__dict__.pop("shape", None)
        original(stream, box, offset_x, text_overflow, block_ellipsis)

    return draw
