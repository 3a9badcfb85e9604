"""The styles of a document's elements: looked up instead of matched, cascaded and computed wherever they are known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from builder.render.engine.weasyprint.patches.kin import FAR, Kin
from builder.render.engine.weasyprint.patches.nodes import Node, Table, Way, attributes, matched, table_of


def shared_styles(original: Callable[..., None]) -> Callable[..., None]:
    """The engine shares styles within a document and throws them away with it; here they outlive it."""

    def styles(
        self: Any, html: Any, sheets: list[Any], presentational_hints: bool, font_config: Any, target_collector: Any
    ) -> None:
        if presentational_hints:
            original(self, html, sheets, presentational_hints, font_config, target_collector)
            return
        table = table_of(html.base_url, sheets, font_config)
        self._cascaded_styles, self._computed_styles, self.nodes, self.table = {}, {}, {}, table
        self.initial_page_sizes, self._sheets, self.font_config = table.sizes, sheets, font_config
        collect = target_collector.collect_anchor if target_collector else None
        _Walk(self, html, table, collect).down(html.etree_element, table.start, 0, [html.etree_element], 0)

    return styles


def page_styles(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
    """The styles of a page by its place in a document, kept with those of the elements they inherit from."""

    def styles(page_type: Any, html: Any, style_for: Any) -> None:
        table = getattr(style_for, "table", None)
        if table is None:
            original(page_type, html, style_for)
            return
        computed = style_for._computed_styles
        key = page_type, id(computed[html.etree_element, None])
        if key not in table.pages:
            original(page_type, html, style_for)
            table.pages[key] = {each: style for each, style in computed.items() if each[0] == page_type}
        computed.update(table.pages[key])

    return styles


class _Walk:
    """One walk over all elements of a document, in which each finds its style."""

    def __init__(self, style_for: Any, html: Any, table: Table, collect: Callable[[str], None] | None) -> None:
        self.style_for, self.html, self.table, self.collect = style_for, html, table, collect
        self.trail: list[Any] = []
        self.views = {html.etree_element: html.wrapper_element}

    def down(self, element: Any, above: Way, index: int, siblings: list[Any], depth: int) -> None:
        """Give an element and all below it their styles."""
        self.trail.append(element)
        way = self.way(element, above, index, siblings)
        node: Any = way.node
        if depth < 2:
            # The engine moves the overflow of the root or the body to the page, in the style itself.
            node.style.pop("overflow", None)
        self.style_for.nodes[element] = node
        styles = self.style_for._computed_styles
        styles[element, None] = node.style
        for pseudo_type, style in node.pseudo:
            styles[element, pseudo_type] = style
        if self.collect and node.style["anchor"]:
            self.collect(node.style["anchor"])
        children = [child for child in element if isinstance(child.tag, str)]
        for place, child in enumerate(children):
            self.down(child, way, place, children, depth + 1)
        self.trail.pop()

    def way(self, element: Any, above: Way, index: int, siblings: list[Any]) -> Way:
        """How an element is reached, and so its node; matched against all rules at first sight."""
        if self.table.kin is None:
            return Way(self.matched(element, above.node))
        look = self.look(element, index, siblings, self.table.kin)
        way = above.further.get(look)
        if way is None:
            way = above.further[look] = Way(self.matched(element, above.node))
            self.table.ways += 1
        return way

    def look(self, element: Any, index: int, siblings: list[Any], kin: Kin) -> Any:
        """What may select an element besides the elements above it: its names, and its neighbours' where they count."""
        own = _own(element)
        beside = self.table.beside.get(own[:2])
        if beside is None:
            beside = self.table.beside[own[:2]] = kin.beside(*own[:2])
        if not beside:
            return own
        if beside == FAR:
            return own, index, tuple(map(_own, siblings))
        return own, _own(siblings[index - 1]) if index else None

    def matched(self, element: Any, parent: Node | None) -> Node:
        """What the rules say of an element."""
        if element not in self.views:
            # The selectors' view of an element knows those above and before it: these are viewed first.
            for above, below in pairwise(self.trail):
                if below not in self.views:
                    self.views |= {view.etree_element: view for view in self.views[above].iter_children()}
        return matched(self.style_for, self.table, self.html, self.views[element], parent)


def _own(element: Any) -> tuple[Any, ...]:
    return (element.tag, element.get("class"), *attributes(element))
