"""Drawings that were drawn before, by any face, are replayed, and so are the paths of others.

The same markup at the same size gives the same operators.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from builder.render.engine.weasyprint.patches.replacing import Replacement

FIGURES, PATHS = 200, 2_000
"""Drawings and paths that a process keeps; with more different ones it starts anew."""
_UNITS = re.compile(r"[^\s\d.,+\-eEachlmqstvzACHLMQSTVZ]|[eE](?![-+\d])")
"""What makes a path depend on more than its own numbers: units and percentages."""

_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = ("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "title", "desc")
_PLAIN = frozenset(_SVG + name for name in _SHAPES)
"""Elements that draw on nothing but their own attributes."""
_STATE = ("_current_color", "_current_color_stroke", "_current_alpha", "_current_alpha_stroke")
"""What a stream knows of its colours: a drawing sets none that are set already."""

Figure: TypeAlias = tuple[tuple[bytes, ...], dict[str, dict[str, float]]]
"""The operators of a drawing, and the opacities they name."""

_KEPT: dict[tuple[Any, ...], Figure] = {}
_PATHS: dict[str, tuple[list[Any], list[Any]]] = {}


def clear() -> None:
    """Draw all anew: what the engine complained of must be complained of again."""
    _KEPT.clear()
    _PATHS.clear()


def replacements() -> Iterator[Replacement]:
    """The drawing of an SVG image, and the table of what draws its elements."""
    from weasyprint import svg

    yield svg.SVG, "draw", _replayed(svg.SVG.draw)
    yield svg, "TAGS", {**svg.TAGS, "path": _path(svg.TAGS["path"])}


def _path(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
    """A path that was drawn before: the same operators, without reading its numbers again."""

    def draw(svg: Any, node: Any, font_size: Any) -> None:
        text, stream = node.get("d", ""), svg.stream.stream
        if text in _PATHS:
            operators, vertices = _PATHS[text]
            stream.extend(operators)
            node.vertices.extend(vertices)
            return
        drawn, met = len(stream), len(node.vertices)
        original(svg, node, font_size)
        if not _UNITS.search(text):
            if len(_PATHS) >= PATHS:
                _PATHS.clear()
            _PATHS[text] = stream[drawn:], list(node.vertices)[met:]

    return draw


def _replayed(original: Callable[..., None]) -> Callable[..., None]:
    """A plain drawing: replayed wherever it is known."""

    def draw(svg: Any, stream: Any, width: float, height: float, base_url: Any, context: Any) -> None:
        root = svg.tree._etree_node
        key = (_markup(root), width, height, *(getattr(stream, name) for name in _STATE))
        if key in _KEPT:
            _replay(stream, _KEPT[key])
            return
        start, outside = len(stream.stream), stream.ctm
        original(svg, stream, width, height, base_url, context)
        ended = stream.ctm is outside and all(getattr(stream, name) is None for name in _STATE)
        if ended and _plain(root) and (figure := _figure(stream, start)):
            if len(_KEPT) >= FIGURES:
                _KEPT.clear()
            _KEPT[key] = figure

    return draw


def _markup(element: Any) -> tuple[Any, ...]:
    """All that the drawing of an element of plain shapes depends on."""
    return (element.tag, *element.attrib.items(), *map(_markup, element))


def _plain(root: Any) -> bool:
    """True if a drawing has shapes only, and draws on no gradient, picture or other file."""
    return all(
        element.tag in _PLAIN and not any("url(" in value for value in element.attrib.values())
        for element in root.iter()
    )


def _figure(stream: Any, start: int) -> Figure | None:
    """What a stream holds from a place on; None where it names anything but opacities."""
    operators, states = tuple(stream.stream[start:]), stream._resources["ExtGState"]
    named = dict.fromkeys(operator for operator in operators if b"/" in operator)
    names = [operator.removeprefix(b"/").removesuffix(b" gs").decode() for operator in named]
    if all(name in states and states[name].keys() <= {"ca", "CA"} for name in names):
        return operators, {name: dict(states[name]) for name in names}
    return None


def _replay(stream: Any, figure: Figure) -> None:
    """Draw what was drawn before; it ends with the colours of the drawing forgotten."""
    import pydyf

    operators, opacities = figure
    stream.stream += operators
    states = stream._resources["ExtGState"]
    for name, state in opacities.items():
        states.setdefault(name, pydyf.Dictionary(state))
    for name in (*_STATE, "_current_font"):
        setattr(stream, name, None)
