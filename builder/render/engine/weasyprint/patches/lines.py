"""Lines of nothing but text: by the letter of the engine, without its detours.

Sums are in the engine's order, since floating-point numbers remember it. Whatever is not plain is left to the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

Found = tuple[Any, Any, Any, Any, Any]
"""A box, where its rest begins, whether a preserved break ends it, and its first and last letters."""


def line_place(original: Callable[..., tuple[float, float, float]]) -> Callable[..., tuple[float, float, float]]:
    """Where nothing floats, a line begins where its container does and is as wide."""
    from weasyprint.formatting_structure.boxes import LineBox

    def place(context: Any, box: Any, container: Any, outer: bool = True) -> tuple[float, float, float]:
        if outer or type(box) is not LineBox or container.style["direction"] != "ltr" or context.excluded_shapes:
            return original(context, box, container, outer)
        edge = container.position_x + container.margin_left + container.padding_left + container.border_left_width
        left, right = edge + box.margin_left, edge + container.width - box.margin_right
        return left - box.margin_left, box.position_y + box.margin_top - box.margin_top, right - left

    return place


def next_line(original: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
    """The next line of a paragraph."""
    from weasyprint.layout import inline

    def line_of(
        context: Any, linebox: Any, position_y: float, bottom_space: float, skip_stack: Any, container: Any, *rest: Any
    ) -> tuple[Any, Any]:
        if rest[2] or rest[3] or not _plain(linebox):
            return original(context, linebox, position_y, bottom_space, skip_stack, container, *rest)
        skip_stack = inline.skip_first_whitespace(linebox, skip_stack)
        if skip_stack == "continue":
            return None, None
        linebox.position_y, linebox.width, height = position_y, 0, 0
        shapes = context.excluded_shapes
        if shapes:
            linebox.width = inline.inline_min_content_width(context, linebox, skip_stack=skip_stack, first_line=True)
            height, _ = inline.strut(linebox.style)
        linebox.height = height
        place = inline.avoid_collisions(context, linebox, container, outer=False)
        while True:
            line, resume_at = _filled(inline, context, linebox, place, skip_stack, container)
            if line.height <= height:
                return line, resume_at
            height, before = line.height, place
            if shapes:
                place = inline.avoid_collisions(context, line, container, outer=False)
            if place[:2] == before[:2]:
                return line, resume_at
            context.excluded_shapes = shapes.copy()

    return line_of


def _filled(
    inline: Any, context: Any, linebox: Any, place: tuple[float, float, float], skip_stack: Any, container: Any
) -> tuple[Any, Any]:
    """A line at a place, and where the next begins."""
    position_x, position_y, width = place
    linebox.position_x, linebox.position_y = position_x, position_y
    line, resume_at, preserved, _, _ = _Line(context, container).split(
        linebox, position_x + linebox.text_indent, position_x + width, skip_stack
    )
    linebox.width, linebox.height = line.width, line.height
    if not preserved and inline.is_phantom_linebox(line):
        line.height = 0
        return line, resume_at
    inline.remove_last_whitespace(context, line)
    if context.excluded_shapes:
        _, _, width = inline.avoid_collisions(context, linebox, container, outer=False)
    offset_x = inline.text_align(context, line, width, last=(resume_at is None or preserved))
    bottom, top = inline.line_box_verticality(line)
    line.baseline, line.position_y, line.height = -top, top, bottom - top
    line.margin_top = line.margin_bottom = 0
    line.translate(offset_x, position_y - top)
    line.position_y = position_y
    return line, resume_at


def _plain(linebox: Any) -> bool:
    """True if a paragraph holds nothing but text from left to right, in inline boxes or by itself."""
    own = linebox.__dict__
    if "plain" not in own:
        own["plain"] = _simple(linebox) and _all_text(linebox)
    return bool(own["plain"])


def _simple(box: Any) -> bool:
    known = getattr(box.style, "known", None)
    if known is None:
        return False
    if "simple" not in known:
        known["simple"] = box.style["direction"] == "ltr" and box.is_in_normal_flow()
    return bool(known["simple"])


def _all_text(box: Any) -> bool:
    inline, _, text_type = _engine()
    for child in box.children:
        if not _simple(child) or child.is_leader:
            return False
        if type(child) is not text_type and (type(child) is not inline.boxes.InlineBox or not _all_text(child)):
            return False
    return True


@cache
def _engine() -> tuple[Any, type[Any], type[Any]]:
    """The engine's module for lines, and its boxes of lines and of text."""
    from weasyprint.formatting_structure.boxes import LineBox, TextBox
    from weasyprint.layout import inline

    return inline, LineBox, TextBox


