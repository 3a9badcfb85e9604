"""Used lengths: without percentages the same for every box of a style, and with them nearly.

The engine's stand-in for a positioned box (which has a `_box`) keeps nothing of its own.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

_SIDES = ("top", "right", "bottom", "left")
_ALONG = (*(f"{edge}_{side}" for edge in ("margin", "padding") for side in _SIDES), "width", "min_width", "max_width")
"""Lengths of which shares refer to the width of the containing block."""


class _Lengths(NamedTuple):
    """The used lengths of a style that are the same for all its boxes, and its shares of a width; the widths of borders
    that may have been settled between cells before; whether sizes have still to be shrunk to the content.
    """

    same: dict[str, Any]
    shares: list[tuple[str, float]]
    borders: dict[str, Any]
    shrunk: bool


def replacements() -> Iterator[Replacement]:
    """The working out of used lengths."""
    from weasyprint.layout import percent

    yield from everywhere(percent.resolve_percentages, _percentages(percent.resolve_percentages))


def _percentages(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The containing block is asked for its width only where a length is a share of it."""
    from weasyprint.formatting_structure.boxes import Box, PageBox
    from weasyprint.layout.percent import adjust_box_sizing

    def resolve(box: Any, containing_block: Any) -> None:
        known, own = getattr(box.style, "known", None), box.__dict__
        if known is not None and "lengths" not in known:
            known["lengths"] = _lengths(box.style)
        used = known and known["lengths"]
        if used is None or "_box" in own or isinstance(box, PageBox):
            original(box, containing_block)
            return
        own.update(used.same)
        for name, width in used.borders.items():
            own.setdefault(name, width)
        for name, share in used.shares:
            width = containing_block.width if isinstance(containing_block, Box) else containing_block[0]
            own[name] = width * share / 100
        if used.shrunk:
            adjust_box_sizing(box, "width")
            adjust_box_sizing(box, "height")

    return resolve


def _lengths(style: Any) -> _Lengths | None:
    """The lengths of a style; None where one refers to a height, or to anything else."""
    borders: dict[str, Any] = {name: style[name] for name in (f"border_{side}_width" for side in _SIDES)}
    collapsing = style["border_collapse"] == "collapse"
    found = _Lengths(
        {} if collapsing else borders, [], borders if collapsing else {}, style["box_sizing"] != "content-box"
    )
    for name in (*_ALONG, "height", "min_height", "max_height"):
        value = style[name]
        unit = getattr(value, "unit", None)
        if value == "auto":
            found.same[name] = 0 if name in ("min_width", "min_height") else value
        elif unit == "px":
            found.same[name] = value.value
        elif unit == "%" and name in _ALONG:
            found.shares.append((name, value.value))
        else:
            return None
    return found
