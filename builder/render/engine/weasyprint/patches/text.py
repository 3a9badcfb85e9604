"""Lines of text, from what is known of their words, or that were broken before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, nan
from operator import itemgetter
from typing import Any

from builder.render.engine.weasyprint.patches.faces import FONT, Face, face_of
from builder.render.engine.weasyprint.patches.kept import stock
from builder.render.engine.weasyprint.patches.letters import NORMAL

_UNDECORATED = {"first_line_direction": 0, "ascent": None, "underline_position": None, "strikethrough_position": None}
"""What the engine keeps of a line that runs from left to right and bears no other."""

_LOOK = (
    *FONT,
    *NORMAL,
    "white_space",
    "hyphenate_limit_chars",
    "hyphenate_limit_zone",
    "hyphenate_character",
    "tab_size",
)
"""What a text's lines depend on."""

_values = itemgetter(*_LOOK)


@dataclass(slots=True)
class _Look:
    """What is known of texts of one look: their font, whether they wrap, and the lines broken before."""

    face: Face | None
    wraps: bool
    lines: dict[tuple[Any, ...], tuple[dict[str, Any], list[Any], float]] = field(default_factory=dict)


def first_line(original: Callable[..., Any]) -> Callable[..., Any]:
    """The line that begins a text: added up from its words where they stand by themselves (see `faces`), else as it was
    found before. Labels and numbers come again on every card, and all of a face each time a block of it is set smaller.

    What is kept of a line is what the engine keeps of it: numbers and its text, no object of the text library. Each
    caller gets a copy, since justifying and drawing write to it.
    """
    from weasyprint.text.line_break import Layout

    def split(
        text: str,
        style: Any,
        context: Any,
        max_width: float | None,
        justification_spacing: float,
        is_line_start: bool = True,
        minimum: bool = False,
    ) -> tuple[Any, ...]:
        rest = (max_width, justification_spacing, is_line_start, minimum)
        known = getattr(style, "known", None)
        if known is None:
            return original(text, style, context, *rest)  # type: ignore[no-any-return]
        if "look" not in known:
            known["look"] = _look(style)
        look = known["look"]
        room = max_width if look.wraps and max_width is not None else inf
        line = look.face.line(text, room) if look.face is not None else None
        if line is not None:
            words, *numbers = line
            layout = _copy(Layout, _UNDECORATED, words, max_width, justification_spacing)
            layout.ruler = look.face.ruler, style
            return layout, *numbers
        key: tuple[Any, ...] = (text, justification_spacing)
        kept = look.lines.get(key)
        if kept is None or not kept[2] <= room:
            key = (text, *rest)
            kept = look.lines.get(key)
        if kept is None:
            layout, *numbers = original(text, style, context, *rest)
            kept = layout.__dict__, numbers, _whole(text, style, layout, numbers)
            look.lines[key[:2] if kept[2] <= room else key] = kept
            stock.lines += 1
        return _copy(Layout, kept[0], kept[0]["text"], max_width, justification_spacing), *kept[1]

    return split


def _look(style: Any) -> _Look:
    """What is known of all texts that look as in this style: of this style alone where it bears decorations (sets)."""
    key = style.font_config, *_values(style)
    try:
        look = stock.looks.get(key)
    except TypeError:
        return _new_look(style)
    if look is None:
        look = stock.looks[key] = _new_look(style)
    return look


def _new_look(style: Any) -> _Look:
    return _Look(face_of(style), style["white_space"] in ("normal", "pre-wrap", "pre-line"))


def _copy(kind: Any, kept: dict[str, Any], text: str, max_width: float | None, justification_spacing: float) -> Any:
    """A line's layout, of what the engine keeps of it."""
    layout = kind.__new__(kind)
    layout.__dict__.update(kept)
    layout.text, layout.max_width, layout.justification_spacing = text, max_width, justification_spacing
    return layout


def _whole(text: str, style: Any, layout: Any, numbers: list[Any]) -> float:
    """The room from which on a text is this one line: none where the line is not all of the text."""
    _, resume, width, *_ = numbers
    if resume is not None or layout.text != text:
        return nan
    spacing = style["letter_spacing"]
    return width if spacing == "normal" else max(width, width - spacing)  # type: ignore[no-any-return]


def once_a_style(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What follows from a style alone and is never written to: an empty line's height, the font to ask for."""

    def answer(style: Any) -> Any:
        try:
            return style.known[original]
        except AttributeError:
            return original(style)
        except KeyError:
            found = style.known[original] = original(style)
            return found

    return answer


def breakable(original: Callable[[str, Any], bool]) -> Callable[[str, Any], bool]:
    """Whether a line may end between two letters: asked wherever two boxes of a line meet, of the same few pairs."""
    pairs = lru_cache(maxsize=4_096)(original)

    def answer(text: str, lang: Any) -> bool:
        return pairs(text, lang) if len(text) == 2 else original(text, lang)

    return answer
