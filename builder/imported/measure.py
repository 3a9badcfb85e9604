"""Estimate the size of texts, so that cards are laid out before they are rendered. Pure.

Widths are in em: 1 em is the type size. They are those of the program's typeface.
"""

from __future__ import annotations

import re
from functools import lru_cache

CHARACTERS_BY_WIDTH = {
    0.22: "',;ijl|!.:I[] ",
    0.35: '`"-tfr(){}\\/*^’‘“”°',
    0.5: "zcksvxy?_éгт",
    0.66: "STZY#RBKPVUCADXEwжмюфшщыЪ&",
    0.72: "GOQHN%~+<>=×",
    0.9: "mMWЖШЩЮФМ@—",
}
DEFAULT_WIDTH = 0.57
SYMBOL_WIDTH = 1.0
FIRST_SYMBOL = 0x2190
"""Characters from here on are symbols, or scripts with wide characters."""
BOLD_WIDTH_FACTOR = 1.2
"""How much wider bold words are than others, at most."""
ZERO_WIDTH_SPACE = "\u200b"
WIDTHS: dict[str, float] = {}
for _width, _characters in CHARACTERS_BY_WIDTH.items():
    WIDTHS |= dict.fromkeys(_characters, _width)


@lru_cache(maxsize=20_000)
def measure_text(text: str) -> float:
    """Estimate the width of a text on one line, in em."""
    width = 0.0
    for character in text:
        default = SYMBOL_WIDTH if ord(character) >= FIRST_SYMBOL else DEFAULT_WIDTH
        width += WIDTHS.get(character, default)
    return width


def measure_longest_word(text: str) -> float:
    """Estimate the width of the longest word of a text, in em."""
    return max(map(measure_text, text.split()), default=0.0)


@lru_cache(maxsize=20_000)
def count_lines(text: str, width: float) -> int:
    """Estimate the number of lines that a text fills in a column of a width in em."""
    count = 0
    space = WIDTHS[" "]
    for paragraph in text.split("\n"):
        count += 1
        line = 0.0
        for word in paragraph.split():
            word_width = measure_text(word)
            if line and line + space + word_width > width:
                count += 1
                line = 0.0
            # A word that is longer than a line is broken.
            count += int(word_width // width)
            line += (space if line else 0.0) + word_width % width
    return count


def mark_breaks(text: str, width: float) -> str:
    """Insert invisible spaces into words longer than a line, where the engine may break them.

    Breaking is off for all other words, because the engine would also break short words after
    bold text.
    """
    return re.sub(
        r"\S+",
        lambda match: _mark_word_breaks(match[0], width / BOLD_WIDTH_FACTOR),
        text,
    )


def _mark_word_breaks(word: str, width: float) -> str:
    if measure_text(word) <= width:
        return word
    marked_word = ""
    part = ""
    for character in word:
        # A break between letters separates no mark from its text.
        can_break = part[-1:].isalnum() and character.isalnum()
        if can_break and measure_text(part + character) > width:
            marked_word += part + ZERO_WIDTH_SPACE
            part = ""
        part += character
    return marked_word + part
