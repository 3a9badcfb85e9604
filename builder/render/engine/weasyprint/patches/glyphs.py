"""Drawing a line of text: its glyphs read at once, and each written as it was written before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

from builder.render.engine.weasyprint.exact import Widths
from builder.render.engine.weasyprint.patches.shaped import apart, to_draw

SIZES = 500
"""Type sizes of fonts whose glyphs a process keeps as they are written; with more it starts anew."""

TINY = 1e-6
"""The smallest type size that is drawn."""

PANGO = 14802
"""Before this version the text library told sizes of fonts that are not those it used."""

_PIECES: dict[tuple[int, float], _Pieces] = {}


@dataclass(slots=True)
class Shown:
    """What a stream has drawn of fonts: those it met by their address, and the glyphs shown of each by its name.

    A font keeps its address as long as a line has it: one such line is held. `whole` until anything was drawn another
    way.
    """

    met: dict[Any, tuple[Any, float, _Pieces | None]] = field(default_factory=dict)
    held: list[Any] = field(default_factory=list)
    glyphs: dict[str, set[int]] = field(default_factory=dict)
    whole: bool = True


def shown_by(stream: Any) -> Shown:
    """What a stream has drawn of fonts so far."""
    if not hasattr(stream, "shown"):
        stream.shown = Shown()
    found: Shown = stream.shown
    return found


class Unusual(Exception):
    """A glyph that is missing, lifted, or a picture: the engine draws its line."""


Glyph = tuple[int, int, int, int]
"""A glyph as the text library has it: its number, its advance, and how far it is moved and lifted."""

_GLYPHS = Struct("=4i4x")


class _Pieces(dict[Glyph, str]):
    """A font's glyphs at one size as they are written, by all that the text library tells of them."""

    def __init__(self, advances: tuple[int, ...], size: float) -> None:
        super().__init__()
        self.advances, self.size = advances, size

    def __missing__(self, key: Glyph) -> str:
        from weasyprint.text.ffi import FROM_UNITS

        glyph, width, moved, lifted = key
        if lifted or glyph >= len(self.advances):
            raise Unusual
        offset = moved / self.size
        kerning = self.advances[glyph] + offset - width * 1000 * FROM_UNITS / self.size
        before, after = f">{-offset}<" if offset else "", f">{int(kerning)}<" if kerning else ""
        text = self[key] = f"{before}{glyph:04x}{after}"
        return text


Run = tuple[Any, Any, Any, float, set[int], str]
"""Glyphs of one font next to each other: the text library's item and font, the engine's font, its size, the glyphs'
numbers, and how they are written.
"""


def line_drawn(original: Callable[..., Any]) -> Callable[..., Any]:
    """Plain lines: no glyph lifted or missing, none that is a picture. All others as before."""
    from weasyprint.text.ffi import pango

    if pango.pango_version() < PANGO:
        return original

    def draw(stream: Any, textbox: Any, text_overflow: str, block_ellipsis: Any, matrix: Any) -> Any:
        if not textbox.text.strip() or textbox.style["font_size"] < TINY:
            return []
        layout = textbox.pango_layout
        try:
            if text_overflow == "ellipsis" or block_ellipsis != "none":
                raise Unusual
            runs = read(stream, layout)
        except Unusual:
            shown_by(stream).whole = False
            apart(layout)
            return original(stream, textbox, text_overflow, block_ellipsis, matrix)
        stream.set_text_matrix(*matrix.values)
        write(stream, layout, runs)
        return []

    return draw


def read(stream: Any, layout: Any) -> list[Run]:
    """The glyphs of a line. Raises Unusual where they are not plain."""
    from weasyprint.text.ffi import ffi

    runs = []
    shown = shown_by(stream)
    run = to_draw(layout).runs[0]
    while run != ffi.NULL:
        item, run = run.data, run.next
        string, of = item.glyphs, item.item.analysis.font
        if of not in shown.met:
            _meet(stream, of, layout, shown)
        font, size, pieces = shown.met[of]
        if pieces is None:
            raise Unusual
        keys = list(_GLYPHS.iter_unpack(ffi.buffer(string.glyphs, string.num_glyphs * _GLYPHS.size)))
        text = "".join(map(pieces.__getitem__, keys))
        runs.append((item, of, font, size, {key[0] for key in keys}, text))
    return runs


def _meet(stream: Any, of: Any, layout: Any, shown: Shown) -> None:
    """Take in a font, with its glyphs as they are written; without these where it is not plain."""
    font, size = stream.add_font(of)
    plain = isinstance(font.widths, Widths) and not (font.bitmap or font.png or font.svg or font.colr)
    shown.met[of] = font, size, _pieces(font.widths.advances, size) if plain else None
    shown.held.append(layout.layout)


def _pieces(advances: tuple[int, ...], size: float) -> _Pieces:
    """A font's glyphs at one size as they are written."""
    key = id(advances), size
    if key not in _PIECES:
        if len(_PIECES) >= SIZES:
            _PIECES.clear()
        _PIECES[key] = _Pieces(advances, size)
    return _PIECES[key]


def write(stream: Any, layout: Any, runs: list[Run]) -> None:
    """Show the glyphs of a line, and note them."""
    string, last, noted = "", None, stream.shown.glyphs
    for item, of, font, size, glyphs, text in runs:
        if of != last:
            if string:
                stream.show_text(string)
            string, last = "", of
            stream.set_font_size(font.hash, size)
        # Empty strings of glyphs are left out, as are those after a kerning.
        string = f"{string}<{text}>".removesuffix("<>")
        noted.setdefault(font.hash, set()).update(glyphs)
        if not font.to_unicode.keys() >= glyphs:
            _learn(item, font, layout.text.encode())
    stream.stream.append(b"[%b] TJ" % string.encode())


def _learn(run: Any, font: Any, text: bytes) -> None:
    """Note which letters the glyphs of a run are that the document shows for the first time."""
    item, clusters, count = run.item, run.glyphs.log_clusters, run.glyphs.num_glyphs
    for index in range(count):
        glyph = run.glyphs.glyphs[index].glyph
        if glyph in font.to_unicode or glyph not in font.widths:
            continue
        if item.analysis.level % 2:  # from right to left
            end = item.length if index == 0 else clusters[index - 1]
        else:
            end = item.length if index == count - 1 else clusters[index + 1]
        font.to_unicode[glyph] = text[item.offset + clusters[index] : item.offset + end].decode()
