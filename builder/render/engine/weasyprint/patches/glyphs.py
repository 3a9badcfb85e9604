"""Texts that were drawn before are drawn again without the text library.

The same text in the same look is the same glyphs: labels and numbers on every card.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere
from builder.render.engine.weasyprint.patches.texts import look_of
from builder.render.engine.weasyprint.patches.widths import Widths


class Run(NamedTuple):
    """Glyphs of one font: its key and size, the operators that show them, and what each glyph stands for."""

    font: int
    size: float
    operators: tuple[bytes, ...]
    letters: dict[int, str]


def replacements() -> Iterator[Replacement]:
    """The drawing of a text box."""
    from weasyprint.draw import text

    yield from everywhere(text.draw_text, _replayed(text.draw_text))


def _replayed(original: Callable[..., None]) -> Callable[..., None]:
    """Plain text without decoration: replayed wherever it and its fonts are known."""
    from weasyprint.draw import text as drawing
    from weasyprint.matrix import Matrix

    def draw(stream: Any, box: Any, offset_x: float, text_overflow: str, block_ellipsis: Any) -> None:
        style, layout = box.style, box.pango_layout
        plain = style["text_decoration_line"] == "none" and style["visibility"] == "visible" and box.text.strip()
        if not plain or text_overflow == "ellipsis" or block_ellipsis != "none" or not hasattr(style, "known"):
            original(stream, box, offset_x, text_overflow, block_ellipsis)
            return
        x, y = box.position_x, box.position_y + box.baseline
        matrix = Matrix(d=-1, e=x, f=y)
        kept, key = look_of(style).drawn, (layout.text, layout.justification_spacing)
        runs = kept.get(key)
        stream.set_color(style["color"])
        if runs and all(run.font in stream._fonts for run in runs):
            stream.begin_text()
            stream.set_text_matrix(*matrix.values)
            for run in runs:
                _show(stream, run)
            stream.end_text()
            return
        layout.reactivate(style)
        recorder = _Recorder(stream)
        stream.begin_text()
        emojis = drawing.draw_first_line(recorder, box, text_overflow, block_ellipsis, matrix)
        runs = recorder.runs()
        stream.end_text()
        drawing.draw_emojis(stream, style, x, y, emojis)
        layout.deactivate()
        if runs and not emojis:
            kept[key] = runs

    return draw


def _show(stream: Any, run: Run) -> None:
    """Draw a run again, and tell its font of its glyphs."""
    font = stream._fonts[run.font]
    stream.set_font_size(font.hash, run.size)
    stream.stream += run.operators
    for glyph, letters in run.letters.items():
        font.to_unicode.setdefault(glyph, letters)
        glyph in font.widths  # noqa: B015  a width is looked up when a glyph is first asked for


class _Recorder:
    """A stream that remembers in which fonts it shows which glyphs."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.fonts: list[tuple[int, _Recorded]] = []
        self.started: list[tuple[int, int, float]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def add_font(self, pango_font: Any) -> "tuple[_Recorded, float]":
        """The font, as the stream has it."""
        from weasyprint.text.fonts import get_pango_font_key

        font, size = self.stream.add_font(pango_font)
        self.fonts.append((get_pango_font_key(pango_font)[0], _Recorded(font)))
        return self.fonts[-1][1], size

    def set_font_size(self, name: str, size: float) -> None:
        """Begin a run."""
        ended = len(self.stream.stream)
        self.stream.set_font_size(name, size)
        self.started.append((ended, len(self.stream.stream), size))

    def runs(self) -> tuple[Run, ...]:
        """What was drawn; nothing where a glyph is missing, or measured by anything but the font's file."""
        shown = self.stream.stream
        ends = [*(ended for ended, *_ in self.started[1:]), len(shown)]
        found = []
        for (key, font), (_, start, size), end in zip(self.fonts, self.started, ends, strict=True):
            for glyph, letters in font.to_unicode.items():
                font.font.to_unicode.setdefault(glyph, letters)
                glyph in font.font.widths  # noqa: B015  see above
            found.append(Run(key, size, tuple(shown[start:end]), font.to_unicode))
        return tuple(found) if all(font.exact for _, font in self.fonts) else ()


class _Recorded:
    """A font that remembers what this text's glyphs stand for: another text's may have told it first."""

    def __init__(self, font: Any) -> None:
        vars(self).update(vars(font))
        self.font, self.to_unicode = font, dict[int, str]()
        self.exact = type(font.widths) is Widths
        if self.exact:
            self.widths = font.widths.advances

    def get_unused_glyph_id(self, codepoint: int) -> Any:
        """A glyph for a missing letter: the engine warns of it, every time."""
        self.exact, self.widths = False, self.font.widths
        return self.font.get_unused_glyph_id(codepoint)
