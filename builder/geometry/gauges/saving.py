"""The same gauges with less ink: pale grounds instead of full ones, dark letters on them. Pure."""

from __future__ import annotations

from typing import Any

from builder.geometry.gauges.ink import WHITE, mix
from builder.model.gauge import GaugeSet, Style

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
    groups: Any = _paled(gauges.model_dump(exclude={"style"}))["groups"]
    return GaugeSet.model_validate({"style": pale, "groups": groups})


def _paled(value: Any) -> Any:
    if isinstance(value, dict):
        paled = {key: mix(item, WHITE, PALE) if _ground(key, item) else _paled(item) for key, item in value.items()}
        paled.pop("ink", None)  # a side's own letters may be white: what reads well on the pale ground is chosen anew
        return paled
    if isinstance(value, list | tuple):
        return tuple(_paled(item) for item in value)
    return value


def _ground(key: str, value: object) -> bool:
    return key == "colour" and isinstance(value, str)
