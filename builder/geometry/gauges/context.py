"""What drawing a gauge needs besides the gauge: words in a language, styles, widths of texts.

Pure.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from builder.geometry.gauges.art import Weight
from builder.messages import translate
from builder.model.base import Words
from builder.model.gauge import GaugeStyle

MIN_TYPE_SIZE_MM = 2.294
"""6.5 pt: a text that needs a smaller size counts as too long."""

MeasureText: TypeAlias = Callable[[str, float, Weight], float]
"""Width of a line of text in mm at a type size in mm."""


@dataclass(frozen=True, slots=True)
class Context:
    """The language, style and fonts for drawing gauges. `max_length` is the longest piece in mm."""

    lang: str
    source_lang: str
    style: GaugeStyle
    measure: MeasureText
    max_length: float

    def localize(self, words: Words | Mapping[str, str]) -> str:
        """Return a text of the pack, or a message, in this language.

        A missing translation is replaced by the source language, else by any other.
        """
        if isinstance(words, str):
            return translate(words, self.lang)
        localized = words.get(self.lang) or words.get(self.source_lang)
        return localized or next(iter(words.values()), "")

    @property
    def band(self) -> str:
        """The color of bands with a name on them."""
        return self.style.band or self.style.ink

    def fit_size(
        self, text: str, max_width: float, size: float, weight: Weight = "bold"
    ) -> float:
        """Return the largest type size, at most `size`, at which a line fits.

        It is never below the minimum.
        """
        width = self.measure(text, size, weight)
        if width <= max_width:
            return size
        return max(MIN_TYPE_SIZE_MM, size * max_width / width)

    def break_lines(
        self, text: str, max_width: float, size: float, max_lines: int
    ) -> list[str]:
        """Break a text into the fewest lines that fit at this type size.

        If it fits in none, return the line breaks with the narrowest widest line.
        """
        words = text.split() or [""]
        candidates: list[tuple[float, list[str]]] = []
        for count in range(1, max_lines + 1):
            lines = _break_evenly(words, count)
            width = max(self.measure(line, size, "bold") for line in lines)
            if width <= max_width:
                return lines
            candidates.append((width, lines))
        return min(candidates, key=lambda candidate: candidate[0])[1]


def _break_evenly(words: list[str], count: int) -> list[str]:
    """Break words into at most `count` lines of similar length."""
    target_length = sum(len(word) + 1 for word in words) / count
    lines = [words[0]]
    for word in words[1:]:
        # Half of the word counts: it goes to the line that holds its larger part.
        length = len(lines[-1]) + (len(word) + 1) / 2
        if len(lines) < count and length > target_length:
            lines.append(word)
        else:
            lines[-1] += " " + word
    return lines
