"""Measuring texts on one line: what the engine does too, but with one layout of the text library for all of them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Extent(NamedTuple):
    """How large a text is on one line: width, height and baseline, in units of the text library."""

    width: int
    height: int
    baseline: int


class Ruler:
    """Measures texts in a font at a size, with so much space between letters."""

    def __init__(self, style: Any, spacing: int) -> None:
        from weasyprint.text.ffi import ffi, pango
        from weasyprint.text.line_break import Layout

        self._pango, self._ffi, self._layout = pango, ffi, Layout(style).layout
        self._rectangle = ffi.new("PangoRectangle *")
        if spacing:
            attributes = ffi.gc(pango.pango_attr_list_new(), pango.pango_attr_list_unref)
            pango.pango_attr_list_insert(attributes, pango.pango_attr_letter_spacing_new(spacing))
            pango.pango_layout_set_attributes(self._layout, attributes)

    def extent(self, text: str) -> Extent | None:
        """The extent of a text; None where it does not run from left to right."""
        line = self._line(text)
        if line.resolved_dir:
            return None
        rectangle = self._rectangle
        self._pango.pango_layout_line_get_extents(line, self._ffi.NULL, rectangle)
        return Extent(rectangle.width, rectangle.height, self._pango.pango_layout_get_baseline(self._layout))

    def shaped(self, text: str) -> Any:
        """The layout of a text, until another is measured."""
        self._line(text)
        return self._layout

    def family(self) -> str:
        """The family of the font that letters are really taken from."""
        pango, line = self._pango, self._line("x")
        found = pango.pango_font_describe_with_absolute_size(line.runs.data.item.analysis.font)
        family = self._ffi.string(pango.pango_font_description_get_family(found)).decode()
        pango.pango_font_description_free(found)
        return str(family)

    def _line(self, text: str) -> Any:
        letters = text.encode()
        self._pango.pango_layout_set_text(self._layout, letters, len(letters))
        return self._pango.pango_layout_get_line_readonly(self._layout, 0)
