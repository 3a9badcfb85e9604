"""Drawing a box of text: most have a colour, and neither a line under them nor one through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.patches.glyphs import TINY, Unusual, read, write

_LINES = frozenset({"underline", "overline", "line-through"})


class Ink(NamedTuple):
    """A colour as streams know it: its opacity, their names for both, and the operator that sets it."""

    alpha: float
    alpha_name: str
    name: tuple[Any, ...]
    operator: bytes


def text_drawn(original: Callable[..., None]) -> Callable[..., None]:
    """Plain text in one colour. All other as before."""
    from pydyf import _to_bytes

    def draw(stream: Any, textbox: Any, offset_x: float, text_overflow: str, block_ellipsis: Any = "none") -> None:
        known = getattr(textbox.style, "known", {})
        if "ink" not in known:
            known["ink"] = _ink(textbox.style)
        ink, line = known["ink"], textbox.pango_layout
        if ink is None or text_overflow == "ellipsis" or block_ellipsis != "none":
            original(stream, textbox, offset_x, text_overflow, block_ellipsis)
            return
        runs = None
        if textbox.text.strip():
            line.reactivate(textbox.style)
            try:
                runs = read(stream, line)
            except Unusual:
                line.deactivate()
                original(stream, textbox, offset_x, text_overflow, block_ellipsis)
                return
        _set(stream, ink)
        stream.begin_text()
        if runs is not None:
            x, y = textbox.position_x, textbox.position_y + textbox.baseline
            stream.stream.append(b"1 0 0 -1 %b %b Tm" % (_to_bytes(x), _to_bytes(y)))
            write(stream, line, runs)
            line.deactivate()
        stream.end_text()

    return draw


def _ink(style: Any) -> Ink | None:
    """The colour of plain text; None where text is hidden, has lines, or a colour of another space."""
    import pydyf

    color = style["color"]
    hidden = style["visibility"] != "visible" or style["font_size"] < TINY
    if hidden or not _LINES.isdisjoint(style["text_decoration_line"]) or color.space not in {"srgb", "hsl", "hwb"}:
        return None
    *channels, alpha = color
    stream = pydyf.Stream()
    stream.set_color_rgb(*color.to("srgb").coordinates)
    return Ink(alpha, f"a{alpha}", (color.space, *channels), stream.stream[0])


def _set(stream: Any, ink: Ink) -> None:
    """Make a colour the one a stream fills with, unless it is."""
    if stream._current_alpha != ink.alpha_name:
        stream.set_alpha(ink.alpha)
    if stream._current_color != ink.name:
        stream._current_color = ink.name
        stream.stream.append(ink.operator)
