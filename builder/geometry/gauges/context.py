"""What drawing a gauge needs besides the gauge: words in a language, how wide a text is, colours as #rrggbb. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import cos, degrees, radians, sin
from typing import TypeAlias

from builder.geometry.gauges.art import (
    CAP,
    CUT,
    Anchor,
    Art,
    ArtText,
    Path,
    Piece,
    Segment,
    Weight,
    rect,
)
from builder.messages import translate
from builder.model.base import Words
from builder.model.gauge import Gauge, GaugeSet, GaugeStyle

WHITE, BLACK = "#ffffff", "#14171a"
BRIGHT = 0.56
"""Above this lightness dark text reads better than white."""


def parts(colour: str) -> tuple[float, float, float]:
    """Red, green, blue from 0 to 1."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def mix(one: str, other: str, share: float) -> str:
    """`share` of the other colour in the first."""
    mixed = (a + (b - a) * share for a, b in zip(parts(one), parts(other), strict=True))
    return "#" + "".join(f"{round(value * 255):02x}" for value in mixed)


def lightness(colour: str) -> float:
    """How light a colour seems, 0 to 1."""
    red, green, blue = parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def readable(ground: str) -> str:
    """White or near black, whichever reads better on a ground."""
    return BLACK if lightness(ground) > BRIGHT else WHITE


UNLIMITED = 1e6
SMALLEST = 2.294
"""The smallest type size in mm (6.5 pt): below it a text counts as too long."""

MeasureText: TypeAlias = Callable[[str, float, Weight], float]
"""Width of a line of text in mm at a type size in mm."""


@dataclass(frozen=True, slots=True)
class Context:
    """One language of one pack. `longest` is the longest piece in mm that the paper takes."""

    lang: str
    source: str
    style: GaugeStyle
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

    def cut(self, outline: tuple[Segment, ...], fill: str | None = None) -> Path:
        """The line along which an outline is cut out."""
        return Path(outline, fill, self.style.cut, tag=CUT)

    def piece(
        self, gauge: Gauge, width: float, height: float, art: Iterable[Art], caption: str = ""
    ) -> Piece:
        """A rectangular piece of a gauge, cut out along its edge."""
        return Piece(
            gauge.id, width, height, (*art, self.cut(rect(0, 0, width, height))), caption=caption
        )

    def fitted(self, text: str, width: float, size: float, weight: Weight = "bold") -> float:
        """The type size in mm, at most `size`, at which a line is no wider than `width`; never below the smallest."""
        wide = self.measure(text, size, weight)
        return size if wide <= width else max(SMALLEST, size * width / wide)

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
        drop = -CAP * size / 2 if angle in (90, 180) else CAP * size / 2
        x, y = (x + drop, y) if angle in (90, -90, 270) else (x, y + drop)
        return ArtText(
            x,
            y,
            text,
            size,
            colour,
            weight,
            anchor,
            angle,
            None if width > UNLIMITED / 2 else width,
        )

    def block(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: str,
        *,
        width: float,
        rows: int = 2,
    ) -> tuple[ArtText, ...]:
        """Up to `rows` lines centred on (x, y), broken between words, as large as fits up to `size`."""
        lines = self.broken(text, width, size, rows)
        size = min(self.fitted(item, width, size) for item in lines)
        step = size * 1.12
        top = y - step * (len(lines) - 1) / 2
        return tuple(
            self.line(item, x, top + i * step, size, colour, width=width)
            for i, item in enumerate(lines)
        )

    def broken(self, text: str, width: float, size: float, rows: int) -> list[str]:
        """A text in the fewest lines (at most `rows`) that fit at this size; else in `rows` lines of like length."""
        words = text.split() or [""]
        ways = [self._rows(words, count) for count in range(1, rows + 1)]

        def widest(lines: list[str]) -> float:
            return max(self.measure(item, size, "bold") for item in lines)

        return next((lines for lines in ways if widest(lines) <= width), min(ways, key=widest))

    def _rows(self, words: list[str], count: int) -> list[str]:
        target = sum(len(word) + 1 for word in words) / count
        lines: list[str] = [words[0]]
        for word in words[1:]:
            if len(lines) < count and len(lines[-1]) + (len(word) + 1) / 2 > target:
                lines.append(word)
            else:
                lines[-1] += " " + word
        return lines

    def around(
        self, text: str, cx: float, cy: float, r: float, size: float, colour: str
    ) -> Iterator[ArtText]:
        """Letters along the top of a circle, their capitals centred on the radius."""
        base = r - CAP * size / 2
        place = -degrees(self.measure(text, size, "bold") / base) / 2
        for letter in text:
            step = degrees(self.measure(letter, size, "bold") / base)
            angle = radians(place + step / 2)
            x, y = cx + base * sin(angle), cy - base * cos(angle)
            yield ArtText(x, y, letter, size, colour, angle=place + step / 2)
            place += step


PALE = 0.78
"""How much white a ground takes."""


def ink_saving(gauges: GaugeSet) -> GaugeSet:
    """Every ground made pale; lines, numerals and outlines stay as they are, so that nothing changes its size."""
    style = gauges.style
    pale = {
        "tint": mix(style.tint, WHITE, 0.5),
        "accent": mix(style.accent, WHITE, PALE),
        "band": mix(style.band or style.ink, WHITE, 0.86),
    }
    groups = _paled(gauges.model_dump()["groups"])
    return GaugeSet.model_validate({"style": style.model_copy(update=pale), "groups": groups})


def _paled(value: object) -> object:
    if isinstance(value, dict):
        paled = {
            key: mix(item, WHITE, PALE)
            if key == "colour" and isinstance(item, str)
            else _paled(item)
            for key, item in value.items()
        }
        paled.pop(
            "ink", None
        )  # a side's own letters may be white: what reads well on the pale ground is chosen anew
        return paled
    if isinstance(value, list | tuple):
        return tuple(_paled(item) for item in value)
    return value
