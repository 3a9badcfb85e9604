"""Sorting a page's boxes into the order they are painted in: text stays where it is.

Its boxes have no properties but those it inherits, and none of these takes a box out of its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def dispatched(original: Callable[..., Any]) -> Callable[..., Any]:
    """Text stays; of all other boxes the engine decides."""
    from weasyprint.formatting_structure.boxes import TextBox

    def dispatch(box: Any, *stacks: Any) -> Any:
        return box if type(box) is TextBox else original(box, *stacks)

    return dispatch


def children_dispatched(original: Callable[..., Any]) -> Callable[..., Any]:
    """A line of nothing but text is itself, not a copy with the same boxes."""
    from weasyprint.formatting_structure.boxes import InlineBox, LineBox, TextBox

    def dispatch(box: Any, *stacks: Any) -> Any:
        kind = type(box)
        if (kind is LineBox or kind is InlineBox) and all(type(child) is TextBox for child in box.children):
            return box
        return original(box, *stacks)

    return dispatch