class _Line:
    """A line that is being filled."""

    def __init__(self, context: Any, container: Any) -> None:
        self.inline, self.line_type, self.text_type = _engine()
        self.context, self.container = context, container
        self.begun: list[tuple[int, Any]] = []

    def split(self, box: Any, position_x: float, max_x: float, skip_stack: Any) -> Found:
        """As much as fits of a line or an inline box."""
        max_x *= 1 + 1e-9
        first_skip, first_x = skip_stack, position_x
        begun = self.begun if type(box) is self.line_type else []
        children: list[Any] = []
        waiting: list[Any] = []
        preserved, first_letter, last_letter, skip, resume_at = False, None, None, 0, None
        if skip_stack is not None:
            ((skip, skip_stack),) = skip_stack.items()
        for index in range(skip, len(box.children)):
            child = box.children[index]
            new_child, resume_at, kept, first, last = self._child(box, index, position_x, max_x, skip_stack)
            skip_stack, preserved = None, preserved or kept
            if self._parts(box, child, last_letter, first):
                children += waiting
                waiting = []
            first_letter = first if first_letter is None else first_letter
            last_letter = True if child.trailing_collapsible_space else last
            if new_child is not None:
                begun.append((index, new_child))
                end_x = new_child.position_x + new_child.margin_width()
                back = end_x > max_x and self._back(new_child, end_x, max_x, first_skip, children, waiting)
                if back:
                    resume_at = back
                    break
                position_x = end_x
                waiting.append((index, new_child, child))
            if resume_at is not None:
                children += waiting
                resume_at = {index: resume_at}
                break
        else:
            children += waiting
            resume_at = None
        new_box = self._box(box, [child for _, child, _ in children], first_x, first_skip is None, resume_at is None)
        return new_box, resume_at, preserved, first_letter, last_letter

    def _child(self, box: Any, index: int, position_x: float, max_x: float, skip_stack: Any) -> Found:
        """As much as fits of a child of a box; before the last there must be room for the box's own edge."""
        child = box.children[index]
        child.position_y = box.position_y
        found = self._level(child, position_x, max_x, skip_stack)
        if index == len(box.children) - 1 and found[1] is None:
            edge = box.padding_right + box.margin_right + box.border_right_width
            if edge:
                return self._level(child, position_x, max_x - edge, skip_stack)
        return found

    def _level(self, box: Any, position_x: float, max_x: float, skip_stack: Any) -> Found:
        """As much as fits of a text or an inline box."""
        self.inline.resolve_percentages(box, self.container)
        if type(box) is self.text_type:
            return self._text(box, position_x, max_x, skip_stack)
        if box.margin_left == "auto":
            box.margin_left = 0
        if box.margin_right == "auto":
            box.margin_right = 0
        return self.split(box, position_x, max_x, skip_stack)

    def _text(self, box: Any, position_x: float, max_x: float, skip_stack: Any) -> Found:
        """As much as fits of a text."""
        box.position_x, skip = position_x, 0
        if skip_stack is not None:
            skip = next(iter(skip_stack)) or 0
        new_box, skip, preserved = self.inline.split_text_box(
            self.context, box, max_x - position_x, skip, is_line_start=not self.begun
        )
        text = box.text
        if skip is None:
            return new_box, None, preserved, text[0] if text else None, text[-1] if text else None
        letters = (text[0], text.encode()[:skip].decode()[-1]) if text else (None, None)
        return new_box, {skip: None}, preserved, *letters

    def _parts(self, box: Any, child: Any, last_letter: Any, first: Any) -> bool:
        """True if a line may end between a child of a box and what stands before it."""
        if last_letter is True:
            last_letter = " "
        elif box.style["white_space"] in ("pre", "nowrap"):
            return False
        if last_letter is None or first is None:
            return False
        return bool(self.inline.can_break_text(last_letter + first, child.style["lang"]))

    def _back(
        self, child: Any, end_x: float, max_x: float, skip_stack: Any, children: list[Any], waiting: list[Any]
    ) -> Any:
        """Where the line ends if a child does not fit on it."""
        if end_x - self.inline.trailing_whitespace_size(self.context, child) <= max_x:
            return None
        nothing: tuple[list[Any], ...] = ([], [], [], [])
        rest = (max_x, 0, skip_stack, *nothing, self.begun, children, waiting, None, None)
        return self.inline._break_waiting_children(self.context, self.container, *rest)

    def _box(self, box: Any, children: list[Any], position_x: float, start: bool, end: bool) -> Any:
        """A box as it is on this line."""
        left = box.padding_left + box.margin_left + box.border_left_width
        new_box = box.copy_with_children(children)
        new_box.remove_decoration(start=not start, end=not end)
        if type(box) is not self.line_type:
            new_box.position_x = position_x
            if left and (start or box.style["box_decoration_break"] == "clone"):
                for child in children:
                    child.translate(dx=left)
        new_box.width = 0
        if children:
            new_box.width = children[-1].position_x + children[-1].margin_width() - new_box.content_box_x()
        self.inline._adjust_line_height(new_box)
        return new_box
