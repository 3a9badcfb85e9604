"""Lines of text are drawn as they were shaped when they were broken, instead of being shaped once more.

The engine lets go of a line's shape as soon as it is measured. Here each line holds on to it, a kilobyte or so, for as
long as the line itself is kept. Copies of a line share it, so whatever changes it needs one of its own. A line that was
never shaped, only added up, is shaped in the layout that measured its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from weakref import ref

_PARAGRAPHS = re.compile("[\n\r\u2028\u2029]")
"""What ends a line or paragraph: the engine shapes such text otherwise when it draws it."""


def deactivated(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """Hold what the engine lets go of, and know the style it was made for."""

    def deactivate(line: Any) -> None:
        own = line.__dict__
        if "shape" not in own and not _PARAGRAPHS.search(own["text"]):
            own["shape"] = own["layout"], ref(own["style"])
        original(line)

    return deactivate


def reactivated(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Take up what was held, unless the line was spread since, or is drawn in another style."""

    def reactivate(line: Any, style: Any) -> None:
        own = line.__dict__
        if "ruler" in own and own["ruler"][1] is style:
            own["shape"] = own["ruler"][0].shaped(own["text"]), ref(style)
        shape = own.get("shape")
        if shape is None or shape[1]() is not style or own["justification_spacing"]:
            original(line, style)
        else:
            line.layout, line.style, line.language = shape[0], style, None

    return reactivate


def to_draw(line: Any) -> Any:
    """The first line of an active layout, as it is to be drawn.

    A line that fitted its box was shaped as it will be without one. What did not fit is shaped anew.
    """
    from weasyprint.text.ffi import pango

    if shared(line):
        first, rest = line.get_first_line()
        if rest is None:
            return first
        apart(line)
    pango.pango_layout_set_single_paragraph_mode(line.layout, True)
    return line.get_first_line()[0]


def shared(line: Any) -> bool:
    """True if other lines may be drawn from the same layout."""
    shape = line.__dict__.get("shape")
    return shape is not None and shape[0] is line.layout


def apart(line: Any) -> None:
    """Give an active line a layout of its own."""
    if shared(line):
        style = line.style
        line.setup(style)
        line.set_text(line.text, justify=True)
