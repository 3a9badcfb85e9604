"""Computed styles that outlive a document: elements that the same rules select under the same parent share one.

Style sheets are parsed once per process, so the rules that select an element are the same objects in every document:
together with the parent's style and the element's own attributes they say which style it is, whatever document it
stands in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any

from builder.render.engine.weasyprint.patches.kept import kinds, stock
from builder.render.engine.weasyprint.patches.kin import Kin, both

STYLES, WAYS, TABLES = 1_500, 20_000, 12
"""Styles and looks a process keeps of one set of style sheets, and of how many sets; with more it starts anew."""

LINES = 20_000
"""Lines of text a process keeps with its styles; with more it starts anew."""

SVG = "{http://www.w3.org/2000/svg}svg"
_TABLES: dict[tuple[Any, ...], Table] = {}


class PageSizes(dict[str, Any]):
    """The size of the first page, and whether a length asked for it: such lengths hold for one document only."""

    asked = False

    def __getitem__(self, name: str) -> Any:
        self.asked = True
        return super().__getitem__(name)


@dataclass(slots=True, eq=False)
class Node:
    """An element's style, those of its pseudo-elements, and the nodes of its children by what selects them."""

    style: Any
    pseudo: tuple[tuple[str | None, Any], ...]
    children: dict[tuple[Any, ...], Node] = field(default_factory=dict)
    sort: Any = None


@dataclass(slots=True, eq=False)
class Way:
    """How an element is reached: by how it looks, below elements that look so. Those reached alike have one node."""

    node: Node | None = None
    further: dict[Any, Way] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """All styles of one set of style sheets. `sheets` keeps them alive: keys name rules by identity."""

    sheets: tuple[Any, ...]
    sizes: PageSizes
    kin: Kin | None
    roots: dict[tuple[Any, ...], Node] = field(default_factory=dict)
    start: Way = field(default_factory=Way)
    pages: dict[tuple[Any, int], dict[tuple[Any, Any], Any]] = field(default_factory=dict)
    beside: dict[tuple[str, str | None], int] = field(default_factory=dict)
    styles: int = 0
    ways: int = 0


def forget() -> None:
    """Compute all styles anew: what the engine complained of must be complained of again in the next document."""
    _TABLES.clear()
    stock.clear()


def table_of(base_url: str, sheets: list[Any], font_config: Any) -> Table:
    """The table of these style sheets; a new one where page sizes were asked for, or too much was kept."""
    key = (base_url, id(font_config), *((id(sheet), origin, rank) for sheet, origin, rank in sheets))
    if stock.lines > LINES:
        forget()
    known = _TABLES.get(key)
    if known is None or known.sizes.asked or known.styles > STYLES or known.ways > WAYS:
        if len(_TABLES) >= TABLES:
            _TABLES.clear()
        kin = both([getattr(sheet, "kin", None) for sheet, _, _ in sheets])
        known = _TABLES[key] = Table((font_config, *sheets), PageSizes(), kin)
    known.sizes.update(box=None, area=None)
    return known


def matched(style_for: Any, table: Table, html: Any, element: Any, parent: Node | None) -> Node:
    """What is known of an element's style, computed at first sight. The element is the selectors' own view of one."""
    selected = []
    for sheet, origin, rank in style_for._sheets:
        for specificity, _, pseudo_type, (declarations, layer) in sheet.matcher.match(element):
            order = inf if layer is None else sheet.layers.index(layer)
            selected.append((declarations, origin, order, rank or specificity, pseudo_type))
    key = (attributes(element.etree_element), *((id(each[0]), *each[1:]) for each in selected))
    siblings = table.roots if parent is None else parent.children
    if key not in siblings:
        siblings[key] = _computed(style_for, html, element.etree_element, selected, parent, table)
        table.styles += 1
    return siblings[key]


def attributes(element: Any) -> tuple[str | None, ...]:
    """The attributes of an element that count as style declarations."""
    get = element.get
    own = (get("style"), get("lang"), get("id"))
    if element.tag == "a":
        return (*own, get("name"))
    return (*own, None, get("width"), get("height")) if element.tag == SVG else own


class _Alone:
    """One element as a tree, to be asked for its own attributes only."""

    def __init__(self, element: Any) -> None:
        self.element = element

    def iter(self) -> Iterator[Any]:
        """Yield the element."""
        yield self.element


def _computed(
    style_for: Any, html: Any, element: Any, selected: list[tuple[Any, ...]], parent: Node | None, table: Table
) -> Node:
    """A new style, and those of its pseudo-elements: cascaded as the engine does, to be computed when asked."""
    from weasyprint.css import InitialStyle, find_style_attributes, preprocess_declarations

    computed = kinds().computed
    cascaded: dict[str | None, dict[str, Any]] = {None: {}}
    for rank, _, declarations, base_url in find_style_attributes(_Alone(element), False, html.base_url):
        _cascade(cascaded[None], preprocess_declarations(base_url, declarations), "author", inf, rank)
    for declarations, origin, order, rank, pseudo_type in selected:
        _cascade(cascaded.setdefault(pseudo_type, {}), declarations, origin, order, rank)
    stock.named |= parent is not None and any("page" in declared for declared in cascaded.values())
    rest = (html.base_url, style_for.font_config, table.sizes)
    if parent is None:
        style = root = computed(None, cascaded.pop(None), None, InitialStyle(style_for.font_config), *rest)
    else:
        root = style_for._computed_styles[html.etree_element, None]
        style = computed(parent.style, cascaded.pop(None), None, root, *rest)
    pseudo = [(name, computed(style, declared, name, root, *rest)) for name, declared in cascaded.items()]
    return Node(style, tuple(pseudo))


def _cascade(style: dict[str, Any], declarations: Any, origin: str, order: float, rank: Any) -> None:
    """Take in declarations where nothing stronger was declared before."""
    from weasyprint.css import declaration_precedence

    for name, values, importance in declarations:
        weight = (declaration_precedence(origin, importance), order, rank)
        if name not in style or style[name][1] <= weight:
            style[name] = values, weight
