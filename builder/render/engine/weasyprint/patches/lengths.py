"""Used lengths: without percentages the same for every box of a style, and with them nearly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import SimpleNamespace
from typing import Any

_ALONG = (
    *(f"{edge}_{side}" for edge in ("margin", "padding") for side in ("top", "right", "bottom", "left")),
    *(f"{least}width" for least in ("", "min_", "max_")),
)
"""Lengths of which shares refer to the width of the containing block."""

_UP = tuple(f"{least}height" for least in ("", "min_", "max_"))
_BORDERS = tuple(f"border_{side}_width" for side in ("top", "right", "bottom", "left"))


_EDGES = tuple(f"{edge}_{side}" for side in ("left", "right") for edge in ("margin", "padding"))


@dataclass(frozen=True, slots=True)
class _Lengths:
    """The used lengths of a style that are the same for all its boxes, its shares of a width, and whether its sizes
    have still to be shrunk to the content.
    """

    same: dict[str, Any]
    shares: tuple[tuple[str, float], ...]
    shrunk: bool


def one_percentage(original: Callable[[Any, str, Any], None]) -> Callable[[Any, str, Any], None]:
    """A length in pixels is itself."""

    def resolve(box: Any, name: str, refer_to: Any) -> None:
        value = box.style[name]
        if getattr(value, "unit", None) == "px":
            setattr(box, name, value.value)
        else:
            original(box, name, refer_to)

    return resolve


def percentages(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The containing block is asked for its width only where a length is a share of it.

    Borders of collapsing tables are settled between cells, hence never kept; the engine's stand-in for a positioned
    box (which has a `_box`) keeps nothing of its own.
    """
    from weasyprint.formatting_structure.boxes import Box, PageBox
    from weasyprint.layout.percent import adjust_box_sizing

    def resolve(box: Any, containing_block: Any) -> None:
        known = getattr(box.style, "known", None)
        if known is None:
            original(box, containing_block)
            return
        if "lengths" not in known:
            known["lengths"] = _lengths(box.style)
        used, own = known["lengths"], box.__dict__
        if used is None or "_box" in own or isinstance(box, PageBox):
            original(box, containing_block)
            return
        own.update(used.same)
        if used.shares:
            width = containing_block.width if isinstance(containing_block, Box) else containing_block[0]
            for name, share in used.shares:
                own[name] = width * share / 100
        if used.shrunk:
            adjust_box_sizing(box, "width")
            adjust_box_sizing(box, "height")

    return resolve


def adjusted(original: Callable[..., float]) -> Callable[..., float]:
    """The preferred width of a box that has no edges and no bounds is that of its content: told by its style."""
    from weasyprint.formatting_structure.boxes import ReplacedBox

    def adjust(box: Any, outer: bool, width: float, left: bool = True, right: bool = True) -> float:
        known = getattr(box.style, "known", None)
        if known is None or isinstance(box, ReplacedBox):
            return original(box, outer, width, left, right)
        if "edgeless" not in known:
            known["edgeless"] = _edgeless(box.style)
        if not known["edgeless"]:
            return original(box, outer, width, left, right)
        return max(0, width) / 1 if outer else max(0, width)

    return adjust


def _edgeless(style: Any) -> bool:
    """True if a style has neither margins, borders and padding at the sides, nor bounds of the width."""
    return (
        style["border_collapse"] != "collapse"
        and all(style[name] == (0, "px") for name in _EDGES)
        and style["border_left_width"] == style["border_right_width"] == 0
        and style["min_width"] in ("auto", (0, "px"))
        and style["max_width"] == (inf, "px")
    )


def _lengths(style: Any) -> _Lengths | None:
    """The lengths of a style; None where one refers to a height, or to anything else."""
    if style["border_collapse"] == "collapse":
        return None
    same: dict[str, Any] = {name: style[name] for name in _BORDERS}
    shares = []
    for name in (*_ALONG, *_UP):
        value = style[name]
        unit = getattr(value, "unit", None)
        if value == "auto":
            same[name] = 0 if name in ("min_width", "min_height") else value
        elif unit == "px":
            same[name] = value.value
        elif unit == "%" and name in _ALONG:
            shares.append((name, value.value))
        else:
            return None
    shrunk = style["box_sizing"] != "content-box"
    if shares or not shrunk:
        return _Lengths(same, tuple(shares), shrunk)
    return _Lengths(_shrunk(style, same), (), shrunk=False)


def _shrunk(style: Any, lengths: dict[str, Any]) -> dict[str, Any]:
    """Lengths of which sizes are those of the content."""
    from weasyprint.layout.percent import adjust_box_sizing

    box = SimpleNamespace(**lengths, style=style)
    adjust_box_sizing(box, "width")
    adjust_box_sizing(box, "height")
    return {name: getattr(box, name) for name in lengths}
