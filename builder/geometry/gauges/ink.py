"""Colours as #rrggbb: mixing, and what reads well on what. Pure."""

from __future__ import annotations

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
