"""How wide words are in a font at a size: asked of the text library once a word, then added up to lines."""

from __future__ import annotations

import re
from math import inf
from typing import Any

from builder.render.engine.weasyprint.patches.kept import stock
from builder.render.engine.weasyprint.patches.letters import (
    FAMILIES,
    KERNED,
    ends,
    plain,
    proved,
    starts,
    unbroken,
    usual,
)
from builder.render.engine.weasyprint.patches.ruler import Ruler

FONT = ("font_family", "font_size", "font_style", "font_stretch", "font_weight", "lang", "letter_spacing")
"""What words' widths depend on in a usual style."""

CLOSE = 8
"""Units by which a line must miss or meet its room before the sum decides on a break: within, the engine does."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u2028\u2029]")

Line = tuple[str, int, int | None, float, float, float]
"""A line's text, its length and where the next begins (in bytes; None: nowhere), its width, height and baseline."""


class Face:
    """A font at a size. Widths are in units of the text library, 1,024 a pixel."""

    def __init__(self, style: Any) -> None:
        from weasyprint.text.ffi import TO_UNITS

        apart = 0 if style["letter_spacing"] == "normal" else style["letter_spacing"]
        spacing = int(apart * TO_UNITS)
        self._units, self._apart, self._lang = TO_UNITS, apart, style["lang"]
        self.ruler = Ruler(style, spacing)
        self._sums = proved(style) and self.ruler.family() in FAMILIES
        width, *self._other = self.ruler.extent(" ") or (0, 0, 0)
        self._space = width + 2 * spacing
        self._hang = CLOSE + 2 * abs(spacing) if spacing else 0
        self._close = CLOSE + 2 * abs(spacing)
        self._loose = int(style["font_size"] * TO_UNITS / 5) + self._close
        self._widths, self._odd = {"": -spacing}, dict[str, int]()
        self._breaks: dict[str, tuple[tuple[str, int], ...]] = {}
        self._whole: dict[str, Line | None] = {}

    def line(self, text: str, width: float) -> Line | None:
        """The first line of a text in a width in pixels. None where neither a sum nor one measurement tells."""
        if self._sums and plain(text):
            line = self._sum(text, width)
            if line is not None:
                return line
        if not text or (width != inf and not unbroken(text)):
            return None
        if text not in self._whole:
            self._whole[text] = self._measured(text)
            stock.lines += 1
        return self._whole[text]

    def _measured(self, text: str) -> Line | None:
        """A text that is all on one line."""
        extent = None if _CONTROL.search(text) else self.ruler.extent(text)
        return extent and self._line(text, None, *extent)

    def _line(self, text: str, more: int | None, width: int, height: int, baseline: int) -> Line:
        """A line, and how many bytes it takes up beyond its own; None if all."""
        length, units = len(text.encode()), self._units
        resume = None if more is None else length + more
        return text, length, resume, width / units + self._apart, height / units, baseline / units

    def _sum(self, text: str, width: float) -> Line | None:
        """The first line of a text, by the widths of its words."""
        room = width if width == inf else int(width * self._units) if width >= 0 else -1
        words, widths, space, safe = text.split(" "), self._widths, self._space, room - self._hang
        total = -space
        for index, word in enumerate(words):
            wide = widths.get(word)
            if wide is None:
                wide = self._learn(word, words, index)
                if wide < 0:
                    return None
            total += space + wide
            if total > safe:
                return self._broken(words, index, total, total - space - wide, room)
        return self._line(text, None, total, *self._other)

    def _broken(self, words: list[str], index: int, total: int, before: int, room: float) -> Line | None:
        """The line before a word that goes beyond the room, or with a part of that word."""
        word = words[index]
        if total <= room + self._close or not word:
            return None
        parts = self._parts(word)
        if index == 0 or not words[index - 1]:
            return None if parts else self._alone(words, total)
        if before > room - self._close:
            return None
        line = self._line(" ".join(words[:index]), 1, before, *self._other)
        for part, wide in parts:
            wide += before + self._space
            if abs(wide - room) < self._loose:
                return None
            if wide < room:
                line = self._line(" ".join([*words[:index], part]), 0, wide, *self._other)
        return line

    def _alone(self, words: list[str], total: int) -> Line | None:
        """The line of a first word that goes beyond the room itself, or of a space before it."""
        first, *rest = words
        if not first:
            return self._line("", 1, 0, *self._other)
        if not any(rest):
            return self._line(first, None, total, *self._other)
        return self._line(first, 1, total, *self._other) if starts(rest[0]) else None

    def _learn(self, word: str, words: list[str], index: int) -> int:
        """The width of a word that was not met before: kept if it is the same wherever the word stands."""
        start, end = starts(word), ends(word)
        if (index and not start) or (not end and index + 1 < len(words)):
            return -1
        if word not in self._odd:
            self._odd[word] = self._width(word)
            stock.lines += 1
        width = self._odd[word]
        if word[0] in KERNED:
            return width + self._kern(word[0]) if index and width >= 0 else width
        if start and end and width >= 0:
            self._widths[word] = width
        return width

    def _kern(self, letter: str) -> int:
        """How much further a letter stands after a space."""
        after = f" {letter}"
        if after not in self._odd:
            self._odd[after] = self._width(after) - self._width(letter) - self._space - self._widths[""]
        return self._odd[after]

    def _parts(self, word: str) -> tuple[tuple[str, int], ...]:
        """The beginnings of a word after which a line may end, with their widths."""
        if unbroken(word):
            return ()
        if word not in self._breaks:
            from weasyprint.text.line_break import get_log_attrs

            places = [at for at, each in enumerate(get_log_attrs(word, self._lang)) if each.is_line_break]
            parts = [word[:at] for at in places if 0 < at < len(word)]
            self._breaks[word] = tuple((part, self._width(part)) for part in parts)
        return self._breaks[word]

    def _width(self, text: str) -> int:
        """The width of a text by itself; -1 where it is not all of this font."""
        width, *other = self.ruler.extent(text) or (-1, 0, 0)
        return width if other == self._other else -1


def face_of(style: Any) -> Face | None:
    """The font of a style, shared by all styles of that font; None where more than the font tells how texts look."""
    if not usual(style):
        return None
    key = style.font_config, *(style[name] for name in FONT)
    if key not in stock.faces:
        stock.faces[key] = Face(style)
    return stock.faces[key]  # type: ignore[no-any-return]
