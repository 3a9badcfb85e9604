"""Shorter ways through the engine for what cards ask of it most often. Same results, a quarter less time.

These replace private functions, hence only in the very version they were tried with (slim.TRIED_WITH), only while a
batch is set, and a test compares the results with and without.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from builder.render.fast.boxes import box_backgrounds, by_style, margin_boxes
from builder.render.fast.lengths import one_percentage, percentages
from builder.render.fast.reading import reader
from builder.render.fast.styles import shared_styles
from builder.render.fast.text import first_line, once_a_style

PATHS = 2_000
"""Drawn paths that a process keeps; with more different ones it starts anew."""

_UNITS = re.compile(r"[^\s\d.,+\-eEachlmqstvzACHLMQSTVZ]|[eE](?![-+\d])")
"""What makes a path depend on more than its own numbers: units and percentages."""


@contextmanager
def fast(wanted: bool) -> Iterator[None]:
    """Take the shorter ways meanwhile."""
    if not wanted:
        yield
        return
    patches = _patches()
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in patches]
    for owner, name, shorter in patches:
        setattr(owner, name, shorter)
    try:
        yield
    finally:
        for owner, name, original in kept:
            setattr(owner, name, original)


@cache
def _patches() -> tuple[tuple[Any, str, Any], ...]:
    """What is replaced: owner, name, replacement."""
    import tinyhtml5
    from tinyhtml5 import inputstream
    from weasyprint import svg
    from weasyprint.css import StyleFor
    from weasyprint.formatting_structure.boxes import Box
    from weasyprint.layout import background, page, percent
    from weasyprint.pdf.fonts import Font
    from weasyprint.text import line_break

    table = "characters_until_regex"
    patterns = [(inputstream, table, _Patterns())] if hasattr(inputstream, table) else []
    return (
        *patterns,
        (tinyhtml5, "parse", reader(tinyhtml5.parse)),
        (StyleFor, "__init__", shared_styles(StyleFor.__init__)),
        *_everywhere(percent.resolve_one_percentage, one_percentage),
        *_everywhere(percent.resolve_percentages, percentages),
        *((Box, name, by_style(getattr(Box, name))) for name in ("is_floated", "is_in_normal_flow")),
        *_everywhere(background.layout_box_backgrounds, box_backgrounds),
        *_everywhere(page.make_margin_boxes, margin_boxes),
        *_everywhere(line_break.split_first_line, first_line),
        *_everywhere(line_break.strut, once_a_style),
        (line_break, "get_font_description", once_a_style(line_break.get_font_description)),
        (Font, "clean", _no_program),
        (svg, "TAGS", {**svg.TAGS, "path": _path(svg.TAGS["path"])}),
    )


def _everywhere(function: Callable[..., Any], shorter: Callable[[Any], Any]) -> Iterator[tuple[Any, str, Any]]:
    """A function under its name in every module of the engine that imported it."""
    replacement = shorter(function)
    for name, module in list(sys.modules.items()):
        if name.startswith("weasyprint.") and getattr(module, function.__name__, None) is function:
            yield module, function.__name__, replacement


def _no_program(font: Any, _letters: Any, _hinting: Any) -> None:
    """No font program in a face's own file: records name their fonts, documents embed them once."""
    font.file_content = b""


def _path(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
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


class _Patterns(dict[tuple[Any, bool], re.Pattern[str]]):
    """What the HTML reader searches for, compiled once: its own table files each pattern under a wrong key."""

    def __missing__(self, key: tuple[Any, bool]) -> re.Pattern[str]:
        letters, only_these = key
        inside = "".join(f"\\x{ord(letter):02x}" for letter in letters)
        pattern = self[key] = re.compile(f"[{'' if only_these else '^'}{inside}]+")
        return pattern
