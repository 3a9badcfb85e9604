"""Lines of text that were broken before.

Labels and numbers come again on every card, and all of a face each time a block of it is set smaller. What is kept of
a line is what the engine keeps of it: numbers and its text, no object of the text library.
"""

from collections.abc import Callable, Iterator
from math import inf, nan
from operator import itemgetter
from typing import Any, TypeAlias

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

LINES = 4_000
"""Lines of text a process keeps of one look; with more it starts anew."""

WRAPPING = ("normal", "pre-wrap", "pre-line")

LOOK = (
    *("font_family", "font_size", "font_style", "font_stretch", "font_weight", "lang", "letter_spacing"),
    *("word_spacing", "overflow_wrap", "word_break", "direction", "hyphens", "text_decoration_line", "font_kerning"),
    *("font_variant_ligatures", "font_variant_position", "font_variant_caps", "font_variant_numeric"),
    *("font_variant_alternates", "font_variant_east_asian", "font_feature_settings", "font_variation_settings"),
    *("font_language_override", "white_space", "hyphenate_limit_chars", "hyphenate_limit_zone"),
    *("hyphenate_character", "tab_size"),
)
"""What a text's lines depend on."""

_values = itemgetter(*LOOK)

Lines: TypeAlias = dict[tuple[Any, ...], tuple[dict[str, Any], list[Any], float]]
"""Lines by text and room: what the engine keeps of each, its numbers, the room from which on it is all of the text."""

_LOOKS: dict[tuple[Any, str], Lines] = {}


def clear() -> None:
    """Break all lines anew. Styles hold on to the lines of their look: these are emptied, not exchanged."""
    for lines in _LOOKS.values():
        lines.clear()


def replacements() -> Iterator[Replacement]:
    """The first line of a text, and what follows from its style alone."""
    from weasyprint.text import line_break

    yield from everywhere(line_break.split_first_line, _first_line(line_break.split_first_line))
    yield from everywhere(line_break.strut, _once_a_style(line_break.strut))
    yield line_break, "get_font_description", _once_a_style(line_break.get_font_description)


def _first_line(original: Callable[..., Any]) -> Callable[..., Any]:
    """Each caller gets a copy, since justifying and drawing write to it."""
    from weasyprint.text.line_break import Layout

    def split(text: str, style: Any, context: Any, max_width: float | None, spacing: float, **more: bool) -> Any:
        if not hasattr(style, "known"):
            return original(text, style, context, max_width, spacing, **more)
        lines, key = _lines_of(style), (text, max_width, spacing, *more.items())
        room = max_width if max_width is not None and style["white_space"] in WRAPPING else inf
        kept = lines.get((text, spacing))
        if kept is None or not kept[2] <= room:
            kept = lines.get(key)
        if kept is None:
            if len(lines) >= LINES:
                lines.clear()
            layout, *numbers = original(text, style, context, max_width, spacing, **more)
            kept = layout.__dict__, numbers, _whole(text, style, layout, numbers)
            lines[(text, spacing) if kept[2] <= room else key] = kept
        layout = Layout.__new__(Layout)
        layout.__dict__.update(kept[0])
        layout.max_width, layout.justification_spacing = max_width, spacing
        return layout, *kept[1]

    return split


def _lines_of(style: Any) -> Lines:
    """The lines of all texts that look as in this style."""
    if "lines" not in style.known:
        style.known["lines"] = _LOOKS.setdefault((style.font_config, repr(_values(style))), {})
    return style.known["lines"]  # type: ignore[no-any-return]


def _whole(text: str, style: Any, layout: Any, numbers: list[Any]) -> float:
    """The room from which on a text is this one line: none where the line is not all of the text."""
    _, resume, width, *_ = numbers
    if resume is not None or layout.text != text:
        return nan
    spacing = style["letter_spacing"]
    return width if spacing == "normal" else max(width, width - spacing)  # type: ignore[no-any-return]


def _once_a_style(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What follows from a style alone and is never written to: an empty line's height, the font to ask for."""

    def answer(style: Any) -> Any:
        if not hasattr(style, "known"):
            return original(style)
        if original not in style.known:
            style.known[original] = original(style)
        return style.known[original]

    return answer
