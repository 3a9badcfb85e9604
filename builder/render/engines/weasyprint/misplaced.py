"""Find errors of the engine that move text out of its box although it would fit."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from builder.messages import Message, gettext as _
from builder.render.engines.measured import PX

MIN_EXTRA_HEIGHT_PX = 2.0
"""Pixels that a flex child must be taller than its contents to count as a fault: less is rounding.
"""
MAX_GAP_ERROR_PX = 1.5
"""Pixels by which a container's contents may differ from its width where the engine forgot its
gaps.
"""


class EngineFault(NamedTuple):
    """A layout error of the engine in a box, and what to change in the style sheet to avoid it."""

    fault: Message
    remedy: str


def find_engine_fault(box: Any) -> EngineFault | None:
    """Return the engine's layout error that moves text out of a box, or None.

    None if the text itself is too long.
    """
    top = box.content_box_y()
    for container in _find_flex_containers(box):
        extra = _measure_extra_height(container, top, top + box.height)
        if extra:
            form = _(
                "WeasyPrint makes the child of a flex box {extra:.1f} mm taller than its lines"
            )
            hint = _(
                "Add `min-height: 0` to the children of the flex box, or set `engine: plutoprint`."
            )
            return EngineFault(_(form, extra=extra * PX), hint)
        if _is_missing_gaps(container):
            fault = _(
                "WeasyPrint ignores the gap when it computes the width of a flex "
                "box, so its text breaks"
            )
            hint = _(
                "Set the width of the flex box, use margins instead of `gap`, "
                "or set `engine: plutoprint`."
            )
            return EngineFault(fault, hint)
    return None


def _find_flex_containers(box: Any) -> Iterator[Any]:
    """Yield the flex containers in a box, without absolutely positioned ones."""
    if _is_flex(box):
        yield box
    for child in getattr(box, "children", ()):
        if not hasattr(child, "_box"):
            yield from _find_flex_containers(child)


def _is_flex(box: Any) -> bool:
    return type(box).__name__ in ("FlexBox", "InlineFlexBox")


def _list_items(container: Any) -> list[Any]:
    """Return the flex items of a container, in the order of the document."""
    return [
        child
        for child in container.children
        if not hasattr(child, "_box") and hasattr(child, "height")
    ]


def _measure_extra_height(container: Any, top: float, bottom: float) -> float:
    """Return how many pixels a flex item is higher than its contents.

    0 if no child extends beyond the space between `top` and `bottom`.
    """
    items = _list_items(container)
    highest = min((item.position_y for item in items), default=top)
    lowest = max(map(_find_bottom, items), default=bottom)
    if highest >= top - MIN_EXTRA_HEIGHT_PX and lowest <= bottom + MIN_EXTRA_HEIGHT_PX:
        return 0.0
    used_heights = [_measure_used_height(item) for item in items]
    in_row = container.style["flex_direction"].startswith("row")
    for item, used in zip(items, used_heights, strict=True):
        # A row makes all its children as tall as the tallest one: that is no fault.
        needed = max(used_heights) if in_row else used
        # The fault needs a smallest height that the engine works out itself.
        is_automatic = (
            item.style["height"] == "auto" and item.style["min_height"] == "auto"
        )
        if is_automatic and used and item.height - needed > MIN_EXTRA_HEIGHT_PX:
            return float(item.height - used)
    return 0.0


def _measure_used_height(item: Any) -> float:
    """Return the height of the contents of a flex item, in pixels."""
    parts = [
        part for part in getattr(item, "children", ()) if not hasattr(part, "_box")
    ]
    if not parts:
        return float(item.height)
    top = min(float(part.position_y) for part in parts)
    return max(map(_find_bottom, parts)) - top


def _find_bottom(part: Any) -> float:
    height = part.margin_height() if hasattr(part, "margin_height") else part.height
    return float(part.position_y + height)


def _is_missing_gaps(container: Any) -> bool:
    """Return True if the engine forgot the gaps of a flex row when it computed the width."""
    style = container.style
    items = _list_items(container)
    in_row = (
        style["flex_direction"].startswith("row") and style["flex_wrap"] == "nowrap"
    )
    if style["column_gap"] == "normal" or style["width"] != "auto":
        return False
    if len(items) < 2 or not in_row:
        return False
    # The width that all texts would take on one line, with a space where a line now ends.
    natural_width = 0.0
    has_broken_text = False
    for item in items:
        lines = [box for box in item.descendants() if type(box).__name__ == "LineBox"]
        widths = [_measure_width(line) for line in lines]
        spaces = sum(line.style["font_size"] * 0.25 for line, _next in pairwise(lines))
        natural_width += sum(widths) + spaces + item.margin_width() - item.width
        has_broken_text = has_broken_text or len(lines) > 1
    return has_broken_text and abs(
        container.width - natural_width
    ) < MAX_GAP_ERROR_PX * len(items)


def _measure_width(line: Any) -> float:
    """Return the total width of the texts on a line, in pixels."""
    texts = [box for box in line.descendants() if type(box).__name__ == "TextBox"]
    return float(sum(text.width for text in texts))
