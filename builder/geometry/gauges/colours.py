"""Colours of gauges as #rrggbb: mixing, what reads well on what, and a set that takes less ink. Pure."""

from __future__ import annotations

from builder.model.gauge import GaugeSet, Style

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


PALE = 0.78
"""How much white a ground takes."""


def ink_saving(gauges: GaugeSet) -> GaugeSet:
    """Every ground made pale; lines, numerals and outlines stay as they are, so that nothing changes its size."""
    style = gauges.style
    pale = Style(
        ink=style.ink,
        paper=style.paper,
        tint=mix(style.tint, WHITE, 0.5),
        accent=mix(style.accent, WHITE, PALE),
        cut=style.cut,
        band=mix(style.band or style.ink, WHITE, 0.86),
    )
    return GaugeSet.model_validate({"style": pale, "groups": _paled(gauges.model_dump()["groups"])})


def _paled(value: object) -> object:
    if isinstance(value, dict):
        paled = {
            key: mix(item, WHITE, PALE) if key == "colour" and isinstance(item, str) else _paled(item)
            for key, item in value.items()
        }
        paled.pop("ink", None)  # a side's own letters may be white: what reads well on the pale ground is chosen anew
        return paled
    if isinstance(value, list | tuple):
        return tuple(_paled(item) for item in value)
    return value
