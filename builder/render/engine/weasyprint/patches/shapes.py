"""Drawing shapes for the first time: what the engine reads of each again and again."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Any

PATHS = 2_000
"""Drawn paths that a process keeps; with more different ones it starts anew."""

WORDS = 1_000
"""Colours and transformations that a process keeps."""

_UNITS = re.compile(r"[^\s\d.,+\-eEachlmqstvzACHLMQSTVZ]|[eE](?![-+\d])")
"""What makes a path depend on more than its own numbers: units and percentages."""

_MARKERS = ("marker", "marker-start", "marker-mid", "marker-end")


def path_drawn(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
    """A path that was drawn before, by any face: the same operators, without reading its numbers again."""
    known: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}

    def draw(svg: Any, node: Any, font_size: Any) -> None:
        text = node.get("d", "")
        if text in known:
            operators, vertices = known[text]
            svg.stream.stream.extend(operators)
            node.vertices.extend(vertices)
            return
        drawn, met = len(svg.stream.stream), len(node.vertices)
        original(svg, node, font_size)
        if _UNITS.search(text):
            return
        if len(known) >= PATHS:
            known.clear()
        known[text] = tuple(svg.stream.stream[drawn:]), tuple(node.vertices)[met:]

    return draw


def markers_drawn(original: Callable[..., None]) -> Callable[..., None]:
    """No markers: the corners of a shape are of no use."""

    def draw(svg: Any, node: Any, font_size: Any, fill_stroke: bool) -> None:
        if any(name in node.attrib for name in _MARKERS):
            original(svg, node, font_size, fill_stroke)
        else:
            node.vertices.clear()

    return draw


def address_read(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """No address at all, as most are."""
    nothing = original(None)

    def read(url: Any) -> Any:
        return original(url) if url else nothing

    return read


def size_read(original: Callable[..., float]) -> Callable[..., float]:
    """A length that is a number."""

    def read(string: Any, font_size: Any = None, percentage_reference: Any = None) -> float:
        try:
            return float(string) if string else 0
        except ValueError:
            return original(string, font_size, percentage_reference)

    return read


def color_read(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A colour that was read before, as a copy: shapes make theirs fainter."""
    known = lru_cache(WORDS)(original)
    return lambda string: copy(known(string))


def transform_read(original: Callable[..., Any]) -> Callable[..., Any]:
    """A transformation that was read before."""
    return lru_cache(WORDS)(original)
