"""Computed styles that outlive their document: a quarter of a cold build.

Style sheets are parsed once a process, so the rules that select an element are the same objects in every document:
together with the parent's style and the element's own attributes they say which style it is. Only such styles keep
what follows from them alone (`known`): the engine writes to styles of its own while it lays out tables, flexible boxes
and notes, but always to copies, and copies are the engine's plain styles again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import inf
from types import SimpleNamespace
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement

STYLES, TABLES = 1_500, 12
"""Styles a process keeps of one set of style sheets, and of how many sets; with more it starts anew."""

SVG = "{http://www.w3.org/2000/svg}svg"
_TABLES: "dict[tuple[Any, ...], _Table]" = {}


class _PageSizes(dict[str, Any]):
    """The size of the first page, and whether a length asked for it: such lengths hold for one document only."""

    asked = False

    def __getitem__(self, name: str) -> Any:
        self.asked = True
        return super().__getitem__(name)


@dataclass(slots=True, eq=False)
class _Node:
    """An element's style, those of its pseudo-elements, and the nodes of its children by what selects them."""

    style: Any
    pseudo: tuple[tuple[str | None, Any], ...]
    children: "dict[tuple[Any, ...], _Node]" = field(default_factory=dict)


@dataclass(slots=True)
class _Table:
    """All styles of one set of style sheets. `sheets` keeps them alive: keys name rules by identity."""

    sheets: tuple[Any, ...]
    sizes: _PageSizes = field(default_factory=_PageSizes)
    roots: dict[tuple[Any, ...], _Node] = field(default_factory=dict)
    pages: dict[tuple[Any, int], tuple[Any, dict[tuple[Any, Any], Any]]] = field(default_factory=dict)
    styles: int = 0


def clear() -> None:
    """Compute all styles anew: what the engine complained of must be complained of again in the next document."""
    _TABLES.clear()


def replacements() -> Iterator[Replacement]:
    """The styles of a document's elements and those of its pages."""
    from weasyprint import css
    from weasyprint.layout import page

    yield css.StyleFor, "__init__", _shared(css.StyleFor.__init__)
    yield page, "set_page_type_computed_styles", _page_styles(page.set_page_type_computed_styles)


def _shared(original: Callable[..., None]) -> Callable[..., None]:
    """The engine shares styles within a document and throws them away with it; here they outlive it."""

    def styles(self: Any, html: Any, sheets: list[Any], hints: bool, font_config: Any, targets: Any) -> None:
        if hints:
            original(self, html, sheets, hints, font_config, targets)
            return
        self.table = table = _table_of(html.base_url, sheets, font_config)
        self._cascaded_styles, self._computed_styles = {}, {}
        self.initial_page_sizes, self._sheets, self.font_config = table.sizes, sheets, font_config
        collect = targets.collect_anchor if targets else None
        _take(self, html, html.wrapper_element, None, collect)

    return styles


def _take(style_for: Any, html: Any, view: Any, parent: _Node | None, collect: Any, depth: int = 0) -> None:
    """Give an element and all below it their styles. `view` is the selectors' view of the element."""
    node, computed = _matched(style_for, html, view, parent), style_for._computed_styles
    if depth < 2:
        # The engine moves the overflow of the root or the body to the page, in the style itself.
        node.style.pop("overflow", None)
    computed[view.etree_element, None] = node.style
    for pseudo_type, style in node.pseudo:
        computed[view.etree_element, pseudo_type] = style
    if collect and node.style["anchor"]:
        collect(node.style["anchor"])
    for child in view.iter_children():
        _take(style_for, html, child, node, collect, depth + 1)


