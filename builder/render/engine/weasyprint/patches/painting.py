"""Painting boxes that have no border, no outline and no background of their own: most of them, told by their style."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SIDES = ("top", "right", "bottom", "left")
_INPUTS = frozenset({"button", "input", "select", "textarea", "form"})


def told(style: Any, question: Callable[[Any], bool]) -> bool:
    """The answer to a question that a style alone answers; no to any of a style that remembers nothing."""
    try:
        answer: bool = style.known[question]
    except AttributeError:
        return False
    except KeyError:
        answer = style.known[question] = question(style)
    return answer


def frameless(style: Any) -> bool:
    """True if a box of this style has no border, no rules between columns and no mask.

    Borders of collapsing tables are settled between cells.
    """
    return (
        all(style[f"border_{side}_width"] == 0 for side in _SIDES)
        and style["border_image_source"][0] == style["mask_border_source"][0] == "none"
        and style["column_width"] == style["column_count"] == "auto"
        and style["border_collapse"] != "collapse"
    )


def without_outline(style: Any) -> bool:
    """True if no line is drawn around a box of this style."""
    return not style["outline_width"] or style["outline_style"] == "none"


def of_no_note(style: Any) -> bool:
    """True if a box of this style is neither turned nor a target, a mark or a field."""
    return not style["transform"] and not style["anchor"] and style["bookmark_level"] == "none"


def border_drawn(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Nothing to do for most boxes."""

    def draw(stream: Any, box: Any) -> None:
        if not told(box.style, frameless):
            original(stream, box)

    return draw


def outline_drawn(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Go down to the boxes that have one."""
    from weasyprint.formatting_structure.boxes import Box, TextBox

    def draw(stream: Any, box: Any) -> None:
        if not told(box.style, without_outline):
            original(stream, box)
            return
        for child in box.children:
            if isinstance(child, Box) and not (type(child) is TextBox and told(child.style, without_outline)):
                draw(stream, child)

    return draw


def inline_drawn(original: Callable[..., None]) -> Callable[..., None]:
    """Lines and the boxes within: their texts one after the other."""
    from weasyprint import draw as engine
    from weasyprint.formatting_structure.boxes import InlineBox, LineBox, TextBox
    from weasyprint.stacking import StackingContext

    inline = LineBox, InlineBox

    def draw(
        stream: Any, page: Any, box: Any, offset_x: float = 0, text_overflow: str = "clip", block_ellipsis: Any = "none"
    ) -> None:
        bare = isinstance(box, inline) and box.background is None and told(box.style, frameless)
        if not bare or stream._tags is not None:
            original(stream, page, box, offset_x, text_overflow, block_ellipsis)
            return
        if isinstance(box, LineBox):
            text_overflow, block_ellipsis = box.text_overflow, box.block_ellipsis
        last = len(box.children) - 1
        for index, child in enumerate(box.children):
            ellipsis = block_ellipsis if index == last else "none"
            offset = offset_x
            if not isinstance(child, StackingContext):
                offset += child.position_x - box.position_x
            if isinstance(child, TextBox):
                engine.draw_text(stream, child, offset, text_overflow, ellipsis)
            else:
                engine.draw_inline_level(stream, page, child, offset, text_overflow, ellipsis)

    return draw


def gathered(original: Callable[..., None]) -> Callable[..., None]:
    """What of a page is linked to, marked, turned or filled in: nothing, on most."""

    def gather(box: Any, *found: Any) -> None:
        boxes = [box]
        while boxes:
            each = boxes.pop()
            noted = not told(each.style, of_no_note) and not of_no_note(each.style)
            if noted or each.link or each.element_tag in _INPUTS:
                original(box, *found)
                return
            boxes += each.all_children()

    return gather
