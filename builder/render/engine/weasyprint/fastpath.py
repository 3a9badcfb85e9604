"""Shorter ways through the engine for what cards ask of it most often. Same results, to the byte.

These replace private functions, hence only in the very version they were tried with (slim.TRIED_WITH), only while a
batch is set, and a test compares the results with and without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from builder.render.engine.weasyprint import mended
from builder.render.engine.weasyprint.patches.blocks import collapsed, formatting_context, page_name, page_values
from builder.render.engine.weasyprint.patches.boxes import box_backgrounds, by_style, margin_boxes
from builder.render.engine.weasyprint.patches.figures import figure_drawn
from builder.render.engine.weasyprint.patches.glyphs import line_drawn
from builder.render.engine.weasyprint.patches.ink import text_drawn
from builder.render.engine.weasyprint.patches.lengths import adjusted, one_percentage, percentages
from builder.render.engine.weasyprint.patches.lines import line_place, next_line
from builder.render.engine.weasyprint.patches.pages import late_page, metadata, searched, sheets_inside
from builder.render.engine.weasyprint.patches.painting import border_drawn, gathered, inline_drawn, outline_drawn
from builder.render.engine.weasyprint.patches.reading import reader
from builder.render.engine.weasyprint.patches.shaped import deactivated, reactivated
from builder.render.engine.weasyprint.patches.shapes import (
    address_read,
    color_read,
    markers_drawn,
    path_drawn,
    size_read,
    transform_read,
)
from builder.render.engine.weasyprint.patches.stacks import children_dispatched, dispatched
from builder.render.engine.weasyprint.patches.styles import page_styles, shared_styles
from builder.render.engine.weasyprint.patches.text import breakable, first_line, once_a_style
from builder.render.engine.weasyprint.patches.trees import element_boxes, structure, transformed, whitespace
from builder.render.engine.weasyprint.patches.typefaces import font_added
from builder.render.engine.weasyprint.replaced import everywhere


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
    mended.install()
    import tinyhtml5
    from tinyhtml5 import inputstream
    from weasyprint import css, document
    from weasyprint.formatting_structure import build
    from weasyprint.formatting_structure.boxes import Box, PageBox, ParentBox, TextBox
    from weasyprint.layout import background, block, inline, page, percent, preferred
    from weasyprint.layout import float as float_
    from weasyprint.text import line_break

    table = "characters_until_regex"
    patterns = [(inputstream, table, _Patterns())] if hasattr(inputstream, table) else []
    return (
        *patterns,
        (tinyhtml5, "parse", reader(tinyhtml5.parse)),
        (document, "Page", late_page(document.Page)),
        (PageBox, "descendants", searched(PageBox.descendants)),
        (document, "get_html_metadata", metadata(document.get_html_metadata)),
        (css, "find_stylesheets", sheets_inside(css.find_stylesheets)),
        (page, "set_page_type_computed_styles", page_styles(page.set_page_type_computed_styles)),
        (css.StyleFor, "__init__", shared_styles(css.StyleFor.__init__)),
        *everywhere(build.build_formatting_structure, structure),
        *everywhere(build.element_to_box, element_boxes),
        (TextBox, "process_whitespace", whitespace(TextBox.process_whitespace)),
        (TextBox, "process_text_transform", transformed(TextBox.process_text_transform)),
        (ParentBox, "page_values", page_values(ParentBox.page_values)),
        *everywhere(block.block_level_page_name, page_name),
        *everywhere(block.collapse_margin, collapsed),
        (Box, "establishes_formatting_context", formatting_context(Box.establishes_formatting_context)),
        *everywhere(percent.resolve_one_percentage, one_percentage),
        *everywhere(percent.resolve_percentages, percentages),
        *everywhere(preferred.adjust, adjusted),
        *((Box, name, by_style(getattr(Box, name))) for name in ("is_floated", "is_in_normal_flow")),
        *everywhere(background.layout_box_backgrounds, box_backgrounds),
        *everywhere(page.make_margin_boxes, margin_boxes),
        *everywhere(line_break.split_first_line, first_line),
        *everywhere(line_break.strut, once_a_style),
        *everywhere(line_break.can_break_text, breakable),
        *everywhere(float_.avoid_collisions, line_place),
        *everywhere(inline.get_next_linebox, next_line),
        (line_break, "get_font_description", once_a_style(line_break.get_font_description)),
        *_drawing(),
    )


def _drawing() -> tuple[tuple[Any, str, Any], ...]:
    """What is replaced of drawing what was laid out."""
    from weasyprint import document, draw, stacking, svg
    from weasyprint.draw import border, text
    from weasyprint.pdf import stream
    from weasyprint.pdf.fonts import Font
    from weasyprint.svg import utils
    from weasyprint.text import line_break

    return (
        (document, "gather_anchors", gathered(document.gather_anchors)),
        (stacking, "_dispatch", dispatched(stacking._dispatch)),
        (stacking, "_dispatch_children", children_dispatched(stacking._dispatch_children)),
        *everywhere(border.draw_border, border_drawn),
        *everywhere(border.draw_outline, outline_drawn),
        *everywhere(draw.draw_inline_level, inline_drawn),
        *everywhere(text.draw_text, text_drawn),
        *everywhere(text.draw_first_line, line_drawn),
        (line_break.Layout, "deactivate", deactivated(line_break.Layout.deactivate)),
        (line_break.Layout, "reactivate", reactivated(line_break.Layout.reactivate)),
        (stream.Stream, "add_font", font_added(stream.Stream.add_font)),
        (Font, "clean", _no_program),
        (svg.SVG, "draw", figure_drawn(svg.SVG.draw)),
        (svg.SVG, "draw_markers", markers_drawn(svg.SVG.draw_markers)),
        (svg, "TAGS", {**svg.TAGS, "path": path_drawn(svg.TAGS["path"])}),
        *everywhere(utils.parse_url, address_read),
        *everywhere(utils.size, size_read),
        *everywhere(utils.color, color_read),
        *everywhere(utils.transform, transform_read),
    )


def _no_program(font: Any, _letters: Any, _hinting: Any) -> None:
    """No font program in a face's own file: records name their fonts, documents embed them once."""
    font.file_content = b""


class _Patterns(dict[tuple[Any, bool], re.Pattern[str]]):
    """What the HTML reader searches for, compiled once: its own table files each pattern under a wrong key."""

    def __missing__(self, key: tuple[Any, bool]) -> re.Pattern[str]:
        letters, only_these = key
        inside = "".join(f"\\x{ord(letter):02x}" for letter in letters)
        pattern = self[key] = re.compile(f"[{'' if only_these else '^'}{inside}]+")
        return pattern