def _page_styles(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
    """The styles of a page by its place in a document, kept with those of the elements they inherit from."""

    def styles(page_type: Any, html: Any, style_for: Any) -> None:
        table = getattr(style_for, "table", None)
        if table is None:
            original(page_type, html, style_for)
            return
        computed = style_for._computed_styles
        root = computed[html.etree_element, None]
        key = page_type, id(root)
        if key not in table.pages:
            original(page_type, html, style_for)
            own = {each: style for each, style in computed.items() if each[0] == page_type}
            table.pages[key] = root, own  # the root stays alive with them: its place in memory names them
        computed.update(table.pages[key][1])

    return styles


def _table_of(base_url: str, sheets: list[Any], font_config: Any) -> _Table:
    """The table of these style sheets; a new one where page sizes were asked for, or too much was kept."""
    key = (base_url, id(font_config), *((id(sheet), origin, rank) for sheet, origin, rank in sheets))
    known = _TABLES.get(key)
    if known is None or known.sizes.asked or known.styles > STYLES:
        if len(_TABLES) >= TABLES:
            _TABLES.clear()
        known = _TABLES[key] = _Table((font_config, *sheets))
    known.sizes.update(box=None, area=None)
    return known


def _matched(style_for: Any, html: Any, view: Any, parent: _Node | None) -> _Node:
    """What is known of an element's style, computed at first sight."""
    element, selected = view.etree_element, []
    for sheet, origin, rank in style_for._sheets:
        for specificity, _, pseudo_type, (declarations, layer) in sheet.matcher.match(view):
            order = inf if layer is None else sheet.layers.index(layer)
            selected.append((declarations, origin, order, rank or specificity, pseudo_type))
    key = (_own(element), *((id(each[0]), *each[1:]) for each in selected))
    siblings = style_for.table.roots if parent is None else parent.children
    if key not in siblings:
        siblings[key] = _computed(style_for, html, element, selected, parent)
        style_for.table.styles += 1
    return siblings[key]


def _own(element: Any) -> tuple[str | None, ...]:
    """The attributes of an element that count as style declarations."""
    get = element.get
    size = (get("width"), get("height")) if element.tag == SVG else (get("name"),) if element.tag == "a" else ()
    return (get("style"), get("lang"), get("id"), *size)


def _computed(style_for: Any, html: Any, element: Any, selected: list[tuple[Any, ...]], parent: _Node | None) -> _Node:
    """A new style, and those of its pseudo-elements: cascaded as the engine does, to be computed when asked."""
    from weasyprint.css import InitialStyle, find_style_attributes, preprocess_declarations

    cascaded: dict[str | None, dict[str, Any]] = {None: {}}
    alone = SimpleNamespace(iter=lambda: iter([element]))  # asked for its own attributes only
    for rank, _, declarations, base_url in find_style_attributes(alone, False, html.base_url):
        _cascade(cascaded[None], preprocess_declarations(base_url, declarations), "author", inf, rank)
    for declarations, origin, order, rank, pseudo_type in selected:
        _cascade(cascaded.setdefault(pseudo_type, {}), declarations, origin, order, rank)
    rest = (html.base_url, style_for.font_config, style_for.table.sizes)
    above = style_for._computed_styles[html.etree_element, None] if parent else InitialStyle(style_for.font_config)
    style = _kept_style()(parent and parent.style, cascaded.pop(None), None, above, *rest)
    root = above if parent else style
    pseudo = [(name, _kept_style()(style, declared, name, root, *rest)) for name, declared in cascaded.items()]
    return _Node(style, tuple(pseudo))


def _cascade(style: dict[str, Any], declarations: Any, origin: str, order: float, rank: Any) -> None:
    """Take in declarations where nothing stronger was declared before."""
    from weasyprint.css import declaration_precedence

    for name, values, importance in declarations:
        weight = (declaration_precedence(origin, importance), order, rank)
        if name not in style or style[name][1] <= weight:
            style[name] = values, weight


@cache
def _kept_style() -> type[Any]:
    """The engine's style of an element, with a memory."""
    from weasyprint.css import AnonymousStyle, ComputedStyle

    class Kept:
        """A style that knows what follows from it."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.known: dict[Any, Any] = {}

        @cached_property
        def anonymous_style(self) -> Any:
            """The style of boxes without an element, kept with the style they inherit from."""
            return KeptAnonymous(self)

    class KeptAnonymous(Kept, AnonymousStyle):  # type: ignore[misc]
        """The style of boxes without an element."""

    class KeptStyle(Kept, ComputedStyle):  # type: ignore[misc]
        """The style of an element; its copies are the engine's own."""

    return KeptStyle
