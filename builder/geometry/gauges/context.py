"""What drawing a gauge needs to know besides the gauge: language, colours, words, and how wide a text is. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, degrees, radians, sin
from typing import Protocol

from builder.geometry.gauges.art import CAP, Anchor, ArtText, Weight
from builder.messages import translate
from builder.model.gauge import Gauge, Style, Words

UNLIMITED = 1e6
SMALLEST = 2.294
"""The smallest type size in mm (6.5 pt): below it a text counts as too long."""


class MeasureText(Protocol):
    """Width of a line of text in mm at a type size in mm."""

    def __call__(self, text: str, size: float, weight: Weight) -> float:
        """The width in mm."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """One language of one pack. `longest` is the longest piece in mm that the paper takes."""

    lang: str
    source: str
    style: Style
    measure: MeasureText
    longest: float

    def say(self, words: Words | Mapping[str, str]) -> str:
        """A text of the pack in this language, else in the source language, else in any; or a message."""
        if isinstance(words, str):
            return translate(words, self.lang)
        return words.get(self.lang) or words.get(self.source) or next(iter(words.values()), "")

    @property
    def band(self) -> str:
        """The colour of bands that bear a name."""
        return self.style.band or self.style.ink

    def colour(self, gauge: Gauge) -> str:
        """A gauge's colour."""
        return gauge.colour or self.style.accent

    def fitted(
        self, text: str, width: float, size: float, weight: Weight = "bold", smallest: float = SMALLEST
    ) -> float:
        """The type size in mm, at most `size`, at which a line is no wider than `width`; never below `smallest`."""
        wide = self.measure(text, size, weight)
        return size if wide <= width else max(smallest, size * width / wide)

    def line(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: str,
        *,
        width: float = UNLIMITED,
        weight: Weight = "bold",
        anchor: Anchor = "middle",
        angle: float = 0.0,
    ) -> ArtText:
        """A line whose capitals are centred on y, set smaller where it would be wider than `width`."""
        size = self.fitted(text, width, size, weight)
        drop = CAP * size / 2
        sideways = angle in (90, -90, 270)
        if sideways:
            x += -drop if angle == 90 else drop
        else:
            y += -drop if angle == 180 else drop
        return ArtText(x, y, text, size, colour, weight, anchor, angle, None if width > UNLIMITED / 2 else width)

    def block(
        self, text: str, x: float, y: float, size: float, colour: str, *, width: float, rows: int = 2
    ) -> tuple[ArtText, ...]:
        """Up to `rows` lines centred on (x, y), broken between words, as large as fits up to `size`."""
        lines = self.broken(text, width, size, rows)
        size = min(self.fitted(item, width, size) for item in lines)
        step = size * 1.12
        top = y - step * (len(lines) - 1) / 2
        return tuple(self.line(item, x, top + i * step, size, colour, width=width) for i, item in enumerate(lines))

    def broken(self, text: str, width: float, size: float, rows: int) -> list[str]:
        """A text in the fewest lines (at most `rows`) that fit at this size; else in `rows` lines of like length."""
        words = text.split() or [""]
        for count in range(1, rows + 1):
            lines = self._rows(words, count)
            if all(self.measure(item, size, "bold") <= width for item in lines):
                return lines
        return min(
            (self._rows(words, count) for count in range(1, rows + 1)),
            key=lambda lines: max(self.measure(item, size, "bold") for item in lines),
        )

    def _rows(self, words: list[str], count: int) -> list[str]:
        target = sum(len(word) + 1 for word in words) / count
        lines: list[str] = [words[0]]
        for word in words[1:]:
            if len(lines) < count and len(lines[-1]) + (len(word) + 1) / 2 > target:
                lines.append(word)
            else:
                lines[-1] += " " + word
        return lines

    def around(self, text: str, cx: float, cy: float, r: float, size: float, colour: str) -> tuple[ArtText, ...]:
        """Letters along the top of a circle, their capitals centred on the radius."""
        base = r - CAP * size / 2
        place = -degrees(self.measure(text, size, "bold") / base) / 2
        found = []
        for letter in text:
            step = degrees(self.measure(letter, size, "bold") / base)
            found.append(_upright(letter, cx, cy, base, place + step / 2, size, colour))
            place += step
        return tuple(found)


def _upright(letter: str, cx: float, cy: float, r: float, angle: float, size: float, colour: str) -> ArtText:
    x, y = sin(radians(angle)), -cos(radians(angle))
    return ArtText(cx + r * x, cy + r * y, letter, size, colour, "bold", "middle", angle)
