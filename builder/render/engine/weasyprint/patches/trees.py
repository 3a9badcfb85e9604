"""The boxes of a document before it is laid out, where all its elements are blocks and inlines, as on most cards.

Then nothing looks for tables, lists, notes or flexible boxes in it; and an element that counts nothing, is no target,
and has nothing before or after it asks for no more than its box.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.patches.nodes import SVG, Node

_FLOWS = (("block", "flow"), ("inline", "flow"), ("block", "flow-root"), ("inline", "flow-root"))
_SPACES = re.compile(r"[\t\n\r]|  ")


class Sort(NamedTuple):
    """What an element asks for: blocks and inlines only (`flat`), nothing at all (`hidden`), to be neither target nor
    bookmark (`quiet`), a box of a class only.
    """

    flat: bool
    hidden: bool
    quiet: bool
    box: type[Any] | None


def structure(original: Callable[..., Any]) -> Callable[..., Any]:
    """The box of a document's root, all others in it."""
    from weasyprint.formatting_structure import build
    from weasyprint.html import HTML_HANDLERS

    unusual = frozenset(HTML_HANDLERS) - {SVG, "img"}

    def make(element: Any, style_for: Any, *rest: Any) -> Any:
        nodes = getattr(style_for, "nodes", {})
        sorts = [_sort(node) for node in set(nodes.values())]
        style_for.flat = bool(sorts) and all(sort.flat for sort in sorts)
        if not style_for.flat or not unusual.isdisjoint({each.tag for each in nodes}):
            style_for.flat = False
            return original(element, style_for, *rest)
        (box,) = build.element_to_box(element, style_for, *rest) or (None,)
        if box is None:
            return original(element, style_for, *rest)
        target_collector = rest[2]
        target_collector.check_pending_targets()
        box.quiet = all(sort.quiet for sort in sorts) and not target_collector.counter_lookup_items
        _settle(box, False)
        box.is_for_root_element = True
        return build.set_viewport_overflow(build.block_in_inline(build.inline_in_block(box)))

    return make


def element_boxes(original: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """The boxes of an element and all below it."""
    from weasyprint.formatting_structure.boxes import TextBox
    from weasyprint.html import HTML_HANDLERS, handle_element

    def make(element: Any, style_for: Any, *rest: Any) -> list[Any]:
        node = style_for.nodes.get(element) if len(rest) == 6 and getattr(style_for, "flat", False) else None
        kind = _sort(node).box if node else None
        if node is None or kind is None:
            return original(element, style_for, *rest)
        tag, style = element.tag, node.style
        box = kind(tag, style, element, ())
        _, counted, scopes, _ = rest[5]
        scopes.append(set())
        children: list[Any] = []
        if element.text:
            children.append(TextBox(tag, style.anonymous_style, element, element.text))
        for child in () if tag == SVG and _drawn(element, style_for.nodes) else element:
            children += make(child, style_for, *rest)
            if child.tail:
                if children and isinstance(children[-1], TextBox):
                    children[-1].text += child.tail
                else:
                    children.append(TextBox(tag, style.anonymous_style, element, child.tail))
        for name in scopes.pop():
            counted[name].pop()
            if not counted[name]:
                counted.pop(name)
        box.children, box.string_set = children, []
        return handle_element(element, box, *rest[:2]) if tag in HTML_HANDLERS else [box]

    return make


def _drawn(drawing: Any, nodes: dict[Any, Node]) -> bool:
    """True if boxes of what a drawing consists of, which it is drawn without, leave no traces elsewhere."""
    sorts = (_sort(nodes[element]) for element in drawing.iter() if element in nodes)
    return all(sort.box or sort.hidden for sort in sorts)


def _sort(node: Node) -> Sort:
    """What elements of a node ask for, found out once."""
    sort: Sort | None = node.sort
    if sort is None:
        sort = node.sort = _asked(node.style, node.pseudo)
    return sort


def _asked(style: Any, pseudo: tuple[tuple[str | None, Any], ...]) -> Sort:
    from weasyprint.formatting_structure.build import BOX_TYPE_FROM_DISPLAY

    display = style["display"]
    if display == ("none",):
        return Sort(True, True, True, None)
    styles = (style, *(each for _, each in pseudo))
    flat = all(
        each["display"] in (*_FLOWS, ("none",))
        and each["float"] != "footnote"
        and each["position"][0] not in ("note()", "running()")
        for each in styles
    )
    quiet = all(not each["anchor"] and each["string_set"] == each["bookmark_level"] == "none" for each in styles)
    plain = (
        flat
        and quiet
        and not pseudo
        and not style["counter_reset"]
        and not style["counter_set"]
        and style["counter_increment"] in ("auto", (), [])
    )
    return Sort(flat, False, quiet, BOX_TYPE_FROM_DISPLAY[display] if plain else None)


def _settle(box: Any, following: bool) -> bool:
    """White space and letter case of all texts below a box. `following` a space, another one collapses."""
    from weasyprint.formatting_structure.boxes import InlineBox, TextBox

    for child in box.children:
        if isinstance(child, TextBox):
            following = child.process_whitespace(following)
            child.process_text_transform()
        else:
            after = _settle(child, following)
            if isinstance(child, InlineBox):
                following = after
            elif child.is_in_normal_flow():
                following = False
    return following


def whitespace(original: Callable[..., bool]) -> Callable[..., bool]:
    """White space of a text that has single spaces only: but for the first one, there is nothing to collapse."""

    def process(box: Any, following_collapsible_space: bool = False) -> bool:
        text = box.text
        if not text or _SPACES.search(text) or box.style["white_space"] not in ("normal", "nowrap", "pre-line"):
            return original(box, following_collapsible_space)
        if following_collapsible_space and text[0] == " ":
            box.text = text[1:]
            box.leading_collapsible_space = True
        return bool(text[-1] == " ")

    return process


def transformed(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """The letters of a text in the case its style asks for: most ask for none."""

    def process(box: Any) -> None:
        if box.style["text_transform"] != "none" or box.style["hyphens"] == "none":
            original(box)

    return process
