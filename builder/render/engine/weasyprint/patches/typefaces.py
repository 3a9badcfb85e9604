"""What the engine finds out of a font, file and all, found out once a process instead of once a document."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from builder.render.engine.weasyprint.exact import Widths

FONTS = 64
"""Fonts that a process keeps; with more it starts anew."""

_KNOWN: dict[tuple[bytes, int], Any] = {}
"""Fonts as they were met first, by description and by the address of their face, which each of them holds."""


def forget() -> None:
    """Find out all anew: when the engine's fonts are replaced by others, an address may come to mean another face."""
    _KNOWN.clear()


def font_added(original: Callable[[Any, Any], tuple[Any, float]]) -> Callable[[Any, Any], tuple[Any, float]]:
    """A font that is new to a document, but not to this process."""
    from weasyprint.pdf import stream as engine
    from weasyprint.text.ffi import ffi, pango
    from weasyprint.text.fonts import get_pango_font_hb_face, get_pango_font_key

    def add(stream: Any, pango_font: Any) -> tuple[Any, float]:
        if not getattr(engine.Font, "exact", False):
            return original(stream, pango_font)
        key, description, size = get_pango_font_key(pango_font)
        if key not in stream._fonts:
            face = int(ffi.cast("uintptr_t", get_pango_font_hb_face(pango_font)))
            name = ffi.string(pango.pango_font_description_to_string(description)), face
            if name not in _KNOWN:
                stream._fonts[key] = _learn(engine.Font(pango_font, description, size), name)
            else:
                stream._fonts[key] = _fresh(_KNOWN[name])
                stream._fonts[key].hb_font = pango.pango_font_get_hb_font(pango_font)
                stream._fonts[key].font_size = size
        return stream._fonts[key], size

    return add


def _learn(font: Any, name: tuple[bytes, int]) -> Any:
    """A font met for the first time; kept where nothing of it goes by its size."""
    odd = font.bitmap or font.png or font.svg or font.colr or font.variations
    if not odd and isinstance(font.widths, Widths):
        if len(_KNOWN) >= FONTS:
            _KNOWN.clear()
        _KNOWN[name] = _fresh(font)
    return font


def _fresh(font: Any) -> Any:
    """A font of which no document has shown a glyph yet."""
    other = copy(font)
    other.widths, other.to_unicode, other.missing, other.variations = Widths(font.widths.advances), {}, {}, {}
    return other
